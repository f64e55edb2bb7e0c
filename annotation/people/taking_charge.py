"""Projects without an administrator who can sign in, and stewards who take them over.

A project made on the command line or in single-user mode has nobody who could sign in and invite
others. A steward can become its administrator; the operator can name any account. It is logged in
the history.
"""

from __future__ import annotations

from sqlmodel import Session, col, select

from annotation.people.accounts import account_of, require_steward
from annotation.people.members import NAME_LIMIT, checked_name, enter, note
from annotation.people.roles import Role
from errors import UserError, Where
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.projects import ProjectView, find_project, list_projects
from storage.tables.core import Account, Person

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


def put_in_charge(ws: Workspace, project_slug: str, login: str) -> ProjectView:
    """Make the account of that login administrator of a project, on the operator's behalf.

    Raises UserError for an unknown login or project, a deactivated account, and one that is in the
    project already.
    """
    with ws.writing() as session:
        account = _active_account(session, login)
        project = find_project(session, project_slug)
        _make_administrator(session, ws, project, account)
        return project


def require_usable(ws: Workspace, login: str) -> None:
    """Raise UserError if nobody can sign in with that login."""
    with ws.reading() as session:
        _active_account(session, login)


def _active_account(session: Session, login: str) -> Account:
    account = account_of(session, login)
    if not account.active:
        raise UserError("account_unknown", Where(field="login"), login=login)
    return account


def _managed_projects(session: Session) -> set[int]:
    """Return the projects with an active administrator whose account can sign in."""
    query = (
        select(Person.project_id)
        .join(Account, col(Account.id) == Person.account_id)
        .where(Person.role == Role.ADMINISTRATOR, Person.active, Account.active)
    )
    return set(session.exec(query))


def _make_administrator(
    session: Session, ws: Workspace, project: ProjectView, account: Account
) -> None:
    """Bind the account to the free administrator of its name, or add a new one."""
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
    return person.account_id is None and person.active and person.role == Role.ADMINISTRATOR
