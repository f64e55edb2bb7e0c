"""Everything that court cases must reach, in one run: mapping, grouping, tagging.

    python -m benchmarks.cases [--only mapping,grouping,tagging] [--json]

Each part is a benchmark of its own, with its own options and an account of its figures:
``cases_mapping.py`` (``mapping_seconds``, ``mapping_peak_rss_mb``), ``cases_grouping.py``
(``grouping_seconds``, ``grouping_mismatches``) and ``cases_tagging.py`` (``tagging_open_ms``,
``tagging_save_ms``). Each runs in a process of its own, so that its memory is its own.
"""

from __future__ import annotations

import sys

from benchmarks.program import ROOT, program, several

PARTS = ("mapping", "grouping", "tagging")
PARSER = program(__doc__, "mapping_* grouping_* tagging_*")
PARSER.add_argument(
    "--only", type=several(PARTS), default=PARTS, help="parts, a comma between them"
)
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import json
import subprocess
from collections.abc import Sequence
from typing import Any

from benchmarks.program import run
from evaluation.figure import Figure


def measure(parts: Sequence[str] = PARTS) -> list[Figure]:
    """Return the figures of the parts, in the order of the parts."""
    return [figure for part in parts for figure in _figures(part)]


def _figures(part: str) -> list[Figure]:
    program = ROOT / "benchmarks" / f"cases_{part}.py"
    done = subprocess.run(
        [sys.executable, str(program), "--json"], check=True, capture_output=True, text=True
    )
    told: dict[str, dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return [figure_of(name, each) for name, each in told.items()]


def figure_of(name: str, printed: dict[str, Any]) -> Figure:
    """Return a figure from what ``--json`` prints of it."""
    low, high = printed["ci"] or (None, None)
    return Figure(name, printed["value"], printed["n"], low, high)


if __name__ == "__main__":
    sys.exit(run(PARSER, lambda options, folder: measure(options.only)))
