"""A draft as the fold of a person's events on an item; reading and adding those events.

The fold reads no database: the same events always make the same draft, so
`annotation.check.project` can prove that every submission equals its author's screen.

Candidate set: opening an item binds the draft to the candidates shown. Until the first act each
opening binds again; from then on the binding is fixed. After a rebuild of the candidates a draft in
progress keeps its snapshot, an untouched one gets the new candidates.

Carry-over: after an amendment a person may restart an item on newer law. That `open` event holds
what is carried over (see `annotation.work.carry_over`); the draft starts from it, and no earlier
act can be undone.

Migration: when answers are migrated to a new version of a guideline or codebook, the event holds
the change of each answer. It is applied to the draft at that point, and the item is then submitted
or open again (see `annotation.guidelines.migration`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise, takewhile
from typing import Any, Literal

from sqlalchemy import ColumnElement, bindparam, exists, insert, select
from sqlmodel import Session, col

from storage.tables.core import DraftEvent
from storage.tables.exchange import ImportedLabel

Status = Literal["todo", "draft", "skipped", "submitted"]
MIGRATE = "migrate"
ACTS = ("label", "add", "no_provision", "comment", "flag", "skip")  # what undo takes back
# Longer pauses count as breaks: only this much of each counts as work on an item.
IDLE_CAP = timedelta(seconds=120)
_ADD_EVENT: Any = insert(DraftEvent.__table__).returning(col(DraftEvent.id))  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Event:
    """A row of the event log, reduced to what the fold needs."""

    id: int
    kind: str
    payload: dict[str, Any]
    undoes_id: int | None
    at: datetime

    @property
    def turn(self) -> Literal["submit", "withdraw"] | None:
        """Whether the event submits or reopens the item; None for neither."""
        kind = self.payload["becomes"] if self.kind == MIGRATE else self.kind
        if kind == "submit":
            return "submit"
        return "withdraw" if kind == "withdraw" else None


@dataclass(frozen=True, slots=True)
class Draft:
    """A person's current answer to an item, before or after submission.

    `decisions` maps unit ids to decisions, undecided units are absent; `added` are units the person
    added, in that order; `evidence` has the words marked in accepted ones by unit
    (`annotation.mapping.evidence`); `answers` are those to form fields; `acts` are the
    ids of the acts that can be undone, oldest first: those after the last one that revealed
    something for good. `untouched`: there never was an act, not even an undone one.

    For an item restarted on newer law, `brought` are the units listed because of it, `amended`
    those reworded since the decision, `former` the earlier labels of moved units, and `dropped` the
    names of accepted or unsure units that were repealed.

    `versions` are those of guideline and codebook when the draft was begun, by column; `again` is
    the payload of the migration that reopened the item, else None. `revision` identifies the
    content: drafts of one log with the same revision are equal.
    """

    candidate_set_id: int | None = None
    decisions: dict[int, str] = field(default_factory=dict)
    added: tuple[int, ...] = ()
    evidence: dict[int, Any] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    no_provision: bool = False
    comment: str = ""
    flag: str = ""
    skip_reason: str = ""
    acts: tuple[int, ...] = ()
    untouched: bool = True
    status: Status = "todo"
    brought: frozenset[int] = frozenset()
    amended: frozenset[int] = frozenset()
    former: dict[int, str] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    versions: dict[str, str] = field(default_factory=dict)
    again: dict[str, Any] | None = None
    revision: str = "0.0"

    def units(self, decision: str) -> list[int]:
        """Return the database ids of the units with this decision, ascending."""
        return sorted(unit for unit, said in self.decisions.items() if said == decision)


def fold(events: Iterable[Event]) -> Draft:
    """Return the draft that one person's events on one item (in order of id) make."""
    log = list(events)
    undone = {event.undoes_id for event in log}
    standing = [each for each in log if each.kind in ACTS and each.id not in undone]
    again = next((each for each in reversed(log) if "carried" in each.payload), None)
    after = 0 if again is None else again.id
    here = [each for each in standing if each.id > after]
    state: dict[str, Any] = {"decisions": {}, "added": [], "evidence": {}, "answers": {}}
    if again is not None:
        state |= _carried_over(again.payload)
    moved = [each for each in log if each.kind == MIGRATE and each.id > after]
    for event in sorted([*here, *moved], key=lambda each: each.id):
        _apply(state, event)
    if here and here[-1].kind != "skip":
        state.pop("skip_reason", None)
    before = list(takewhile(lambda each: each.kind not in ACTS, log))
    bound = again or next((each for each in reversed(before) if each.kind == "open"), None)
    begun = {} if bound is None else bound.payload
    versions = {name: said for name, said in begun.items() if name.endswith("_version")}
    versions |= {f"{each.payload['document']}_version": each.payload["to"] for each in moved}
    turned = next((each for each in reversed(log) if each.turn), None)
    returned = turned is not None and turned.kind == MIGRATE and turned.turn == "withdraw"
    seals = [place for place, event in enumerate(here, 1) if event.payload.get("seal")]
    return Draft(
        candidate_set_id=begun.get("candidate_set_id"),
        versions=versions,
        again=dict(turned.payload) if turned is not None and returned else None,
        revision=_revision(log, here, after, moved),
        acts=tuple(event.id for event in here[max(seals, default=0) :]),
        untouched=len(before) == len(log),
        status=_status(turned, standing),
        **(state | {"added": tuple(state["added"])}),
    )


def _revision(log: list[Event], acts: list[Event], restart_id: int, migrations: list[Event]) -> str:
    """Return the log positions of the last act and of the last change below it.

    Acts are undone from the top only, so the last act determines those below. Positions rather than
    ids, since ids would reveal how much others have done.
    """
    place = {event.id: number for number, event in enumerate(log, 1)}
    top = acts[-1].id if acts else 0
    below = migrations[-1].id if migrations else restart_id
    return f"{place.get(top, 0)}.{place.get(below, 0)}"


def _carried_over(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the initial state of a draft that was restarted on newer law."""
    return {
        "decisions": {int(unit): decision for unit, decision in payload["carried"].items()},
        "added": list(payload["added"]),
        "evidence": {int(unit): each for unit, each in payload.get("evidence", {}).items()},
        "comment": payload["comment"],
        "flag": payload["flag"],
        "brought": frozenset(payload["added"]),
        "amended": frozenset(payload["amended"]),
        "former": {int(unit): label for unit, label in payload["former"].items()},
        "dropped": tuple(payload["dropped"]),
    }


def _apply(state: dict[str, Any], event: Event) -> None:
    """Apply a draft event to the state."""
    said = event.payload
    if event.kind == "label" and "field" in said:
        state["answers"].pop(said["field"], None)
        if said["value"] is not None:
            state["answers"][said["field"]] = said["value"]
    elif event.kind == "label":
        _label(state, said)
    elif event.kind == "add":
        state["decisions"][said["unit_id"]] = "accept"
        if said["unit_id"] not in state["added"]:
            state["added"].append(said["unit_id"])
    elif event.kind == "no_provision":
        state["no_provision"] = said["value"]
    elif event.kind == MIGRATE:
        _migrate(state, said)
    elif event.kind == "skip":
        state["skip_reason"] = said["reason"]
    else:  # comment, flag
        state[event.kind] = said["text"]


def _label(state: dict[str, Any], payload: Mapping[str, Any]) -> None:
    """Apply a decision on a unit; without evidence it clears what was marked."""
    for kept, key in (("decisions", "decision"), ("evidence", "evidence")):
        state[kept].pop(payload["unit_id"], None)
        if payload.get(key) is not None:
            state[kept][payload["unit_id"]] = payload[key]


def _migrate(state: dict[str, Any], payload: Mapping[str, Any]) -> None:
    """Apply a migration to the draft state; None removes an answer.

    A field's answer is changed only if it is the one the migration started from.
    """
    before = dict(state["answers"])
    for name, change in payload.get("fields", {}).items():
        if change is None:
            state["answers"].pop(name, None)
        elif before.get(change["of"]) == change["was"]:
            state["answers"][name] = change["now"]
    answers: Mapping[str, str | None] = payload.get("answers", {})
    mapped = {unit: answers.get(label, label) for unit, label in state["decisions"].items()}
    state["decisions"] = {unit: label for unit, label in mapped.items() if label is not None}
    for unit in [unit for unit in state["evidence"] if mapped.get(unit) != "accept"]:
        del state["evidence"][unit]
    if "no_provision" in answers:
        state["no_provision"] = False


def _status(turned: Event | None, standing: list[Event]) -> Status:
    """Return the status from the last submission or withdrawal and the acts not undone."""
    if turned is not None and turned.turn == "submit":
        return "submitted"
    if not standing:
        return "todo"
    return "skipped" if standing[-1].kind == "skip" else "draft"


def own_events(session: Session, person_id: int, item_id: int) -> list[Event]:
    """Return this person's own events on the item, oldest first."""
    asked = {"person_id": person_id, "item_id": item_id}
    return [Event(*row) for row in session.execute(_own_events(), asked)]


def add_event(
    session: Session,
    person_id: int,
    item_id: int,
    kind: str,
    at: datetime,
    payload: dict[str, Any] | None = None,
    undoes_id: int | None = None,
) -> int:
    """Add an event to the log; return its id."""
    row = {
        "item_id": item_id,
        "person_id": person_id,
        "kind": kind,
        "payload": payload or {},
        "undoes_id": undoes_id,
        "at": at,
    }
    # Not by the ORM, which is slower: others wait for the write lock.
    number: int = session.connection().execute(_ADD_EVENT, row).scalar_one()
    return number


def latest_event(session: Session, person_id: int) -> tuple[int, datetime] | None:
    """Return (item id, time) of this person's last event on any item, migrations left out."""
    found = session.execute(_latest_event(), {"person_id": person_id}).first()
    return None if found is None else (found[0], found[1])


def active_seconds(session: Session, person_id: int, item_id: int, until: datetime) -> float:
    """Return the seconds this person worked on the item up to `until`.

    The time from each event to their next event on any item counts for the item of the former, at
    most `IDLE_CAP`; the time after a submission counts for none. Imported labels are left out.
    """
    rows = session.execute(_events_since_first(), {"person_id": person_id, "item_id": item_id})
    return measure([(item, kind, at) for item, kind, at in rows], item_id, until)


def measure(log: Iterable[tuple[int, str, datetime]], item_id: int, until: datetime) -> float:
    """Return the active seconds on an item from a person's rows of (item id, kind, time)."""
    rows = list(log)
    spent = timedelta(0)
    for (item, kind, at), (_, _, end) in pairwise([*rows, (0, "", until)]):
        if item == item_id and kind != "submit":
            spent += min(max(end - at, timedelta(0)), IDLE_CAP)
    return spent.total_seconds()


# Statements are built once: building one takes longer than running it.
@cache
def _own_events() -> Any:
    """Query of the person's draft events on the item."""
    shown = (DraftEvent.kind, DraftEvent.payload, DraftEvent.undoes_id, DraftEvent.at)
    return (
        select(col(DraftEvent.id), *(col(each) for each in shown))
        .where(_by_me(), _on_item())
        .order_by(col(DraftEvent.id))
    )


@cache
def _latest_event() -> Any:
    """Query of the person's last draft event on any item, migrations left out."""
    query = select(col(DraftEvent.item_id), col(DraftEvent.at)).where(_by_me(), _own_act())
    return query.order_by(col(DraftEvent.id).desc()).limit(1)


@cache
def _events_since_first() -> Any:
    """Query of the person's events on any item since their first on the bound one."""
    first = select(col(DraftEvent.id)).where(_by_me(), _on_item(), _not_imported())
    first = first.order_by(col(DraftEvent.id))
    return (
        select(col(DraftEvent.item_id), col(DraftEvent.kind), col(DraftEvent.at))
        .where(_by_me(), _own_act(), _not_imported())
        .where(col(DraftEvent.id) >= first.limit(1).scalar_subquery())
        .order_by(col(DraftEvent.id))
    )


def _by_me() -> ColumnElement[bool]:
    """SQL condition: draft events of the bound person."""
    return col(DraftEvent.person_id) == bindparam("person_id")


def _own_act() -> ColumnElement[bool]:
    """Return the SQL condition that an event is the person's own, not a migration."""
    return col(DraftEvent.kind) != MIGRATE


def _not_imported() -> ColumnElement[bool]:
    """Return the SQL condition that an event was not imported with another tool's label."""
    return ~exists().where(
        col(ImportedLabel.person_id) == col(DraftEvent.person_id),
        col(ImportedLabel.item_id) == col(DraftEvent.item_id),
        col(DraftEvent.id).between(col(ImportedLabel.first_event_id), col(ImportedLabel.event_id)),
    )


def _on_item() -> ColumnElement[bool]:
    """SQL condition: draft events on the bound item."""
    return col(DraftEvent.item_id) == bindparam("item_id")
