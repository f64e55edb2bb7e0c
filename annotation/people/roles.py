"""Roles and permissions: the one table of who may do what, and the checks against it.

`require` checks inside the transaction that does the work, and refuses everything unknown; screens
ask `may` only to decide what to render. `docs/roles.md` and the page Roles are made from the same
table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from errors import UserError
from messages import say
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.projects import ProjectView, find_project
from storage.tables.core import Account, Item, Person, Project


class Role(StrEnum):
    """The role of a person in a project; one at a time."""

    ANNOTATOR = "annotator"
    LAWYER = "lawyer"  # an annotator with legal expertise
    ADJUDICATOR = "adjudicator"
    RESEARCHER = "researcher"
    ADMINISTRATOR = "administrator"


class Act(StrEnum):
    """A permission: what somebody can do in a project."""

    ANNOTATE = "annotate"
    COMMENT = "comment"
    READ_LAW = "read_law"
    ADJUDICATE = "adjudicate"
    GIVE_BACK = "give_back"
    READ_OTHERS_LABELS = "read_others_labels"
    SEE_AGREEMENT = "see_agreement"
    SEE_GOLD = "see_gold"
    SEE_SCORES = "see_scores"
    EXPORT_GOLD = "export_gold"
    EXPORT_HISTORY = "export_history"
    RUN_RETRIEVAL = "run_retrieval"
    SET_LEVELS = "set_levels"
    IMPORT_LAW = "import_law"
    IMPORT_QUESTIONS = "import_questions"
    IMPORT_LABELS = "import_labels"
    BUILD_CANDIDATES = "build_candidates"
    MAKE_ITEMS = "make_items"
    REVIEW_JUDGE = "review_judge"
    RECHECK_LAW = "recheck_law"
    CLOSE_GOLD = "close_gold"
    SPLIT_GOLD = "split_gold"
    EDIT_DATASHEET = "edit_datasheet"
    ASSIGN = "assign"
    EDIT_GUIDELINES = "edit_guidelines"
    MANAGE_PEOPLE = "manage_people"


_ALL_ROLES = frozenset(Role)
_ANNOTATORS = frozenset({Role.ANNOTATOR, Role.LAWYER})
_LABEL_READERS = frozenset({Role.ADJUDICATOR, Role.RESEARCHER, Role.ADMINISTRATOR})
_LEADS = frozenset({Role.RESEARCHER, Role.ADMINISTRATOR})

# Readers of others' labels do not annotate, which keeps double annotation blind.
# A score reveals the gold behind it, so scores need the same permission.
MAY: Mapping[Act, frozenset[Role]] = MappingProxyType(
    {
        Act.ANNOTATE: _ANNOTATORS,
        Act.COMMENT: _ALL_ROLES,
        Act.READ_LAW: _ALL_ROLES,
        Act.ADJUDICATE: frozenset({Role.ADJUDICATOR}),
        Act.GIVE_BACK: _LABEL_READERS,  # leads too: a project may have no adjudicator
        Act.READ_OTHERS_LABELS: _LABEL_READERS,
        Act.SEE_AGREEMENT: _ALL_ROLES,
        Act.SEE_GOLD: _ALL_ROLES,
        Act.SEE_SCORES: _LABEL_READERS,
        Act.EXPORT_GOLD: _LABEL_READERS,
        Act.EXPORT_HISTORY: _LABEL_READERS,
        Act.RUN_RETRIEVAL: _LABEL_READERS,
        Act.SET_LEVELS: _LEADS,
        Act.IMPORT_LAW: _LEADS,
        Act.IMPORT_QUESTIONS: _LEADS,
        Act.IMPORT_LABELS: _LEADS,
        Act.BUILD_CANDIDATES: _LEADS,
        Act.MAKE_ITEMS: _LEADS,
        Act.REVIEW_JUDGE: frozenset({Role.ADJUDICATOR, Role.RESEARCHER}),
        Act.RECHECK_LAW: _LABEL_READERS,
        Act.CLOSE_GOLD: _LEADS,
        Act.SPLIT_GOLD: _LEADS,
        Act.EDIT_DATASHEET: _LEADS,
        Act.ASSIGN: _LEADS,
        Act.EDIT_GUIDELINES: _LABEL_READERS,
        Act.MANAGE_PEOPLE: frozenset({Role.ADMINISTRATOR}),
    }
)


def may(role: str, act: Act) -> bool:
    """Return True if the role has the permission; an unknown role has none."""
    return role in MAY[act]


def who_may(act: Act) -> tuple[Role, ...]:
    """Return the roles with the permission, in the order of :class:`Role`."""
    return tuple(role for role in Role if role in MAY[act])


@dataclass(frozen=True, slots=True)
class ProjectMember:
    """A person in their project. `overlap` is the number of submissions an item takes."""

    person_id: int
    name: str
    role: str
    project_id: int
    overlap: int


class NotAllowedError(UserError):
    """A role lacks a permission; the remedy names the roles that have it."""

    def __init__(self, name: str, role: str, act: Act) -> None:
        self.person_name, self.role, self.act = name, role, act
        super().__init__("not_allowed")

    def what(self, language: str = "en") -> str:
        """Return the error message for a refused permission."""
        words = {"role": self.role, "act": self.act}
        said = {name: say(f"roles.{name}.{word}", language) for name, word in words.items()}
        return say("error.not_allowed.what", language, name=self.person_name, **said)

    def remedy(self, language: str = "en") -> str:
        """Return the roles that have the permission, as a sentence."""
        roles = ", ".join(say(f"roles.role.{role}", language) for role in who_may(self.act))
        return say("error.not_allowed.remedy", language, roles=roles)


def require(session: Session, person_id: int, act: Act) -> ProjectMember:
    """Return the person of that id, checked for the permission.

    Raises UserError for an unknown person, a deactivated person or account, and a role without the
    permission.
    """
    found = session.execute(_person(), {"person_id": usable_id(person_id)}).first()
    if found is None:
        raise UserError("person_unknown", person=person_id)
    return admitted(found, act)


def admitted(about: Sequence[Any], act: Act) -> ProjectMember:
    """Return the person from the columns of `about_person`, checked for the permission.

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
    """Query of a person with project and account."""
    return (
        select(*about_person())
        .join_from(Person, Project, col(Project.id) == col(Person.project_id))
        .outerjoin(Account)
        .where(col(Person.id) == bindparam("person_id"))
    )


def require_by(session: Session, project_id: int, by: int | None, act: Act) -> ProjectMember | None:
    """Return the person `by`, checked for the permission in that project; None for the operator.

    The operator runs the command line on the machine of the workspace, and may do everything.
    Raises UserError as `require` does, and for a person of another project.
    """
    if by is None:
        return None
    who = require(session, by, act)
    if who.project_id != project_id:
        raise UserError("person_unknown", person=by)
    return who


def allow(ws: Workspace, project_slug: str, by: int | None, act: Act) -> None:
    """Raise UserError unless `by` has the permission in the project, as `require_by` does."""
    with ws.reading() as session:
        require_by(session, find_project(session, project_slug).id, by, act)


@contextmanager
def reading_as(
    ws: Workspace, project_slug: str, by: int | None, act: Act
) -> Iterator[tuple[Session, ProjectView, ProjectMember | None]]:
    """Yield a reading session, the project, and the person `by`, checked for the permission.

    The person is None for the operator. Raises UserError as `require_by` does, and for an unknown
    project.
    """
    with ws.reading() as session:
        project = find_project(session, project_slug)
        yield session, project, require_by(session, project.id, by, act)


@contextmanager
def writing_as(
    ws: Workspace, project_slug: str, by: int | None, act: Act
) -> Iterator[tuple[Session, ProjectView, ProjectMember | None]]:
    """Yield a writing session, the project and the person, as `reading_as` does."""
    with ws.writing() as session:
        project = find_project(session, project_slug)
        yield session, project, require_by(session, project.id, by, act)


def annotator(session: Session, person_id: int) -> ProjectMember:
    """Return the person of that id, checked for the permission to annotate."""
    return require(session, person_id, Act.ANNOTATE)


def adjudicator(session: Session, person_id: int) -> ProjectMember:
    """Return the person of that id, checked for the permission to adjudicate (`adjudicates`)."""
    who = require(session, person_id, Act.COMMENT)
    if not adjudicates(session, who):
        raise NotAllowedError(who.name, who.role, Act.ADJUDICATE)
    return who


def adjudicates(session: Session, who: ProjectMember) -> bool:
    """Return True if the person may decide disputes.

    Adjudicators do; so do administrators while their project has no active adjudicator.
    """
    if may(who.role, Act.ADJUDICATE):
        return True
    return who.role == Role.ADMINISTRATOR and not adjudicators(session, who.project_id)


def adjudicators(session: Session, project_id: int) -> tuple[str, ...]:
    """Return the names of the active adjudicators of a project, in order of joining."""
    query = (
        select(col(Person.name))
        .outerjoin(Account)
        .where(col(Person.project_id) == project_id, col(Person.active))
        .where(col(Person.role).in_(sorted(MAY[Act.ADJUDICATE])))
        .where(col(Account.active).is_not(False))  # a deactivated account cannot decide
    )
    return tuple(session.execute(query.order_by(col(Person.id))).scalars())


def may_adjudicate(ws: Workspace, person_id: int) -> bool:
    """Return True if the person may decide disputes; for drawing only. Never raises UserError."""
    with ws.reading() as session:
        try:
            adjudicator(session, person_id)
        except UserError:
            return False
        return True


def require_item(session: Session, who: ProjectMember, item_id: int) -> Item:
    """Return the item of that id in the person's project. Raises UserError if there is none."""
    asked = {"item_id": usable_id(item_id), "project_id": who.project_id}
    found: Item | None = session.execute(_item(), asked).scalars().first()
    if found is None:
        raise UserError("item_unknown", item=item_id)
    return found


@cache
def _item() -> Any:
    """Query of an item of the project by id."""
    here = (col(Item.id) == bindparam("item_id"), col(Item.project_id) == bindparam("project_id"))
    return select(Item).where(*here)
