"""Write a project's annotations to a file, and read such a file into an empty project.

Both are the operator's: a file holds what everybody said of every item, complete or not, and it
brings people with their roles.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from annotation.check import problems_in
from annotation.exchange.lines import Line, read_lines
from annotation.exchange.reading import Reader
from annotation.exchange.references import FORMAT, TASK
from annotation.exchange.writing import records
from errors import UserError, Where
from storage.folders import published_file
from storage.projects import ProjectView, find_project
from storage.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Exchanged:
    """What a file holds: how many records of each type. `new` is False if all was there before."""

    file: str
    counts: dict[str, int]
    new: bool = True


def export_annotations(ws: Workspace, project_slug: str, file: Path) -> Exchanged:
    """Write everything that people did in the project as JSONL; the same work, the same bytes.

    Raises UserError for an unknown project and when the file cannot be written.
    """
    counts: Counter[str] = Counter()
    with ws.reading() as session, published_file(file) as path:
        project = find_project(session, project_slug)
        with path.open("w", encoding="utf-8", newline="\n") as out:
            for record in records(session, project):
                counts[record["type"]] += 1
                out.write(json.dumps(record, ensure_ascii=False) + "\n")
    return Exchanged(str(file), dict(counts))


def import_annotations(ws: Workspace, project_slug: str, file: Path) -> Exchanged:
    """Read a file of annotations into a project of the same law and questions, all or nothing.

    The project has no people and no work yet, or exactly what the file holds, and then nothing is
    changed. Before it is kept, all of it is held to what `annotation.check` proves. Raises
    UserError, with the line, for a file that is none of ours, for a question, unit, snapshot,
    person or record that is not there, and for annotations that do not follow from their log.
    """
    with ws.writing() as session:
        project = find_project(session, project_slug)
        if not _is_empty(session, project):
            return _compared(session, project, file)
        lines = read_lines(file)
        head = _checked_head(lines, file)
        reader, counts = Reader(session, project), Counter[str]()
        last = head
        try:
            for last in chain([head], lines):
                counts[reader.add(last)] += 1
            session.flush()
        except IntegrityError as error:
            raise UserError("exchange_conflict", last.where()) from error
        for problem in problems_in(session, project):
            raise UserError("exchange_unsound", Where(file.name), problem=problem.say())
        return Exchanged(str(file), dict(counts))


def _checked_head(lines: Iterator[Line], file: Path) -> Line:
    head = next(lines, None)
    known = {"type": "annotations", "format": FORMAT, "task": TASK}
    if head is None or any(head.fields.get(name) != value for name, value in known.items()):
        raise UserError("exchange_head", Where(file.name, 1), format=FORMAT)
    return head


def _is_empty(session: Session, project: ProjectView) -> bool:
    found = records(session, project)
    next(found)  # the head
    return next(found, None) is None


def _compared(session: Session, project: ProjectView, file: Path) -> Exchanged:
    counts: Counter[str] = Counter()
    lines = read_lines(file)
    _checked_head(lines, file)
    ours = records(session, project)
    counts[next(ours)["type"]] += 1
    for record in ours:
        line = next(lines, None)
        if line is None or line.fields != record:
            raise UserError("exchange_not_empty", Where(file.name), slug=project.slug)
        counts[record["type"]] += 1
    if next(lines, None) is not None:
        raise UserError("exchange_not_empty", Where(file.name), slug=project.slug)
    return Exchanged(str(file), dict(counts), new=False)
