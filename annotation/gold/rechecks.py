"""Decisions to recheck because the law they rest on was amended; derived, never stored.

Each decision is compared with a snapshot, the one in use unless another is given. It is in doubt if
it names a unit without the same wording under the same id there: accepting or unsure in any case,
rejecting only if the unit was reworded, since it may answer the question now. "No provision" is in
doubt if new candidates have arrived (see `annotation.gold.validity`), and unknown while candidates
are lacking. Gold is in doubt exactly if it does not hold in `annotation.gold.derivation`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
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
from normalization.grouping import grouped
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, project_snapshot, units_called
from storage.law.counterparts import Counterpart, counterparts
from storage.law.units import snapshots_of_units
from storage.mapping import pins
from storage.overlap import decided as is_decided
from storage.projects import ProjectView, find_project
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
            law = law_to_compare(session, find_project(session, slug), snapshot_id)
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
        law = law_to_compare(session, project, snapshot_id)
        made = _decisions_that_count(session, project.id) if law else []

        def lost() -> Mapping[int, LostGold]:
            """Return the gold that does not hold for the law."""
            return lost_gold(session, evidence_of(session, project).bases, law)

        return _in_doubt(ws, session, made, law, lost)


def decided_items(ws: Workspace, project_slug: str, by: int | None) -> tuple[int, int]:
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


def law_to_compare(session: Session, project: ProjectView, snapshot_id: int | None) -> int:
    """Return the snapshot to compare with, by default that in use; 0 before the first import."""
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
            labels = [(u, label, draft.evidence.get(u)) for u, label in draft.decisions.items()]
            answer = labels, draft.no_provision, draft.candidate_set_id or 0
            made += _unit_decisions(line.item_id, kind, *answer)
    return made


def _decisions_that_count(session: Session, project_id: int) -> list[_UnitDecision]:
    """Return the decisions that count: adjudications, else the submissions of complete items."""
    decided = current_decisions(session, project_id)
    made: list[_UnitDecision] = []
    for item, by in decided.items():
        labels = [(each.unit_id, str(Decision.ACCEPT), each.evidence) for each in by.units]
        whose = by.no_provision, by.candidate_set_id, by.person, by.at
        made += _unit_decisions(item, "adjudication", labels, *whose)
    for item, submissions in complete(session, project_id).items():
        for said in submissions if item not in decided else ():
            labels = [(each.unit_id, each.label, each.evidence) for each in said.labels]
            whose = said.no_provision, said.candidate_set_id, said.person, said.at
            made += _unit_decisions(item, "submission", labels, *whose)
    return made


def _unit_decisions(
    item_id: int,
    kind: Kind,
    labels: Iterable[tuple[int, str, Mapping[str, Any] | None]],
    no_provision: bool,
    set_id: int,
    person: str | None = None,
    at: datetime | None = None,
) -> Iterator[_UnitDecision]:
    """Yield the decisions of one answer: on each unit, with its words, and "no provision"."""
    for unit, label, words in labels:
        yield _UnitDecision(item_id, unit, Basis(kind, label, person, at), set_id, words)
    if no_provision:
        yield _UnitDecision(item_id, None, Basis(kind, "no_provision", person, at), set_id)


def _in_doubt(
    ws: Workspace,
    session: Session,
    decisions: Sequence[_UnitDecision],
    law: int,
    lost_of: Callable[[], Mapping[int, LostGold]],
) -> list[Recheck]:
    """Return the units in doubt; lost gold is looked up only if there are any."""
    found: dict[tuple[int, str], tuple[Recheck, list[_UnitDecision]]] = {}
    for decision, doubt in (
        *_decisions_on_amended(ws, session, decisions, law),
        *_doubtful_no_provisions(ws, session, decisions, law),
    ):
        found.setdefault((decision.item_id, doubt.unit), (doubt, []))[1].append(decision)
    told = {each.item_id for each, _ in found.values() if each.reason == "arrived"}
    for item in told:  # then it is known, and the item's other sets need not be waited for
        found.pop((item, ""), None)
    if not found:
        return []
    lost = lost_of()
    asked = _questions(session, {item_id for item_id, _ in found})
    here = units_called(session, law, {each.now for each, _ in found.values() if each.now})
    marked = [each for each, made in found.values() if any(one.evidence for one in made)]
    texts = texts_of(
        session, {number for e in marked for number in (e.unit_id, here.get(e.now or ""))}
    )
    entries = []
    for each, made in found.values():
        (_, name, question), gone = asked[each.item_id], lost.get(each.item_id)
        now, words = here.get(each.now or ""), [one.evidence for one in made if one.evidence]
        before, after = texts.get(each.unit_id, ""), texts.get(now or 0, "")
        kept = all(anchored(one, before, after) for one in words)
        entry = replace(
            each,
            external_id=name,
            question=question,
            gold=gone is not None
            and (gone.waiting if each.reason == "no_candidates" else each.unit in gone.units),
            decisions=tuple(one.basis for one in made),
            now_ids=(now,) if now else (),
            words="" if not words else "kept" if kept else "lost",
        )
        entries.append(entry)
    return sorted(entries, key=lambda each: (not each.gold, asked[each.item_id][0], each.unit))


def _decisions_on_amended(
    ws: Workspace, session: Session, decisions: Sequence[_UnitDecision], law: int
) -> Iterator[tuple[_UnitDecision, Recheck]]:
    """Yield the decisions on units that differ in the law; rejections only if it reworded them."""
    changes = unit_changes(ws, session, {e.unit_id for e in decisions if e.unit_id}, law)
    for each in decisions:
        if not each.unit_id or changes[each.unit_id][0].same:
            continue
        place, change = changes[each.unit_id]
        reworded = change is not None and change.unit.reworded
        if reworded or each.basis.decision != Decision.REJECT:
            label = place.label if change is None else change.place
            about = place.semantic_id, label, *changed_to(place, change)
            yield each, _doubt(each.item_id, "amended", *about, each.unit_id)


def unit_changes(
    ws: Workspace, session: Session, units: Collection[int], law: int
) -> dict[int, tuple[Counterpart, Change | None]]:
    """Return the counterpart in the law of each unit (by database id), and what changed in it."""
    places = counterparts(session, units, law)
    worlds = snapshots_of_units(session, [unit for unit, each in places.items() if not each.same])
    changed = {
        unit: changed_units(ws, worlds[unit], law).old.get(places[unit].semantic_id)
        for unit in worlds
    }
    return {unit: (place, changed.get(unit)) for unit, place in places.items()}


def changed_to(counterpart: Counterpart, change: Change | None) -> tuple[Status, str | None]:
    """Return the kind of change of a unit, and its id now; without `change` its label differs."""
    if change is not None:
        new = change.unit.new
        return change.unit.status, None if new is None else new.semantic_id
    return (Status.CHANGED, counterpart.semantic_id) if counterpart.now else (Status.REMOVED, None)


def _doubt(
    item_id: int,
    reason: Reason,
    unit: str = "",
    place: str = "",
    became: Status | None = None,
    now: str | None = None,
    unit_id: int = 0,
) -> Recheck:
    """Return what the law alone tells of a unit in doubt."""
    about = reason, unit, place, became, now
    return Recheck(item_id, "", "", *about, gold=False, decisions=(), unit_id=unit_id)


def _doubtful_no_provisions(
    ws: Workspace, session: Session, decisions: Sequence[_UnitDecision], law: int
) -> Iterator[tuple[_UnitDecision, Recheck]]:
    """Yield the "no provision" decisions with new candidates, or with none built yet."""
    denied = [each for each in decisions if each.unit_id is None]
    sets = {each.set_id for each in denied}
    come, worlds = arrived(session, sets, law), pins(session, sets)
    for each in denied:
        new = come[each.set_id]
        if new is None:
            yield each, _doubt(each.item_id, "no_candidates")
        for unit in sorted(new or ()):
            change = changed_units(ws, worlds[each.set_id].snapshot_id, law).new.get(unit)
            status = Status.CHANGED if change is None else change.unit.status
            place = change.place if change else ""
            yield each, _doubt(each.item_id, "arrived", unit, place, status, unit)


def _questions(session: Session, items: Iterable[int]) -> dict[int, tuple[int, str, str]]:
    """Return (place in the queue, external id, question) of each of the items."""
    wanted = set(items)
    query = select(Item.id, Item.order, QuestionRow.external_id, QuestionRow.text)
    query = query.join(QuestionRow)
    return {
        item_id: (order, external_id, text)
        for item_id, order, external_id, text in session.exec(query)
        if item_id in wanted
    }
