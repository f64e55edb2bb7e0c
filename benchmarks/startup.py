"""How fast Touchstone starts: its help, a command on the sample, and the app's first page.

    python -m benchmarks.startup [--rounds 7] [--only help,status,app] [--before DIR] [--json]

Each round starts each of them once from nothing, one after the other, so that a busy machine is
busy for all. Python keeps what it compiles, in a folder of the run's own, as it does at home; a
round before the first fills that. Figures are medians in seconds, n is the number of rounds:

* ``cli_help_seconds``: ``touchstone.py --help``, from its start to its end.
* ``cli_status_seconds``: ``touchstone.py status`` on the sample project, likewise.
* ``app_start_seconds``: from the start of ``touchstone.py serve`` to the frame in which a real
  Chromium has painted the first page of the sample, whose script has then run to its end.

``--before`` names another checkout, say a worktree of an older version: every start is measured
there too, in turn with ours and by the same Python. Its figures end in ``_before``, and
``cli_help_ratio`` and its like are medians of ours over its, round by round.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import ROOT, program, several

STARTS = ("help", "status", "app")
PARSER = program(
    __doc__,
    "cli_help_seconds cli_status_seconds app_start_seconds *_seconds_before "
    "cli_help_ratio cli_status_ratio app_start_ratio",
)
PARSER.add_argument("--rounds", type=int, default=7, help="starts of each kind")
PARSER.add_argument(
    "--only", type=several(STARTS), default=STARTS, help="some of help, status, app"
)
PARSER.add_argument("--before", type=Path, metavar="DIR", help="a checkout to compare with")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import os
import signal
import subprocess
import time
import urllib.request
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from playwright.sync_api import Browser

from benchmarks.program import UnmeasurableError, median_figure, run, seconds
from evaluation.figure import Figure
from tests.e2e.harness import chromium, free_port

NAMES = {"help": "cli_help", "status": "cli_status", "app": "app_start"}
LONGEST_SECONDS = 120
PAINTED = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  const main = document.querySelector('[data-testid="stMainBlockContainer"]');
  return app?.dataset.testScriptState === 'notRunning' && !!main?.innerText.trim();
}"""
FRAME = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


@dataclass(frozen=True, slots=True)
class Checkout:
    """A version of Touchstone, run by the Python that runs this; what that compiles lies apart."""

    folder: Path
    home: Path

    @property
    def sample(self) -> Path:
        """A workspace of its own."""
        return self.home / "workspace"

    def command(self, workspace: Path, *words: str) -> list[str]:
        """Return the words that run one of its commands on a workspace."""
        program = str(self.folder / "touchstone.py")
        return [sys.executable, program, "--workspace", str(workspace), *words]

    def environment(self) -> dict[str, str]:
        """Return the variables of its processes, under which Python keeps what it compiles."""
        kept = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
        return kept | {"PYTHONPYCACHEPREFIX": str(self.home / "compiled")}

    def run(self, workspace: Path, *words: str) -> bytes:
        """Return what a command prints. Raises CalledProcessError where it fails."""
        command, place = self.command(workspace, *words), workspace.parent
        return subprocess.run(
            command, check=True, stdout=subprocess.PIPE, cwd=place, env=self.environment()
        ).stdout


def checkouts_of(options: Namespace, folder: Path) -> list[Checkout]:
    """Return this checkout and the one that ``--before`` names, each with a folder of its own."""
    roots = [ROOT, *([options.before.resolve()] if options.before else [])]
    for root in roots:
        if not (root / "touchstone.py").exists():
            raise UnmeasurableError(f"{root} is no checkout of Touchstone")
    found = [Checkout(root, folder / str(at)) for at, root in enumerate(roots)]
    for each in found:
        each.home.mkdir()
    return found


def side_by_side(
    names: Iterable[str], taken: Mapping[tuple[str, int], list[float]]
) -> list[Figure]:
    """Return medians of what each took in the first checkout, and how the second compares."""
    figures = []
    for name in names:
        figures.append(median_figure(f"{name}_seconds", taken[name, 0]))
        if before := taken.get((name, 1)):
            ratios = [ours / theirs for ours, theirs in zip(taken[name, 0], before, strict=True)]
            figures.append(median_figure(f"{name}_seconds_before", before))
            figures.append(median_figure(f"{name}_ratio", ratios))
    return figures


def measure(checkouts: Sequence[Checkout], starts: Sequence[str], rounds: int) -> list[Figure]:
    """Return the figures of the first checkout, and where there is a second, how they compare."""
    if {"status", "app"} & set(starts):
        for each in checkouts:
            each.run(each.sample, "init", "--sample")
    browsing: AbstractContextManager[Browser | None] = (
        chromium() if "app" in starts else nullcontext()
    )
    taken: dict[tuple[str, int], list[float]] = {}
    with browsing as browser:
        for turn in range(-1, rounds):  # the first is not counted
            for start in starts:
                order = range(len(checkouts))
                for at in order if turn % 2 else reversed(order):
                    spent = _start(checkouts[at], start, browser)
                    if turn >= 0:
                        taken.setdefault((NAMES[start], at), []).append(spent)
    return side_by_side([NAMES[start] for start in starts], taken)


def _start(checkout: Checkout, start: str, browser: Browser | None) -> float:
    if start == "app" and browser:
        return _app_start(checkout, browser)
    word = "--help" if start == "help" else start
    return seconds(lambda: checkout.run(checkout.sample, word))


def _app_start(checkout: Checkout, browser: Browser) -> float:
    """Return the seconds until the first page is painted; the app is stopped after that."""
    port = free_port()
    page = browser.new_page()
    began = time.perf_counter()
    app = subprocess.Popen(
        checkout.command(checkout.sample, "serve", "--port", str(port)),
        cwd=checkout.home,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=checkout.environment(),
        start_new_session=True,
    )
    try:
        _wait_until_it_listens(port, app)
        page.goto(f"http://127.0.0.1:{port}/", wait_until="commit")
        page.wait_for_function(PAINTED, timeout=LONGEST_SECONDS * 1000)
        page.evaluate(FRAME)
        return time.perf_counter() - began
    finally:
        page.close()
        os.killpg(app.pid, signal.SIGTERM)
        try:
            app.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(app.pid, signal.SIGKILL)
            app.wait()


def _wait_until_it_listens(port: int, app: subprocess.Popen[bytes]) -> None:
    """Wait until the app answers. Raises RuntimeError where it ends or takes too long."""
    deadline = time.monotonic() + LONGEST_SECONDS
    while app.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.02)
    raise RuntimeError("the app did not start")


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return the seconds of each start, beside another checkout where one is named."""
    return measure(checkouts_of(options, folder), options.only, options.rounds)


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
