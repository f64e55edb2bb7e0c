"""A researcher takes up an experiment that was killed, in the app, and carries its table away."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from services.runs.experiments.results import experiment_list
from services.runs.experiments.running import check_experiment
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.e2e.harness import ROOT
from tests.e2e.people import SLOW, at_rest
from tests.e2e.ready import running_app
from tests.pages.small_project import SLUG, annotated_project

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
SWEEP = """\
name: Parameters of BM25
measures: [Recall@1, MRR@10]
methods:
- {name: Words, method: bm25, tokeniser: whitespace}
- name: Bigrams
  method: bm25
  grid: {k1: [0.5, 1, 1.5, 2], b: [0, 0.2, 0.4, 0.6, 0.8, 1]}
"""
LINES = 26


def test_an_experiment_from_its_file_to_its_table(
    page: Page, tmp_path: Path, clock: FakeClock
) -> None:
    small = annotated_project(Workspace(tmp_path / "workspace", clock))
    file = tmp_path / "sweep.yaml"
    file.write_text(SWEEP, encoding="utf-8")
    done = _killed_on_the_way(small.workspace, file)
    missing = check_experiment(small.workspace, SLUG, SWEEP).missing
    assert missing in (LINES - done, LINES - done - 1), "a run that was kept may not be noted yet"
    small.workspace.engine.dispose()
    with running_app(small.workspace.folder) as address:
        page.goto(f"{address}/experiments?project={SLUG}&person={small.sora.id}&lang=en")
        left = page.get_by_text(f"{LINES - done} lines have no run yet")
        expect(left).to_be_visible(timeout=SLOW)
        at_rest(page)
        page.get_by_text("Experiment file", exact=True).click()
        _bring_in(page, file)
        expect(page.get_by_text(f"{LINES} lines, {missing} still to run")).to_be_visible()
        page.get_by_test_id("stButton").get_by_role("button", name="Run", exact=True).click()
        expect(page.get_by_text("(Parameters of BM25) is complete.")).to_be_visible(timeout=SLOW)
        expect(left).to_have_count(0)
        at_rest(page)
        expect(page.get_by_text("What the lines cost, over all questions")).to_be_visible()
        with page.expect_download() as told:
            page.get_by_role("button", name="CSV, every number").click()
        table = told.value.path().read_text("utf-8").splitlines()
        assert len(table) == 1 + LINES * 2 and table[1].startswith("Words,1,all,")
    assert [(each.number, each.done) for each in experiment_list(small.workspace, SLUG)] == [
        (1, LINES)
    ]


def _killed_on_the_way(ws: Workspace, file: Path) -> int:
    """Start the experiment on the command line, kill it, and return how many lines it had done."""
    command = [sys.executable, str(ROOT / "touchstone.py"), "--workspace", str(ws.folder)]
    running = subprocess.Popen(
        [*command, "experiment", "run", str(file)], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while running.poll() is None and time.monotonic() < deadline:
        if any(each.done >= 2 for each in experiment_list(ws, SLUG)):
            os.kill(running.pid, signal.SIGKILL)
            break
        time.sleep(0.01)
    assert running.wait() == -signal.SIGKILL
    (stopped,) = experiment_list(ws, SLUG)
    assert 2 <= stopped.done < LINES
    return stopped.done


def _bring_in(page: Page, file: Path) -> None:
    page.locator('[data-testid="stFileUploader"] input').set_input_files(file)
    expect(page.get_by_role("textbox", name="Experiment (YAML)")).to_have_value(SWEEP, timeout=SLOW)
    at_rest(page)
