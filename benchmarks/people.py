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

import multiprocessing
import os
import time
from collections import Counter
from dataclasses import dataclass
from multiprocessing.connection import Connection

import numpy as np

from annotation.check.project import check
from annotation.work import queue_service
from benchmarks.program import run
from benchmarks.writers import (
    SLUG,
    Decision,
    Writer,
    as_stored,
    decide,
    draft,
    opened,
    seat,
    stored,
)
from evaluation.figure import Array, Figure, bootstrap
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
    context = multiprocessing.get_context("fork")
    gate = context.Barrier(len(writers))
    started = []
    for writer in writers:
        ours, theirs = context.Pipe(duplex=False)
        arguments = (folder, database, writer, gate, theirs)
        process = context.Process(target=_work, args=arguments)
        process.start()
        theirs.close()
        started.append((process, ours))
    done = [ours.recv() for _, ours in started]
    for process, _ in started:
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
    times = np.array([each.milliseconds for each in decisions])
    n = len(decisions)
    open_drafts = sum(_is_lost(ws, work) for work in done)
    return [
        Figure("acknowledged", n, n),
        Figure("stored", len(kept), n),
        Figure("duplicates", sum(places.values()) - len(places), len(rows)),
        Figure("drafts_lost", n - len(kept) + open_drafts, n + len(done)),
        Figure("submit_p95_ms", float(p95(times)), n, *bootstrap(times, p95)),
        Figure("submit_median_ms", float(median(times)), n, *bootstrap(times, median)),
        Figure("problems", len(check(ws, SLUG)), n),
        Figure("seconds", seconds, 1),
        Figure("decision_cpu_ms", sum(work.cpu_seconds for work in done) / n * 1000, n),
    ]


def _is_lost(ws: Workspace, work: Work) -> bool:
    view = queue_service.open_item(ws, work.writer.person_id, work.writer.items[-1])
    return view.comment != work.left_open or view.status != "draft"


def p95(samples: Array) -> Array:
    """Return the 95th percentile of each row."""
    return np.asarray(np.percentile(samples, 95, axis=-1))


def median(samples: Array) -> Array:
    """Return the median of each row."""
    return np.asarray(np.median(samples, axis=-1))


if __name__ == "__main__":
    sys.exit(
        run(
            PARSER,
            lambda o, folder: measure(folder / "workspace", o.writers, o.decisions, o.database),
        )
    )
