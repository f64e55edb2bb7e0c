"""Gold of questions admitted from curation, derived from the curation's decisions.

Such a question is not annotated: its provisions were judged one by one in curation, and its gold
follows from that alone. If those decisions no longer accept it, or accept other wording or another
level than it was admitted with, its gold is pending.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import current_decisions
from annotation.adjudication.dispute_state import ItemCase, item_cases
from annotation.curation.state import (
    CAUSE,
    GOLD,
    CurationState,
    Fate,
    Verdict,
    gold_of,
    state_of,
    state_of_case,
)
from annotation.gold.lineage import (
    CURATED,
    CURATION_DECISION,
    VERSIONS,
    LineageEntry,
    LineageLabel,
    Outcome,
    WhyCurated,
    by_time,
    entry_of,
    rejected_by_all,
)
from annotation.gold.validity import GoldBasis
from storage.law.corpus import SnapshotView, units_called
from storage.tables.augmentation import Admission, AugmentedQuestion
from storage.tables.core import Annotation, Item, QuestionRow
from storage.tasks import Task


def curated_gold(
    session: Session, project_id: int, laws: Mapping[int, SnapshotView]
) -> dict[int, tuple[dict[str, Any], GoldBasis]]:
    """Return the gold of each admitted question, by its item of citation mapping.

    As fields of a `GoldItem`, with what it rests on: the database ids of its units in each law that
    it was decided on, and the candidate sets that were shown.
    """
    cases = item_cases(session, project_id, Task.CURATION)
    decided = current_decisions(session, project_id, Task.CURATION)
    here = (col(Item.project_id) == project_id, col(Item.task) == Task.CURATION)
    rows = select(Annotation).join(Item).where(*here)
    worlds = _Context(laws, {row.id or 0: row for row in session.exec(rows)})
    admitted = (
        select(Item.id, Admission.item_id, QuestionRow, AugmentedQuestion)
        .join(Admission, col(Admission.question_id) == Item.question_id)
        .join(QuestionRow, col(QuestionRow.id) == Item.question_id)
        .join(AugmentedQuestion, col(AugmentedQuestion.id) == Admission.augmented_question_id)
        .where(Item.project_id == project_id)
        .order_by(col(Item.order))
    )
    found = {}
    for item, number, question, written in session.exec(admitted).all():
        case = cases.get(number) or ItemCase([], [], decided.get(number), None, False)
        gold, *basis = _gold(session, worlds, case, question, written)
        found[item or 0] = gold, GoldBasis(item or 0, *basis)
    return found


@dataclass(frozen=True, slots=True)
class _Context:
    """The project's snapshots, and the row of each curation submission."""

    snapshots: Mapping[int, SnapshotView]
    rows: Mapping[int, Annotation]


def _gold(
    session: Session,
    worlds: _Context,
    case: ItemCase,
    question: QuestionRow,
    written: AugmentedQuestion,
) -> tuple[dict[str, Any], tuple[int, ...], tuple[int, ...]]:
    """Return (gold fields, unit ids, set ids) of an admitted question; a decision overrides."""
    if case.decision is None:
        state, ids = state_of_case(case), tuple(sorted(case.ids))
    else:  # a decision overrides the submissions
        state = state_of(case.submissions, case.decision.answers)
        ids = case.decision.annotation_ids
    outcome, pending = _outcome(case, state, question, written)
    lineage = tuple(_lineage(case, worlds))
    gold: dict[str, Any] = {"outcome": outcome, "pending": pending, "lineage": lineage}
    if outcome == "pending":
        return gold, (), ()
    sets = tuple(worlds.rows[each].candidate_set_id for each in ids)
    laws = sorted({worlds.rows[each].snapshot_id for each in ids})
    numbers = {n for law in laws for n in units_called(session, law, state.gold).values()}
    rejected = rejected_by_all(lineage, state.gold)
    gold |= {"units": state.gold, "snapshot_id": max(laws), "rejected": rejected}
    return gold, tuple(sorted(numbers)), sets


def _outcome(
    case: ItemCase, state: CurationState, question: QuestionRow, written: AugmentedQuestion
) -> tuple[Outcome, tuple[WhyCurated, ...]]:
    """Return how the gold became final, or ``pending`` with the reasons."""
    talk = case.talk
    if case.decision is None and talk is not None and talk.open:
        return "pending", ("given_back" if talk.alone else "sent_back",)
    if state.fate is Fate.WAITING:
        return "pending", ("waiting",)
    if state.fate is Fate.DISPUTED:
        named: dict[str, WhyCurated] = {"flagged": "flagged", "recalled": "recalled"}
        return "pending", tuple(dict.fromkeys(named.get(e, "differ") for e in state.disputes))
    asked, answer = written.text, written.answer
    if state.edited is not None:
        asked, answer = state.edited.question, state.edited.answer
    level = str(question.source.get("columns", {}).get("difficulty", ""))
    admitted = question.text, question.answer, level
    if not state.stands or (asked, answer, state.difficulty) != admitted:
        return "pending", ("recurated",)
    if state.settled:
        return "adjudicated", ()
    if len(case.submissions) == 1:
        return "single", ()
    return ("agreed" if talk is None else "consensus"), ()


def _lineage(case: ItemCase, worlds: _Context) -> Iterator[LineageEntry]:
    """Yield the lineage: earlier submissions, current ones by time, then the decision."""
    for kind, submissions in (("earlier", case.earlier), (CURATED, case.submissions)):
        for each in by_time(submissions):
            law, reason = worlds.snapshots[each.snapshot_id], _reason(each.answers)
            yield entry_of(each, kind, law, _labels(each.answers), reason=reason)
    if case.decision is not None:  # under the newest law that it decides on
        between = (worlds.rows[each] for each in case.decision.annotation_ids)
        row = max(between, key=lambda each: (each.snapshot_id, each.id or 0))
        law, under = worlds.snapshots[row.snapshot_id], {n: getattr(row, n) for n in VERSIONS}
        labels = _labels(case.decision.answers)
        yield entry_of(case.decision, CURATION_DECISION, law, labels, **under)


def _labels(answers: Mapping[str, Any]) -> tuple[LineageLabel, ...]:
    """Return the accepted and rejected units of a curation; none if the question is rejected."""
    if answers.get("verdict") == Verdict.REJECT:
        return ()
    belongs = set(gold_of(answers))
    return tuple(
        LineageLabel(unit, "accept" if unit in belongs else "reject", ())
        for unit in sorted(answers.get(GOLD) or {})
    )


def _reason(answers: Mapping[str, Any]) -> str:
    """Return the verdict with its cause and comment; "" for a plain keep."""
    verdict = str(answers.get("verdict", ""))
    said = [str(answers[name]) for name in (CAUSE, "reason") if answers.get(name)]
    if said:
        return f"{verdict}: {'; '.join(said)}"
    return "" if verdict == Verdict.KEEP else verdict
