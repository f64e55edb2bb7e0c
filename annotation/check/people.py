"""Proving that people and accounts are what their events made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from sqlmodel import Session, col, select

from storage.projects import ProjectView
from storage.tables.accounts import Account
from storage.tables.core import Person
from storage.tables.people import AccountEvent, PersonEvent

_FIELDS = {"role": "role", "renamed": "name"}  # what an event with `before` and `after` changes
_ACTIVE = {"deactivated": False, "reactivated": True}


class _Event(Protocol):
    kind: str
    payload: dict[str, Any]


def unsound_people(session: Session, project: ProjectView) -> Iterator[str]:
    """Yield the people of the project who are not what their events made of them.

    People from before there were events have no ``added``; what they were then is taken from the
    first change, which says what was before it.
    """
    query = select(Person).where(Person.project_id == project.id).order_by(col(Person.id))
    people = {row.id: row for row in session.exec(query)}
    events: dict[int, list[PersonEvent]] = {}
    told = select(PersonEvent).join(Person, col(Person.id) == PersonEvent.person_id)
    told = told.where(Person.project_id == project.id).order_by(col(PersonEvent.id))
    for event in session.exec(told):
        events.setdefault(event.person_id, []).append(event)
    for number, row in people.items():
        log = events.get(number or 0, [])
        where = f"person {number} ({row.name})"
        yield from (f"{where}: {name}" for name in _broken(log))
        stored = {"role": row.role, "name": row.name, "active": row.active}
        yield from _differing(where, _folded(log), stored)


def unsound_accounts(session: Session) -> Iterator[str]:
    """Yield the accounts, of the whole database, that are not what their events made of them."""
    events: dict[int, list[AccountEvent]] = {}
    for event in session.exec(select(AccountEvent).order_by(col(AccountEvent.id))):
        events.setdefault(event.account_id, []).append(event)
    for row in session.exec(select(Account).order_by(col(Account.id))):
        log = events.get(row.id or 0, [])
        where = f"account {row.id} ({row.login})"
        made = [event for event in log if event.kind == "made"]
        if len(made) != 1 or log[0].kind != "made":
            yield f"{where}: made"
            continue
        kinds = {event.kind for event in log}
        told: dict[str, object] = {"active": _active(log)}
        told["steward"] = made[0].payload.get("steward", False)
        told |= {"password": True} if "password" in kinds else {}
        told |= {"provider": True} if "provider" in kinds else {}
        stored = {
            "active": row.active,
            "steward": row.steward,
            "password": row.password_hash is not None,
            "provider": row.subject is not None,
        }
        yield from _differing(where, told, stored)


def _folded(log: Iterable[_Event]) -> dict[str, object]:
    """Return what the events say that somebody is now, of what they speak of."""
    told: dict[str, object] = {"active": _active(log)}
    for event in log:
        if event.kind == "added":
            told["role"] = event.payload.get("after")
        elif event.kind in _FIELDS:
            told[_FIELDS[event.kind]] = event.payload.get("after")
    return told


def _broken(log: list[PersonEvent]) -> Iterator[str]:
    """Yield what the events themselves contradict: each begins where the one before it ended."""
    state: dict[str, object] = {}
    active = True
    for at, event in enumerate(log):
        name = _FIELDS.get(event.kind, "")
        if event.kind == "added":
            if at:
                yield "added"
            state["role"] = event.payload.get("after")
        elif name:
            before = event.payload.get("before")
            if state.setdefault(name, before) != before:
                yield name
            state[name] = event.payload.get("after")
        elif event.kind in _ACTIVE:
            if _ACTIVE[event.kind] == active:
                yield "active"
            active = _ACTIVE[event.kind]


def _active(log: Iterable[_Event]) -> bool:
    said = [_ACTIVE[event.kind] for event in log if event.kind in _ACTIVE]
    return said[-1] if said else True


def _differing(
    where: str, told: Mapping[str, object], stored: Mapping[str, object]
) -> Iterator[str]:
    for name, value in told.items():
        if stored[name] != value:
            yield f"{where}: {name}"
