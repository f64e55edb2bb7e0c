"""Many annotators at once: is every submission that was acknowledged stored, once, and how fast?

    python -m benchmarks.people [--writers 20] [--decisions 500] [--database URL] [--json]

Every writer is a process of its own and decides item after item without ever pausing, on a fresh
SQLite workspace or on the empty PostgreSQL database that ``--database`` names. That is far more
than twenty people do: each opens an item of a queue of 2,000 (with 500 decisions), labels it,
comments on it and submits it, some times a second. A writer does nothing beside what the app does
for a person, but all share the machine's cores: what is measured of a submission holds its wait for
the others' turns to write and for a free core, so a machine that is busy otherwise shows in it;
``load_before`` says how busy it was. Figures:

* ``acknowledged``: submissions whose call returned; ``stored``: those in the database afterwards,
  as they were made; ``duplicates``: rows beyond one for each person and item.
* ``drafts_lost``: drafts whose saving was acknowledged and that are not there, among those
  submitted and the one that every writer leaves open at the end.
* ``submit_p95_ms``, ``submit_median_ms``: how long a submission took, its wait for other writers
  included, in milliseconds; the interval is a bootstrap over submissions.
* ``problems``: what `touchstone.py check` finds afterwards.
* ``seconds``: from the first act to the last; ``decision_cpu_ms``: processor time of a writer for
  one decision in milliseconds, all four acts, without that of a PostgreSQL server.
* ``load_before``: processes at work on the machine in the minute before, on average.

`benchmarks.crash` and `benchmarks.label_import` measure with the same project and the same writers.
An item takes at most five submissions, so writers are seated five to a table and every table has
items of its own. Everything goes through `annotation.mapping.commands`, as on the screen: open,
label, comment, submit.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import program

PARSER = program(
    __doc__,
    "acknowledged stored duplicates drafts_lost submit_p95_ms submit_median_ms problems "
    "seconds decision_cpu_ms load_before",
)
PARSER.add_argument("--writers", type=int, default=20, help="annotators at once")
PARSER.add_argument("--decisions", type=int, default=500, help="submissions of each")
PARSER.add_argument("--database", help="address of an empty PostgreSQL database")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from operator import itemgetter

from sqlmodel import col, select

from annotation.check.project import check
from annotation.mapping import commands as mapping_commands
from annotation.people.members import add_person
from annotation.work import commands, queue_service
from benchmarks.program import UnmeasurableError, median_figure, p95_figure, run
from construction.mapping import Candidate, CandidateSet, Why
from corpus.model import Level, Question, Statute, Tier, Unit
from evaluation.figure import Figure
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


@dataclass(frozen=True, slots=True)
class Work:
    """What one writer did: what was acknowledged, the comment of the draft left open, its cost."""

    writer: Writer
    decisions: list[Decision]
    left_open: str
    cpu_seconds: float


def measure(folder: Path, writers: int, decisions: int, database: str | None) -> list[Figure]:
    """Return every figure; `folder` is where the workspace is made."""
    ws = opened(folder, database)
    seated = seat(ws, writers, decisions)
    load = os.getloadavg()[0]
    ws.engine.dispose()  # no connection may be shared with the processes
    start = time.perf_counter()
    done = _at_once(folder, database, seated)
    figures = _figures(ws, done, time.perf_counter() - start)
    return [*figures, Figure("load_before", load, 1)]


def _at_once(folder: Path, database: str | None, writers: list[Writer]) -> list[Work]:
    gate = get_context("fork").Barrier(len(writers))
    begun = [started(_work, folder, database, writer, gate) for writer in writers]
    done = [ours.recv() for _, ours in begun]
    for process, _ in begun:
        process.join()
    return done


def _work(
    folder: Path, database: str | None, writer: Writer, gate: object, answer: Connection
) -> None:
    ws = opened(folder, database)
    last = len(writer.items) - 1
    assert hasattr(gate, "wait")  # noqa: S101  (its class has no public name)
    gate.wait()
    start = time.process_time()
    decisions = [decide(ws, writer, number) for number in range(last)]
    cost = time.process_time() - start
    answer.send(Work(writer, decisions, draft(ws, writer, last), cost))
    answer.close()


def _figures(ws: Workspace, done: list[Work], seconds: float) -> list[Figure]:
    decisions = [each for work in done for each in work.decisions]
    rows = stored(ws)
    kept = as_stored(decisions) & set(rows)
    places = Counter((person, item) for person, item, *_ in rows)
    times = [each.milliseconds for each in decisions]
    n = len(decisions)
    open_drafts = sum(_is_lost(ws, work) for work in done)
    return [
        Figure("acknowledged", n, n),
        Figure("stored", len(kept), n),
        Figure("duplicates", sum(places.values()) - len(places), len(rows)),
        Figure("drafts_lost", n - len(kept) + open_drafts, n + len(done)),
        p95_figure("submit_p95_ms", times),
        median_figure("submit_median_ms", times),
        Figure("problems", len(check(ws, SLUG)), n),
        Figure("seconds", seconds, 1),
        Figure("decision_cpu_ms", sum(work.cpu_seconds for work in done) / n * 1000, n),
    ]


def _is_lost(ws: Workspace, work: Work) -> bool:
    view = queue_service.open_item(ws, work.writer.person_id, work.writer.items[-1])
    return view.comment != work.left_open or view.status != "draft"


if __name__ == "__main__":
    sys.exit(
        run(
            PARSER,
            lambda o, folder: measure(folder / "workspace", o.writers, o.decisions, o.database),
        )
    )
