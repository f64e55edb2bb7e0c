"""What stored runs score, question by question, kept on disk so that a leaderboard only reads it.

A run never changes, so what it scores on a question hangs on the gold of that question alone. A
row says which gold it is for; where that is another now, the row is worked out anew from the run,
and no other. The files lie in the workspace's cache folder, one for each run, named after all else
that their content depends on and put in place whole. They are a cache: where one is missing,
damaged or cannot be written only time is lost, and replicas on disks of their own each keep theirs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from errors import UserError
from evaluation.ranking.scoring import OFFERED, Measure, evaluate, parse_measure
from services.gold.gold_set import GoldSet
from storage.db.atomic_files import published_file
from storage.db.workspace import Workspace
from storage.runs.run_store import RunView, run_rankings

_RULE = 1  # raise it when what is written, or how anything is scored, changes
_MOST = 60  # measures kept of a run: whoever asks for ever new ones must not fill the disk


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A question that a run was asked: how many units it returned, and where gold is among them.

    `gold` is the hash of the gold that it is scored on, "" where the question is not settled.
    `ranks` are those of the gold units that were returned, ascending. `values` are in the order of
    the measures kept; there are none where nothing can be scored.
    """

    gold: str
    count: int
    ranks: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class KeptScores:
    """What a run scores by `measures`, which are keys; `rows` are by ascending question."""

    measures: tuple[str, ...]
    rows: Mapping[str, ScoreRow]

    def table(self, measures: Sequence[str]) -> dict[str, dict[str, float | None]]:
        """Return question → measure → value, None where nothing can be scored, of settled ones."""
        places = [(key, self.measures.index(key)) for key in measures]
        return {
            query: {key: row.values[at] if row.values else None for key, at in places}
            for query, row in self.rows.items()
            if row.gold
        }


def kept_scores(
    ws: Workspace, run: RunView, gold: GoldSet, measures: Sequence[Measure] = ()
) -> KeptScores:
    """Return what a run scores on `gold`, by all measures offered, `measures`, and maybe others."""
    file = _file(ws, run)
    kept = _read(file)
    if kept is None or not {repr(each) for each in measures} <= set(kept.measures):
        return _scored_anew(ws, run, gold, KeptScores(_with(kept, measures), {}), None, file)
    now = gold.question_hashes
    changed = {query for query, row in kept.rows.items() if row.gold != now.get(query, "")}
    return _scored_anew(ws, run, gold, kept, changed, file) if changed else kept


def _with(kept: KeptScores | None, measures: Sequence[Measure]) -> tuple[str, ...]:
    """Return the measures to keep: those kept, unless they become too many, and all of these."""
    wanted = [repr(each) for each in (*OFFERED, *measures)]
    together = dict.fromkeys([*(kept.measures if kept else ()), *wanted])
    return tuple(together if len(together) <= _MOST else dict.fromkeys(wanted))


def _scored_anew(
    ws: Workspace,
    run: RunView,
    gold: GoldSet,
    kept: KeptScores,
    changed: set[str] | None,
    file: Path,
) -> KeptScores:
    """Return `kept` with the rows of the questions `changed` (None: all) scored, and keep that."""
    with ws.reading() as session:
        rankings = run_rankings(session, run.id, changed)
    rows = {**kept.rows, **_rows(rankings, gold, kept.measures)}
    found = KeptScores(kept.measures, dict(sorted(rows.items())))
    _write(file, found)
    return found


def _rows(
    rankings: Mapping[str, Sequence[str]], gold: GoldSet, measures: Sequence[str]
) -> dict[str, ScoreRow]:
    asked = {query: gold.qrels[query] for query in rankings if query in gold.qrels}
    table = evaluate(rankings, asked, [parse_measure(key) for key in measures]).table
    return {
        query: ScoreRow(
            gold=gold.question_hashes.get(query, ""),
            count=len(units),
            ranks=tuple(rank for rank, unit in enumerate(units, 1) if unit in asked.get(query, ())),
            values=tuple(value for value in table.get(query, {}).values() if value is not None),
        )
        for query, units in rankings.items()
    }


def _file(ws: Workspace, run: RunView) -> Path:
    said = f"{_RULE} {_library()} {run.identity}"
    return ws.cache / "scores" / f"{sha256(said.encode()).hexdigest()[:32]}.json"


@cache
def _library() -> str:
    return version("pytrec-eval-terrier")


def _read(file: Path) -> KeptScores | None:
    """Return what the file keeps; None where it is not there, or not as it was written."""
    try:
        digest, _, text = file.read_bytes().partition(b"\n")
    except OSError:
        return None
    if digest != _digest(text):
        return None
    said = json.loads(text)
    rows = {
        query: ScoreRow(gold, count, tuple(ranks), tuple(values))
        for query, (gold, count, ranks, values) in said["rows"].items()
    }
    return KeptScores(tuple(said["measures"]), rows)


def _write(file: Path, kept: KeptScores) -> None:
    rows = {query: [row.gold, row.count, row.ranks, row.values] for query, row in kept.rows.items()}
    said = {"measures": kept.measures, "rows": rows}
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()
    with suppress(UserError), published_file(file) as part:
        part.write_bytes(_digest(text) + b"\n" + text)


def _digest(text: bytes) -> bytes:
    return sha256(text).hexdigest().encode()
