"""Decisions to recheck because the law they rest on was amended; derived, never stored.

Each decision is compared with a snapshot, the one in use unless another is given. It is in doubt if
it names a unit without the same wording under the same id there: accepting or unsure in any case,
rejecting only if the unit was reworded, since it may answer the question now. "No provision" is in
doubt if new candidates have arrived (see `annotation.gold.validity`), and unknown while candidates
are lacking. Gold is in doubt exactly if it does not hold in `annotation.gold.derivation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal

from sqlmodel import Session, col, func, select

from annotation.adjudication.decisions import current_decisions
from annotation.gold.derivation import evidence_of
from annotation.gold.validity import LostGold, arrived, lost_gold
from annotation.law import Change, changed_units
from annotation.mapping.evidence import anchored
from annotation.people.roles import Act, ProjectMember, annotator, may, reading_as, require
from annotation.work.belonging import lines
from annotation.work.carry_over import texts_of
from annotation.work.draft import Event, fold
from annotation.work.submissions import Decision, complete
from corpus.compare.model import Status
from storage.db.rows import grouped
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, project_snapshot, units_called
from storage.law.counterparts import Counterpart, counterparts
from storage.law.units import snapshots_of_units
from storage.mapping import pins
from storage.overlap import decided as is_decided
from storage.projects import find_project
from storage.tables.core import DraftEvent, Item, Project, QuestionRow
from storage.tasks import Task, of_task

Kind = Literal["adjudication", "submission", "draft"]
Reason = Literal["amended", "arrived", "no_candidates", "ambiguous", "lost"]
State = Literal["waiting", "sent_back", "redone", "confirmed", "set_aside"]
Progress = Literal["", "not_begun", "begun", "done"]
Words = Literal["", "kept", "lost"]


@dataclass(frozen=True, slots=True)
class Basis:
    """A decision on the unit in doubt. An annotator's is their own: no `person`, no `at`."""

    kind: Kind
    decision: str
    person: str | None
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Checked:
    """The latest check of an entry: by whom (None for the operator), when and why."""

    id: int
    kind: str
    person: str | None
    at: datetime
    reason: str

    def as_dict(self) -> dict[str, Any]:
        """Return the check for ``--json`` output."""
        return asdict(self) | {"at": self.at.isoformat()}


@dataclass(frozen=True, slots=True)
class Recheck:
    """A unit in doubt on an item: its change, and the decisions that rest on it.

    `reason`: the unit was ``amended``, it ``arrived`` after an answer "no provision", or there are
    ``no_candidates`` to decide that (then without a unit). `unit` is its semantic id where the
    decisions were made, or where it arrived, `place` its statute and label, `now` its id in the
    newer law, `became` the kind of change. `gold`: the item's gold rests on it and does not hold;
    always False for annotators, who are shown their own decisions only.

    For form tasks (`annotation.gold.amended_items`) a citation of the unit may also have become
    ``ambiguous``, or have ``lost`` it and lead elsewhere or nowhere. There `question` is the item's
    title, `via` how the item rests on the unit, `progress` the item's progress ("" for annotators),
    `state` the state of the entry, and `check` its latest check. `unit_id` is the unit's database
    id as the item rests on it, `now_ids` those of its successors, and `wording` a digest of their
    text. `words`: whether what was marked in the unit is ``kept``, being there once still, or
    ``lost`` and to be marked again; "" if nothing was marked.
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
    words: Words = ""

    @property
    def answered(self) -> bool:
        """Whether somebody has answered the item, so that there is a decision to doubt."""
        return self.progress != "not_begun"

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
            **({"words": self.words} if self.words else {}),
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
class _UnitDecision:
    """Anybody's decision on one unit, `unit_id` being its database id.

    For "no provision", `unit_id` is None. `set_id` is the candidate set it was made on, `evidence`
    the words marked.
    """

    item_id: int
    unit_id: int | None
    basis: Basis
    set_id: int
    evidence: Mapping[str, Any] | None = None


@dataclass(slots=True)
class _Doubt:
    """An item's unit in doubt, with the decisions that rest on it."""

    reason: Reason
    unit: str
    place: str = ""
    became: Status | None = None
    now: str | None = None
    unit_id: int = 0
    decisions: list[Basis] = field(default_factory=list)
    evidence: list[Mapping[str, Any]] = field(default_factory=list)


_NO_PROVISION = "no_provision"


def rechecks(ws: Workspace, person_id: int, snapshot_id: int | None = None) -> list[Recheck]:
    """Return the units in doubt that a person has to recheck: gold first, then in project order.

    Decisions are compared with the snapshot, the one in use by default. Annotators get their own
    drafts and submissions, readers of others' labels what :func:`project_rechecks` returns. Raises
    UserError for an unknown person and for a snapshot that the project does not have.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.READ_LAW)
        slug = session.get_one(Project, who.project_id).slug
        if not may(who.role, Act.READ_OTHERS_LABELS):
            law = _snapshot_to_compare(session, slug, snapshot_id)
            made = _own_decisions(session, annotator(session, person_id), ws.clock()) if law else []
            return _in_doubt(ws, session, made, law, dict)
    return project_rechecks(ws, slug, snapshot_id, person_id)


def project_rechecks(
    ws: Workspace, project_slug: str, snapshot_id: int | None = None, by: int | None = None
) -> list[Recheck]:
    """Return a project's units in doubt, for readers of others' labels.

    An adjudicator's decision counts instead of the submissions; without one, submissions are read
    only once the item is complete. Drafts are excluded. `by` is the reader (None: the operator).
    Raises UserError for an unknown project, person or snapshot, and for an annotator.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        law = _snapshot_to_compare(session, project_slug, snapshot_id)
        made = _decisions_that_count(session, project.id) if law else []
        return _in_doubt(
            ws,
            session,
            made,
            law,
            lambda: lost_gold(session, evidence_of(session, project).bases, law),
        )


def decided_items(ws: Workspace, project_slug: str, by: int | None = None) -> tuple[int, int]:
    """Return the number of citation mapping items visible to `by`, and of those decided.

    A decision is what `rechecks` reads; annotators see only those that they have begun. Raises
    UserError for an unknown project or person.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, who):
        if who is not None and not may(who.role, Act.READ_OTHERS_LABELS):
            mine = {each.item_id for each in _own_decisions(session, who, ws.clock())}
            return len(mine), len(mine)
        made = {each.item_id for each in _decisions_that_count(session, project.id)}
        query = select(func.count()).select_from(Item).where(of_task(project.id))
        return session.exec(query).one(), len(made)


def _snapshot_to_compare(session: Session, project_slug: str, snapshot_id: int | None) -> int:
    """Return the snapshot to compare with, 0 before the first import."""
    project = find_project(session, project_slug)
    if snapshot_id is None:
        return id_in_use(session, project.id) or 0
    return project_snapshot(session, project, snapshot_id).id


def _own_decisions(session: Session, who: ProjectMember, now: datetime) -> list[_UnitDecision]:
    """Return the person's decisions on items without an adjudicator's decision."""
    query = select(DraftEvent).where(DraftEvent.person_id == who.person_id)
    logs = grouped(
        (row.item_id, Event(row.id or 0, row.kind, row.payload, row.undoes_id, row.at))
        for row in session.exec(query.order_by(col(DraftEvent.id)))
    )
    here = select(Item.id).where(Item.project_id == who.project_id, is_decided())
    done = set(session.exec(here))
    made: list[_UnitDecision] = []
    for line in lines(session, who, now):
        if line.item_id in logs and line.item_id not in done:
            draft = fold(logs[line.item_id])
            kind: Kind = "submission" if draft.status == "submitted" else "draft"
            answer = draft.decisions.items(), draft.no_provision, draft.candidate_set_id or 0
            made += _unit_decisions(line.item_id, kind, *answer, evidence=draft.evidence)
    return made


def _decisions_that_count(session: Session, project_id: int) -> list[_UnitDecision]:
    """Return the decisions that count: adjudications, and submissions where there is none."""
    decided = current_decisions(session, project_id)
    made: list[_UnitDecision] = []
    for item, by in decided.items():
        answer = dict.fromkeys(by.unit_ids, Decision.ACCEPT).items(), by.no_provision
        words = {each.unit_id: each.evidence for each in by.units}
        made += _unit_decisions(
            item, "adjudication", *answer, by.candidate_set_id, by.person, by.at, words
        )
    for item, submissions in complete(session, project_id).items():
        for said in submissions if item not in decided else ():
            labels = [(each.unit_id, each.label) for each in said.labels]
            words = {each.unit_id: each.evidence for each in said.labels}
            whose = said.no_provision, said.candidate_set_id, said.person, said.at
            made += _unit_decisions(item, "submission", labels, *whose, words)
    return made


def _unit_decisions(
    item_id: int,
    kind: Kind,
    labels: Iterable[tuple[int, str]],
    no_provision: bool,
    set_id: int,
    person: str | None = None,
    at: datetime | None = None,
    evidence: Mapping[int, Any] = MappingProxyType({}),
) -> Iterator[_UnitDecision]:
    """Yield the decisions of one answer: on each unit, and "no provision"."""
    said: list[tuple[int | None, str]] = [*labels]
    for unit, label in [*said, (None, _NO_PROVISION)] if no_provision else said:
        basis = Basis(kind, label, person, at)
        yield _UnitDecision(item_id, unit, basis, set_id, evidence.get(unit or 0))


def _in_doubt(
    ws: Workspace,
    session: Session,
    decisions: Sequence[_UnitDecision],
    law: int,
    lost_of: Callable[[], Mapping[int, LostGold]],
) -> list[Recheck]:
    """Return the units in doubt; lost gold is looked up only if there are any."""
    found: dict[tuple[int, str], _Doubt] = {}
    for each, doubt in (
        *_decisions_on_amended(ws, session, decisions, law),
        *_doubtful_no_provisions(ws, session, decisions, law),
    ):
        kept = found.setdefault((each.item_id, doubt.unit), doubt)
        kept.decisions.append(each.basis)
        if each.evidence:
            kept.evidence.append(each.evidence)
    told = {item_id for (item_id, _), each in found.items() if each.reason == "arrived"}
    found = {
        key: each
        for key, each in found.items()
        if each.reason != "no_candidates" or key[0] not in told
    }
    if not found:
        return []
    lost = lost_of()
    asked = _questions(session, {item_id for item_id, _ in found})
    here = units_called(session, law, {each.now for each in found.values() if each.now})
    marked = [each for each in found.values() if each.evidence]
    texts = texts_of(
        session, {number for e in marked for number in (e.unit_id, here.get(e.now or ""))}
    )
    entries = [
        Recheck(
            item_id,
            *asked[item_id][1:],
            reason=each.reason,
            unit=each.unit,
            place=each.place,
            became=each.became,
            now=each.now,
            gold=_is_reason_of_loss(lost.get(item_id), each),
            decisions=tuple(each.decisions),
            unit_id=each.unit_id,
            now_ids=tuple(now for now in (here.get(each.now or ""),) if now),
            words=_evidence_state(each, texts, here.get(each.now or "")),
        )
        for (item_id, _), each in found.items()
    ]
    return sorted(entries, key=lambda each: (not each.gold, asked[each.item_id][0], each.unit))


def _evidence_state(doubt: _Doubt, texts: Mapping[int, str], now: int | None) -> Words:
    """Return whether the marked words are still in the amended text: kept or lost; "" if none."""
    if not doubt.evidence:
        return ""
    before, after = texts.get(doubt.unit_id, ""), texts.get(now or 0, "")
    return "kept" if all(anchored(each, before, after) for each in doubt.evidence) else "lost"


def _is_reason_of_loss(lost: LostGold | None, doubt: _Doubt) -> bool:
    """Return True if gold does not hold because of this very doubt."""
    if lost is None:
        return False
    return lost.waiting if doubt.reason == "no_candidates" else doubt.unit in lost.units


def _decisions_on_amended(
    ws: Workspace, session: Session, decisions: Sequence[_UnitDecision], law: int
) -> Iterator[tuple[_UnitDecision, _Doubt]]:
    """Yield the decisions on units whose wording differs in the law."""
    places = counterparts(session, {each.unit_id for each in decisions if each.unit_id}, law)
    differing = {unit for unit, each in places.items() if not each.same}
    worlds = snapshots_of_units(session, differing)
    for each in decisions:
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
    """Return the doubt about a unit; without `change`, only its label differs."""
    if change is None:
        status = Status.CHANGED if place.now else Status.REMOVED
        now = place.semantic_id if place.now else None
        return _Doubt("amended", place.semantic_id, place.label, status, now)
    new = change.unit.new
    now = None if new is None else new.semantic_id
    return _Doubt("amended", place.semantic_id, change.place, change.unit.status, now)


def _doubtful_no_provisions(
    ws: Workspace, session: Session, decisions: Sequence[_UnitDecision], law: int
) -> Iterator[tuple[_UnitDecision, _Doubt]]:
    """Yield the "no provision" decisions with new candidates, or with none built yet."""
    denied = [each for each in decisions if each.unit_id is None]
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


def _questions(session: Session, items: Iterable[int]) -> dict[int, tuple[int, str, str]]:
    """Return (place in the queue, external id, question) of each of the items."""
    wanted = set(items)
    query = select(Item.id, Item.order, QuestionRow.external_id, QuestionRow.text)
    query = query.join(QuestionRow, col(QuestionRow.id) == Item.question_id)
    return {
        item_id: (order, external_id, text)
        for item_id, order, external_id, text in session.exec(query)
        if item_id in wanted
    }
