"""How long a leaderboard takes to draw: 20 runs of 1,000 questions, 100 units each.

    python -m benchmarks.leaderboard [--json]

Everything that the table needs is timed, as the screen asks for it: gold derived from the labels,
figures with intervals, and the tests against each measure's best run. Each round is a process of
its own, timed from after its imports. Times are of the processor, in seconds, so that other work on
the machine counts little; figures are means over rounds with bootstrap intervals.

* ``first_draw_s``: the first draw after a start.
* ``next_draw_s``: the one after it.
* ``first_draw_unkept_s``: the first draw where the scores that are kept on disk were deleted.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.program import ROOT, program

PARSER = program(__doc__, "first_draw_s next_draw_s first_draw_unkept_s")
PARSER.add_argument("--draw", type=Path, help=argparse.SUPPRESS)
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from time import process_time

import numpy as np

from annotation.mapping import commands as mapping_commands
from annotation.people.members import add_person
from annotation.work import commands, queue_service
from benchmarks.people import invented_statute, lay_out, opened, propose
from benchmarks.program import run
from evaluation.figure import Figure, mean_figure
from evaluation.ranking.scoring import SHOWN
from services.runs.importing import import_run
from services.runs.rows import leaderboard
from services.runs.significance import compare_runs
from storage.db.workspace import Workspace, together
from storage.export.trec import write_run

SLUG = "board"
RUNS, QUESTIONS, DEPTH, UNITS = 20, 1000, 100, 2000
ROUNDS = 5

Gold = Mapping[str, Sequence[str]]


def measure(folder: Path) -> list[Figure]:
    """Return every figure; `folder` is where the workspace is made."""
    ws = opened(folder, None)
    bring_runs(ws, decided(ws, QUESTIONS), RUNS)
    ws.engine.dispose()
    kept = [_in_process(folder) for _ in range(ROUNDS)]
    unkept = []
    for _ in range(ROUNDS):
        shutil.rmtree(folder / "cache")
        unkept.append(_in_process(folder)[0])
    return [
        mean_figure("first_draw_s", [first for first, _ in kept]),
        mean_figure("next_draw_s", [following for _, following in kept]),
        mean_figure("first_draw_unkept_s", unkept),
    ]


def decided(ws: Workspace, questions: int) -> Gold:
    """Make the project, with one to three gold units for each question; return these."""
    lay_out(ws, SLUG, UNITS, questions, overlap=1)
    person = add_person(ws, SLUG, "Reader", "annotator").id
    rng = np.random.default_rng(0)
    gold, units = propose(ws, lambda names: _drawn(rng, sorted(names), int(rng.integers(1, 4))))
    with together(ws) as inside:
        for item, names in gold.items():
            queue_service.open_item(inside, person, item)
            for name in names:
                mapping_commands.label(inside, person, item, units[name], "accept")
            commands.submit(inside, person, item)
    return {f"q{at}": names for at, names in enumerate(gold.values())}


def bring_runs(ws: Workspace, gold: Gold, runs: int) -> None:
    """Bring in runs that find more and more of the gold, among units at random."""
    rng = np.random.default_rng(1)
    names = [unit.semantic_id for unit in invented_statute(UNITS).units]
    file = ws.folder / "made.run"
    for number in range(runs):
        ranked = {
            query: _ranking(rng, names, units if rng.random() < (number + 1) / runs else ())
            for query, units in gold.items()
        }
        write_run(file, ranked, f"system-{number + 1}")
        import_run(ws, SLUG, file)
    file.unlink()


def draws(ws: Workspace, times: int = 2) -> list[float]:
    """Return the processor time of so many draws, one after the other."""
    return [_drawing(ws) for _ in range(times)]


def _drawing(ws: Workspace) -> float:
    start = process_time()
    leaderboard(ws, SLUG)
    compare_runs(ws, SLUG, measures=SHOWN)
    return process_time() - start


def _in_process(folder: Path) -> tuple[float, float]:
    command = [sys.executable, "-m", "benchmarks.leaderboard", "--draw", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    first, following = json.loads(done.stdout)
    return first, following


def _ranking(
    rng: np.random.Generator, names: Sequence[str], gold: Sequence[str]
) -> list[tuple[str, float]]:
    """Return units at random with falling scores, those to be found among the first ten."""
    units = [unit for unit in _drawn(rng, names, DEPTH) if unit not in gold]
    for unit in gold:
        units.insert(int(rng.integers(0, 8)), unit)
    return [(unit, -float(rank)) for rank, unit in enumerate(units)]


def _drawn(rng: np.random.Generator, names: Sequence[str], count: int) -> list[str]:
    return [names[at] for at in rng.choice(len(names), count, replace=False)]


def main() -> int:
    """Measure and print, or draw twice for `measure`; return an exit code."""
    if place := PARSER.parse_args().draw:
        print(json.dumps(draws(opened(place, None))))
        return 0
    return run(PARSER, lambda options, folder: measure(folder))


if __name__ == "__main__":
    raise SystemExit(main())
