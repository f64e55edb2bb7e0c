"""Processor seconds of the commands that a lead and a researcher wait for, on real law.

    python -m benchmarks.commands [--rounds 3] [--only candidates,check,...] [--before DIR] [--json]

The project holds the fire-safety statutes and the real questions of the shared data; two people's
labels, made from the source's own, come in as those of another tool, so that there is gold. Each
round runs each command once in a fresh copy of the workspace, with nothing kept beside the
database. Figures are medians over rounds, n is the number of rounds. They are seconds of the
processor, of the command and all processes that it starts, so that other work counts little:

* ``candidates_seconds``: candidates of all questions, where none has any.
* ``retrieve_seconds``: a run of the recommended method, its indexes included.
* ``check_seconds``, ``restore_seconds``: of this project, and of its backup in a new workspace.
* ``similarity_seconds``: recall of that run against how alike question and gold are, as CSV.
* ``statistics_seconds``: the table of how alike questions, gold and answers are.

``--before`` names another checkout: every command runs there too, in turn with ours and by the same
Python, from the same project, which is then made by the other one. Its figures end in ``_before``;
``candidates_ratio`` and its like are medians of ours over its, round by round, and
``candidates_same`` and its like are 1 where all that the command left is the same as there, byte
for byte: the exported annotations, the run, the file, what was printed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import SHARED, program, several

COMMANDS = ("candidates", "retrieve", "check", "restore", "similarity", "statistics")
PARSER = program(__doc__, "*_seconds *_seconds_before *_ratio *_same")
PARSER.add_argument("--rounds", type=int, default=3, help="runs of each command")
PARSER.add_argument("--only", type=several(COMMANDS), default=COMMANDS, help="some of the commands")
PARSER.add_argument("--before", type=Path, metavar="DIR", help="a checkout to compare with")
PARSER.add_argument("--statutes", type=Path, default=SHARED / "korean-law/fire-safety/kr")
PARSER.add_argument("--questions", type=Path, default=SHARED / "searchfiresafety/qna.jsonl")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import json
import re
import resource
import shutil
import tempfile
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.program import run
from benchmarks.retrieval_quality import asked_of, corpus_of
from benchmarks.startup import Checkout, checkouts_of, side_by_side
from corpus.importers.beir import read_questions
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level
from evaluation.figure import Figure

SLUG = "fire"
PEOPLE = ("Ann", "Ben")
NOTHING = "No provision"
EVERY = 7  # of so many questions one has labels that differ
_TIMES = re.compile(rb"\d{4}-\d\d-\d\dT[\d:.]+(\+00:00|Z)?")  # when each was made
_SECONDS = re.compile(rb"\d[\d.,]* ?(s|ms|seconds?)\b")  # differ from run to run


def spent(version: Checkout, workspace: Path, *words: str) -> tuple[float, bytes]:
    """Return the seconds of the processor that a command took, and what it printed.

    Raises CalledProcessError where it fails.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    printed = version.run(workspace, "--project", SLUG, *words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, printed


@dataclass(frozen=True, slots=True)
class Worlds:
    """Workspaces that commands begin with, and the backup that is restored."""

    asked: Path  # law and questions
    scored: Path  # candidates, two people's labels and a run, too
    backup: Path


def make_worlds(version: Checkout, folder: Path, statutes: Path, questions: Path) -> Worlds:
    """Return the workspaces, made by the commands of a version."""
    asked, scored, backup = (folder / each for each in ("asked", "scored", "backup"))
    spent(version, asked, "init")
    spent(version, asked, "project", SLUG, "--title", "Fire safety")
    spent(version, asked, "import", "statutes", str(statutes))
    spent(version, asked, "import", "questions", str(questions))
    shutil.copytree(asked, scored)
    spent(version, scored, "candidates")
    for person in PEOPLE:
        spent(version, scored, "person", "add", person, "--role", "annotator")
    parsed = read_tree(statutes)
    asked_of_law = asked_of(questions, parsed, corpus_of(parsed, [Level.ARTICLE]))
    gold = {each.query.id: each.gold for each in asked_of_law}
    file, guide = write_labels(folder, questions, gold)
    labels = ("import", "labels", str(file), "--from", "argilla", "--mapping", str(guide))
    spent(version, scored, *labels)
    spent(version, scored, "retrieve", "--method", "bm25")
    spent(version, scored, "backup", str(backup))
    return Worlds(asked, scored, backup)


def write_labels(
    folder: Path, questions: Path, gold: Mapping[str, Sequence[str]]
) -> tuple[Path, Path]:
    """Write labels of two people of another tool for all questions, and the guide to them.

    They are the source's own; a question without gold in this law has no provision. Both say the
    same, but for one question of `EVERY`, in which the second found nothing.
    """
    units = sorted({unit for each in gold.values() for unit in each})
    decisions: dict[str, object] = {u: {"unit": u, "decision": "accept"} for u in units}
    guide = folder / "guide.json"
    people = {str(at): name for at, name in enumerate(PEOPLE)}
    fields = {"item": "external_id", "choices": "provisions", "people": people}
    chosen = decisions | {NOTHING: {"no_provision": True}}
    guide.write_text(json.dumps({**fields, "decisions": chosen}))
    file = folder / "labels.jsonl"
    asked = [each.external_id for each in read_questions(questions)]
    records = (_record(at, each, gold.get(each, ())) for at, each in enumerate(asked))
    file.write_text("".join(f"{json.dumps(each)}\n" for each in records))
    return file, guide


def _record(at: int, question: str, gold: Sequence[str]) -> dict[str, object]:
    sides = (list(gold) or [NOTHING], list(gold) if gold and at % EVERY else [NOTHING])
    responses = [
        {"user_id": str(person), "status": "submitted", "values": {"provisions": {"value": chosen}}}
        for person, chosen in enumerate(sides)
    ]
    return {"external_id": question, "fields": {}, "responses": responses}


def words_of(command: str, worlds: Worlds, folder: Path) -> tuple[Path | None, list[str]]:
    """Return the workspace that a command begins with, if any, and its words.

    What it writes goes into the folder.
    """
    drawn = ["--output", str(folder / "drawn.csv")]
    return {
        "candidates": (worlds.asked, ["candidates"]),
        "retrieve": (worlds.scored, ["retrieve", "--method", "recommended"]),
        "check": (worlds.scored, ["check"]),
        "restore": (None, ["restore", str(worlds.backup)]),
        "similarity": (worlds.scored, ["figure", "similarity", "1", *drawn]),
        "statistics": (worlds.scored, ["statistics", *drawn]),
    }[command]


def take(version: Checkout, command: str, worlds: Worlds) -> tuple[float, list[bytes]]:
    """Return the seconds that a command took in a fresh workspace, and all that it left."""
    with tempfile.TemporaryDirectory(dir=worlds.asked.parent) as name:
        folder = Path(name)
        workspace = folder / "workspace"
        source, words = words_of(command, worlds, folder)
        if source:
            shutil.copytree(source, workspace)
            shutil.rmtree(workspace / "index", ignore_errors=True)
            spent(version, workspace, "init")
        seconds, printed = spent(version, workspace, *words)
        return seconds, [
            _SECONDS.sub(b"", printed.replace(name.encode(), b"")),
            *_left(version, command, workspace),
        ]


def _left(version: Checkout, command: str, workspace: Path) -> list[bytes]:
    written = {"similarity": "drawn.csv", "statistics": "drawn.csv"}
    if command in written:
        return [(workspace.parent / written[command]).read_bytes()]
    exports = {"candidates": ["annotations"], "restore": ["annotations"], "retrieve": ["run", "2"]}
    if command not in exports:
        return []
    file = workspace.parent / "exported"
    spent(version, workspace, "export", *exports[command], str(file))
    return [_TIMES.sub(b"", file.read_bytes())]


def measure(versions: Sequence[Checkout], options: Namespace) -> list[Figure]:
    """Return the figures of the first version, and where there is a second, how they compare."""
    taken: dict[tuple[str, int], list[float]] = {}
    same: dict[str, bool] = {}
    with tempfile.TemporaryDirectory() as name:
        worlds = make_worlds(versions[-1], Path(name), options.statutes, options.questions)
        for turn in range(options.rounds):
            for command in options.only:
                order = list(enumerate(versions))
                left = []
                for at, version in order if turn % 2 else reversed(order):
                    seconds, found = take(version, command, worlds)
                    taken.setdefault((command, at), []).append(seconds)
                    left.append(found)
                same[command] = same.get(command, True) and left[0] == left[-1]
    figures = side_by_side(options.only, taken)
    if len(versions) > 1:
        figures += [Figure(f"{e}_same", float(same[e]), options.rounds) for e in options.only]
    return figures


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return the processor seconds of each command, of each version."""
    return measure(checkouts_of(options, folder), options)


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
