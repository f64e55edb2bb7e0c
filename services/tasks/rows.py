"""The rows that an own task asks about: of a file, or of the project's questions and provisions."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlmodel import Session

from annotation.tasks.own import parts_of, shown_columns
from annotation.tasks.reading import TEXT_LIMIT, read_spec, refuse_reserved
from annotation.tasks.spec import COLUMNS, MOST_PARTS, SubjectSpec, TaskSpec
from corpus.files.rows import RowReader, printable, read_text
from corpus.importers.table import table_rows
from errors import UserError, Where
from normalization.hashing import file_hash, json_hash
from storage.law.corpus import load_questions, load_units, required_snapshot, statute_titles
from storage.projects import ProjectView

MOST_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration with its rows by name: what would be added, or the preview of it.

    `places` are where the rows stand in their file. `is_example`: it has one row, of the names of
    its columns, in place of a file of rows.
    """

    spec: TaskSpec
    text: str
    file: str = ""
    digest: str = ""
    rows: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    places: Mapping[str, Where] = field(default_factory=dict)
    is_example: bool = False

    def shown_first(self, name: str) -> dict[str, str]:
        """Return the columns of a row that an annotator sees first."""
        return shown_columns(self.spec, self.rows[name], {})


def example_task(declaration: Path) -> Declared:
    """Read a declaration without its file of rows: with the columns' names as its only row.

    One whose rows the project has is read as it is. Raises UserError as `read_task` does.
    """
    name = printable(declaration.name)
    text = read_text(declaration, name, 4 * TEXT_LIMIT)
    spec = read_spec(text, name)
    subject = spec.subject
    if subject is None or (subject.kind in COLUMNS and subject.file is None):
        return read_task(declaration)
    refuse_reserved(spec, name)
    columns = dict.fromkeys(filter(None, (subject.id, *_named_columns(spec, subject)))) or ["text"]
    row = {column: f"‹{column}›" for column in columns}
    return Declared(spec, text, rows={"1": row}, is_example=True)


def read_task(declaration: Path, rows: Path | None = None) -> Declared:
    """Read the declaration of a task and the file of its rows.

    Raises UserError with file, line and field for what is wrong in either, for a column that the
    declaration names and the rows lack, and for two rows of one name.
    """
    name = printable(declaration.name)
    text = read_text(declaration, name, 4 * TEXT_LIMIT)
    spec = read_spec(text, name)
    refuse_reserved(spec, name)
    subject = spec.subject
    if subject is None:
        raise UserError("field_missing", Where(name, field="subject"))
    shown = _named_columns(spec, subject)
    if subject.kind in COLUMNS and rows is None and subject.file is None:
        _refuse_lacking(shown, COLUMNS[subject.kind], Where(name, field="subject"))
        return Declared(spec, text)
    if rows is None and subject.file is None:
        raise UserError("field_missing", Where(name, field="subject.file"))
    shown = [each for each in shown if each not in COLUMNS.get(subject.kind, ())]
    file = rows or declaration.parent / str(subject.file)
    return _with_rows(Declared(spec, text, file.name, file_hash(file)), subject, shown, file)


def _named_columns(spec: TaskSpec, subject: SubjectSpec) -> list[str]:
    """Return the columns that a declaration shows, looks up, or asks by part."""
    later = (column for stage in spec.stages for column in stage.shows)
    named = *subject.show, *subject.look_up, *later, *{*spec.repeating.values()}
    return [*filter(None, [subject.title]), *named]


def _with_rows(made: Declared, subject: SubjectSpec, shown: list[str], file: Path) -> Declared:
    """Read the rows of a table and add them to the declaration."""
    found: dict[str, dict[str, str]] = {}
    places: dict[str, Where] = {}
    for number, row in enumerate(table_rows(file), 1):
        _refuse_lacking([*filter(None, [subject.id]), *shown], list(row.fields), row.at())
        name = row.required(subject.id) if subject.id else str(number)
        if name in found:
            raise UserError("task_row_twice", row.at(subject.id), name=name)
        if len(found) == MOST_ROWS:
            raise UserError("task_rows_many", row.at(), most=MOST_ROWS)
        found[name] = {str(column): _as_text(row, column) for column in row.fields}
        if (count := len(parts_of(made.spec, found[name]))) > MOST_PARTS:
            raise UserError("task_many", row.at(), most=MOST_PARTS, count=count)
        places[name] = row.at()
    return replace(made, rows=found, places=places)


def _as_text(row: RowReader, column: str) -> str:
    """Return a column as text; numbers, lists and objects of JSON Lines as they are written."""
    value = row.fields[column]
    if value is None or isinstance(value, str):
        return row.text(column)
    return json.dumps(value)


def _refuse_lacking(needed: Collection[str], present: Collection[str], where: Where) -> None:
    """Raise UserError for the first needed column that is not present."""
    for column in needed:
        if column not in present:
            known = ", ".join(list(present)[:20])
            raise UserError(
                "column_missing", replace(where, field=column), what="subject", known=known
            )


def with_texts(session: Session, project: ProjectView, made: Declared) -> Declared:
    """Return a task with the rows that it takes from the project, and the texts that rows name.

    Raises UserError, with the line, for a question or a provision that the project does not have.
    """
    subject = made.spec.subject
    if subject is None:
        return made
    if not made.rows:
        rows = _project_rows(session, project, subject.kind)
        return replace(made, rows=rows, digest=json_hash(rows))
    named = dict(subject.look_up)
    if subject.kind in COLUMNS and subject.id:
        named.setdefault(subject.id, subject.kind)
    known = {kind: _project_rows(session, project, kind) for kind in set(named.values())}
    found = {name: dict(row) for name, row in made.rows.items()}
    for name, row in found.items():
        for column, kind in named.items():
            if row[column] not in known[kind]:
                where = replace(made.places[name], field=column)
                raise UserError("task_subject_unknown", where, name=row[column])
            their = known[kind][row[column]]
            row |= _texts(column, kind, their, apart=column in subject.look_up)
    return replace(made, rows=found)


def _texts(column: str, kind: str, their: Mapping[str, str], apart: bool) -> dict[str, str]:
    """Return the texts of a question or provision: in its own columns, or in the one naming it."""
    if not apart:
        return {name: text for name, text in their.items() if name != "id"}
    if kind == "question":
        return {column: their["question"]}
    return {column: f"{their['statute']} {their['provision']}\n{their['text']}"}


def _project_rows(session: Session, project: ProjectView, kind: str) -> dict[str, dict[str, str]]:
    """Return the project's questions or provisions as rows, by their id."""
    if kind == "question":
        return {
            name: {"id": name, "question": each.text, "answer": each.answer}
            for name, each in load_questions(session, project.id).items()
        }
    law = required_snapshot(session, project).id
    titles = statute_titles(session, law)
    return {
        each.semantic_id: {
            "id": each.semantic_id,
            "statute": titles[each.statute_id],
            "provision": " ".join(filter(None, (each.label, each.heading))),
            "text": each.text,
        }
        for each in load_units(session, law)
        if not each.deleted
    }
