"""People of a project: adding them, roles, names, and their history.

Nothing is deleted: a person is deactivated, never removed, and each change of role or name is an
event. Functions that change something take `by`, the acting person: an administrator of the
project, or None for the operator.

Consent to be named in published data: each person's own setting.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from annotation.people.roles import Act, Role, reading_as, require, require_by, writing_as
from errors import UserError, Where, did_you_mean
from messages import Localized, say
from normalization import composed
from storage.db.columns import usable_id, view_of
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.tables.core import Account, Person
from storage.tables.people import PersonEvent

ROLES = tuple(str(role) for role in Role)
_ROLE_SYNONYMS = {  # synonyms of roles in other tools
    **dict.fromkeys(("lead", "leader", "manager", "owner", "책임자"), str(Role.RESEARCHER)),
    **dict.fromkeys(("admin", "operator", "steward"), str(Role.ADMINISTRATOR)),
    **dict.fromkeys(("expert", "attorney", "변호사"), str(Role.LAWYER)),
    **dict.fromkeys(("judge", "arbiter", "reviewer"), str(Role.ADJUDICATOR)),
    **dict.fromkeys(("labeller", "labeler", "coder", "rater"), str(Role.ANNOTATOR)),
}
NAME_LIMIT = 80
INTRODUCED = "introduced"  # kind of event: closed the introduction
OWN_KEYS = "keys"  # kind of event: changed their own keys
CASE_DRAFT = "case"  # kind of event: saved a draft on a case they adjudicate
MODULES = "modules"  # kind of event: switched modules of the project on or off
NAMING = "naming"  # kind of event: agreed to be named in published data, or took that back
_PRIVATE = (INTRODUCED, OWN_KEYS, CASE_DRAFT, MODULES, NAMING)  # not about a member


@dataclass(frozen=True, slots=True)
class PersonView:
    """A person as screens and commands see them. `role` is one of `ROLES`.

    `account_id` is the account that signs in as them; None in single-user mode.
    """

    id: int
    name: str
    role: str
    active: bool = True
    account_id: int | None = None


@dataclass(frozen=True, slots=True)
class PersonChange:
    """A change to a person. `kind`: added, role, renamed, deactivated, reactivated.

    `before` and `after` are roles or names, "" if the kind has none. `by` is the name of who made
    it, None for the operator.
    """

    at: datetime
    person: str
    kind: str
    before: str
    after: str
    by: str | None


def add_person(
    ws: Workspace,
    project_slug: str,
    name: str,
    role: str,
    by: int | None = None,
) -> PersonView:
    """Add a person to a project.

    Names are unique in a project. Raises UserError for an invalid or taken name, an unknown role,
    and for `by` without permission to manage people.
    """
    name, role = checked_name(name), checked_role(role)
    with writing_as(ws, project_slug, by, Act.MANAGE_PEOPLE) as (session, project, _):
        return enter(session, project.id, name, role, ws.clock(), by=by)


def list_people(ws: Workspace, project_slug: str) -> list[PersonView]:
    """Return the people of a project, active or not, in the order they were added."""
    with ws.reading() as session:
        return people_in(session, find_project(session, project_slug).id)


def people_in(session: Session, project_id: int) -> list[PersonView]:
    """`list_people` in an open session."""
    query = select(Person).where(Person.project_id == project_id).order_by(col(Person.id))
    return [view_of(PersonView, row) for row in session.exec(query)]


def change_role(ws: Workspace, person_id: int, role: str, by: int | None = None) -> PersonView:
    """Change a person's role; their earlier work stays theirs.

    Raises UserError for an unknown person or role, for `by` without permission to manage people,
    and if the project would be left without an administrator.
    """
    return _change(ws, person_id, "role", "role", checked_role(role), by)


def rename(ws: Workspace, person_id: int, name: str, by: int | None = None) -> PersonView:
    """Rename a person. Raises UserError for an invalid or taken name, and as `change_role` does."""
    return _change(ws, person_id, "renamed", "name", checked_name(name), by)


def deactivate(ws: Workspace, person_id: int, by: int | None = None) -> PersonView:
    """Deactivate a person in the project; their work is kept and counts."""
    return _change(ws, person_id, "deactivated", "active", False, by)


def reactivate(ws: Workspace, person_id: int, by: int | None = None) -> PersonView:
    """Reactivate a person in the role they had."""
    return _change(ws, person_id, "reactivated", "active", True, by)


def history(ws: Workspace, project_slug: str, by: int | None = None) -> list[PersonChange]:
    """Return all changes to the people of a project, oldest first.

    Events about something else (introduction closed, keys, drafts, modules) are left out.
    """
    with reading_as(ws, project_slug, by, Act.MANAGE_PEOPLE) as (session, project, _):
        people = session.exec(select(Person).where(Person.project_id == project.id)).all()
        names = {person.id: person.name for person in people}
        query = select(PersonEvent).where(
            col(PersonEvent.person_id).in_(names), col(PersonEvent.kind).not_in(_PRIVATE)
        )
        return [
            PersonChange(
                row.at,
                names[row.person_id],
                row.kind,
                str(row.payload.get("before", "")),
                str(row.payload.get("after", "")),
                names.get(row.by_person_id),
            )
            for row in session.exec(query.order_by(col(PersonEvent.id)))
        ]


def enter(
    session: Session,
    project_id: int,
    name: str,
    role: str,
    at: datetime,
    by: int | None = None,
    account_id: int | None = None,
) -> PersonView:
    """Add a person in an open writing transaction. Raises UserError for a taken name."""
    refuse_taken(session, project_id, name)
    row = Person(project_id=project_id, account_id=account_id, name=name, role=role, created_at=at)
    note(session, add_row(session, row), "added", {"after": role}, by, at)
    return view_of(PersonView, row)


def note(
    session: Session,
    person_id: int,
    kind: str,
    payload: dict[str, Any],
    by: int | None,
    at: datetime,
) -> int:
    """Add an event to a person's history; return its id."""
    row = PersonEvent(person_id=person_id, kind=kind, payload=payload, by_person_id=by, at=at)
    return add_row(session, row)


def checked_name(name: str, code: str = "person_name") -> str:
    """Return the name in its stored form; raise the UserError `code` if it is invalid."""
    name = composed(" ".join(name.split()))
    if not 0 < len(name) <= NAME_LIMIT or not name.isprintable():
        raise UserError(code, Where(field="name"), limit=NAME_LIMIT)
    return name


def checked_role(role: str) -> str:
    """Return the role; raise UserError if it is unknown."""
    if role not in ROLES:
        words = {say(f"roles.role.{each}", "ko"): each for each in ROLES} | _ROLE_SYNONYMS
        meant = did_you_mean(role, ROLES, words)
        told = Localized(
            lambda language: "; ".join(
                f"{each} ({say(f'roles.help.{each}', language)})" for each in ROLES
            )
        )
        raise UserError("role_unknown", Where(field="role"), role=role, known=told, meant=meant)
    return role


def refuse_taken(session: Session, project_id: int, name: str) -> None:
    """Raise UserError if the name is taken in the project."""
    taken = select(Person.id).where(Person.project_id == project_id, Person.name == name)
    if session.exec(taken).first() is not None:
        raise UserError("person_exists", Where(field="name"), name=name)


def _change(
    ws: Workspace, person_id: int, kind: str, column: str, value: str | bool, by: int | None
) -> PersonView:
    """Set role, name or activity of a person and log it, unless it is so already.

    Raises UserError for a taken name, and if the last administrator would be none any more.
    """
    with ws.writing() as session:
        person = session.get(Person, usable_id(person_id))
        if person is None:
            raise UserError("person_unknown", person=person_id)
        require_by(session, person.project_id, by, Act.MANAGE_PEOPLE)
        before = getattr(person, column)
        if before != value:
            if column == "name":
                refuse_taken(session, person.project_id, str(value))
            elif person.role == Role.ADMINISTRATOR and kind != "reactivated":
                refuse_last(session, person, by)
            setattr(person, column, value)
            session.add(person)
            payload = {} if column == "active" else {"before": before, "after": value}
            note(session, usable_id(person.id), kind, payload, by, ws.clock())
        return view_of(PersonView, person)


def refuse_last(session: Session, person: Person, by: int | None) -> None:
    """Raise UserError if an administrator would leave the project without one.

    The operator may: they can make another on the command line at any time.
    """
    others = (
        select(Person.id)
        .outerjoin(Account)
        .where(
            Person.project_id == person.project_id,
            Person.role == Role.ADMINISTRATOR,
            Person.active,
            Person.id != person.id,
            col(Account.active).is_not(False),  # a deactivated account cannot administer
        )
    )
    if by is not None and session.exec(others).first() is None:
        raise UserError("last_administrator", name=person.name)


def set_naming(ws: Workspace, person_id: int, agrees: bool) -> None:
    """Set whether a person agrees to be named in published data; nobody else may.

    Raises UserError for an unknown or inactive person.
    """
    with ws.writing() as session:
        who = require(session, person_id, Act.COMMENT)  # any role may set its own
        if (person_id in named_people(session, who.project_id)) != agrees:
            note(session, person_id, NAMING, {"agrees": agrees}, person_id, ws.clock())


def agrees_to_naming(ws: Workspace, person_id: int) -> bool:
    """Return whether a person agrees to be named. Raises UserError as :func:`set_naming`."""
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)
        return person_id in named_people(session, who.project_id)


def named_people(session: Session, project_id: int) -> frozenset[int]:
    """Return the ids of people of a project who agreed to be named; nobody does by default."""
    query = (
        select(PersonEvent.person_id, PersonEvent.payload)
        .join(Person, col(Person.id) == col(PersonEvent.person_id))
        .where(col(Person.project_id) == project_id, col(PersonEvent.kind) == NAMING)
        .order_by(col(PersonEvent.id))
    )
    said = {person: payload.get("agrees") is True for person, payload in session.exec(query)}
    return frozenset(person for person, agrees in said.items() if agrees)
