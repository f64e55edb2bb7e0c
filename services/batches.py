"""Files for assigning work: lists of questions, and known answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

from annotation.agreement.calibration import Known, known_from_gold, set_known_answers
from annotation.agreement.known_forms import (
    KnownForm,
    known_from_settlements,
    set_known_forms,
)
from annotation.people.members import list_people
from corpus.files.rows import as_text, parse_object, printable, read_lines, read_text
from errors import UserError, Where, require_known
from storage.db.workspace import Workspace
from storage.tasks import Task

_LINE_BYTES = 1024 * 1024
_FORM_BYTES = 16 * _LINE_BYTES  # the text of a page is one answer
_FORM_FIELDS = {"item", "answers", "explanation"}
_FIELDS = {"question_id", "units", "no_provision", "explanation"}


def read_ids(path: Path) -> tuple[str, ...]:
    """Read the distinct question ids of a text file, one per line; ``#`` begins a comment.

    Raises UserError for a file that is not text or has no id.
    """
    name = printable(path.name)
    return _ids(read_text(path, name), name)


def ids_in(raw: bytes, name: str) -> tuple[str, ...]:
    """Parse the question ids of an uploaded file, as :func:`read_ids` does."""
    return _ids(as_text(raw, printable(name)), printable(name))


def read_known(path: Path, task: str = Task.CITATION_MAPPING) -> list[Any]:
    """Return the known answers of a JSON Lines file.

    Each line is an object {question_id, units: [semantic id] or no_provision: true, explanation},
    or of a form {item, answers: {field: answer}, explanation}. Raises UserError, with the line, for
    anything else.
    """
    name, units = printable(path.name), task == Task.CITATION_MAPPING
    read: Any = _known if units else _known_form
    rows = read_lines(path, name, _LINE_BYTES if units else _FORM_BYTES)
    return [read(parse_object(text, name, line), name, line) for line, text in rows]


def import_known(
    ws: Workspace,
    project_slug: str,
    path: Path,
    by: int | None = None,
    task: str = Task.CITATION_MAPPING,
) -> int:
    """Set the known answers of a file, all or none; return how many are new or changed.

    Raises UserError, with file and line, for an answer that cannot be read or does not fit.
    """
    try:
        return _set_known(ws, project_slug, read_known(path, task), by, task)
    except UserError as error:
        if error.where.line is None or error.where.file is not None:
            raise
        where = replace(error.where, file=printable(path.name))
        raise UserError(error.code, where, **error.params) from error


def take_known(
    ws: Workspace, project_slug: str, by: int | None = None, task: str = Task.CITATION_MAPPING
) -> int:
    """Set final gold, or a form's adjudicated answers, as known answers; as `import_known`."""
    units = task == Task.CITATION_MAPPING
    known: Any = (
        known_from_gold(ws, project_slug, by=by)
        if units
        else known_from_settlements(ws, project_slug, task, by)
    )
    return _set_known(ws, project_slug, known, by, task)


def _set_known(
    ws: Workspace, project_slug: str, found: Sequence[Any], by: int | None, task: str
) -> int:
    """Store known answers of citation mapping or a form; return how many are new or changed."""
    if task == Task.CITATION_MAPPING:
        return set_known_answers(ws, project_slug, found, by)
    return set_known_forms(ws, project_slug, task, found, by)


def people_named(ws: Workspace, project_slug: str, names: Sequence[str]) -> tuple[int, ...]:
    """Return the ids of people by name. Raises UserError for an unknown name."""
    known = {person.name: person.id for person in list_people(ws, project_slug)}
    for name in names:
        require_known("person_name_unknown", known, Where(field="people"), name=name)
    return tuple(known[name] for name in names)


def deadline_of(day: str) -> datetime:
    """Parse a day YYYY-MM-DD as its end in UTC. Raises UserError for anything else."""
    try:
        found = datetime.strptime(day.strip(), "%Y-%m-%d").date()
    except ValueError as problem:
        raise UserError("deadline_unreadable", Where(field="deadline"), deadline=day) from problem
    return datetime.combine(found, time(23, 59, 59), UTC)


def _ids(text: str, name: str) -> tuple[str, ...]:
    """Parse distinct ids, one a line; `#` begins a comment. Raises UserError if there is none."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    ids = tuple(dict.fromkeys(line for line in lines if line))
    if not ids:
        raise UserError("rows_empty", Where(name))
    return ids


def _known_form(row: Mapping[str, Any], name: str, line: int) -> KnownForm:
    """Parse a known answer of a form task. Raises UserError, with the line, for another form."""
    explanation = row.get("explanation", "")
    texts = isinstance(row.get("item"), str) and isinstance(explanation, str)
    if not texts or not isinstance(row.get("answers"), dict) or row.keys() - _FORM_FIELDS:
        raise UserError("known_answer_form", Where(name, line))
    return KnownForm(row["item"], row["answers"], explanation.strip(), line)


def _known(row: Mapping[str, Any], name: str, line: int) -> Known:
    """Parse a known answer of citation mapping. Raises UserError, with the line, if it is none."""
    units, none = row.get("units", []), row.get("no_provision", False)
    fits = (
        isinstance(row.get("question_id"), str | int)
        and isinstance(units, list)
        and all(isinstance(unit, str) for unit in units)
        and isinstance(none, bool)
        and isinstance(row.get("explanation", ""), str)
        and row.keys() <= _FIELDS
    )
    if not fits:
        raise UserError("known_answer_field", Where(name, line))
    explanation = row.get("explanation", "").strip()
    return Known(str(row["question_id"]), tuple(units), none, explanation, line)
