"""How much of the four papers' tables is made again, on the sample and on real data.

    python -m benchmarks.papers [--only searchfiresafety] [--json]

For each paper, in a workspace of its own:

* ``tables``: the share of its tables and figures of which the sample fills at least one cell, with
  stand-ins where a model is missing; n is how many there are.
* ``filled_on_sample``: the share of cells that are filled so, of them ``by_stand_ins``; n is how
  many cells there are. ``seconds`` is the time of ``paper run``.
* ``filled_on_real_data``: the share of cells that real data fills without any model.
* ``cells_with_reason``: of the cells that the sample leaves empty, the share that say why.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import ROOT, SHARED, program

PARSER = program(
    __doc__,
    "*_tables *_filled_on_sample *_by_stand_ins *_seconds *_filled_on_real_data "
    "*_cells_with_reason",
)
PARSER.add_argument("--only", help="name of the one paper to measure")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import json
import subprocess
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.program import run
from evaluation.figure import Figure
from services.papers.recipes import paper_names

_LAW = SHARED / "korean-law"
REAL: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "searchfiresafety": (
        ("import", "statutes", str(_LAW / "fire-safety/kr")),
        ("import", "benchmark", str(SHARED / "searchfiresafety")),
        ("graph", "build"),
    ),
    "regops": (
        ("import", "statutes", str(_LAW / "research-and-development/kr")),
        ("graph", "build"),
    ),
    "legar": (("cases", "import", str(SHARED / "lecardv2/cases.jsonl")),),
    "reasoning-retrieval": (  # eCFR and USLM are not read; these questions have gold
        ("import", "statutes", str(_LAW / "fire-safety/kr")),
        ("import", "questions", str(SHARED / "searchfiresafety/qna.jsonl")),
        ("graph", "build"),
    ),
}
"""What real data a paper is tried on; `docs/papers/` has the pages."""


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return the figures of one paper or of all."""
    names = [options.only] if options.only else paper_names()
    return [figure for name in names for figure in of_paper(name)]


def of_paper(name: str) -> Iterator[Figure]:
    """Yield the figures of a paper, those of real data where it is there."""
    with tempfile.TemporaryDirectory() as home:
        sample = Path(home) / "sample"
        _touchstone(sample, "init", "--sample")
        begun = time.perf_counter()
        found = _touchstone(sample, "paper", "run", name, "--stand-in")
        seconds = time.perf_counter() - begun
        filled = [bool(row["ours"] or row["stand_in"]) for row in found["tables"]]
        yield Figure(f"{name}_tables", sum(filled) / len(filled), len(filled))
        yield _share(f"{name}_filled_on_sample", found, "filled")
        yield _share(f"{name}_by_stand_ins", found, "stand_in")
        yield Figure(f"{name}_seconds", seconds, 1)
        empty = found["cells"] - found["filled"]
        yield Figure(f"{name}_cells_with_reason", found["with_reason"] / (empty or 1), empty)
        if not SHARED.is_dir():
            print(f"{name}: no real data at {SHARED}", file=sys.stderr)
            return
        real = Path(home) / "real"
        _touchstone(real, "init")
        _touchstone(real, "project", "real", "--title", "Real")
        for command in REAL[name]:
            _touchstone(real, *command)
        yield _share(
            f"{name}_filled_on_real_data", _touchstone(real, "paper", "run", name), "filled"
        )


def _share(name: str, found: Mapping[str, Any], fact: str) -> Figure:
    return Figure(name, found[fact] / found["cells"], found["cells"])


def _touchstone(workspace: Path, *words: str) -> Mapping[str, Any]:
    """Run a command in a process of its own and return its JSON."""
    first = [sys.executable, "touchstone.py", "--json", "--workspace", str(workspace)]
    done = subprocess.run([*first, *words], cwd=ROOT, capture_output=True, check=False)
    found: Mapping[str, Any] = json.loads(done.stdout or "{}")
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {found.get('what', done.stderr[-500:])}")
    return found


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
