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
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection

from annotation.check.project import check
from annotation.work import queue_service
from benchmarks.program import median_figure, p95_figure, run
from benchmarks.writers import (
    SLUG,
    Decision,
    Writer,
    as_stored,
    decide,
    draft,
    opened,
    seat,
    started,
    stored,
)
from evaluation.figure import Figure
from storage.db.workspace import Workspace


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
