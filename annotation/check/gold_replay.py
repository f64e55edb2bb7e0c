"""Gold recomputed by a replay of all acts, and compared with the derived gold.

Nothing of `annotation.gold.derivation`, `annotation.adjudication.decisions`,
`annotation.work.submissions` or `storage.overlap` is used here. Answers come from the log of acts
alone, overlaps from the events of batches; rows of `Annotation` only give the id of each
submission.

The log of acts as the checks read it, as columns, since there are many rows.

Gold of questions admitted from curation, computed independently from the raw answers.

Nothing of `annotation.curation.state` or `annotation.gold.curated` is used here
(`annotation.check.gold_replay` says why).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy
from sqlmodel import Session, col, select

from annotation.check.batches import ReplayedBatch, replayed_batches
from annotation.gold.derivation import GoldItem
from annotation.work.draft import MIGRATE, Event, fold
from normalization.grouping import grouped
from storage.db.rows import rows_with
from storage.projects import ProjectView
from storage.tables.augmentation import Admission, AugmentedQuestion
from storage.tables.core import (
    Adjudication,
    AdjudicationLabel,
    Annotation,
    DraftEvent,
    Item,
    QuestionRow,
    Settlement,
    UndoneDecision,
    UnitRow,
)
from storage.tables.people import Referral
from storage.tasks import of_task, rows_on_items

Done = tuple[int, int, Event]
"""A person's id, an item's id, and the event."""


def acts(session: Session, project: ProjectView) -> Iterator[Done]:
    """Yield (person id, item id, event) of every draft event of the project, in order."""
    query = (
        sqlalchemy.select(
            col(DraftEvent.person_id),
            col(DraftEvent.item_id),
            col(DraftEvent.id),
            col(DraftEvent.kind),
            col(DraftEvent.payload),
            col(DraftEvent.undoes_id),
            col(DraftEvent.at),
        )
        .join(Item)
        .where(col(Item.project_id) == project.id)
        .order_by(col(DraftEvent.id))
    )
    for person_id, item_id, *event in session.execute(query):
        yield person_id, item_id, Event(*event)


_CRITERIA = ("voice", "context", "framing", "one_view")


@dataclass(frozen=True, slots=True)
class AdmittedQuestion:
    """An admitted question: admitted wording, the model's wording, and its curation item.

    `admitted` is (question, answer, level), `written` (question, answer).
    """

    item_id: int
    admitted: tuple[str, str, str]
    written: tuple[str, str]


def admitted_questions(session: Session, project: ProjectView) -> dict[int, AdmittedQuestion]:
    """Return the admitted questions by their item of citation mapping."""
    query = (
        select(Item.id, Admission.item_id, QuestionRow, AugmentedQuestion)
        .join(QuestionRow, col(QuestionRow.id) == Item.question_id)
        .join(Admission, col(Admission.question_id) == QuestionRow.id)
        .join(AugmentedQuestion)
        .where(Item.project_id == project.id)
    )
    return {
        number or 0: AdmittedQuestion(
            curated,
            (row.text, row.answer, str(row.source.get("columns", {}).get("difficulty", ""))),
            (source.text, source.answer),
        )
        for number, curated, row, source in session.exec(query)
    }


def settled_answers(session: Session, project: ProjectView) -> dict[int, Mapping[str, Any]]:
    """Return the answers of the last decision not withdrawn on each form item, by item id."""
    query = rows_on_items(Settlement, Item.project_id == project.id)
    undone = set(session.exec(select(UndoneDecision.settlement_id)))
    return {row.item_id: row.answers for row in session.exec(query) if row.id not in undone}


def doubts_of(submissions: Sequence[Mapping[str, Any]], flagged: bool) -> tuple[str, ...]:
    """Return why complete curations of a question yield no gold: they differ, or are flagged."""
    alive = [each for each in submissions if each["verdict"] != "reject"]
    verdicts = {each["verdict"] for each in submissions}
    corrected = {tuple(sorted(e["edit"].items())) for e in submissions if e["verdict"] == "edit"}
    differ = len(verdicts) > 1 or len(corrected) > 1
    if alive:
        differ = differ or len({tuple(_gold_units(each)) for each in alive}) > 1
        found = {tuple(each[name] for name in (*_CRITERIA, "difficulty")) for each in submissions}
        differ = differ or len(found) > 1
    return (*(("differ",) if differ else ()), *(("flagged",) if flagged else ()))


def gold_if_accepted(question: AdmittedQuestion, said: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the gold by these answers, None if they do not accept the admitted wording."""
    if said["verdict"] == "reject":
        return None
    words: tuple[str, ...] = question.written
    if said["verdict"] == "edit":
        words = said["edit"]["question"], said["edit"]["answer"]
    if (*words, said["difficulty"]) != question.admitted:
        return None
    return tuple(_gold_units(said))


def _gold_units(said: Mapping[str, Any]) -> Iterator[str]:
    """Yield the semantic ids of the units that an answer puts into gold, ascending."""
    yield from sorted(unit for unit, belongs in said["gold"].items() if belongs == "yes")


Verdict = tuple[str, tuple[str, ...], bool, tuple[str, ...]]  # outcome, pending, none, units


@dataclass(frozen=True, slots=True)
class _Answer:
    """A submitted answer with its time; `counts` unless it was for practice."""

    annotation_id: int
    at: datetime
    accepted: frozenset[int]
    none: bool
    doubtful: bool
    flagged: bool
    counts: bool
    answers: Mapping[str, Any]


@dataclass(slots=True)
class _State:
    """The replayed state of an item: `standing` by person, `authors` by submission."""

    wanted: int
    standing: dict[int, _Answer] = field(default_factory=dict)
    authors: dict[int, int] = field(default_factory=dict)
    referrals: list[Referral] = field(default_factory=list)
    decision: Adjudication | None = None
    settlement: Mapping[str, Any] | None = None
    decided: frozenset[int] = frozenset()
    audited: frozenset[str] | None = None


def differing_gold(
    session: Session, project: ProjectView, derived: Iterable[GoldItem], log: Iterable[Done]
) -> Iterator[str]:
    """Yield the external ids of questions whose derived gold differs from the replay of the log."""
    replayed = replay(session, project, log)
    for item in derived:
        said = (item.outcome, tuple(item.pending), item.no_provision, item.units)
        if replayed.pop(item.item_id, None) != said:
            yield item.external_id
    yield from (f"item {number}" for number in replayed)


def replay(session: Session, project: ProjectView, log: Iterable[Done]) -> dict[int, Verdict]:
    """Return the gold of every question by item id, replayed from all acts."""
    states = _initial_states(session, project)
    _replay_submissions(session, project, states, log)
    _replay_referrals(session, project, states)
    _replay_decisions(session, project, states)
    names = _names(session, states.values())
    questions = set(session.exec(select(Item.id).where(of_task(project.id))))
    curated = admitted_questions(session, project)
    return {
        number: _curated_verdict(states[curated[number].item_id], curated[number])
        if number in curated
        else _verdict(state, names)
        for number, state in states.items()
        if number in questions
    }


def _initial_states(session: Session, project: ProjectView) -> dict[int, _State]:
    """Return an empty replay state per item, with the overlap of its batch or project."""
    items = session.exec(select(Item.id).where(Item.project_id == project.id))
    states = {number or 0: _State(project.overlap) for number in items}
    for batch in replayed_batches(session, project).values():
        for number in batch.items:
            if not batch.practice and number not in batch.calibration:
                states[number].wanted = batch.overlap
            states[number].audited = batch.audited.get(number)
    return states


def _replay_submissions(
    session: Session, project: ProjectView, states: Mapping[int, _State], done: Iterable[Done]
) -> None:
    """Replay submissions and withdrawals, in order."""
    ids = dict(session.exec(select(Annotation.event_id, Annotation.id)).all())
    apart = _batches_without_gold(replayed_batches(session, project).values())
    logs: dict[tuple[int, int], list[Event]] = {}
    for person_id, item_id, event in done:
        log = logs.setdefault((person_id, item_id), [])
        log.append(event)
        if event.turn:
            number = ids.get(event.id) or 0
            _replay_turn(states[item_id], person_id, log, number, apart.get(item_id))


def _replay_turn(
    state: _State, person_id: int, log: list[Event], annotation_id: int, apart: ReplayedBatch | None
) -> None:
    """Replay a person's last event, which submits or withdraws their answer on the item.

    A migrated submission keeps its time, before or after the item became `apart`.
    """
    before = state.standing.pop(person_id, None)
    if log[-1].turn == "withdraw":
        return
    at = log[-1].at if log[-1].kind != MIGRATE or before is None else before.at
    counts = apart is None or apart.made_at is None or at < apart.made_at
    state.standing[person_id] = _submitted_answer(log, annotation_id, at, counts)
    state.authors[annotation_id] = person_id


def _batches_without_gold(batches: Iterable[ReplayedBatch]) -> dict[int, ReplayedBatch]:
    """Return the batch of each item whose submissions, from then on, make no gold."""
    return {
        number: batch
        for batch in batches
        for number in batch.items
        if batch.practice or number in batch.calibration
    }


def _submitted_answer(log: list[Event], annotation_id: int, at: datetime, counts: bool) -> _Answer:
    """Return an answer as replayed from the draft events before it."""
    draft = fold(log)
    return _Answer(
        annotation_id,
        at,
        frozenset(draft.units("accept")),
        draft.no_provision,
        "unsure" in draft.decisions.values(),
        bool(draft.flag),
        counts,
        draft.answers,
    )


def _replay_referrals(session: Session, project: ProjectView, states: Mapping[int, _State]) -> None:
    """Add every stored referral to the state of its item."""
    for row in session.exec(rows_on_items(Referral, Item.project_id == project.id)):
        states[row.item_id].referrals.append(row)


def _replay_decisions(session: Session, project: ProjectView, states: Mapping[int, _State]) -> None:
    """Replay adjudicators' decisions in order; the last one not withdrawn counts."""
    query = rows_on_items(Adjudication, Item.project_id == project.id)
    undone = set(session.exec(select(UndoneDecision.adjudication_id)))
    labels = grouped(
        (label.adjudication_id, label.unit_id) for label in session.exec(select(AdjudicationLabel))
    )
    for row in session.exec(query):
        if row.id in undone:
            continue
        states[row.item_id].decision = row
        states[row.item_id].decided = frozenset(labels.get(row.id or 0, ()))
    for item_id, answers in settled_answers(session, project).items():
        states[item_id].settlement = answers


def _last_referral(state: _State) -> tuple[Referral | None, tuple[str, ...]]:
    """Return the last referral of an item, and the reason why it is pending while it is open."""
    sent = next((row for row in reversed(state.referrals) if row.annotation_ids), None)
    if sent is None or state.referrals[-1] is not sent or _all_answered(state, sent):
        return sent, ()
    return sent, ("given_back" if len(sent.annotation_ids) == 1 else "sent_back",)


def _curated_verdict(state: _State, question: AdmittedQuestion) -> Verdict:
    """Return the gold of an admitted question, from the item that it was curated under."""
    if state.settlement is not None:
        units = gold_if_accepted(question, state.settlement)
        return (
            ("pending", ("recurated",), False, ())
            if units is None
            else ("adjudicated", (), False, units)
        )
    sent, waits = _last_referral(state)
    said = [answer for answer in state.standing.values() if answer.counts]
    if waits:
        return "pending", waits, False, ()
    if not said or len(said) < state.wanted:
        return "pending", ("waiting",), False, ()
    pending = doubts_of([each.answers for each in said], any(each.flagged for each in said))
    old = () if sent is None else sent.annotation_ids
    if not pending and len(old) > 1 and any(each.annotation_id in old for each in said):
        pending = ("recalled",)
    units = None if pending else gold_if_accepted(question, said[0].answers)
    if units is None:
        return "pending", pending or ("recurated",), False, ()
    agreed = "agreed" if sent is None else "consensus"
    return ("single" if len(said) == 1 else agreed), (), False, units


def _verdict(state: _State, semantic_ids: Mapping[int, str]) -> Verdict:
    """Return (outcome, pending reasons, "no provision", units) of an item as replayed."""

    def named(units: Iterable[int]) -> tuple[str, ...]:
        """Return the semantic ids of units, ascending."""
        return tuple(sorted({semantic_ids[unit] for unit in units}))

    if state.decision is not None:
        return "adjudicated", (), state.decision.no_provision, named(state.decided)
    sent, waits = _last_referral(state)
    if waits:
        return "pending", waits, False, ()
    said = [answer for answer in state.standing.values() if answer.counts]
    if not said or len(said) < state.wanted:
        return "pending", ("waiting" if state.standing else "not_begun",), False, ()
    answers = {(named(each.accepted), each.none) for each in said}
    labels = state.audited
    other = labels is not None and any(labels != {*units} for units, _ in answers)
    pending = _pending_reasons(said, len(answers) > 1, sent, other)
    if pending:
        return "pending", pending, False, ()
    units, none = answers.pop()
    agreed = "agreed" if sent is None else "consensus"
    return ("single" if len(said) == 1 else agreed), (), none, units


def _all_answered(state: _State, sent: Referral) -> bool:
    """Return True if everybody asked has a new current submission."""
    asked = [state.authors.get(number, 0) for number in sent.annotation_ids]
    now = [state.standing.get(person) for person in asked]
    return all(each is not None and each.annotation_id not in sent.annotation_ids for each in now)


def _pending_reasons(
    answers: list[_Answer], differ: bool, sent: Referral | None, audit_differs: bool
) -> tuple[str, ...]:
    """Return the pending reasons of complete answers; "recalled" if none but one was sent back."""
    found = ["differ"] if differ else []
    found += ["unsure"] if any(each.doubtful for each in answers) else []
    found += ["flagged"] if any(each.flagged for each in answers) else []
    found += ["source"] if audit_differs else []
    old = () if sent is None else sent.annotation_ids
    if not found and any(each.annotation_id in old for each in answers):
        return ("recalled",)
    return tuple(found)


def _names(session: Session, states: Iterable[_State]) -> dict[int, str]:
    """Return the semantic ids of all units accepted or decided, by database id."""
    units = {unit for state in states for each in state.standing.values() for unit in each.accepted}
    units |= {unit for state in states for unit in state.decided}
    query = select(UnitRow.id, UnitRow.semantic_id)
    return dict(rows_with(session, query, UnitRow.id, units))
