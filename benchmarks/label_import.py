"""Labels of another tool: what bringing in very many costs, and how long others wait meanwhile.

    python -m benchmarks.label_import [--labels 10000] [--before DIR] [--before-labels 400] [--json]

Two people have labelled each question of a project; a file of Label Studio holds it, with comments.
It is brought into a fresh SQLite workspace, then once more, when there is nothing to do. Figures:

* ``label_cpu_ms``: processor milliseconds for one label, looking up and bringing in; ``seconds``
  and ``cpu_seconds`` of all of them.
* ``again_cpu_seconds``, ``again_seconds``: of the same file once more.
* ``writer_p95_ms``, ``writer_median_ms``: how long an annotator in another process takes to submit
  while the labels come in, in milliseconds, the wait for a set of them included; ``alone_p95_ms``
  is the same annotator's without an import. The interval is a bootstrap over submissions.
* ``peak_rss_mb``: the most memory that the process held.
* ``problems``: what `touchstone.py check` finds afterwards.

``--before`` names another checkout, say a worktree of an older version, in which the same is done
with ``--before-labels`` labels by the same Python: ``label_cpu_ms_before``,
``again_label_cpu_ms_before``, and ``label_cpu_ratio`` and ``again_cpu_ratio``, which say how many
times as much a label costs there.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import program

PARSER = program(
    __doc__,
    "label_cpu_ms cpu_seconds seconds again_cpu_seconds again_seconds writer_p95_ms "
    "writer_median_ms alone_p95_ms peak_rss_mb problems label_cpu_ms_before "
    "again_label_cpu_ms_before label_cpu_ratio again_cpu_ratio",
)
PARSER.add_argument("--labels", type=int, default=10_000, help="labels in the file")
PARSER.add_argument("--before", type=Path, metavar="DIR", help="a checkout to compare with")
PARSER.add_argument("--before-labels", type=int, default=400, help="labels for that checkout")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import json
import multiprocessing
import resource
import subprocess
import tempfile
import time
from argparse import Namespace
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event

import numpy as np

from annotation.check.project import check
from benchmarks.people import SLUG, Writer, decide, opened, seat, started
from benchmarks.program import p95_figure, run
from evaluation.figure import Figure
from services.exchange.label_import import import_labels
from storage.db.workspace import Workspace
from storage.law.corpus import load_items, unit_ids

PEOPLE = 2  # who label each question in the file; the last writer of the table is at work here
_ALONE = 200  # submissions without an import
_MOST = 2000  # submissions of the annotator at work, before and during the import
_PAUSE = 0.01  # seconds between two of them: people pause longer


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return the figures of this checkout, and of another where one is named."""
    here, there = folder / "here", folder / "there"
    here.mkdir()
    found = measure(here, options.labels)
    if options.before:
        there.mkdir()
        found += compare(there, options.before.resolve(), options.before_labels, found)
    return found


@dataclass(frozen=True, slots=True)
class Cost:
    """What one import took."""

    cpu: float
    wall: float


def measure(folder: Path, labels: int) -> list[Figure]:
    """Return the figures of this checkout; `folder` is where the workspace is made."""
    ws = opened(folder / "workspace", None)
    questions = labels // PEOPLE
    worker = seat(ws, PEOPLE + 1, max(questions, _MOST))[-1]
    file, guide = write_file(ws, folder, questions)
    ws.engine.dispose()  # no connection may be shared with the process
    context = multiprocessing.get_context("fork")
    begun, over = context.Event(), context.Event()
    process, ours = started(_work, folder, worker, begun, over)
    begun.wait()
    first = timed(ws, file, guide)
    over.set()
    alone, beside = ours.recv()
    process.join()
    again = timed(ws, file, guide)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [
        Figure("label_cpu_ms", 1000 * first.cpu / labels, labels),
        Figure("cpu_seconds", first.cpu, labels),
        Figure("seconds", first.wall, labels),
        Figure("again_cpu_seconds", again.cpu, labels),
        Figure("again_seconds", again.wall, labels),
        p95_figure("writer_p95_ms", beside),
        Figure("writer_median_ms", float(np.median(beside)), len(beside)),
        p95_figure("alone_p95_ms", alone),
        Figure("peak_rss_mb", peak, 1),
        Figure("problems", len(check(ws, SLUG)), labels),
    ]


def write_file(ws: Workspace, folder: Path, questions: int) -> tuple[Path, Path]:
    """Write an export of Label Studio about so many questions, and a guide to it."""
    with ws.reading() as session:
        named = [each.question.external_id for each in load_items(session, 1)][:questions]
        units = sorted(unit_ids(session, 1))
    file, guide = folder / "labels.json", folder / "guide.json"
    file.write_text(json.dumps([_record(number, name) for number, name in enumerate(named)]))
    decisions = {
        "A": {"unit": units[0], "decision": "accept"},
        "B": {"unit": units[-1], "decision": "reject"},
        "N": {"no_provision": True},
    }
    people = {str(number): f"Writer {number}" for number in range(PEOPLE)}
    named_fields = {"item": "question", "choices": "provisions", "comment": "why"}
    guide.write_text(json.dumps({**named_fields, "people": people, "decisions": decisions}))
    return file, guide


def _record(number: int, name: str) -> dict[str, object]:
    choices = ["A", "B"] if number % 5 else ["N"]
    said = [
        {"from_name": "provisions", "type": "choices", "value": {"choices": choices}},
        {"from_name": "why", "type": "textarea", "value": {"text": ["As the answer says."]}},
    ]
    made = {"created_at": "2026-01-05T09:00:00Z", "lead_time": 30.5, "result": said}
    annotations = [{**made, "completed_by": person} for person in range(PEOPLE)]
    return {"id": number, "data": {"question": name}, "annotations": annotations}


def timed(ws: Workspace, file: Path, guide: Path) -> Cost:
    """Bring the file in; return what that took."""
    cpu, wall = time.process_time(), time.perf_counter()
    import_labels(ws, SLUG, file, "label-studio", guide)
    return Cost(time.process_time() - cpu, time.perf_counter() - wall)


def _work(folder: Path, worker: Writer, begun: Event, over: Event, answer: Connection) -> None:
    """Submit without an import, then until one is over; send how long submissions took."""
    ws = opened(folder / "workspace", None)
    alone = [decide(ws, worker, number).milliseconds for number in range(_ALONE)]
    begun.set()
    beside: list[float] = []
    for number in range(_ALONE, _MOST):
        beside.append(decide(ws, worker, number).milliseconds)
        if over.is_set():
            break
        time.sleep(_PAUSE)
    answer.send((alone, beside))
    answer.close()


_BEFORE = """
import json, sys, time
from pathlib import Path
sys.path[:0] = [sys.argv[1]]
from benchmarks.people import SLUG, opened
from services.exchange.label_import import import_labels
folder = Path(sys.argv[2])
ws = opened(folder / "workspace", None)
for _ in range(2):
    began = time.process_time()
    import_labels(ws, SLUG, folder / "labels.json", "label-studio", folder / "guide.json")
    print(time.process_time() - began)
"""
_SEAT = """
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[1]]
from benchmarks.people import opened, seat
seat(opened(Path(sys.argv[2]) / "workspace", None), 2, int(sys.argv[3]))
"""


def compare(folder: Path, checkout: Path, labels: int, ours: list[Figure]) -> list[Figure]:
    """Return what a label costs in another checkout, and how many times as much as here."""
    questions = labels // PEOPLE
    _run(_SEAT, checkout, folder, questions)
    write_old(folder, questions)
    first, again = (float(line) for line in _run(_BEFORE, checkout, folder).split())
    here = {each.name: each for each in ours}
    n = here["label_cpu_ms"].n
    each, each_again = 1000 * first / labels, 1000 * again / labels
    again_here = 1000 * (here["again_cpu_seconds"].value or 0.0) / n
    return [
        Figure("label_cpu_ms_before", each, labels),
        Figure("again_label_cpu_ms_before", each_again, labels),
        Figure("label_cpu_ratio", each / (here["label_cpu_ms"].value or 1.0), labels),
        Figure("again_cpu_ratio", each_again / again_here, labels),
    ]


def write_old(folder: Path, questions: int) -> None:
    """Write the files of `write_file` for a workspace that only the other checkout may open."""
    with tempfile.TemporaryDirectory() as beside:
        ws = opened(Path(beside) / "workspace", None)
        seat(ws, PEOPLE, questions)
        write_file(ws, folder, questions)


def _run(code: str, checkout: Path, *words: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, str(checkout), *map(str, words)],
        check=True,
        capture_output=True,
        text=True,
        cwd=checkout,
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
