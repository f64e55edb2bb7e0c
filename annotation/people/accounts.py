"""Accounts across projects: logins, passwords and memberships.

Accounts are made by the operator or by taking an invitation. `by` is the acting account, which must
be a steward's; None is the operator.

Passwords are stored as argon2id hashes with the second recommended parameters of RFC 9106 (section
4): 3 passes over 64 MiB in 4 lanes. A hash contains its parameters; `is_outdated` detects older
ones.

Projects without an administrator who can sign in, and stewards who take them over.

A project made on the command line or in single-user mode has nobody who could sign in and invite
others. A steward can become its administrator; the operator can name any account. It is logged in
the history.
"""

from __future__ import annotations

import threading
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlmodel import Session, col, select

from annotation.people.members import NAME_LIMIT, PersonView, checked_name, enter, note, refuse_last
from annotation.people.roles import Role
from errors import UserError, Where
from storage.db.columns import usable_id, view_of
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.projects import ProjectView, find_project, insert_project, list_projects
from storage.tables.core import Account, Person, Project
from storage.tables.people import AccountEvent

SHORTEST, LONGEST = 12, 1_000  # characters
HASHER = PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=4)
_AT_ONCE = threading.BoundedSemaphore(4)  # 64 MiB each: limits simultaneous sign-ins


def checked_password(password: str, login: str) -> str:
    """Return the password in the form to be hashed; raise UserError if it is too weak.

    It has 12 to 1,000 characters and is not the login. No classes of characters are required (NIST
    SP 800-63B, section 5.1.1.2); Unicode is normalized to NFKC.
    """
    password = unicodedata.normalize("NFKC", password)
    if not SHORTEST <= len(password) <= LONGEST:
        limits = {"shortest": SHORTEST, "longest": LONGEST}
        raise UserError("password_length", Where(field="password"), **limits)
    if password.casefold().strip() == login.casefold():
        raise UserError("password_login", Where(field="password"))
    return password


def hashed(password: str) -> str:
    """Return the argon2id hash of a password, with its salt and parameters."""
    with _AT_ONCE:
        return HASHER.hash(password)


def verify(stored: str | None, password: str) -> bool:
    """Return True if the password matches the hash; constant time, False without a hash."""
    password = unicodedata.normalize("NFKC", password)[: LONGEST + 1]
    try:
        with _AT_ONCE:
            return HASHER.verify(stored or _nobodys(), password) and stored is not None
    except (VerificationError, InvalidHashError):
        return False


def is_outdated(stored: str) -> bool:
    """Return True if the hash was made with other parameters than the current ones."""
    return HASHER.check_needs_rehash(stored)


@cache
def _nobodys() -> str:
    """Dummy hash for unknown logins (constant time)."""
    return HASHER.hash("the password of nobody")


LOGIN_LIMIT = 120


@dataclass(frozen=True, slots=True)
class AccountView:
    """An account as screens and commands see it. A steward makes projects and manages accounts."""

    id: int
    login: str
    name: str
    steward: bool
    active: bool
    has_password: bool
    has_provider: bool


@dataclass(frozen=True, slots=True)
class Membership:
    """A project of an account, and the person it is there."""

    slug: str
    title: str
    person: PersonView


def add_account(
    ws: Workspace,
    login: str,
    name: str,
    password: str | None,
    steward: bool = False,
    by: int | None = None,
) -> AccountView:
    """Make an account; without a password it signs in through the identity provider only.

    Raises UserError for a taken or invalid login, an invalid name and a weak password.
    """
    with ws.writing() as session:
        require_steward(session, by)
        return make_account(session, login, name, password, ws.clock(), by, steward=steward)


def make_account(
    session: Session,
    login: str,
    name: str,
    password: str | None,
    at: datetime,
    by: int | None = None,
    steward: bool = False,
    subject: str | None = None,
) -> AccountView:
    """Make an account as :func:`add_account` does, in an open writing transaction."""
    login, name = checked_login(login), checked_name(name)
    kept = None if password is None else hashed(checked_password(password, login))
    if session.exec(select(Account.id).where(Account.login == login)).first() is not None:
        raise UserError("login_taken", Where(field="login"), login=login)
    row = Account(
        login=login,
        name=name,
        password_hash=kept,
        subject=subject,
        steward=steward,
        created_at=at,
    )
    add_row(session, row)
    note_account(session, row, "made", by, at, {"steward": steward})
    return account_view(row)


def set_password(ws: Workspace, login: str, password: str, by: int | None = None) -> AccountView:
    """Set an account's password; its sessions are signed out."""
    with ws.writing() as session:
        require_steward(session, by)
        row = account_of(session, login)
        row.password_hash = hashed(checked_password(password, row.login))
        session.add(row)
        note_account(session, row, "password", by, ws.clock())
        return account_view(row)


def set_active(ws: Workspace, login: str, active: bool, by: int | None = None) -> AccountView:
    """Activate or deactivate an account; everything it did is kept.

    Raises UserError for an unknown login, for a steward who would deactivate themselves, and if a
    project would be left without an administrator; the operator may do both.
    """
    with ws.writing() as session:
        require_steward(session, by)
        row = account_of(session, login)
        if row.id == by and not active:
            raise UserError("account_own", Where(field="login"))
        if row.active != active:
            if not active:
                _refuse_last_administrators(session, row, by)
            row.active = active
            session.add(row)
            kind = "reactivated" if active else "deactivated"
            note_account(session, row, kind, by, ws.clock())
        return account_view(row)


def list_accounts(ws: Workspace, by: int | None = None) -> list[AccountView]:
    """Return every account in the order they were made."""
    with ws.reading() as session:
        require_steward(session, by)
        return [
            account_view(row) for row in session.exec(select(Account).order_by(col(Account.id)))
        ]


def find_account(ws: Workspace, account_id: int) -> AccountView | None:
    """Return the active account of that id, None if there is none."""
    with ws.reading() as session:
        row = session.get(Account, usable_id(account_id))
        return account_view(row) if row is not None and row.active else None


def places(ws: Workspace, account_id: int) -> list[Membership]:
    """Return the projects of an account, oldest first.

    Projects from which it was deactivated are left out; a deactivated account has none.
    """
    with ws.reading() as session:
        query = (
            select(Project, Person)
            .join(Person)
            .join(Account)
            .where(Account.id == usable_id(account_id), Account.active, Person.active)
            .order_by(col(Project.id))
        )
        return [
            Membership(project.slug, project.title, view_of(PersonView, person))
            for project, person in session.exec(query)
        ]


def start_project(
    ws: Workspace, slug: str, title: str, overlap: int, account_id: int
) -> ProjectView:
    """Make a project with the requesting steward as its administrator.

    Raises UserError for an account that is not a steward's, and as `storage.projects` does.
    """
    with ws.writing() as session:
        account = require_steward(session, usable_id(account_id))
        project = insert_project(session, slug, title, overlap, ws.clock())
        if account is not None:
            where = session, project.id
            enter(*where, account.name, Role.ADMINISTRATOR, ws.clock(), account_id=account.id)
        return project


def account_of_subject(
    ws: Workspace, subject: str, verified_email: str | None
) -> AccountView | None:
    """Return the active account of a provider's user, binding an unbound one by verified address.

    `subject` is the provider's issuer and subject. An account that has neither a password nor a
    subject yet, and whose login is the address verified by the provider, is bound to it.
    """
    with ws.reading() as session:
        row = session.exec(select(Account).where(Account.subject == subject)).first()
        if row is not None:
            return account_view(row) if row.active else None
    return _bind_subject(ws, subject, verified_email) if verified_email else None


def require_steward(session: Session, by: int | None) -> Account | None:
    """Return the steward's account `by`, None for the operator; raise UserError for others."""
    if by is None:
        return None
    row = session.get(Account, usable_id(by))
    if row is None or not row.active or not row.steward:
        raise UserError("not_steward")
    return row


def note_account(
    session: Session,
    row: Account,
    kind: str,
    by: int | None,
    at: datetime,
    payload: dict[str, Any] | None = None,
) -> int:
    """Add one event to an account's history; return its id."""
    event = AccountEvent(
        account_id=usable_id(row.id), kind=kind, payload=payload or {}, by_account_id=by, at=at
    )
    return add_row(session, event)


def checked_login(login: str) -> str:
    """Return the login in its stored form, in lower case; raise UserError if it is invalid."""
    login = plain_login(login)
    if not 0 < len(login) <= LOGIN_LIMIT or not login.isprintable() or " " in login:
        raise UserError("login_bad", Where(field="login"), limit=LOGIN_LIMIT)
    return login


def plain_login(login: str) -> str:
    """Return the login normalized for comparison: NFKC, lower case, stripped."""
    return unicodedata.normalize("NFKC", login).casefold().strip()


def account_view(row: Account) -> AccountView:
    """Return the stored account as a plain value, without its secrets."""
    secrets = {
        "has_password": row.password_hash is not None,
        "has_provider": row.subject is not None,
    }
    return view_of(AccountView, row, **secrets)


def _bind_subject(ws: Workspace, subject: str, verified_email: str) -> AccountView | None:
    """Bind a provider's user to the account with their verified address; None if there is none."""
    with ws.writing() as session:
        query = select(Account).where(
            Account.login == plain_login(verified_email),
            col(Account.subject).is_(None),
            col(Account.password_hash).is_(None),
            Account.active,
        )
        row = session.exec(query).first()
        if row is None:
            return None
        row.subject = subject
        session.add(row)
        note_account(session, row, "provider", None, ws.clock())
        return account_view(row)


def _refuse_last_administrators(session: Session, row: Account, by: int | None) -> None:
    """Raise UserError if a project would be left without an administrator who can sign in."""
    query = select(Person).where(
        Person.account_id == row.id, Person.role == Role.ADMINISTRATOR, Person.active
    )
    for person in session.exec(query).all():
        refuse_last(session, person, by)


def account_of(session: Session, login: str) -> Account:
    """Return the account of a login. Raises UserError where there is none."""
    row = session.exec(select(Account).where(Account.login == plain_login(login))).first()
    if row is None:
        raise UserError("account_unknown", Where(field="login"), login=login)
    return row


TIED = "account"  # kind of event: an account was bound to an existing person


def untended(ws: Workspace, account_id: int) -> list[ProjectView]:
    """Return the projects without an administrator who can sign in, for a steward.

    Raises UserError for an account that is not a steward's.
    """
    found = list_projects(ws)
    with ws.reading() as session:
        require_steward(session, usable_id(account_id))
        tended = _managed_projects(session)
        return [each for each in found if each.id not in tended]


def take_charge(ws: Workspace, project_slug: str, account_id: int) -> ProjectView:
    """Make a steward the administrator of a project without one who can sign in.

    Raises UserError for an account that is not a steward's, an unknown project, and one that has
    such an administrator, who can invite.
    """
    with ws.writing() as session:
        account = require_steward(session, usable_id(account_id))
        project = find_project(session, project_slug)
        if account is None or project.id in _managed_projects(session):
            raise UserError("project_tended", slug=project_slug)
        _make_administrator(session, ws, project, account)
        return project


def make_administrator(ws: Workspace, project_slug: str, login: str) -> ProjectView:
    """Make the account of that login administrator of a project, on the operator's behalf.

    Raises UserError for an unknown login or project, a deactivated account, and one that is in the
    project already.
    """
    with ws.writing() as session:
        account = active_account(session, login)
        project = find_project(session, project_slug)
        _make_administrator(session, ws, project, account)
        return project


def require_usable(ws: Workspace, login: str) -> None:
    """Raise UserError if nobody can sign in with that login."""
    with ws.reading() as session:
        active_account(session, login)


def active_account(session: Session, login: str) -> Account:
    """Return the account that signs in with a login. Raises UserError if there is none."""
    account = account_of(session, login)
    if not account.active:
        raise UserError("account_unknown", Where(field="login"), login=login)
    return account


def _managed_projects(session: Session) -> set[int]:
    """Return the ids of projects with an active administrator whose account can sign in."""
    query = (
        select(Person.project_id)
        .join(Account)
        .where(Person.role == Role.ADMINISTRATOR, Person.active, Account.active)
    )
    return set(session.exec(query))


def _make_administrator(
    session: Session, ws: Workspace, project: ProjectView, account: Account
) -> None:
    """Bind an account to the free administrator of its name, or add one. UserError if inside."""
    people = session.exec(select(Person).where(Person.project_id == project.id)).all()
    if any(each.account_id == account.id for each in people):
        raise UserError("account_has_place", Where(field="login"), login=account.login)
    names = {each.name: each for each in people}
    same = names.get(account.name)
    if same is not None and _is_unbound_administrator(same):
        same.account_id = account.id
        session.add(same)
        note(session, same.id or 0, TIED, {}, None, ws.clock())
        return
    other = f"{account.name[: NAME_LIMIT // 2]} ({account.login[: NAME_LIMIT // 2 - 3]})"
    name = account.name if same is None else checked_name(other)
    enter(
        *(session, project.id, name, Role.ADMINISTRATOR, ws.clock()),
        account_id=usable_id(account.id),
    )


def _is_unbound_administrator(person: Person) -> bool:
    """Return True for an active administrator whom no account signs in as."""
    return person.account_id is None and person.active and person.role == Role.ADMINISTRATOR
