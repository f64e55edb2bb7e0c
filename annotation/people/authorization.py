"""Who somebody is and what they mean; everybody and everything unknown is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from annotation.people.roles import Act, may, who_may
from errors import UserError
from messages import say
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.projects import ProjectView, find_project
from storage.tables.accounts import Account
from storage.tables.core import Item, Person, Project


@dataclass(frozen=True, slots=True)
class ProjectMember:
    """A person in their project. `overlap` is how many submissions an item takes."""

    person_id: int
    name: str
    role: str
    project_id: int
    overlap: int


class NotAllowedError(UserError):
    """Somebody asked for what their role does not do; the remedy names the roles that do it."""

    def __init__(self, name: str, role: str, act: Act) -> None:
        self.person_name, self.role, self.act = name, role, act
        super().__init__("not_allowed")

    def what(self, language: str = "en") -> str:
        """Say who may not do what."""
        words = {"role": self.role, "act": self.act}
        said = {name: say(f"roles.{name}.{word}", language) for name, word in words.items()}
        return say("error.not_allowed.what", language, name=self.person_name, **said)

    def remedy(self, language: str = "en") -> str:
        """Say who may."""
        roles = ", ".join(say(f"roles.role.{role}", language) for role in who_may(self.act))
        return say("error.not_allowed.remedy", language, roles=roles)


def require(session: Session, person_id: int, act: Act) -> ProjectMember:
    """Return the person of that id, who may do this.

    Raises UserError for an unknown person, one who has been deactivated or whose account has, and
    one whose role does not do this.
    """
    found = session.execute(_person(), {"person_id": usable_id(person_id)}).first()
    if found is None:
        raise UserError("person_unknown", person=person_id)
    return admitted(found, act)


def admitted(about: Sequence[Any], act: Act) -> ProjectMember:
    """Return the person that the columns of `about_person` tell of, who may do this.

    Raises UserError as `require` does.
    """
    *standing, active, account_active = about
    who = ProjectMember(*standing)
    if not active or account_active is False:
        raise UserError("person_inactive", name=who.name)
    if not may(who.role, act):
        raise NotAllowedError(who.name, who.role, act)
    return who


def about_person() -> list[Any]:
    """Return the columns of `Person`, `Project` and `Account` that `admitted` needs."""
    standing = (Person.id, Person.name, Person.role, Person.project_id, Project.overlap)
    return [col(each) for each in (*standing, Person.active, Account.active)]


@cache  # building the statement takes longer than running it
def _person() -> Any:
    return (
        select(*about_person())
        .join_from(Person, Project, col(Project.id) == col(Person.project_id))
        .outerjoin(Account, col(Account.id) == Person.account_id)
        .where(col(Person.id) == bindparam("person_id"))
    )


def require_by(session: Session, project_id: int, by: int | None, act: Act) -> ProjectMember | None:
    """Return the person `by`, who may do this in that project; None for the operator.

    The operator is whoever runs the command line on the machine that keeps the workspace, and may
    do everything. Raises UserError as `require` does, and for a person of another project.
    """
    if by is None:
        return None
    who = require(session, by, act)
    if who.project_id != project_id:
        raise UserError("person_unknown", person=by)
    return who


def allow(ws: Workspace, project_slug: str, by: int | None, act: Act) -> None:
    """Raise UserError unless `by` may do this in the project, as `require_by` says."""
    with ws.reading() as session:
        require_by(session, find_project(session, project_slug).id, by, act)


@contextmanager
def reading_as(
    ws: Workspace, project_slug: str, by: int | None, act: Act
) -> Iterator[tuple[Session, ProjectView]]:
    """Yield a reading session and the project, in which `by` may do this.

    Raises UserError as `require_by` does, and for an unknown project.
    """
    with ws.reading() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, act)
        yield session, project


@contextmanager
def writing_as(
    ws: Workspace, project_slug: str, by: int | None, act: Act
) -> Iterator[tuple[Session, ProjectView]]:
    """Yield a writing session and the project, as `reading_as` does."""
    with ws.writing() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, act)
        yield session, project


def annotator(session: Session, person_id: int) -> ProjectMember:
    """Return the person of that id, who annotates. Raises UserError for anybody else."""
    return require(session, person_id, Act.ANNOTATE)


def adjudicator(session: Session, person_id: int) -> ProjectMember:
    """Return the person of that id, who adjudicates. Raises UserError for anybody else."""
    return require(session, person_id, Act.ADJUDICATE)


def require_item(session: Session, who: ProjectMember, item_id: int) -> Item:
    """Return the item of that id in the person's project. Raises UserError if there is none."""
    asked = {"item_id": usable_id(item_id), "project_id": who.project_id}
    found: Item | None = session.execute(_item(), asked).scalars().first()
    if found is None:
        raise UserError("item_unknown", item=item_id)
    return found


@cache
def _item() -> Any:
    here = (col(Item.id) == bindparam("item_id"), col(Item.project_id) == bindparam("project_id"))
    return select(Item).where(*here)
