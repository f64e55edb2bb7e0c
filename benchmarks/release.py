"""What it takes to trust a benchmark: time and finds of an audit, and who loads a release.

    python -m benchmarks.release [--documents 100000] [--queries 5000] [--json]

* ``audit_seconds``: ``touchstone.py audit`` on invented texts, from its start to its end, the page
  written; ``audit_megabytes`` is the peak of that process's memory.
* ``audit_found``: the share of the faults planted in small folders (`benchmarks.audit_faults`) that
  an audit finds, n is how many there are; ``audit_false_alarms``: the cases found besides, n is
  the number of folders. Those missed and those found besides are listed on standard error.
* ``loaders_ok``: the share of the tools of docs/release.md that load all of a release of the sample
  and, where they score, agree with the leaderboard; ``bytes_equal``: whether two releases of one
  database are the same. Both need ``make setup-loaders``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import ROOT, program

PARSER = program(
    __doc__,
    "audit_seconds audit_megabytes audit_found audit_false_alarms loaders_ok bytes_equal",
)
PARSER.add_argument("--documents", type=int, default=100_000, help="documents that are audited")
PARSER.add_argument("--queries", type=int, default=5_000, help="queries that are audited")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import json
import os
import random
import subprocess
import time
from argparse import Namespace
from collections.abc import Iterator

from benchmarks.audit_faults import cases, folders
from benchmarks.program import run
from benchmarks.release_loaders import released
from evaluation.figure import Figure, share_figure
from services.law.adopting import adopt
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project

_SYLLABLES = "가나다라마바사아자차카타파하거너더러머버서어저고노도로모보소오조구누두루무부수우주"
_VOCABULARY = 40_000


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return times and finds of an audit, and who loads a release."""
    return [
        *audit_times(folder / "large", options.documents, options.queries),
        *planted_faults(folder),
        *released(folder / "released"),
        adoption_time(folder / "adopted"),
    ]


def audit_times(folder: Path, documents: int, queries: int) -> Iterator[Figure]:
    """Yield time and memory of an audit of invented texts."""
    write_invented(folder, documents, queries)
    command = [sys.executable, "touchstone.py", "audit", str(folder), "--output"]
    begun = time.perf_counter()
    child = subprocess.Popen(
        [*command, str(folder / "audit.html")], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"the audit ended with {child.returncode}")
    yield Figure("audit_seconds", time.perf_counter() - begun, 1)
    yield Figure("audit_megabytes", used.ru_maxrss / 1_024, 1)


def adoption_time(home: Path) -> Figure:
    """Return the time of adopting 700 invented questions over 5,000 documents."""
    write_invented(home / "invented", 5_000, 700)
    ws = Workspace(home / "workspace")
    migrate(ws)
    create_project(ws, "p", "P")
    begun = time.perf_counter()
    adopt(ws, "p", home / "invented")
    return Figure("adopt_seconds", time.perf_counter() - begun, 700)


def write_invented(folder: Path, documents: int, queries: int) -> None:
    """Write a BEIR folder of invented texts of 40 to 120 words, as frequent as words are."""
    drawn = random.Random(0)
    names = ["".join(drawn.choices(_SYLLABLES, k=drawn.randint(2, 4))) for _ in range(_VOCABULARY)]
    weights = [1 / (rank + 10) for rank in range(_VOCABULARY)]
    (folder / "qrels").mkdir(parents=True)
    stream = drawn.choices(names, weights, k=documents * 80)
    texts = []
    for _ in range(documents):
        start = drawn.randrange(len(stream) - 120)
        words = stream[start : start + drawn.randint(40, 120)]
        drawn.shuffle(words)
        texts.append(words)
    gold = [drawn.randrange(documents) for _ in range(queries)]
    asked = [drawn.sample(texts[at], 8) + drawn.choices(names, weights, k=6) for at in gold]
    for name, rows in (("corpus", texts), ("queries", asked)):
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as file:
            for at, words in enumerate(rows):
                row = {"_id": f"{name[0]}{at}", "text": f"{' '.join(words)}."}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
    lines = [f"q{number}\tc{at}\t1\n" for number, at in enumerate(gold)]
    (folder / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(lines), "utf-8")


def planted_faults(home: Path) -> Iterator[Figure]:
    """Yield the share of planted faults that are found, and the number of cases found besides."""
    planted = found = alarms = count = 0
    for name, path, folder in folders(home):
        there = cases(path)
        missed, besides = folder.planted - there, there - folder.planted - folder.follows
        for kind, some in (("missed", missed), ("false alarm", besides)):
            for check, case in sorted(some):
                print(f"{name}: {kind}: {check} {case}", file=sys.stderr)
        planted, found = planted + len(folder.planted), found + len(folder.planted & there)
        alarms, count = alarms + len(besides), count + 1
    yield share_figure("audit_found", found, planted)
    yield Figure("audit_false_alarms", alarms, count)


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
