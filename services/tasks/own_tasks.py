"""Adding a task of a project's own, listing them, and trying one before it is added."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from annotation.people.roles import Act, reading_as, writing_as
from annotation.tasks.own import declarations
from annotation.tasks.reading import read_spec
from errors import UserError, Where
from services.tasks.rows import Declared, with_texts
from storage.db.columns import add_rows
from storage.db.workspace import Workspace
from storage.subjects import Subject, add_items
from storage.tables.core import Item
from storage.tables.tasks import TaskDeclaration, TaskSubject
from storage.tasks import OWN, Task

_TITLE = 200  # characters of a row shown in a queue


@dataclass(frozen=True, slots=True)
class OwnTaskLine:
    """One own task: its key, its title, its version, and how many items it has."""

    key: str
    title: str
    version: int
    fields: int
    items: int


def add_task(ws: Workspace, project_slug: str, made: Declared, by: int | None = None) -> Task:
    """Add a task with an item for each of its rows; return its key.

    A task that the project has already becomes another version of it, with items of its own, unless
    nothing was changed. Raises UserError for `by` without permission, and for an unknown project.
    """
    with writing_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, who):
        made = with_texts(session, project, made)
        before = [row for row in declarations(session, project.id) if row.name == made.spec.key]
        if before and (before[-1].text, before[-1].file_hash) == (made.text, made.digest):
            raise UserError("task_there", Where(field="task"), task=before[-1].key)
        version = len(before) + 1
        key = Task(f"{OWN}{made.spec.key}" + (f".{version}" if before else ""))
        row = TaskDeclaration(
            project_id=project.id,
            key=key,
            name=made.spec.key,
            version=version,
            text=made.text,
            file=made.file,
            file_hash=made.digest,
            by_person_id=None if who is None else who.person_id,
            at=ws.clock(),
        )
        add_rows(session, [row])
        _add_subjects(session, row, made)
    return key


def preview(ws: Workspace, project_slug: str, made: Declared, by: int | None = None) -> Declared:
    """Return a task with the texts that its rows name, as `add_task` would add it."""
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        return with_texts(session, project, made)


def _add_subjects(session: Session, row: TaskDeclaration, made: Declared) -> None:
    """Store a declared task's rows as subjects, with an item each."""
    rows = [
        TaskSubject(task_declaration_id=row.id or 0, external_id=name, row=dict(columns))
        for name, columns in made.rows.items()
    ]
    add_rows(session, rows)
    subjects = [
        Subject(each.id or 0, each.external_id, _title(made, each.external_id), {}) for each in rows
    ]
    add_items(session, row.project_id, Task(row.key), subjects, row.at)


def _title(made: Declared, name: str) -> str:
    """Return the text of a row in lists, which shows nothing that a later stage reveals."""
    column = made.spec.subject.title if made.spec.subject else None
    later = {each for stage in made.spec.stages[1:] for each in stage.shows}
    if column and column not in later:
        return made.rows[name][column][:_TITLE]
    return next(iter(made.shown_first(name).values()), "")[:_TITLE]


def own_tasks(ws: Workspace, project_slug: str, by: int | None = None) -> list[OwnTaskLine]:
    """Return the project's own tasks. Raises UserError for an unknown project."""
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        counted = select(Item.task, func.count()).where(Item.project_id == project.id)
        items = dict(session.exec(counted.group_by(col(Item.task))).all())
        found = []
        for row in declarations(session, project.id):
            spec = read_spec(row.text)
            line = row.key, spec.title or row.name, row.version, len(spec.fields)
            found.append(OwnTaskLine(*line, items.get(row.key, 0)))
        return found
