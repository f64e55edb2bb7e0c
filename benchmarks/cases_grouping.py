"""How fast are stricter groups formed, and are they those of the algorithm as it is printed?

    python -m benchmarks.cases_grouping [--cases 170000] [--sub-factors 40] [--inputs 2000] [--json]

So many synthetic court cases have an answer to every sub-factor, drawn around a few thousand
typical ones, so that many share long runs of answers. In a second table the last answer is each
case's own, so that no two have all alike and the back-off is needed. Figures:

* ``grouping_seconds``: seconds to turn the answers into codes and to form the groups, for the
  slower of the two tables, all cases in one standard group; ``n`` counts the cases.
  ``grouping_cpu_seconds`` is the processor's time of the same.
* ``grouping_mismatches``: of so many small random tables, those whose groups differ from the ones
  that a direct transcription of Algorithm 1 returns.
"""

from __future__ import annotations

import sys

from benchmarks.program import program

PARSER = program(__doc__, "grouping_seconds grouping_cpu_seconds grouping_mismatches")
PARSER.add_argument("--cases", type=int, default=170_000)
PARSER.add_argument("--sub-factors", type=int, default=40)
PARSER.add_argument("--inputs", type=int, default=2000, help="small random tables")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import random
import time
from collections.abc import Sequence

import numpy as np

from benchmarks.program import run
from construction.stricter.grouping import NOTHING, Grouping, encoded, grouping
from evaluation.figure import Figure

OPTIONS = 4  # of a synthetic sub-factor
TYPICAL = 2000  # kinds of synthetic cases
CHANGED = 0.05  # of the answers of a synthetic case are not those of its kind

Answer = tuple[str, ...]


def transcribed(rows: Sequence[Sequence[object]], width: int) -> Grouping:
    """Return what Algorithm 1 returns, line by line; each length begins with empty groups."""
    for r in [width, *range(width, 0, -1)]:  # lines 3 to 9, then 10 to 18
        group: dict[tuple[object, ...], list[int]] = {}
        for case, pairs in enumerate(rows):
            group.setdefault(tuple(pairs[:r]), []).append(case)
        shared = [tuple(cases) for cases in group.values() if len(cases) >= 2]
        if shared:
            return Grouping(r, tuple(sorted(shared, key=lambda cases: (-len(cases), cases[0]))))
    return NOTHING  # line 19


def random_table(rng: random.Random) -> tuple[list[tuple[str, ...]], int]:
    """Return a small table of answers and its width."""
    width, options = rng.randint(0, 7), rng.randint(1, 4)
    rows = rng.randint(0, 12)
    return [tuple(str(rng.randrange(options)) for _ in range(width)) for _ in range(rows)], width


def mismatches(inputs: int, seed: int = 0) -> int:
    """Count the tables of `inputs` random ones whose groups are not those of the transcription."""
    rng = random.Random(seed)
    tables = [random_table(rng) for _ in range(inputs)]
    return sum(grouping(encoded(*table)) != transcribed(*table) for table in tables)


def measure(cases: int, sub_factors: int, inputs: int) -> list[Figure]:
    """Return every figure."""
    rows = _answers(cases, sub_factors)
    apart = [(*row[:-1], (f"only {at}",)) for at, row in enumerate(rows)]
    seconds, cpu = max(_seconds(rows, sub_factors), _seconds(apart, sub_factors))
    return [
        Figure("grouping_seconds", seconds, cases),
        Figure("grouping_cpu_seconds", cpu, cases),
        Figure("grouping_mismatches", mismatches(inputs), inputs),
    ]


def _answers(cases: int, sub_factors: int) -> list[list[Answer]]:
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, OPTIONS, (TYPICAL, sub_factors))
    codes = kinds[rng.integers(0, TYPICAL, cases)]
    other = rng.random(codes.shape) < CHANGED
    codes[other] = rng.integers(0, OPTIONS, int(other.sum()))
    named = [(f"option-{code}",) for code in range(OPTIONS)]
    return [[named[code] for code in row] for row in codes.tolist()]


def _seconds(rows: Sequence[Sequence[Answer]], width: int) -> tuple[float, float]:
    """Return the seconds of the clock and those of the processor."""
    start, cpu = time.perf_counter(), time.process_time()
    grouping(encoded(rows, width))
    return time.perf_counter() - start, time.process_time() - cpu


if __name__ == "__main__":
    sys.exit(run(PARSER, lambda o, _: measure(o.cases, o.sub_factors, o.inputs)))
