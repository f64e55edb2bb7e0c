"""Labels of another tool, written as the acts and the submission that they are.

Set by set: what a set of labels needs is read at once, what it becomes is written at once, in one
writing transaction, so that a label costs what its rows do. Each is held to what an act of its
person would be (`annotation.work.slots`), but for one thing: what a file said may be superseded by
what a later file says although all answers are in, since not its person changes it here, having
seen what came of it. Nobody worked on it here, so a submission says no seconds, and no slot is held
for a draft.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, tuple_
from sqlmodel import Session, SQLModel, col

from annotation.exchange.foreign import Status
from annotation.exchange.label_states import Key, States, is_of_mapping
from annotation.guidelines.documents import held_versions
from annotation.people.roles import NotAllowedError
from annotation.work.draft import Draft, fold
from annotation.work.slots import refuse, refuse_acts
from annotation.work.submissions import Decision
from annotation.work.visibility import is_settled
from errors import UserError, Where
from storage.law.corpus import unit_ids
from storage.mapping.candidates import ShownSet
from storage.tables.core import Annotation, AnnotationLabel, DraftEvent
from storage.tables.exchange import ImportedLabel
from storage.tables.people import Lease

_LONGEST_USER = 320  # characters of a user's name that are kept: an e-mail address has no more


@dataclass(frozen=True, slots=True)
class Job:
    """One label with everything that it names found in the project.

    `units` maps semantic ids to decisions; `said` is a hash of all that it says.
    """

    person_id: int
    item_id: int
    units: Mapping[str, str]
    no_provision: bool
    comment: str
    status: Status
    said: str
    source_user: str
    made_at: datetime | None
    where: Where

    @property
    def key(self) -> Key:
        """Whose label on what it is."""
        return self.person_id, self.item_id


@dataclass(frozen=True, slots=True)
class Planned:
    """What a label becomes: acts, and before them the withdrawal of what it supersedes."""

    job: Job
    draft: Draft
    shown: ShownSet
    acts: tuple[tuple[str, dict[str, Any], int | None], ...]
    units: Mapping[int, str]
    holds: bool

    @property
    def withdraws(self) -> bool:
        """Whether a submission is taken back first."""
        return self.draft.status == "submitted"


class Planner:
    """Plans labels one after the other; what it has planned takes up room for those behind it."""

    def __init__(self, session: Session, project_id: int) -> None:
        self._session = session
        self._versions = held_versions(session, project_id)
        self._units: dict[int, dict[str, int]] = {}
        self._taken: dict[int, set[int]] = {}

    @property
    def versions(self) -> Mapping[str, str]:
        """The versions of guideline and codebook that hold."""
        return self._versions

    def plan(self, job: Job, states: States) -> Planned:
        """Return what the label becomes. Raises UserError, with its record, where it cannot."""
        try:
            return self._plan(job, states)
        except UserError as error:
            if error.where == Where() and not isinstance(error, NotAllowedError):
                error.where = job.where
            raise

    def _plan(self, job: Job, states: States) -> Planned:
        draft, room = fold(states.logs.get(job.key, ())), states.rooms.get(job.key)
        if room is None or not is_of_mapping(room):
            raise UserError("item_unknown", item=job.item_id)
        others = len(self._taken.get(job.item_id, set()) - {job.person_id})
        room = replace(room, others=room.others + others)
        refuse(room, begun=not draft.untouched)
        refuse_acts(room)
        if draft.status == "submitted" and is_settled(self._session, job.item_id):
            raise UserError("item_settled")
        shown, opens = _shown(job, draft, states)
        units = self._unit_ids(job, shown.snapshot_id)
        acts = list(_changes(job, draft, units, states.listed.get(shown.id, ())))
        if opens or not (acts or draft.status == "submitted"):
            acts.insert(0, ("open", self._opening(shown), None))
        if job.status == "submitted":
            self._taken.setdefault(job.item_id, set()).add(job.person_id)
        return Planned(job, draft, shown, tuple(acts), units, room.ever)

    def _opening(self, shown: ShownSet) -> dict[str, Any]:
        versions = {f"{kind}_version": version for kind, version in self._versions.items()}
        return {"candidate_set_id": shown.id} | versions

    def _unit_ids(self, job: Job, snapshot_id: int) -> dict[int, str]:
        if snapshot_id not in self._units:
            self._units[snapshot_id] = unit_ids(self._session, snapshot_id)
        known = self._units[snapshot_id]
        for semantic in job.units:
            if semantic not in known:  # the item's candidates speak of older law
                raise UserError("labels_unit", unit=semantic)
        return {known[semantic]: decision for semantic, decision in job.units.items()}


def _shown(job: Job, draft: Draft, states: States) -> tuple[ShownSet, bool]:
    """Return the candidate set that the draft is on, and whether it is to be opened on it first."""
    newest = states.sets.get(job.item_id)
    if draft.candidate_set_id is not None and not draft.untouched:
        return states.bound[draft.candidate_set_id], False
    if newest is None:
        raise UserError("candidates_missing")
    return newest, newest.id != draft.candidate_set_id


_Act = tuple[str, dict[str, Any], int | None]


def _changes(
    job: Job, draft: Draft, units: Mapping[int, str], listed: Iterable[int]
) -> Iterable[_Act]:
    """Yield the acts that make the draft say what the label says, and nothing else."""
    there = {*listed, *draft.added}
    changed = False
    for unit in sorted(draft.decisions.keys() - units.keys()):
        changed = True
        yield "label", {"unit_id": unit, "decision": None}, None
    for unit, decision in units.items():
        now = draft.decisions.get(unit)
        if unit not in there:
            now, changed = str(Decision.ACCEPT), True
            yield "add", {"unit_id": unit}, None
        if now != decision:
            changed = True
            yield "label", {"unit_id": unit, "decision": decision}, None
    if draft.no_provision != job.no_provision:
        changed = True
        yield "no_provision", {"value": job.no_provision}, None
    if draft.comment != job.comment:
        changed = True
        yield "comment", {"text": job.comment}, None
    if job.status == "submitted":
        yield "submit", {}, None
    elif job.status == "discarded" and (changed or draft.status != "skipped"):
        yield "skip", {"reason": ""}, None
    elif job.status == "draft" and draft.status == "skipped" and not changed:
        yield "undo", {}, draft.acts[-1]


def write_labels(
    session: Session,
    plans: Sequence[Planned],
    states: States,
    versions: Mapping[str, str],
    file_id: int,
    at: datetime,
) -> None:
    """Write what was planned in this transaction, in which it was planned."""
    spans, turns = _events(session, plans, at)
    withdrawn = [plan for plan in plans if plan.withdraws]
    heads = dict(states.heads)
    rows = [
        _row(p, "withdraw", turns[p.job.key, "withdraw"], heads, versions, at) for p in withdrawn
    ]
    ids = _inserted(session, Annotation, rows)
    heads |= {plan.job.key: number for plan, number in zip(withdrawn, ids, strict=True)}
    made = [plan for plan in plans if plan.job.status == "submitted"]
    rows = [_row(p, "submit", turns[p.job.key, "submit"], heads, versions, at) for p in made]
    ids = _inserted(session, Annotation, rows)
    _add_labels(session, {number: p.units for p, number in zip(made, ids, strict=True)})
    _free(session, [plan.job.key for plan in made if plan.holds])
    session.connection().execute(
        insert(ImportedLabel.__table__),  # type: ignore[attr-defined]
        [_origin(plan.job, file_id, *spans[plan.job.key]) for plan in plans],
    )


def _events(
    session: Session, plans: Sequence[Planned], at: datetime
) -> tuple[dict[Key, tuple[int, int]], dict[tuple[Key, str], int]]:
    """Write the log; return the first and last event of each label, and its turns' events."""
    acts = [(plan.job.key, act) for plan in plans for act in _all_acts(plan)]
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


def _all_acts(plan: Planned) -> Sequence[_Act]:
    before: tuple[_Act, ...] = (("withdraw", {}, None),) if plan.withdraws else ()
    return (*before, *plan.acts)


def _row(
    plan: Planned,
    kind: str,
    event_id: int,
    heads: Mapping[Key, int],
    versions: Mapping[str, str],
    at: datetime,
) -> dict[str, Any]:
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
        "guideline_version": versions["guideline"],
        "codebook_version": versions["codebook"],
        "event_id": event_id,
        "seconds": None,
        "at": at,
    }


def _add_labels(session: Session, said: Mapping[int, Mapping[int, str]]) -> None:
    rows = [
        {"annotation_id": number, "unit_id": unit, "label": label}
        for number, units in said.items()
        for unit, label in sorted(units.items())
    ]
    if rows:
        session.connection().execute(insert(AnnotationLabel.__table__), rows)  # type: ignore[attr-defined]


def _free(session: Session, keys: Sequence[Key]) -> None:
    """Give back the slots that people held on items that are submitted now."""
    if keys:
        held = tuple_(col(Lease.person_id), col(Lease.item_id)).in_(keys)
        session.connection().execute(delete(Lease).where(held))


def _origin(job: Job, file_id: int, first: int, last: int) -> dict[str, Any]:
    return {
        "label_file_id": file_id,
        "item_id": job.item_id,
        "person_id": job.person_id,
        "place": job.where.field or f"{job.where.line}",
        "source_user": job.source_user[:_LONGEST_USER],
        "made_at": job.made_at,
        "status": job.status,
        "said": job.said,
        "first_event_id": first,
        "event_id": last,
    }


def _inserted(
    session: Session, table: type[SQLModel], rows: Sequence[Mapping[str, Any]]
) -> list[int]:
    """Insert rows of all columns but the id; return their ids, in the order of the rows."""
    if not rows:
        return []
    columns = table.__table__  # type: ignore[attr-defined]
    query = insert(columns).returning(columns.c.id, sort_by_parameter_order=True)
    return list(session.connection().execute(query, list(rows)).scalars())
