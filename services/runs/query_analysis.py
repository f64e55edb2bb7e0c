"""Failure analysis per question: missed, won and lost questions, rank changes, and their export.

All is at a cutoff `k`: that of the measure, or the depth of the run where the measure has none. A
question can have several outcomes: it may be both missed and won.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Literal

from corpus.long_work import Progress
from corpus.natural_order import natural_key
from errors import UserError, Where, require_known
from evaluation.ranking.scoring import Measure
from evaluation.tables import csv_text, json_lines
from retrieval.core.model import MAX_DEPTH
from services.runs.methods.preparation import depth_of
from services.runs.questions import (
    CitationPath,
    QueryDetail,
    QueryLine,
    UnitPlace,
    citation_paths,
    not_searched,
    place_of,
    query_list,
)
from services.runs.scoring import ScoredRun, require_scores, score_run
from services.runs.strata import Stratum
from storage.db.atomic_files import published_file
from storage.db.workspace import Workspace
from storage.law.passages import passages_by_id

FILE_FORMATS = ("csv", "jsonl")


class Outcome(StrEnum):
    """Outcome of a question in a run, alone or against another run."""

    ALL = "all"
    MISSED = "missed"  # a gold provision is not among the first k
    WON = "won"  # scores more than in the other run
    LOST = "lost"  # scores less
    TIED = "tied"
    UNANSWERED = "unanswered"  # has gold, and the run returned nothing
    NO_GOLD = "no_gold"  # settled without any provision: in no figure
    UNSETTLED = "unsettled"  # not settled now: in no figure


BESIDE_ANOTHER = (Outcome.WON, Outcome.LOST, Outcome.TIED)


def outcomes(line: QueryLine, k: int) -> frozenset[Outcome]:
    """Return the outcomes of a question at cutoff `k`."""
    said = {
        Outcome.ALL: True,
        Outcome.MISSED: line.missed(k) > 0,
        Outcome.WON: (line.difference or 0) > 0,
        Outcome.LOST: (line.difference or 0) < 0,
        Outcome.TIED: line.difference == 0,
        Outcome.UNANSWERED: line.gold > 0 and not line.units,
        Outcome.NO_GOLD: line.settled and not line.gold,
        Outcome.UNSETTLED: not line.settled,
    }
    return frozenset(outcome for outcome, holds in said.items() if holds)


def count_outcomes(
    lines: Iterable[QueryLine], k: int, against: int | None
) -> dict[Outcome, int | None]:
    """Count questions per outcome, in the order of :class:`Outcome`.

    None for won, lost and tied without a run `against`.
    """
    found = [outcomes(line, k) for line in lines]
    return {
        each: None
        if against is None and each in BESIDE_ANOTHER
        else sum(each in some for some in found)
        for each in Outcome
    }


def chosen(lines: Iterable[QueryLine], only: Outcome, k: int) -> tuple[QueryLine, ...]:
    """Return the questions with outcome `only`, in order."""
    return tuple(line for line in lines if only in outcomes(line, k))


def outcome_of(name: str, against: int | None) -> Outcome:
    """Parse the name of an outcome.

    Raises UserError for another, and for one that needs a run `against` to compare with.
    """
    require_known("outcome_unknown", Outcome, Where(field="only"), said=name)
    require_another(Outcome(name), against)
    return Outcome(name)


def require_another(only: Outcome, against: int | None) -> None:
    """Raise UserError for an outcome that needs another run where none is given."""
    if against is None and only in BESIDE_ANOTHER:
        raise UserError("outcome_alone", Where(field="against"), said=only.value)


def cutoff_of(ws: Workspace, run_id: int, measure: Measure, by: int | None = None) -> int:
    """Return the cutoff rank of a measure on a run: its own, else the run's depth.

    Raises UserError for an unknown run and for `by` (None: the operator) who may not see scores.
    """
    run = require_scores(ws, run_id, by)
    return depth_of(run.key, MAX_DEPTH) if measure.cutoff is None else measure.cutoff


Change = Literal["entered", "left", "up", "down", "same", "outside"]


@dataclass(frozen=True, slots=True)
class Move(UnitPlace):
    """Rank of a unit in two runs (None: unknown) and how it changed.

    `change` is ``entered`` or ``left`` where it is in the first k of one run only, ``outside``
    where it is in neither. A gold unit that a run did not store never counts as in its first k,
    though its method may give a rank for it.
    """

    is_gold: bool
    before: int | None
    after: int | None
    change: Change


def moves(before: QueryDetail, after: QueryDetail, k: int) -> tuple[Move, ...]:
    """Return the rank changes between two runs of a question: the first `k` of both, and all gold.

    Ordered by the run `after`, then `before`.
    """
    both = (before, after)
    ranks = [_ranks(detail) for detail in both]
    first = [{unit.semantic_id for unit in each.retrieved[:k]} for each in both]
    units: dict[str, UnitPlace] = {
        unit.semantic_id: unit for each in both for unit in (*each.gold, *each.retrieved[:k])
    }
    gold = {unit.semantic_id for detail in both for unit in detail.gold}
    found = []
    for name, unit in units.items():
        was, now = (each.get(name) for each in ranks)
        said = unit.statute, unit.label, unit.heading
        change = _rank_change(was, now, *(name in some for some in first))
        found.append(Move(name, *said, name in gold, was, now, change))
    last = float("inf")
    return tuple(sorted(found, key=lambda m: (m.after or last, m.before or last, m.semantic_id)))


def _ranks(detail: QueryDetail) -> dict[str, int]:
    """Return the rank of each unit, of gold beyond the cutoff too."""
    deeper = {unit.semantic_id: unit.rank for unit in detail.gold if unit.rank is not None}
    return deeper | {unit.semantic_id: unit.rank for unit in detail.retrieved}


def _rank_change(was: int | None, now: int | None, in_first: bool, in_second: bool) -> Change:
    """Return how a rank changed; `in_first`, `in_second`: it is in the first k of that run."""
    if in_first != in_second:
        return "entered" if in_second else "left"
    if was is None or now is None or not in_second:
        return "outside"
    return "same" if was == now else "up" if now < was else "down"


@dataclass(frozen=True, slots=True)
class Failure:
    """A gold unit that a run missed for a question; without a unit, a question that missed none.

    `rank` is its rank beyond the cutoff, None where it is not among the units stored. `reason` is
    ``beyond_cutoff``, ``not_retrieved``, ``unanswered`` (nothing was returned at all) or why the
    unit is not searched. `path` is the citation path to it from what was retrieved, "" where there
    is none; None where it was not requested.
    """

    run: int
    question: str
    text: str
    measure: str
    value: float | None
    difference: float | None
    cutoff: int
    gold: int
    found: int
    unit: str = ""
    statute: str = ""
    label: str = ""
    heading: str = ""
    rank: int | None = None
    reason: str = ""
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Failures:
    """Missed gold units of a run, and the number of questions per outcome."""

    rows: tuple[Failure, ...]
    counts: Mapping[Outcome, int | None]

    @property
    def questions(self) -> int:
        """Number of distinct questions in the rows."""
        return len({row.question for row in self.rows})

    @property
    def units(self) -> int:
        """Number of missed gold units, counted per question."""
        return sum(bool(row.unit) for row in self.rows)


def failures(
    ws: Workspace,
    run_id: int,
    measure: Measure,
    only: Outcome = Outcome.MISSED,
    *,
    against: int | None = None,
    stratum: Stratum | None = None,
    paths: bool = False,
    by: int | None = None,
    progress: Progress | None = None,
    gold: str = "",
) -> Failures:
    """Return a row per gold unit missed, or per question that missed none, for one outcome.

    Questions are in natural order. With `paths` each row has its shortest citation path, and
    `progress` is called with (rows done, rows). Raises UserError for an unknown run or stratum, an
    outcome that needs another run to compare with, and for `by` (None: the operator) who may not
    see scores.
    """
    require_another(only, against)
    lines = query_list(ws, run_id, by, [measure], against, stratum, gold)
    k = cutoff_of(ws, run_id, measure, by)
    wanted = sorted(chosen(lines, only, k), key=lambda line: natural_key(line.external_id))
    rows = _failure_rows(ws, score_run(ws, run_id, gold=gold), wanted, measure, k)
    if paths:
        rows = _with_paths(ws, run_id, rows, by, progress)
    return Failures(tuple(rows), count_outcomes(lines, k, against))


def _failure_rows(
    ws: Workspace, scored: ScoredRun, lines: Sequence[QueryLine], measure: Measure, k: int
) -> list[Failure]:
    """Return a row per gold unit missed at cutoff `k`, or per question that missed none."""
    ranks = {
        line.external_id: {
            unit: rank for rank, (unit, _) in enumerate(scored.hits[line.external_id], 1)
        }
        for line in lines
    }
    lost = {
        question: [
            unit
            for unit in sorted(scored.gold.qrels.get(question, ()))
            if kept.get(unit, k + 1) > k
        ]
        for question, kept in ranks.items()
    }
    every = sorted({unit for units in lost.values() for unit in units})
    with ws.reading() as session:
        passages = passages_by_id(session, scored.run.key.snapshot_id, every)
    outside, rows = not_searched(ws, scored).units, list[Failure]()
    for line in lines:
        own = ranks[line.external_id]
        whole = Failure(
            run=scored.run.id,
            question=line.external_id,
            text=line.question,
            measure=repr(measure),
            value=line.values.get(repr(measure)),
            difference=line.difference,
            cutoff=k,
            gold=line.gold,
            found=line.gold - line.missed(k),
        )
        rows += [
            replace(
                whole,
                unit=unit,
                statute=statute,
                label=label,
                heading=heading,
                rank=own.get(unit),
                reason=outside.get(unit) or _miss_reason(own, unit),
            )
            for each in lost[line.external_id]
            for unit, statute, label, heading in (place_of(each, passages.get(each)),)
        ] or [whole]
    return rows


def _miss_reason(ranking: Mapping[str, int], unit: str) -> str:
    """Return why a gold unit was missed: beyond the cut-off, not retrieved, no answer."""
    if not ranking:
        return "unanswered"
    return "beyond_cutoff" if unit in ranking else "not_retrieved"


def _with_paths(
    ws: Workspace,
    run_id: int,
    rows: Sequence[Failure],
    by: int | None,
    progress: Progress | None,
) -> list[Failure]:
    """Add to each miss the citation path from a hit to the gold."""
    missed = [(row.question, row.unit) for row in rows if row.unit]
    paths = citation_paths(ws, run_id, missed, by=by)
    found = []
    for at, row in enumerate(rows, 1):
        if row.unit:
            path = next(paths)
            row = replace(row, path="" if path is None else path_text(path))
        found.append(row)
        if progress:
            progress(at, len(rows))
    return found


def path_text(path: CitationPath) -> str:
    """Format a path on one line, from the retrieved unit to the missed one."""
    said = [f"[{path.rank}]"]
    for at, step in enumerate(path.steps):
        here, there = (step.source, step.target) if step.forwards else (step.target, step.source)
        if not at:
            said.append(f"{here.statute} {here.label}")
        arrow = "→" if step.forwards else "←"
        said.append(f"{arrow} {step.type.value} {arrow} {there.statute} {there.label}")
    return " ".join(said)


def failures_text(failures: Failures, format_name: str) -> str:
    """Format failures as CSV or JSON lines; absent values are empty or null.

    Raises UserError for another format.
    """
    rows = [asdict(row) for row in failures.rows]
    if format_name == "csv":
        return csv_text([Failure.__dataclass_fields__, *(row.values() for row in rows)])
    if format_name == "jsonl":
        return json_lines(rows)
    raise UserError("table_format_unknown", name=format_name, known=", ".join(FILE_FORMATS))


def write_failures(failures: Failures, file: Path) -> str:
    """Write failures atomically in the format of the file's ending; return the format.

    Raises UserError for another ending and a file that cannot be written.
    """
    kind = file.suffix.removeprefix(".").lower()
    if kind not in FILE_FORMATS:
        known = ", ".join(f".{each}" for each in FILE_FORMATS)
        raise UserError("experiment_ending", Where(file=str(file)), known=known)
    with published_file(file) as part:
        part.write_text(failures_text(failures, kind), encoding="utf-8")
    return kind
