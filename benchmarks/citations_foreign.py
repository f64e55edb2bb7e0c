"""How right citations are read in English acts, United States codes and Korean court style.

    python -m benchmarks.citations_foreign [--data DIR] [--json] [--wrong]

Each folder of the data is a set: a small invented corpus (`law.csv`) and sentences in which every
citation was marked by hand (`marked.jsonl`) before the reader could read them. A mark says what a
citation is to be read as: resolved to these units and pinpoints, ambiguous, or unresolved, where it
matters with the reason.

* ``recall``: of the citations marked, the share that is read as marked;
* ``precision``: of the citations read, the share that is read as marked;
* ``wrong_resolved``: of the citations read as resolved, the share that means other units or
  pinpoints than those marked, or stands where nothing is marked.

Each is printed for every set, with its name in front, and for all together. Intervals are Wilson's.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import program

DATA = Path(__file__).resolve().parent / "citations_foreign_data"
PARSER = program(__doc__, "n recall precision wrong_resolved *_recall *_precision *_wrong_resolved")
PARSER.add_argument("--data", type=Path, default=DATA)
PARSER.add_argument("--wrong", action="store_true", help="list what is not read as marked")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import json
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.program import UnmeasurableError, run
from corpus.citations.catalogue import Catalogue
from corpus.citations.find import find
from corpus.citations.model import Resolution
from corpus.citations.resolve import resolve
from corpus.importers.table import read_table
from evaluation.figure import Figure, share_figure


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a citation is read as, or marked to be read as; `reason` is "" where it is left open."""

    status: str
    reason: str
    targets: tuple[tuple[str, str], ...]

    def is_marked(self, mark: Meaning) -> bool:
        """Tell whether this reading is the one that a mark asks for."""
        same = (self.status, set(self.targets)) == (mark.status, set(mark.targets))
        return same and mark.reason in ("", self.reason)


@dataclass(frozen=True, slots=True)
class Pair:
    """One stretch of a text as marked and as read; None where it is only one of them."""

    text: str
    marked: Meaning | None
    read: Meaning | None

    @property
    def right(self) -> bool:
        """Tell whether it is read as marked."""
        return bool(self.marked and self.read and self.read.is_marked(self.marked))


def figures_of(options: Namespace, _: Path) -> list[Figure]:
    """Return every figure; print what was read wrong where that is asked for."""
    if not (folders := sorted(each.parent for each in options.data.glob("*/marked.jsonl"))):
        raise UnmeasurableError(f"--data: there is no set in {options.data}")
    sets = {folder.name: list(pairs(folder)) for folder in folders}
    for name, each in sets.items() if options.wrong else ():
        for one in each:
            if not one.right:
                print(f"{name}: {one.text!r}\n    marked {one.marked}\n    read   {one.read}")
    return figures(sets)


def figures(sets: dict[str, list[Pair]]) -> list[Figure]:
    """Return the figures of all sets together, then those of each."""
    whole = [one for each in sets.values() for one in each]
    marked = sum(one.marked is not None for one in whole)
    found = [Figure("n", marked, marked), *_figures("", whole)]
    return found + [figure for name, each in sets.items() for figure in _figures(f"{name}_", each)]


def _figures(name: str, each: list[Pair]) -> list[Figure]:
    right = sum(one.right for one in each)
    resolved = [one for one in each if one.read and one.read.status == "resolved"]
    return [
        share_figure(f"{name}recall", right, sum(one.marked is not None for one in each)),
        share_figure(f"{name}precision", right, sum(one.read is not None for one in each)),
        share_figure(
            f"{name}wrong_resolved", sum(not one.right for one in resolved), len(resolved)
        ),
    ]


def pairs(folder: Path) -> Iterator[Pair]:
    """Yield what is marked and what is read in the sentences of a set.

    Raises UserError for law that cannot be read, ValueError for a mark that its sentence lacks.
    """
    catalogue = Catalogue.from_statutes(read_table(folder / "law.csv").statutes)
    for line in (folder / "marked.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text, at = row["text"], 0
        marks: list[tuple[int, int, Meaning]] = []
        for one in row["citations"]:
            start = text.index(one["text"], at)
            at = start + len(one["text"])
            targets = tuple((each["unit"], each["pinpoint"]) for each in one["targets"])
            marks.append((start, at, Meaning(one["status"], one.get("reason", ""), targets)))
        yield from _paired(text, marks, resolve(find(text), text, catalogue))


def _paired(
    text: str, marks: list[tuple[int, int, Meaning]], read: list[Resolution]
) -> Iterator[Pair]:
    """Pair each mark with the first reading that shares letters with it."""
    left = list(read)
    for start, end, mark in marks:
        one = next((r for r in left if r.citation.start < end and start < r.citation.end), None)
        if one is not None:
            left.remove(one)
        yield Pair(text[start:end], mark, _meaning(one) if one else None)
    for one in left:
        yield Pair(one.citation.text, None, _meaning(one))


def _meaning(one: Resolution) -> Meaning:
    targets = tuple((target.unit_id, target.pinpoint) for target in one.targets)
    return Meaning(one.status.value, one.reason.value if one.reason else "", targets)


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
