"""Decisions to check again because the law they rest on was amended: derived, stored nowhere.

A decision is put in doubt by the amendments between two snapshots when it was made on the older
one, or on one imported before that, and names a unit that the amendments touch and of which the
newer snapshot says something else, or has it under another id. Accepting or being unsure is in
doubt whatever became of the unit; rejecting it only if the unit has been reworded, for it may
answer the question now. "No provision" is in doubt when something is suggested from the newer one
that came or was amended since. Gold is in doubt when a unit of it is, or its "no provision".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session, col, select

from annotation.codebook import Decision
from annotation.draft import Event, fold
from annotation.gold import GoldItem, derive_as_decided
from annotation.holding import arrived as arrived_since
from annotation.queues import lines
from annotation.roles import Act, may
from annotation.settling import settled
from annotation.standing import Standing, allow, annotator, require
from annotation.submissions import complete
from corpus.compare.model import UnitChange
from storage.differing import amended
from storage.projects import find_project
from storage.tables import Adjudication, CandidateSet, DraftEvent, Item, Project, QuestionRow
from storage.workspace import Workspace

Kind = Literal["adjudication", "submission", "draft"]


@dataclass(frozen=True, slots=True)
class Basis:
    """A decision on the unit in doubt. An annotator's is their own: no `person`, no `at`."""

    kind: Kind
    decision: str
    person: str | None
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Recheck:
    """A unit in doubt on an item: what became of it, and the decisions that rest on it.

    `unit` is its semantic id where the decisions were made. `gold` says that the item's gold
    rests on it; always False for annotators, who are shown their own decisions only.
    """

    item_id: int
    external_id: str
    question: str
    unit: str
    change: UnitChange
    gold: bool
    decisions: tuple[Basis, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the entry for ``--json`` output; times in ISO 8601."""
        return {
            "question": self.external_id,
            "unit": self.unit,
            "became": str(self.change.status),
            "now": self.change.new.semantic_id if self.change.new else None,
            "gold": self.gold,
            "decisions": [
                asdict(each) | {"at": each.at.isoformat() if each.at else None}
                for each in self.decisions
            ],
        }


@dataclass(frozen=True, slots=True)
class _Made:
    """One decision of anybody on one unit, `unit_id` being its database id.

    "No provision" is on no unit; `unit_id` is None and `snapshot_id` says what law it speaks of.
    """

    item_id: int
    unit_id: int | None
    basis: Basis
    snapshot_id: int = 0


_NONE = "no_provision"
_Changes = Mapping[str, UnitChange]


def rechecks(
    ws: Workspace,
    person_id: int,
    touched: _Changes,
    old_id: int,
    new_id: int,
    arrived: _Changes | None = None,
) -> list[Recheck]:
    """Return what a person has to check again, gold first, then in the order of the project.

    `touched` is what the amendments between the snapshots `old_id` and `new_id` touch, by semantic
    id in the older one, `arrived` what came or says something new, by semantic id in the newer
    one. An annotator gets their own drafts and submissions, whoever may read others' labels what
    :func:`project_rechecks` returns. Raises UserError for an unknown person.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.READ_LAW)
        if not may(who.role, Act.READ_OTHERS_LABELS):
            made = _own(session, annotator(session, person_id), ws.clock())
            return _in_doubt(session, made, touched, old_id, new_id, {}, arrived or {})
        slug = session.get_one(Project, who.project_id).slug
    return project_rechecks(ws, slug, touched, old_id, new_id, arrived, person_id)


def project_rechecks(
    ws: Workspace,
    project_slug: str,
    touched: _Changes,
    old_id: int,
    new_id: int,
    arrived: _Changes | None = None,
    by: int | None = None,
) -> list[Recheck]:
    """Return what is to be checked again in a project, for whoever reads others' labels.

    Of an item without a decision of an adjudicator, submissions are read only once all that it
    takes are in; where there is one, it counts and not the submissions. Drafts are their
    annotator's alone. `by` is who asks (None: the operator). Raises UserError for an unknown
    project or person and for somebody who annotates.
    """
    allow(ws, project_slug, by, Act.READ_OTHERS_LABELS)
    gold = {each.item_id: each for each in derive_as_decided(ws, project_slug) if each.settled}
    with ws.reading() as session:
        project = find_project(session, project_slug)
        made = _everybodys(session, project.id)
        return _in_doubt(session, made, touched, old_id, new_id, gold, arrived or {})


def _own(session: Session, who: Standing, now: datetime) -> list[_Made]:
    """Return what the person says of units on the items that no adjudicator has settled."""
    query = select(DraftEvent).where(DraftEvent.person_id == who.person_id)
    logs: dict[int, list[Event]] = {}
    for row in session.exec(query.order_by(col(DraftEvent.id))):
        event = Event(row.id or 0, row.kind, row.payload, row.undoes_id, row.at)
        logs.setdefault(row.item_id, []).append(event)
    done = set(session.exec(select(Adjudication.item_id)))
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
                law = session.get_one(CandidateSet, draft.candidate_set_id).snapshot_id
                made.append(_Made(line.item_id, None, Basis(kind, _NONE, None, None), law))
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
            made.append(_Made(item_id, None, basis, by.row.snapshot_id))
    for item_id, submissions in complete(session, project_id).items():
        if item_id not in decided:
            made += [
                _Made(item_id, said.unit_id, Basis("submission", said.label, by.person, by.at))
                for by in submissions
                for said in by.labels
            ]
            made += [
                _Made(item_id, None, Basis("submission", _NONE, by.person, by.at), by.snapshot_id)
                for by in submissions
                if by.no_provision
            ]
    return made


def _in_doubt(
    session: Session,
    made: Sequence[_Made],
    touched: _Changes,
    old_id: int,
    new_id: int,
    gold: Mapping[int, GoldItem],
    come: _Changes,
) -> list[Recheck]:
    units = amended(session, [each.unit_id for each in made if each.unit_id], old_id, new_id)
    found: dict[tuple[int, str], list[Basis]] = {}
    for each in made:
        unit = units.get(each.unit_id or 0, "")
        if unit in touched and _matters(each.basis, touched[unit]):
            found.setdefault((each.item_id, unit), []).append(each.basis)
    denied = [each for each in made if each.unit_id is None and each.snapshot_id <= old_id]
    for each in denied:
        new = arrived_since(session, each.item_id, [each.snapshot_id], new_id) or ()
        for unit in sorted(come.keys() & set(new)):
            found.setdefault((each.item_id, unit), []).append(each.basis)
    asked = _asked(session, {item_id for item_id, _ in found})
    entries = [
        Recheck(
            item_id,
            *asked[item_id][1:],
            unit=unit,
            change=touched[unit] if unit in touched else come[unit],
            gold=item_id in gold and (unit in gold[item_id].units or gold[item_id].no_provision),
            decisions=tuple(decisions),
        )
        for (item_id, unit), decisions in found.items()
    ]
    return sorted(entries, key=lambda each: (not each.gold, asked[each.item_id][0], each.unit))


def _matters(basis: Basis, change: UnitChange) -> bool:
    return change.reworded or basis.decision != Decision.REJECT


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
