"""Adding a task of a project's own, listing them, and trying one before it is added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlmodel import Session, col, func, select

from annotation.people.roles import Act, reading_as, writing_as
from annotation.tasks.own import declarations, shown_columns
from annotation.tasks.reading import TEXT_LIMIT, read_spec
from annotation.tasks.spec import SubjectSpec, TaskSpec
from corpus.files.rows import printable, read_text
from corpus.importers.table import table_rows
from errors import UserError, Where
from normalization.hashing import file_hash
from storage.db.columns import add_rows
from storage.db.workspace import Workspace
from storage.subjects import Subject, add_items
from storage.tables.core import Item
from storage.tables.tasks import TaskDeclaration, TaskSubject
from storage.tasks import OWN, Task

MOST_ROWS = 100_000
_TITLE = 200  # characters of a row shown in a queue


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration with its rows: what would be added, or the preview of it."""

    spec: TaskSpec
    text: str
    file: str
    digest: str
    rows: Mapping[str, Mapping[str, str]]

    def shown(self, name: str) -> dict[str, str]:
        """Return the columns of a row that an annotator sees first."""
        return shown_columns(self.spec, self.rows[name], {})


@dataclass(frozen=True, slots=True)
class OwnTaskLine:
    """One own task: its key, its title, its version, and how many items it has."""

    key: str
    title: str
    version: int
    fields: int
    items: int


def read_task(declaration: Path, rows: Path | None = None) -> Declared:
    """Read the declaration of a task and the file of its rows.

    Raises UserError with file, line and field for what is wrong in either, for a column that the
    declaration names and the file lacks, and for two rows of one name.
    """
    name = printable(declaration.name)
    text = read_text(declaration, name, 4 * TEXT_LIMIT)
    spec = read_spec(text, name)
    subject = spec.subject
    if subject is None:
        raise UserError("field_missing", Where(name, field="subject"))
    if rows is None and subject.file is None:
        raise UserError("field_missing", Where(name, field="subject.file"))
    file = rows or declaration.parent / str(subject.file)
    later = (name for stage in spec.stages for name in stage.shows)
    found = _rows(subject, [*subject.show, *later], file)
    return Declared(spec, text, file.name, file_hash(file), found)


def _rows(subject: SubjectSpec, shown: list[str], file: Path) -> dict[str, dict[str, str]]:
    needed = [*filter(None, (subject.id, subject.title)), *shown]
    found: dict[str, dict[str, str]] = {}
    for number, row in enumerate(table_rows(file), 1):
        for column in needed:
            if column not in row.fields:
                known = ", ".join(list(row.fields)[:20])
                raise UserError("column_missing", row.at(column), what="subject", known=known)
        name = row.required(subject.id) if subject.id else str(number)
        if name in found:
            raise UserError("task_row_twice", row.at(subject.id), name=name)
        if len(found) == MOST_ROWS:
            raise UserError("task_rows_many", row.at(), most=MOST_ROWS)
        found[name] = {str(column): row.text(column) for column in row.fields}
    return found


def add_task(ws: Workspace, project_slug: str, made: Declared, by: int | None = None) -> Task:
    """Add a task with an item for each of its rows; return its key.

    A task that the project has already becomes another version of it, with items of its own, unless
    nothing was changed. Raises UserError for `by` without permission, and for an unknown project.
    """
    with writing_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, who):
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


def _add_subjects(session: Session, row: TaskDeclaration, made: Declared) -> None:
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
    subject, row = made.spec.subject, made.rows[name]
    if subject is not None and subject.title:
        return row[subject.title][:_TITLE]
    return next(iter(made.shown(name).values()), "")[:_TITLE]


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
