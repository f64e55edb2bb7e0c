"""Imported labels, written as the acts and submissions that they are.

Labels are handled in sets: read at once, written at once, in one writing transaction, so that the
cost is that of the rows. Each is checked like an act of its person (`annotation.work.slots`), with
one exception: a later file may replace an earlier file's label although the item is complete, since
the change is not made by somebody who saw the outcome here. Submissions have no seconds and drafts
no lease, as nobody worked on them here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, tuple_
from sqlmodel import Session, SQLModel, col

from annotation.exchange.foreign import Status
from annotation.exchange.label_states import Key, States
from annotation.guidelines.documents import held_versions
from annotation.people.roles import NotAllowedError
from annotation.work.draft import Draft, fold
from annotation.work.slots import SlotState, refuse
from annotation.work.submissions import Decision
from annotation.work.visibility import is_settled
from errors import UserError, Where
from storage.law.corpus import unit_ids
from storage.mapping import ShownSet
from storage.tables.core import Annotation, AnnotationLabel, DraftEvent
from storage.tables.exchange import ImportedLabel
from storage.tables.people import Lease
from storage.tasks import Task

_MAX_USER_LENGTH = 320  # stored length of a user's name; no e-mail address is longer


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One label with all its references resolved; `said` is a hash of it.

    `item` and `person` are the names of the two.
    """

    person_id: int
    item_id: int
    item: str
    person: str
    comment: str
    status: Status
    said: str
    source_user: str
    made_at: datetime | None
    where: Where

    @property
    def key(self) -> Key:
        """The label's person and item."""
        return self.person_id, self.item_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(Label):
    """A label of citation mapping; `units` maps semantic ids to decisions."""

    units: Mapping[str, str]
    no_provision: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FormJob(Label):
    """A label of a task with a form; `answers` are in stored form and order."""

    answers: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Planned:
    """The acts of a label, and the withdrawal of what it supersedes."""

    job: Job
    draft: Draft
    shown: ShownSet
    acts: tuple[tuple[str, dict[str, Any], int | None], ...]
    units: Mapping[int, str]
    holds: bool

    @property
    def withdraws(self) -> bool:
        """Whether a submission is withdrawn first."""
        return self.draft.status == "submitted"


@contextmanager
def _errors_placed(job: Label) -> Iterator[None]:
    """Within it, a UserError without a place gets the label's, but for a lack of permission."""
    try:
        yield
    except UserError as error:
        if error.where == Where() and not isinstance(error, NotAllowedError):
            error.where = job.where
        raise


class Planner:
    """Plans labels in order; planned labels take up slots for those that follow."""

    def __init__(self, session: Session, project_id: int) -> None:
        self._session = session
        self.versions = held_versions(session, project_id)
        self._units: dict[int, dict[str, int]] = {}
        self._taken: dict[int, set[int]] = defaultdict(set)

    def sort_out(
        self, jobs: Iterable[Label], states: States, counts: Counter[str], unfit: list[UserError]
    ) -> Iterator[tuple[Label, Planned | None]]:
        """Yield the labels that can be imported now, with the acts of those of citation mapping.

        Labels are counted by their effect: their status, and changed, already or begun. Errors of
        the others are added to `unfit`. Answers of a form are not replaced by those of a later
        file: they count as begun.
        """
        for job in jobs:
            fate = states.known.fate(job.key, job.said)
            if fate == "changed" and isinstance(job, FormJob):
                fate = "begun"
            if fate in ("already", "begun"):
                counts[fate] += 1
                continue
            try:
                with _errors_placed(job):
                    plan = self._plan(job, states)
            except UserError as error:
                unfit.append(error)
                continue
            if job.status == "submitted":  # it takes a place that those behind it cannot have
                self._taken[job.item_id].add(job.person_id)
            counts[job.status] += 1
            counts["changed"] += fate == "changed"
            yield job, plan

    def _plan(self, job: Label, states: States) -> Planned | None:
        """Return a mapping label's acts, None for a form's. Raises UserError if it does not fit."""
        draft, room = self._draft_and_slots(job, states)
        if not isinstance(job, Job):
            return None
        if room.task != Task.CITATION_MAPPING:
            raise UserError("item_unknown", item=job.item_id)
        if draft.status == "submitted" and is_settled(self._session, job.item_id):
            raise UserError("item_settled")
        shown, opens = _set_to_use(job, draft, states)
        units = self._decisions_by_id(job, shown.snapshot_id)
        acts = _acts_to_reach(job, draft, units, states.listed.get(shown.id, ()))
        if opens or not (acts or draft.status == "submitted"):
            acts.insert(0, ("open", {"candidate_set_id": shown.id} | self.versions, None))
        return Planned(job, draft, shown, tuple(acts), units, room.ever)

    def _draft_and_slots(self, job: Label, states: States) -> tuple[Draft, SlotState]:
        """Return the person's draft and slots of the item. Raises UserError if no slot is free."""
        draft, room = fold(states.logs.get(job.key, ())), states.rooms.get(job.key)
        if room is None:
            raise UserError("item_unknown", item=job.item_id)
        others = len(self._taken[job.item_id] - {job.person_id})
        room = replace(room, others=room.others + others)
        refuse(room, begun=not draft.untouched)
        return draft, room

    def _decisions_by_id(self, job: Job, snapshot_id: int) -> dict[int, str]:
        """Return the decisions by database id. Raises UserError for a unit not in the snapshot."""
        if snapshot_id not in self._units:
            self._units[snapshot_id] = unit_ids(self._session, snapshot_id)
        known = self._units[snapshot_id]
        for semantic in job.units:
            if semantic not in known:  # the item's candidates are of older law
                raise UserError("labels_unit", unit=semantic)
        return {known[semantic]: decision for semantic, decision in job.units.items()}


def _set_to_use(job: Job, draft: Draft, states: States) -> tuple[ShownSet, bool]:
    """Return the draft's candidate set, the newest if untouched, and whether to log its opening."""
    newest = states.sets.get(job.item_id)
    if draft.candidate_set_id is not None and not draft.untouched:
        return states.bound[draft.candidate_set_id], False
    if newest is None:
        raise UserError("candidates_missing")
    return newest, newest.id != draft.candidate_set_id


_Act = tuple[str, dict[str, Any], int | None]


def _acts_to_reach(
    job: Job, draft: Draft, units: Mapping[int, str], listed: Iterable[int]
) -> list[_Act]:
    """Return the acts that turn the draft into the label, and no others."""
    there = {*listed, *draft.added}
    gone = sorted(draft.decisions.keys() - units.keys())
    acts: list[_Act] = [("label", {"unit_id": unit, "decision": None}, None) for unit in gone]
    for unit, decision in units.items():
        now = draft.decisions.get(unit)
        if unit not in there:
            now = str(Decision.ACCEPT)
            acts.append(("add", {"unit_id": unit}, None))
        if now != decision:
            acts.append(("label", {"unit_id": unit, "decision": decision}, None))
    if draft.no_provision != job.no_provision:
        acts.append(("no_provision", {"value": job.no_provision}, None))
    if draft.comment != job.comment:
        acts.append(("comment", {"text": job.comment}, None))
    if job.status == "submitted":
        acts.append(("submit", {}, None))
    elif job.status == "discarded" and (acts or draft.status != "skipped"):
        acts.append(("skip", {"reason": ""}, None))
    elif job.status == "draft" and draft.status == "skipped" and not acts:
        acts.append(("undo", {}, draft.acts[-1]))
    return acts


def write_labels(
    session: Session,
    plans: Sequence[Planned],
    states: States,
    versions: Mapping[str, str],
    file_id: int,
    at: datetime,
) -> None:
    """Write the planned labels, in the transaction in which they were planned."""
    spans, turns = _write_events(session, plans, at)
    heads = dict(states.heads)
    ids: list[int] = []
    withdrawn = [plan for plan in plans if plan.withdraws]
    made = [plan for plan in plans if plan.job.status == "submitted"]
    for kind, some in (("withdraw", withdrawn), ("submit", made)):
        rows = [
            _annotation_row(each, kind, turns[each.job.key, kind], heads, versions, at)
            for each in some
        ]
        ids = _inserted(session, Annotation, rows)
        heads |= {each.job.key: number for each, number in zip(some, ids, strict=True)}
    _add_labels(session, {number: p.units for p, number in zip(made, ids, strict=True)})
    _end_leases(session, [plan.job.key for plan in made if plan.holds])
    session.connection().execute(
        insert(ImportedLabel.__table__),  # type: ignore[attr-defined]
        [origin_row(plan.job, file_id, *spans[plan.job.key]) for plan in plans],
    )


def _write_events(
    session: Session, plans: Sequence[Planned], at: datetime
) -> tuple[dict[Key, tuple[int, int]], dict[tuple[Key, str], int]]:
    """Write the log; return each label's first and last event, and its submissions' events."""
    withdrawal: _Act = "withdraw", {}, None
    acts = [
        (plan.job.key, act)
        for plan in plans
        for act in (*([withdrawal] if plan.withdraws else ()), *plan.acts)
    ]
    rows = [
        {
            "item_id": item_id,
            "person_id": person_id,
            "kind": kind,
            "payload": payload,
            "undoes_id": undoes_id,
            "at": at,
        }
        for (person_id, item_id), (kind, payload, undoes_id) in acts
    ]
    spans: dict[Key, tuple[int, int]] = {}
    turns: dict[tuple[Key, str], int] = {}
    ids = _inserted(session, DraftEvent, rows)
    for (key, (kind, _, _)), number in zip(acts, ids, strict=True):
        spans[key] = spans.get(key, (number, number))[0], number
        turns[key, kind] = number
    return spans, turns


def _annotation_row(
    plan: Planned,
    kind: str,
    event_id: int,
    heads: Mapping[Key, int],
    versions: Mapping[str, str],
    at: datetime,
) -> dict[str, Any]:
    """Return the columns of a label's submission, or of the withdrawal before it (`kind`)."""
    says = plan.draft if kind == "withdraw" else plan.job
    return {
        "item_id": plan.job.item_id,
        "person_id": plan.job.person_id,
        "kind": kind,
        "no_provision": says.no_provision,
        "comment": says.comment,
        "flag": plan.draft.flag,
        "supersedes_id": heads.get(plan.job.key),
        "snapshot_id": plan.shown.snapshot_id,
        "candidate_set_id": plan.shown.id,
        **versions,
        "event_id": event_id,
        "seconds": None,
        "at": at,
    }


def _add_labels(session: Session, labels: Mapping[int, Mapping[int, str]]) -> None:
    rows = [
        {"annotation_id": number, "unit_id": unit, "label": label, "evidence": None}
        for number, units in labels.items()
        for unit, label in sorted(units.items())
    ]
    if rows:
        session.execute(insert(AnnotationLabel), rows)


def _end_leases(session: Session, keys: Sequence[Key]) -> None:
    """Delete the leases that people held on items that are submitted now."""
    if keys:
        held = tuple_(col(Lease.person_id), col(Lease.item_id)).in_(keys)
        session.connection().execute(delete(Lease).where(held))


def origin_row(job: Label, file_id: int, first: int, last: int) -> dict[str, Any]:
    """Return the columns of the row that records an imported label's file and place in it."""
    return {
        "label_file_id": file_id,
        "item_id": job.item_id,
        "person_id": job.person_id,
        "place": job.where.field or f"{job.where.line}",
        "source_user": job.source_user[:_MAX_USER_LENGTH],
        "made_at": job.made_at,
        "status": job.status,
        "said": job.said,
        "first_event_id": first,
        "event_id": last,
    }


def _inserted(
    session: Session, table: type[SQLModel], rows: Sequence[Mapping[str, Any]]
) -> list[int]:
    """Insert rows, given all columns but the id; return their ids in order."""
    if not rows:
        return []
    columns = table.__table__  # type: ignore[attr-defined]
    query = insert(columns).returning(columns.c.id, sort_by_parameter_order=True)
    return list(session.connection().execute(query, list(rows)).scalars())
