"""Export of a project's annotations of every task to a file, and import into an empty project.

Both require the administrator: a file holds everybody's labels of every item, complete or not, and
it brings people with their roles.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import TextIO

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from annotation.check.gold_replay import acts
from annotation.check.project import problems_in
from annotation.exchange.lines import RecordReader, read_lines
from annotation.exchange.reading import Reader
from annotation.exchange.shown_names import FORMAT, TASK
from annotation.exchange.writing import records
from annotation.people.roles import Act, reading_as, writing_as
from errors import UserError, Where
from storage.db.atomic_files import published_file
from storage.db.workspace import Workspace
from storage.projects import ProjectView

_PEOPLE = ("person", "person_event")


@dataclass(frozen=True, slots=True)
class Exchanged:
    """Record counts of a file by type. `new` is False if the project had all of it already."""

    file: str
    counts: dict[str, int]
    new: bool = True


def export_annotations(
    ws: Workspace, project_slug: str, file: Path, by: int | None = None
) -> Exchanged:
    """Write the project's annotations as JSONL; equal work gives equal bytes.

    `by` is the person who exports, None for the operator. Raises UserError without permission, for
    an unknown project and if the file cannot be written.
    """
    with published_file(file) as path, path.open("w", encoding="utf-8", newline="\n") as out:
        return Exchanged(str(file), _write(ws, project_slug, out, by))


def annotations_bytes(ws: Workspace, project_slug: str, by: int | None = None) -> bytes:
    """Return the bytes that `export_annotations` would write."""
    with StringIO(newline="") as out:
        _write(ws, project_slug, out, by)
        return out.getvalue().encode()


def _write(ws: Workspace, project_slug: str, out: TextIO, by: int | None) -> dict[str, int]:
    """Write each record of the project as a line of JSON; return counts by type."""
    counts: Counter[str] = Counter()
    with reading_as(ws, project_slug, by, Act.MANAGE_PEOPLE) as (session, project, _):
        for record in records(session, project):
            counts[record["type"]] += 1
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    return dict(counts)


def import_annotations(
    ws: Workspace, project_slug: str, file: Path, by: int | None = None
) -> Exchanged:
    """Import a file of annotations into a project of the same law and questions, all or nothing.

    The project must have no work yet, or exactly that of the file; then nothing is changed. For the
    operator it must have no people either. For `by`, who is one of them, people may exist: they are
    matched by name and role, and keep their own history. Everything is checked as
    `annotation.check.project` does before it is saved. Raises UserError without permission and,
    with the line, for a file of another format, for an unknown question, unit, snapshot, person or
    record, and for annotations that do not follow from their log.
    """
    with writing_as(ws, project_slug, by, Act.MANAGE_PEOPLE) as (session, project, _):
        # Form tasks that the file has work of; unknown names are refused later.
        named = (line.fields for line in read_lines(file))
        tasks = {str(each.get("task")) for each in named if each.get("type") == "task"}
        if not _is_empty(session, project, tasks, () if by is None else _PEOPLE):
            return _compare(session, project, tasks, file)
        reader, counts = Reader(session, project, ws.clock()), Counter[str]()
        _read_all(reader, file, counts)
        for problem in problems_in(session, project, acts(session, project)):
            raise UserError("exchange_unsound", Where(file.name), problem=problem.say())
        return Exchanged(str(file), dict(counts))


def _read_all(reader: Reader, file: Path, counts: Counter[str]) -> None:
    """Import every record of a file in order, counting them by type."""
    lines = read_lines(file)
    last = head = _checked_head(lines, file)
    try:
        for last in chain([head], lines):
            counts[reader.add(last)] += 1
        reader.session.flush()
    except IntegrityError as error:
        raise UserError("exchange_conflict", last.where()) from error


def _checked_head(lines: Iterator[RecordReader], file: Path) -> RecordReader:
    """Return the first line. Raises UserError if it is not the head of such a file."""
    head = next(lines, None)
    known = {"type": "annotations", "format": FORMAT, "task": TASK}
    if head is None or any(head.fields.get(name) != value for name, value in known.items()):
        raise UserError("exchange_head", Where(file.name, 1), format=FORMAT)
    return head


def _is_empty(
    session: Session, project: ProjectView, tasks: set[str], but: tuple[str, ...]
) -> bool:
    """Return True if the project has no records of the tasks other than of the types `but`."""
    found = records(session, project, tasks)
    next(found)  # skips the head
    return all(record["type"] in but for record in found)


def _compare(session: Session, project: ProjectView, tasks: set[str], file: Path) -> Exchanged:
    """Raise UserError unless the file has exactly the project's records; return counts by type."""
    counts: Counter[str] = Counter()
    lines = read_lines(file)
    _checked_head(lines, file)
    ours = records(session, project, tasks)
    counts[next(ours)["type"]] += 1
    for record in ours:
        line = next(lines, None)
        if line is None or line.fields != record:
            raise UserError("exchange_not_empty", Where(file.name), slug=project.slug)
        counts[record["type"]] += 1
    if next(lines, None) is not None:
        raise UserError("exchange_not_empty", Where(file.name), slug=project.slug)
    return Exchanged(str(file), dict(counts), new=False)
