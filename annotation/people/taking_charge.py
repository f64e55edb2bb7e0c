"""Projects that nobody who signs in manages, and the steward who takes charge of one.

A project that was made on the command line, or in which people only chose who they are, has nobody
who could sign in and invite the others. A steward, who makes projects and tends accounts anyway,
becomes its administrator; the operator can name any account. It is an entry of the history.
"""

from __future__ import annotations

from sqlmodel import Session, col, select

from annotation.people.accounts import account_of, require_steward
from annotation.people.members import NAME_LIMIT, checked_name, enter, note, view_of
from annotation.people.roles import Role
from errors import UserError, Where
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.projects import ProjectView, find_project, list_projects
from storage.tables.core import Account, Person

TIED = "account"  # the kind of event: a person who was there can sign in from now on


def untended(ws: Workspace, account_id: int) -> list[ProjectView]:
    """Return the projects without an administrator who can sign in, for a steward.

    Raises UserError for an account that is no steward's.
    """
    found = list_projects(ws)
    with ws.reading() as session:
        require_steward(session, usable_id(account_id))
        tended = _tended(session)
        return [each for each in found if each.id not in tended]


def take_charge(ws: Workspace, project_slug: str, account_id: int) -> ProjectView:
    """Make a steward the administrator of a project that nobody who signs in manages.

    Raises UserError for an account that is no steward's, an unknown project, and one that has such
    an administrator: that one invites.
    """
    with ws.writing() as session:
        account = require_steward(session, usable_id(account_id))
        project = find_project(session, project_slug)
        if account is None or project.id in _tended(session):
            raise UserError("project_tended", slug=project_slug)
        _give_place(session, ws, project, account)
        return project


def put_in_charge(ws: Workspace, project_slug: str, login: str) -> ProjectView:
    """Make the account of that login administrator of a project, as the operator may.

    Raises UserError for an unknown login or project, a deactivated account, and one that has a
    place there already.
    """
    with ws.writing() as session:
        account = _usable(session, login)
        project = find_project(session, project_slug)
        _give_place(session, ws, project, account)
        return project


def require_usable(ws: Workspace, login: str) -> None:
    """Raise UserError where nobody can sign in with that login."""
    with ws.reading() as session:
        _usable(session, login)


def _usable(session: Session, login: str) -> Account:
    account = account_of(session, login)
    if not account.active:
        raise UserError("account_unknown", Where(field="login"), login=login)
    return account


def _tended(session: Session) -> set[int]:
    """Return the projects with an active administrator whose account can be signed in to."""
    query = (
        select(Person.project_id)
        .join(Account, col(Account.id) == Person.account_id)
        .where(Person.role == Role.ADMINISTRATOR, Person.active, Account.active)
    )
    return set(session.exec(query))


def _give_place(session: Session, ws: Workspace, project: ProjectView, account: Account) -> None:
    """Tie the account to the administrator of its name who is there, or add one."""
    people = session.exec(select(Person).where(Person.project_id == project.id)).all()
    if any(each.account_id == account.id for each in people):
        raise UserError("account_has_place", Where(field="login"), login=account.login)
    names = {each.name: each for each in people}
    same = names.get(account.name)
    if same is not None and _is_free(same):
        same.account_id = account.id
        session.add(same)
        note(session, view_of(same).id, TIED, {}, None, ws.clock())
        return
    other = f"{account.name[: NAME_LIMIT // 2]} ({account.login[: NAME_LIMIT // 2 - 3]})"
    name = account.name if same is None else checked_name(other)
    enter(
        *(session, project.id, name, Role.ADMINISTRATOR, ws.clock()),
        account_id=usable_id(account.id),
    )


def _is_free(person: Person) -> bool:
    return person.account_id is None and person.active and person.role == Role.ADMINISTRATOR
