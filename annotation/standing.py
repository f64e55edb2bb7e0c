"""Who somebody is and what they mean; everybody and everything unknown is refused."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, select

from annotation.roles import Act, may, who_may
from errors import UserError
from storage.account_table import Account
from storage.columns import usable_id
from storage.projects import find_project
from storage.tables import Item, Person, Project
from storage.workspace import Workspace
from words import say


@dataclass(frozen=True, slots=True)
class Standing:
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


def require(session: Session, person_id: int, act: Act) -> Standing:
    """Return the person of that id, who may do this.

    Raises UserError for an unknown person, one who has been deactivated or whose account has, and
    one whose role does not do this.
    """
    query = (
        select(Person, Project.overlap, Account.active)
        .join(Project, col(Project.id) == Person.project_id)
        .outerjoin(Account, col(Account.id) == Person.account_id)
        .where(Person.id == usable_id(person_id))
    )
    found = session.exec(query).first()
    if found is None:
        raise UserError("person_unknown", person=person_id)
    person, overlap, account_active = found
    if not person.active or account_active is False:
        raise UserError("person_inactive", name=person.name)
    if not may(person.role, act):
        raise NotAllowedError(person.name, person.role, act)
    return Standing(usable_id(person.id), person.name, person.role, person.project_id, overlap)


def require_by(session: Session, project_id: int, by: int | None, act: Act) -> Standing | None:
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


def annotator(session: Session, person_id: int) -> Standing:
    """Return the person of that id, who annotates. Raises UserError for anybody else."""
    return require(session, person_id, Act.ANNOTATE)


def adjudicator(session: Session, person_id: int) -> Standing:
    """Return the person of that id, who adjudicates. Raises UserError for anybody else."""
    return require(session, person_id, Act.ADJUDICATE)


def require_item(session: Session, who: Standing, item_id: int) -> Item:
    """Return the item of that id in the person's project. Raises UserError if there is none."""
    query = select(Item).where(Item.id == usable_id(item_id), Item.project_id == who.project_id)
    found = session.exec(query).first()
    if found is None:
        raise UserError("item_unknown", item=item_id)
    return found
