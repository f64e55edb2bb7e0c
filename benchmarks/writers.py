"""A project in which many people decide at once, and what each of them does.

`benchmarks/people.py` and `benchmarks/crash.py` measure with it. An item takes at most five
submissions, so writers are seated five to a table and every table has items of its own. Everything
goes through `annotation.mapping.commands`, as on the screen: open, label, comment, submit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from operator import itemgetter
from pathlib import Path

from sqlmodel import col, select

from annotation.mapping import commands as mapping_commands
from annotation.people.members import add_person
from annotation.work import commands, queue_service
from benchmarks.program import UnmeasurableError
from construction.mapping import Candidate, CandidateSet, Why
from corpus.model import Level, Question, Statute, Tier, Unit
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
    tables = -(-writers // SEATS)
    # One item more than is decided, whose draft stays open.
    lay_out(ws, SLUG, CANDIDATES, tables * (decisions + 1), overlap=SEATS)
    people = [add_person(ws, SLUG, f"Writer {n}", "annotator").id for n in range(writers)]
    proposed, ids = propose(ws, lambda names: names)
    items, units = list(proposed), tuple(ids.values())
    return [
        Writer(person, tuple(items[number // SEATS :: tables]), units)
        for number, person in enumerate(people)
    ]


def lay_out(ws: Workspace, slug: str, articles: int, questions: int, overlap: int) -> None:
    """Make a project of questions on a statute of equal articles, whatever the law says."""
    migrate(ws)
    create_project(ws, slug, "At work", overlap=overlap)
    keep_statutes(ws, slug, [invented_statute(articles)], "law")
    asked = [
        Question(f"q{number}", f"Which boats need a lamp, case {number}?", "See it.", "en")
        for number in range(questions)
    ]
    keep_questions(ws, slug, asked, "questions")


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


def started(work: Callable[..., None], *arguments: object) -> tuple[BaseProcess, Connection]:
    """Begin some work in a process forked from this one; return it, and what it sends through.

    The work gets the arguments and the end to send into.
    """
    context = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(*arguments, theirs))
    process.start()
    theirs.close()
    return process, ours


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


def propose(
    ws: Workspace, chosen: Callable[[list[str]], Sequence[str]]
) -> tuple[dict[int, Sequence[str]], dict[str, int]]:
    """Keep candidates for every item, which are `chosen` of the units; return them, and all ids."""
    with ws.writing() as session:
        units = dict(sorted(unit_ids(session, 1).items(), key=itemgetter(1)))
        items = [n for n in session.exec(select(Item.id).order_by(col(Item.order))) if n]
        named = {item: chosen(list(units)) for item in items}
        proposed = [
            ToKeep(item, "benchmark", CandidateSet((), tuple(map(_candidate, names, count(1)))))
            for item, names in named.items()
        ]
        keep_all_candidates(session, 1, proposed, units, ws.clock())
    return named, units


def _candidate(name: str, rank: int) -> Candidate:
    return Candidate(name, rank, (Why("text", rank, 1.0),))


def invented_statute(articles: int) -> Statute:
    """Return an act of so many short articles."""
    units = tuple(
        Unit(
            semantic_id=f"lake-act_article-{number}",
            statute_id="lake-act",
            level=Level.ARTICLE,
            label=f"Article {number}",
            heading="Lamps",
            text=f"Boats of class {number} need a lamp after dark.",
            order=number,
        )
        for number in range(1, articles + 1)
    )
    return Statute("lake-act", "Lake Act", "act", Tier.ACT, "en", units, file="lake.md")
