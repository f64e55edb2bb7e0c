"""Gold of questions admitted from curation, derived from the curation's decisions.

Such a question is not annotated: its provisions were judged one by one in curation, and its gold
follows from that alone. If those decisions no longer accept it, or accept other wording or another
level than it was admitted with, its gold is pending.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    LineageEntry,
    LineageLabel,
    Outcome,
    WhyCurated,
    decision_entry,
    in_time,
    submission_entry,
)
from storage.law.corpus import SnapshotView, units_called
from storage.tables.augmentation import Admission, AugmentedQuestion
from storage.tables.core import Annotation, Item, QuestionRow
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class CuratedGold:
    """Gold of a curated question, in the terms of a `GoldItem`.

    `numbers` are the database ids of its units in each law that it was decided on, `sets` the
    candidate sets that were shown.
    """

    outcome: Outcome
    pending: tuple[WhyCurated, ...]
    units: tuple[str, ...]
    snapshot_id: int | None
    lineage: tuple[LineageEntry, ...]
    numbers: tuple[int, ...]
    sets: tuple[int, ...]


def curated_gold(
    session: Session, project_id: int, laws: Mapping[int, SnapshotView]
) -> dict[int, CuratedGold]:
    """Return the gold of each admitted question, by its item of citation mapping."""
    admitted = _admissions_by_item(session, project_id)
    if not admitted:
        return {}
    cases = item_cases(session, project_id, Task.CURATION)
    decided = current_decisions(session, project_id, Task.CURATION)
    here = (col(Item.project_id) == project_id, col(Item.task) == Task.CURATION)
    rows = select(Annotation).join(Item, col(Item.id) == Annotation.item_id).where(*here)
    worlds = _Context(laws, {row.id or 0: row for row in session.exec(rows)})
    found = {}
    for item, (admission, question, written) in admitted.items():
        number = admission.item_id
        case = cases.get(number) or ItemCase([], [], decided.get(number), None, False)
        found[item] = _gold(session, worlds, case, question, written)
    return found


def _admissions_by_item(
    session: Session, project_id: int
) -> dict[int, tuple[Admission, QuestionRow, AugmentedQuestion]]:
    """Return, per item, the admission, question and generated question it was admitted from."""
    query = (
        select(Item.id, Admission, QuestionRow, AugmentedQuestion)
        .join(Admission, col(Admission.question_id) == Item.question_id)
        .join(QuestionRow, col(QuestionRow.id) == Item.question_id)
        .join(AugmentedQuestion, col(AugmentedQuestion.id) == Admission.augmented_question_id)
        .where(Item.project_id == project_id)
        .order_by(col(Item.order))
    )
    return {item or 0: (made, asked, written) for item, made, asked, written in session.exec(query)}


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
) -> CuratedGold:
    """Return the gold of an admitted question; an adjudicator's decision overrides submissions."""
    lineage = _lineage(case, worlds)
    if case.decision is None:
        state = state_of_case(case)
    else:  # a decision overrides the submissions
        state = state_of(case.submissions, case.decision.answers)
    outcome, pending = _outcome(case, state, question, written)
    if outcome == "pending":
        return CuratedGold(outcome, pending, (), None, lineage, (), ())
    ids = sorted(case.ids) if case.decision is None else case.decision.annotation_ids
    sets = tuple(worlds.rows[each].candidate_set_id for each in ids)
    laws = sorted({worlds.rows[each].snapshot_id for each in ids})
    numbers = {n for law in laws for n in units_called(session, law, state.gold).values()}
    return CuratedGold(outcome, (), state.gold, max(laws), lineage, tuple(sorted(numbers)), sets)


def _outcome(
    case: ItemCase, state: CurationState, question: QuestionRow, written: AugmentedQuestion
) -> tuple[Outcome, tuple[WhyCurated, ...]]:
    """Return whether the gold is settled, and the reasons while it is pending."""
    talk = case.talk
    if case.decision is None and talk is not None and talk.open:
        return "pending", ("given_back" if talk.alone else "sent_back",)
    if state.fate is Fate.WAITING:
        return "pending", ("waiting",)
    if state.fate is Fate.DISPUTED:
        named: dict[str, WhyCurated] = {"flagged": "flagged", "recalled": "recalled"}
        return "pending", tuple(dict.fromkeys(named.get(e, "differ") for e in state.disputes))
    if not state.stands or _accepted_as(state, written) != _admitted_as(question):
        return "pending", ("recurated",)
    if state.settled:
        return "adjudicated", ()
    if len(case.submissions) == 1:
        return "single", ()
    return ("agreed" if talk is None else "consensus"), ()


def _accepted_as(state: CurationState, written: AugmentedQuestion) -> tuple[str, str, str]:
    """Return the accepted wording and level."""
    words = (written.text, written.answer)
    if state.edited is not None:
        words = (state.edited.question, state.edited.answer)
    return (*words, state.difficulty)


def _admitted_as(question: QuestionRow) -> tuple[str, str, str]:
    """Return text, answer and difficulty as the question was admitted."""
    level = question.source.get("columns", {}).get("difficulty", "")
    return question.text, question.answer, str(level)


def _lineage(case: ItemCase, worlds: _Context) -> tuple[LineageEntry, ...]:
    """Return the lineage: earlier submissions, current ones by time, then the decision."""
    entries = [
        submission_entry(each, kind, _labels(each.answers), worlds.snapshots, _reason(each.answers))
        for kind, some in (("earlier", case.earlier), (CURATED, case.submissions))
        for each in in_time(some)
    ]
    if case.decision is not None:  # on the newest law of those decided between
        between = (worlds.rows[each] for each in case.decision.annotation_ids)
        row = max(between, key=lambda each: (each.snapshot_id, each.id or 0))
        labels = _labels(case.decision.answers)
        entries.append(
            decision_entry(case.decision, CURATION_DECISION, labels, worlds.snapshots, row)
        )
    return tuple(entries)


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
    verdict = answers.get("verdict", "")
    said = [str(answers[name]) for name in (CAUSE, "reason") if answers.get(name)]
    if verdict == Verdict.KEEP and not said:
        return ""
    return f"{verdict}: {'; '.join(said)}" if said else str(verdict)
