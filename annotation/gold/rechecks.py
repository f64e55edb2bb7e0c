"""Decisions to check again because the law they rest on was amended: derived, stored nowhere.

Each decision is held against a snapshot, the one in use unless another is named, from whatever
snapshot it was made on. It is in doubt where it names a unit that does not stand there in the same
words under the same id: accepting or being unsure whatever became of the unit, rejecting only if
the unit has been reworded, for it may answer the question now. "No provision" is in doubt where
something speaks to the question that did not (see `annotation.gold.validity`), and cannot be told
while candidates are lacking. Gold is in doubt exactly where `annotation.gold.derivation` does not
let it hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session, col, func, select

from annotation.adjudication.decisions import settled
from annotation.gold.derivation import lost_in
from annotation.gold.validity import LostGold, arrived
from annotation.law.unit_mapping import Change, changed_units
from annotation.people.roles import Act, ProjectMember, annotator, may, reading_as, require
from annotation.work.draft import Event, fold
from annotation.work.queues import lines
from annotation.work.submissions import Decision, complete
from corpus.compare.model import Status
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, project_snapshot, units_called
from storage.law.counterparts import Counterpart, counterparts
from storage.law.units import snapshots_of_units
from storage.mapping.candidates import pins
from storage.overlap import decided as is_decided
from storage.projects import find_project
from storage.tables.core import DraftEvent, Item, Project, QuestionRow
from storage.tasks import Task, of_task

Kind = Literal["adjudication", "submission", "draft"]
Reason = Literal["amended", "arrived", "no_candidates", "ambiguous", "lost"]
State = Literal["waiting", "sent_back", "redone", "confirmed", "set_aside"]
Progress = Literal["", "not_begun", "begun", "done"]


@dataclass(frozen=True, slots=True)
class Basis:
    """A decision on the unit in doubt. An annotator's is their own: no `person`, no `at`."""

    kind: Kind
    decision: str
    person: str | None
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Checked:
    """What was said last of an entry: by whom (None for the operator), when and why."""

    id: int
    kind: str
    person: str | None
    at: datetime
    reason: str

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json`` output."""
        return asdict(self) | {"at": self.at.isoformat()}


@dataclass(frozen=True, slots=True)
class Recheck:
    """A unit in doubt on an item: what became of it, and the decisions that rest on it.

    `reason` says why: the unit was ``amended`` since, it ``arrived`` since somebody said that there
    is no provision, or whether anything did cannot be told, as there are ``no_candidates``; there
    is no unit then. `unit` is its semantic id where the decisions were made, or where it arrived,
    `place` its statute and label, `now` its id in the newer law, `became` what became of it. `gold`
    says that the item's gold rests on it and does not hold; always False for annotators, who are
    shown their own decisions only.

    Of tasks with a form (`annotation.gold.amended_items`) a citation of the unit may also have
    become ``ambiguous``, or have ``lost`` it and lead elsewhere or nowhere. There `question` is the
    item's title, `via` says how the item rests on the unit, `progress` how far the item is ("" for
    annotators), `state` what a person made of the entry, and `check` what they said. `unit_id` is
    the unit's database id as the item rests on it, `now_ids` those of what stands there now, and
    `wording` a digest of what these say.
    """

    item_id: int
    external_id: str
    question: str
    reason: Reason
    unit: str
    place: str
    became: Status | None
    now: str | None
    gold: bool
    decisions: tuple[Basis, ...]
    task: str = Task.CITATION_MAPPING
    unit_id: int = 0
    now_ids: tuple[int, ...] = ()
    via: tuple[str, ...] = ()
    progress: Progress = ""
    state: State = "waiting"
    check: Checked | None = None
    wording: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the entry for ``--json`` output; times in ISO 8601."""
        return {
            "task": str(self.task),
            "question": self.external_id,
            "reason": self.reason,
            "unit": self.unit or None,
            "became": None if self.became is None else str(self.became),
            "now": self.now,
            "gold": self.gold,
            "via": list(self.via),
            "progress": self.progress or None,
            "state": self.state,
            "check": None if self.check is None else self.check.as_dict(),
            "decisions": [
                asdict(decision) | {"at": decision.at.isoformat() if decision.at else None}
                for decision in self.decisions
            ],
        }


@dataclass(frozen=True, slots=True)
class _Made:
    """One decision of anybody on one unit, `unit_id` being its database id.

    "No provision" is on no unit; `unit_id` is None and `set_id` says which candidates it was on.
    """

    item_id: int
    unit_id: int | None
    basis: Basis
    set_id: int = 0


@dataclass(slots=True)
class _Doubt:
    """A unit in doubt of an item, with the decisions that rest on it as they are found."""

    reason: Reason
    unit: str
    place: str = ""
    became: Status | None = None
    now: str | None = None
    unit_id: int = 0
    decisions: list[Basis] = field(default_factory=list)


_NONE = "no_provision"


def rechecks(ws: Workspace, person_id: int, snapshot_id: int | None = None) -> list[Recheck]:
    """Return what a person has to check again, gold first, then in the order of the project.

    Decisions are held against the snapshot, the one in use by default. An annotator gets their own
    drafts and submissions, whoever may read others' labels what :func:`project_rechecks` returns.
    Raises UserError for an unknown person and for a snapshot that the project does not have.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.READ_LAW)
        slug = session.get_one(Project, who.project_id).slug
        if not may(who.role, Act.READ_OTHERS_LABELS):
            law = _law(session, slug, snapshot_id)
            made = _own(session, annotator(session, person_id), ws.clock()) if law else []
            return _in_doubt(ws, session, made, law, dict)
    return project_rechecks(ws, slug, snapshot_id, person_id)


def project_rechecks(
    ws: Workspace, project_slug: str, snapshot_id: int | None = None, by: int | None = None
) -> list[Recheck]:
    """Return what is to be checked again in a project, for whoever reads others' labels.

    Of an item without a decision of an adjudicator, submissions are read only once all that it
    takes are in; where there is one, it counts and not the submissions. Drafts are their
    annotator's alone. `by` is who asks (None: the operator). Raises UserError for an unknown
    project, person or snapshot, and for somebody who annotates.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        law = _law(session, project_slug, snapshot_id)
        made = _everybodys(session, project.id) if law else []
        return _in_doubt(ws, session, made, law, lambda: lost_in(session, project, law))


def decided_items(ws: Workspace, project_slug: str, by: int | None = None) -> tuple[int, int]:
    """Return how many items of citation mapping `by` may know of, and how many have a decision.

    A decision is what `rechecks` reads; somebody who annotates knows of those that they have begun.
    Raises UserError for an unknown project or person.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, who):
        if who is not None and not may(who.role, Act.READ_OTHERS_LABELS):
            mine = {each.item_id for each in _own(session, who, ws.clock())}
            return len(mine), len(mine)
        made = {each.item_id for each in _everybodys(session, project.id)}
        query = select(func.count()).select_from(Item).where(of_task(project.id))
        return session.exec(query).one(), len(made)


def _law(session: Session, project_slug: str, snapshot_id: int | None) -> int:
    """Return the snapshot that decisions are held against, 0 before the first import."""
    project = find_project(session, project_slug)
    if snapshot_id is None:
        return id_in_use(session, project.id) or 0
    return project_snapshot(session, project, snapshot_id).id


def _own(session: Session, who: ProjectMember, now: datetime) -> list[_Made]:
    """Return what the person says of units on the items that no adjudicator has settled."""
    query = select(DraftEvent).where(DraftEvent.person_id == who.person_id)
    logs: dict[int, list[Event]] = {}
    for row in session.exec(query.order_by(col(DraftEvent.id))):
        event = Event(row.id or 0, row.kind, row.payload, row.undoes_id, row.at)
        logs.setdefault(row.item_id, []).append(event)
    here = select(Item.id).where(Item.project_id == who.project_id, is_decided())
    done = set(session.exec(here))
    made: list[_Made] = []
    for line in lines(session, who, now):
        if line.item_id in logs and line.item_id not in done:
            draft = fold(logs[line.item_id])
            kind: Kind = "submission" if draft.status == "submitted" else "draft"
            made += [
                _Made(line.item_id, unit_id, Basis(kind, said, None, None))
                for unit_id, said in draft.decisions.items()
            ]
            if draft.no_provision:
                shown = draft.candidate_set_id or 0
                made.append(_Made(line.item_id, None, Basis(kind, _NONE, None, None), shown))
    return made


def _everybodys(session: Session, project_id: int) -> list[_Made]:
    """Return the decisions that count: adjudications, and submissions where there is none."""
    decided = settled(session, project_id)
    made = [
        _Made(item_id, unit.unit_id, Basis("adjudication", Decision.ACCEPT, by.person, by.row.at))
        for item_id, by in decided.items()
        for unit in by.units
    ]
    for item_id, by in decided.items():
        if by.row.no_provision:
            basis = Basis("adjudication", _NONE, by.person, by.row.at)
            made.append(_Made(item_id, None, basis, by.row.candidate_set_id))
    for item_id, submissions in complete(session, project_id).items():
        if item_id not in decided:
            made += [
                _Made(item_id, said.unit_id, Basis("submission", said.label, by.person, by.at))
                for by in submissions
                for said in by.labels
            ]
            made += [
                _Made(
                    item_id,
                    None,
                    Basis("submission", _NONE, by.person, by.at),
                    by.candidate_set_id,
                )
                for by in submissions
                if by.no_provision
            ]
    return made


def _in_doubt(
    ws: Workspace,
    session: Session,
    made: Sequence[_Made],
    law: int,
    lost_of: Callable[[], Mapping[int, LostGold]],
) -> list[Recheck]:
    """Return the units in doubt; what gold does not hold is looked up where there are any."""
    found: dict[tuple[int, str], _Doubt] = {}
    for each, doubt in (*_amended(ws, session, made, law), *_come(ws, session, made, law)):
        kept = found.setdefault((each.item_id, doubt.unit), doubt)
        kept.decisions.append(each.basis)
    told = {item_id for (item_id, _), each in found.items() if each.reason == "arrived"}
    found = {
        key: each
        for key, each in found.items()
        if each.reason != "no_candidates" or key[0] not in told
    }
    if not found:
        return []
    lost = lost_of()
    asked = _asked(session, {item_id for item_id, _ in found})
    here = units_called(session, law, {each.now for each in found.values() if each.now})
    entries = [
        Recheck(
            item_id,
            *asked[item_id][1:],
            reason=each.reason,
            unit=each.unit,
            place=each.place,
            became=each.became,
            now=each.now,
            gold=_rests(lost.get(item_id), each),
            decisions=tuple(each.decisions),
            unit_id=each.unit_id,
            now_ids=tuple(now for now in (here.get(each.now or ""),) if now),
        )
        for (item_id, _), each in found.items()
    ]
    return sorted(entries, key=lambda each: (not each.gold, asked[each.item_id][0], each.unit))


def _rests(lost: LostGold | None, doubt: _Doubt) -> bool:
    """Return whether gold does not hold for the very reason of the doubt."""
    if lost is None:
        return False
    return lost.waiting if doubt.reason == "no_candidates" else doubt.unit in lost.units


def _amended(
    ws: Workspace, session: Session, made: Sequence[_Made], law: int
) -> Iterator[tuple[_Made, _Doubt]]:
    """Yield the decisions on units that do not stand in the law as they were judged."""
    places = counterparts(session, {each.unit_id for each in made if each.unit_id}, law)
    differing = {unit for unit, each in places.items() if not each.same}
    worlds = snapshots_of_units(session, differing)
    for each in made:
        if each.unit_id not in differing or each.unit_id is None:
            continue
        place = places[each.unit_id]
        change = changed_units(ws, worlds[each.unit_id], law).old.get(place.semantic_id)
        reworded = change is not None and change.unit.reworded
        if reworded or each.basis.decision != Decision.REJECT:
            doubt = _became(place, change)
            doubt.unit_id = each.unit_id
            yield each, doubt


def _became(place: Counterpart, change: Change | None) -> _Doubt:
    """Return the doubt about a unit; of one whose label alone differs there is no comparison."""
    if change is None:
        status = Status.CHANGED if place.now else Status.REMOVED
        now = place.semantic_id if place.now else None
        return _Doubt("amended", place.semantic_id, place.label, status, now)
    new = change.unit.new
    now = None if new is None else new.semantic_id
    return _Doubt("amended", place.semantic_id, change.place, change.unit.status, now)


def _come(
    ws: Workspace, session: Session, made: Sequence[_Made], law: int
) -> Iterator[tuple[_Made, _Doubt]]:
    """Yield the decisions for "no provision" to which something speaks, or nobody can tell."""
    denied = [each for each in made if each.unit_id is None]
    sets = {each.set_id for each in denied}
    come, worlds = arrived(session, sets, law), pins(session, sets)
    for each in denied:
        new = come[each.set_id]
        if new is None:
            yield each, _Doubt("no_candidates", "")
            continue
        for unit in sorted(new):
            change = changed_units(ws, worlds[each.set_id].snapshot_id, law).new.get(unit)
            status = Status.CHANGED if change is None else change.unit.status
            yield each, _Doubt("arrived", unit, change.place if change else "", status, unit)


def _asked(session: Session, items: Iterable[int]) -> dict[int, tuple[int, str, str]]:
    """Return (place in the queue, external id, question) of each of the items."""
    wanted = set(items)
    query = select(Item.id, Item.order, QuestionRow.external_id, QuestionRow.text)
    query = query.join(QuestionRow, col(QuestionRow.id) == Item.question_id)
    return {
        item_id: (order, external_id, text)
        for item_id, order, external_id, text in session.exec(query)
        if item_id in wanted
    }
