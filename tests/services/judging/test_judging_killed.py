"""A run of a judge that is killed: the next asks nothing that was answered, and keeps it all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from llm.batch import End
from services.judging.importing import import_cases
from services.judging.model_judging import JudgingPlan
from tests.annotation.judging.answered import SLUG, Answered, build, case, jsonl, run_judge
from tests.conftest import ROOT, FakeClock
from tests.llm.server import Server, Step

CASES, AT_ONCE, BEFORE = 200, 8, 60


@pytest.fixture
def answered(tmp_path: Path, clock: FakeClock, server: Server) -> Answered:
    found = build(tmp_path, clock)
    lines = [case(f"r{number}", "small") for number in range(CASES - 6)]
    import_cases(found.ws, SLUG, jsonl(tmp_path / "more.jsonl", lines))
    server.delay = 0.05
    server.on("", Step(text="1"))
    server.plays(found.ws.folder, f"concurrency = {AT_ONCE}\n")
    found.ws.engine.dispose()
    return found


@pytest.mark.long  # stops and crashes of single calls are held by test_model_judging and tests/llm
def test_killed_at_any_moment_it_goes_on(answered: Answered, server: Server) -> None:
    command = [sys.executable, str(ROOT / "touchstone.py"), "--workspace", str(answered.ws.folder)]
    child = subprocess.Popen([*command, "judge", "run"], cwd=ROOT, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 100
    while sum(server.counts.values()) < BEFORE and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.wait(100)
    asked_before = sum(server.counts.values())
    assert BEFORE <= asked_before < CASES
    done = run_judge(answered.ws, SLUG, JudgingPlan())
    assert done.end is End.DONE
    assert all(each.verdicts == {"gpt": True} for each in answered.states())
    assert len(server.counts) == CASES
    # Only what was under way at the kill, or answered and not yet written, is asked again.
    assert sum(server.counts.values()) - CASES <= 2 * AT_ONCE
    assert done.recalled >= asked_before - 2 * AT_ONCE
