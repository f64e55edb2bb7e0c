"""Tasks that projects bring: their forms, disputes and subjects.

The key of an own task is ``own:NAME``, of a later version ``own:NAME.2``. A version is a task with
items of its own, so whoever has begun an earlier one goes on with it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from annotation.forms.disputes import Disputes
from annotation.forms.form import Answers
from annotation.forms.submissions import answers_in
from annotation.people.roles import Act, ProjectMember, annotator, reading_as, require
from annotation.tasks.form import DeclaredForm, chosen_units
from annotation.tasks.outcomes import DeclaredDisputes, Fate, ItemState, Outcomes
from annotation.tasks.reading import read_spec
from annotation.tasks.spec import Kind, TaskSpec
from annotation.work.draft import add_event
from annotation.work.queue_service import ItemView
from annotation.work.submissions import is_current
from errors import UserError, Where
from normalization import composed
from storage.curation import known_units
from storage.db.workspace import Workspace
from storage.tables.core import Annotation, Item, StatuteRow, UnitRow
from storage.tables.tasks import TaskDeclaration, TaskSubject
from storage.tasks import Task


def declaration(session: Session, project_id: int, task: str) -> TaskDeclaration:
    """Return the declaration of an own task. Raises UserError for an unknown one."""
    query = select(TaskDeclaration).where(
        TaskDeclaration.project_id == project_id, TaskDeclaration.key == task
    )
    found = session.exec(query).first()
    if found is None:
        raise UserError("task_unknown", Where(field="task"), task=task)
    return found


def declarations(session: Session, project_id: int) -> list[TaskDeclaration]:
    """Return the declarations of a project's own tasks, in the order they came."""
    query = select(TaskDeclaration).where(TaskDeclaration.project_id == project_id)
    return list(session.exec(query.order_by(col(TaskDeclaration.id))))


def all_tasks(ws: Workspace, project_slug: str, by: int | None = None) -> tuple[Task, ...]:
    """Return the product's tasks, then the project's own. Raises UserError for no such project."""
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        return (*Task, *(Task(each.key) for each in declarations(session, project.id)))


def own_titles(session: Session, project_id: int) -> dict[str, str]:
    """Return the titles of a project's own tasks by key; of a later version, with its number."""
    found = {}
    for each in declarations(session, project_id):
        title = read_spec(each.text).title or each.name
        found[each.key] = title if each.version == 1 else f"{title} ({each.version})"
    return found


def titles_of(ws: Workspace, project_slug: str, by: int | None = None) -> dict[str, str]:
    """`own_titles` of a project by its slug."""
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        return own_titles(session, project.id)


def names_of(ws: Workspace, project_slug: str, task: str, by: int | None = None) -> dict[str, str]:
    """Return the labels of an own task's fields and options; {} for a task of the product."""
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        return own_spec(session, project.id, task).names if Task(task).is_own else {}


def own_spec(session: Session, project_id: int, task: str) -> TaskSpec:
    """Return the declaration of an own task, parsed. Raises UserError for an unknown one."""
    return read_spec(declaration(session, project_id, task).text)


def spec_of(ws: Workspace, person_id: int, task: str) -> TaskSpec:
    """Return a task's declaration for a person of its project. Raises UserError if unknown."""
    with ws.reading() as session:
        return own_spec(session, require(session, person_id, Act.READ_LAW).project_id, task)


class OwnForm(DeclaredForm):
    """The form of a project's own task."""

    def code(self, name: str, field: str = "") -> str:
        """Return the code of an error; own tasks share theirs."""
        return f"own_{name}"

    def begun(self, session: Session, who: ProjectMember, item_id: int, at: datetime) -> None:
        """Begin a later version of the task with the person's answers to the one before.

        They are taken that the form still takes, of a row that did not change; the person looks
        through them and submits again.
        """
        item = session.get_one(Item, item_id)
        before, given = _answers_before(session, who.person_id, item), dict[str, Any]()
        for stage in self.spec.repeated(self.parts(session, item)).stages:
            for field in (*(each.key for each in stage.fields), stage.seal):
                if field is None or before.get(field) is None:
                    continue
                try:
                    kept = self.check_in(session, item, field, before[field], given)
                except UserError:
                    continue
                given[field] = kept
                seal = {"seal": True} if field in self.seals else {}
                said = {"field": field, "value": kept, **seal}
                add_event(session, who.person_id, item_id, "label", at, said)

    def parts(self, session: Session, item: Item) -> int:
        """Return the number of parts of the item's row."""
        return len(parts_of(self.spec, session.get_one(TaskSubject, item.subject_id).row))

    def answers_by_part(self, name: str, answers: Mapping[str, Any]) -> dict[Any, Any]:
        """Return the answers of a compared field, if the others show it."""
        seen = self.spec.reaching(answers).visible(answers)
        return super().answers_by_part(name, seen)

    def known(self, session: Session, item: Item, field: str, value: Any, answers: Answers) -> Any:
        """Return a checked value; spans have to be in what was shown, provisions in its law."""
        super().known(session, item, field, value, answers)
        kind = self.spec.fields[field].kind if field in self.spec.fields else None
        if kind is Kind.UNITS:
            chosen = chosen_units(value)
            unknown = sorted(set(chosen) - known_units(session, item.id or 0, chosen))
            if unknown:
                raise UserError("own_unit_unknown", Where(field=field), unit=unknown[0])
        if kind is Kind.SPANS:
            row = session.get_one(TaskSubject, item.subject_id).row
            seen = shown_columns(self.spec, row, answers)
            for each in value:
                if each["end"] > len(seen.get(each["column"], "")):
                    self.checks.refuse(field, each)
        return value


def _answers_before(session: Session, person_id: int, item: Item) -> dict[str, Any]:
    """Return the person's answers to the same row under the newest earlier version; {} if none."""
    now = declaration(session, item.project_id, item.task)
    subject = session.get_one(TaskSubject, item.subject_id)
    earlier = (
        select(Annotation.id, TaskSubject.row)
        .join(Item)
        .join(TaskSubject, col(TaskSubject.id) == Item.subject_id)
        .join(TaskDeclaration, col(TaskDeclaration.key) == Item.task)
        .where(Item.project_id == item.project_id, Item.external_id == subject.external_id)
        .where(TaskDeclaration.project_id == item.project_id, TaskDeclaration.name == now.name)
        .where(TaskDeclaration.version < now.version)
        .where(Annotation.person_id == person_id, is_current())
        .order_by(col(TaskDeclaration.version).desc())
    )
    made = session.exec(earlier).first()
    if made is None or made[1] != subject.row:
        return {}
    return answers_in(session, col(Annotation.id) == made[0]).get(made[0] or 0, {})


def own_form(session: Session, project_id: int, task: str) -> OwnForm:
    """Return the form of a project's own task. Raises UserError for an unknown one."""
    return OwnForm(own_spec(session, project_id, task), task)


def own_outcomes(spec: TaskSpec, task: str) -> Outcomes[ItemState]:
    """Return the rules by which items of an own task become agreed or disputed."""
    return Outcomes(spec, ItemState, Fate, task=task)


class OwnDisputes(Disputes):
    """Disputes of one own task, whose declaration is read from the project."""

    def in_project(self, session: Session, project_id: int) -> DeclaredDisputes:
        """Return the disputes as the project's declaration defines them."""
        spec = own_spec(session, project_id, self.task)
        return DeclaredDisputes(own_outcomes(spec, self.task))

    def question(self, session: Session, who: ProjectMember, item: Item) -> OwnSubject:
        """Return the whole row."""
        return _subject(session, who.project_id, item, None)


@dataclass(frozen=True, slots=True)
class OwnSubject:
    """What an item of an own task asks about: the columns shown so far, and the declaration."""

    spec: TaskSpec
    name: str
    row: Mapping[str, str]


def own_subject(ws: Workspace, person_id: int, item: ItemView) -> OwnSubject:
    """Return an item's row as far as the person's own answers have revealed it."""
    with ws.reading() as session:
        who = annotator(session, person_id)
        answers = None if item.status == "submitted" else item.answers
        return _subject(session, who.project_id, session.get_one(Item, item.item_id), answers)


def _subject(
    session: Session, project_id: int, item: Item, answers: Mapping[str, Any] | None
) -> OwnSubject:
    """Return the subject of an item: its row, with the columns that the answers reveal."""
    spec = own_spec(session, project_id, item.task)
    row = session.get_one(TaskSubject, item.subject_id).row
    return OwnSubject(spec, item.external_id or "", shown_columns(spec, row, answers))


def parts_of(spec: TaskSpec, row: Mapping[str, str]) -> list[str]:
    """Return the parts of a row: the entries of a list in the column of the parts, or its lines."""
    column = next(iter(spec.repeating.values()), "")
    text = row.get(column, "").strip()
    try:
        found = json.loads(text) if text.startswith("[") else None
    except ValueError:
        found = None
    lines = found if isinstance(found, list) else text.splitlines()
    return [composed(str(each)).strip() for each in lines if str(each).strip()]


def own_units(
    ws: Workspace, person_id: int, item: ItemView, units: Collection[str]
) -> dict[str, tuple[str, str]]:
    """Return the name and text of provisions in the law that an item shows, by id."""
    with ws.reading() as session:
        require(session, person_id, Act.READ_LAW)
        query = (
            select(UnitRow, StatuteRow)
            .join(StatuteRow)
            .where(UnitRow.snapshot_id == item.snapshot_id)
            .where(col(UnitRow.semantic_id).in_(sorted(units)))
        )
        return {
            unit.semantic_id: (f"{statute.title} {unit.label} {unit.heading}".strip(), unit.text)
            for unit, statute in session.exec(query)
        }


def shown_columns(
    spec: TaskSpec, row: Mapping[str, str], answers: Mapping[str, Any] | None = None
) -> dict[str, str]:
    """Return the columns that these answers have revealed; without answers, all that are shown."""
    subject = spec.subject
    columns = (subject.show if subject else ()) or tuple(
        name for name in row if subject is None or name != subject.id
    )
    columns += tuple({*spec.repeating.values()} - {*columns})
    hidden: set[str] = set()
    if answers is not None:
        ahead = spec.stages.index(spec.stage_at(answers)) + 1
        hidden = {name for stage in spec.stages[ahead:] for name in stage.shows}
    return {name: str(row.get(name, "")) for name in columns if name not in hidden}
