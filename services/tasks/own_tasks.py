"""Adding a task of a project's own, listing them, and trying one before it is added.

Declarations to begin one's own task from: ours, and those of installed packages.

The labels of an own task as a file: every submission, and what was decided.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, func, select

import annotation.tasks
from annotation.adjudication.dispute_state import item_cases
from annotation.people.roles import Act, reading_as, writing_as
from annotation.tasks.own import declarations, own_outcomes, own_spec
from annotation.tasks.reading import TEXT_LIMIT, read_spec, refuse_reserved
from corpus.extensions import TASKS, Extension, extensions
from corpus.files.rows import read_text
from errors import UserError, Where, require_known
from evaluation.tables import csv_text
from services.tasks.rows import Declared, with_texts
from storage.db.atomic_files import published_file
from storage.db.columns import add_rows
from storage.db.workspace import Workspace
from storage.subjects import Subject, add_items
from storage.tables.core import Item
from storage.tables.tasks import TaskDeclaration, TaskSubject
from storage.tasks import OWN, Task, of_task

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

    A task that the project has already becomes another version of it, with items of its own. Raises
    UserError for `by` without permission, for an unknown project, and where nothing was changed.
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
    """Return the project's own tasks, a line a version. Raises UserError for an unknown project."""
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        counted = select(Item.task, func.count()).where(Item.project_id == project.id)
        items = dict(session.exec(counted.group_by(col(Item.task))).all())
        found = []
        for row in declarations(session, project.id):
            spec = read_spec(row.text)
            line = row.key, spec.title or row.name, row.version, len(spec.fields)
            found.append(OwnTaskLine(*line, items.get(row.key, 0)))
        return found


_FOLDER = Path(annotation.tasks.__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class Template:
    """A declaration with its title, and the package it is of; or why it is unusable."""

    text: str = ""
    title: str = ""
    origin: str = ""
    problem: UserError | None = None


def templates() -> dict[str, Template]:
    """Return the templates by name, ours first; a package's never takes the name of one of ours."""
    ours = {path.stem: _read(path) for path in sorted(_FOLDER.glob("*.yaml"))}
    return ours | {e.name: _plugin_template(e) for e in extensions(TASKS) if e.name not in ours}


def _plugin_template(extension: Extension) -> Template:
    """Return an extension's template; one with the problem if it cannot be read."""
    try:
        if extension.problem is not None:
            raise extension.problem
        made: Template = extension.call(_read, Path(extension.value), extension.origin)
        return made
    except UserError as error:
        return Template(origin=extension.origin, problem=error)


def _read(path: Path, origin: str = "") -> Template:
    """Read a template. Raises UserError if it uses what is reserved to the product."""
    text = read_text(path, str(path), 4 * TEXT_LIMIT)
    spec = read_spec(text, str(path))
    refuse_reserved(spec, str(path))
    return Template(text, spec.title or "", origin)


def template(name: str) -> str:
    """Return the text of a template. Raises UserError for an unknown or unusable one."""
    known = templates()
    require_known("task_word", known, Where(field="template"), value=name)
    found = known[name]
    if found.problem is not None:
        raise found.problem
    return found.text


def export_labels(
    ws: Workspace, project_slug: str, task: str, file: Path, by: int | None = None
) -> int:
    """Write the labels of the complete items of an own task; return how many items were written.

    A file that ends in .csv has a line for each submission and decision, any other an object for
    each item. Raises UserError for who may not read others' labels, and for an unknown task.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        items = list(_items(session, project.id, task))
    with published_file(file) as path, path.open("w", encoding="utf-8", newline="") as out:
        if file.suffix.lower() == ".csv":
            out.write(_as_csv(items))
        else:
            out.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in items)
    return len(items)


def _items(session: Session, project_id: int, task: str) -> Iterator[dict[str, Any]]:
    """Yield every complete item in queue order, with its row, its labels and its state."""
    outcomes = own_outcomes(own_spec(session, project_id, task), task)
    cases = item_cases(session, project_id, Task(task))
    query = select(Item, TaskSubject).join(TaskSubject, col(TaskSubject.id) == Item.subject_id)
    query = query.where(of_task(project_id, task)).order_by(col(Item.order))
    for item, subject in session.exec(query):
        case = cases.get(item.id or 0)
        if case is None:
            continue
        state, decision = outcomes.of_case(case), case.decision
        yield {
            "item": item.external_id,
            "row": subject.row,
            "state": str(state.fate),
            "disputes": list(state.disputes),
            "agreed": dict(state.agreed),
            "submissions": [
                {"person": each.person, "answers": dict(each.answers), "comment": each.comment}
                for each in case.submissions
            ],
            "decision": None
            if decision is None
            else {
                "person": decision.person,
                "answers": dict(decision.answers),
                "reason": decision.reason,
            },
        }


def _as_csv(items: list[dict[str, Any]]) -> str:
    """Return labels as CSV, one row per submission and per decision."""
    lines = [
        {"item": item["item"], "state": item["state"], "role": role, "person": each["person"]}
        | {name: _cell(value) for name, value in each["answers"].items()}
        for item in items
        for role, given in (("annotator", item["submissions"]), ("adjudicator", [item["decision"]]))
        for each in filter(None, given)
    ]
    heads = list(dict.fromkeys(name for line in lines for name in line))
    return csv_text([heads or ["item"], *([line.get(name) for name in heads] for line in lines)])


def _cell(value: Any) -> str:
    """Return a value as a cell of CSV."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
