"""A project in which many people decide at once, and what each of them does.

`benchmarks/people.py` and `benchmarks/crash.py` measure with it. An item takes at most five
submissions, so writers are seated five to a table and every table has items of its own. Everything
goes through `annotation.mapping.commands`, as on the screen: open, label, comment, submit.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from sqlmodel import col, select

from annotation.mapping import commands as mapping_commands
from annotation.people.members import add_person
from annotation.work import commands, queue_service
from benchmarks.invented import invented_question, invented_statute
from benchmarks.program import UnmeasurableError
from construction.mapping import Candidate, CandidateSet, Why
from storage.db.engines import file_address, server_address
from storage.db.migrate import migrate
from storage.db.workspace import DATABASE_FILE, Workspace
from storage.law.corpus import unit_ids
from storage.law.imports import keep_questions, keep_statutes
from storage.mapping import ToKeep, keep_all_candidates
from storage.projects import create_project, list_projects
from storage.tables.core import Annotation, AnnotationLabel, Item

SLUG = "people"
SEATS = 5  # writers that share a table's items; also the overlap
CANDIDATES = 10


@dataclass(frozen=True, slots=True)
class Writer:
    """One annotator: their id, their items in order, and the units to choose from."""

    person_id: int
    items: tuple[int, ...]
    units: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What was acknowledged: who submitted what, and how long it took, in milliseconds."""

    person_id: int
    item_id: int
    annotation_id: int
    unit_id: int
    comment: str
    milliseconds: float


def opened(folder: Path, database: str | None) -> Workspace:
    """Return the workspace: on the PostgreSQL server of that address, else in its folder's file."""
    address = server_address(database) if database else file_address(folder / DATABASE_FILE)
    return Workspace(folder, address=address)


def seat(ws: Workspace, writers: int, decisions: int) -> list[Writer]:
    """Make the project in a workspace without any; return its writers.

    Raises UnmeasurableError if it holds projects already: what is measured is thrown away.
    """
    migrate(ws)
    if list_projects(ws):
        raise UnmeasurableError("the database holds projects already; name an empty one")
    create_project(ws, SLUG, "People at work", overlap=SEATS)
    tables = -(-writers // SEATS)
    keep_statutes(ws, SLUG, [invented_statute(CANDIDATES)], "law")
    # One item more than is decided, whose draft stays open.
    keep_questions(
        ws, SLUG, [invented_question(n) for n in range(tables * (decisions + 1))], "questions"
    )
    people = [add_person(ws, SLUG, f"Writer {n}", "annotator").id for n in range(writers)]
    items, units = _propose(ws)
    return [
        Writer(person, tuple(items[number // SEATS :: tables]), units)
        for number, person in enumerate(people)
    ]


def decide(ws: Workspace, writer: Writer, number: int) -> Decision:
    """Work on the writer's item of that number and submit it; return what was acknowledged."""
    item, unit = writer.items[number], writer.units[number % len(writer.units)]
    comment = draft(ws, writer, number)
    start = time.perf_counter()
    annotation = commands.submit(ws, writer.person_id, item)
    took = (time.perf_counter() - start) * 1000
    return Decision(writer.person_id, item, annotation, unit, comment, took)


def draft(ws: Workspace, writer: Writer, number: int) -> str:
    """Draft an answer to the writer's item of that number; return the comment that it has."""
    item, unit = writer.items[number], writer.units[number % len(writer.units)]
    comment = f"writer {writer.person_id}, item {item}"
    queue_service.open_item(ws, writer.person_id, item)
    mapping_commands.label(ws, writer.person_id, item, unit, "accept")
    commands.set_comment(ws, writer.person_id, item, comment)
    return comment


def stored(ws: Workspace) -> list[tuple[int, int, int, int, str]]:
    """Return (person, item, annotation, unit, comment) of every submission in the database."""
    query = (
        select(  # type: ignore[call-overload]
            Annotation.person_id,
            Annotation.item_id,
            col(Annotation.id),
            AnnotationLabel.unit_id,
            Annotation.comment,
        )
        .join(AnnotationLabel, col(AnnotationLabel.annotation_id) == Annotation.id)
        .where(Annotation.kind == "submit")
        .order_by(col(Annotation.id))
    )
    with ws.reading() as session:
        return [tuple(row) for row in session.exec(query)]


def as_stored(decisions: list[Decision]) -> set[tuple[int, int, int, int, str]]:
    """Return the rows that decisions must have left; see :func:`stored`."""
    return {(d.person_id, d.item_id, d.annotation_id, d.unit_id, d.comment) for d in decisions}


def _propose(ws: Workspace) -> tuple[list[int], tuple[int, ...]]:
    """Keep the same candidates for every item; return the items in order, and the units."""
    with ws.writing() as session:
        items = [n for n in session.exec(select(Item.id).order_by(col(Item.order))) if n]
        units = unit_ids(session, 1)
        names = sorted(units, key=lambda name: units[name])
        ranked = (Candidate(name, n, (Why("text", n, 1.0),)) for n, name in enumerate(names, 1))
        proposal = CandidateSet((), tuple(ranked))
        proposed = [ToKeep(item, "benchmark", proposal) for item in items]
        keep_all_candidates(session, 1, proposed, units, ws.clock())
    return items, tuple(units[name] for name in names)
