"""Answers asked over HTTP of a real server of another maker: ``transformers serve``.

It speaks the protocol of OpenAI and needs `fastapi`, which nothing else here does, so the test runs
where that is installed. The model is tiny and its words mean nothing; what is held is the way:
every call is answered, counted and kept once, and a server that ignores the wish for
log-probabilities leaves a choice by likelihood unread instead of guessed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

from construction.answers.contexts import Format
from services.models.workspace_models import calls
from storage.db.workspace import Workspace
from tests.e2e.harness import free_port
from tests.llm.local.tiny import make
from tests.projects.answers_project import answered, keep_choices, standing
from tests.projects.closure_project import ferry

pytestmark = [
    pytest.mark.timeout(240),
    pytest.mark.skipif(find_spec("fastapi") is None, reason="fastapi is not installed"),
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Serve a tiny model; yield the address and the model's folder, which is its name."""
    folder = make(tmp_path_factory.mktemp("model"), longest=4096)
    port = free_port()
    program = Path(sys.executable).with_name("transformers")
    words = [str(program), "serve", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    running = subprocess.Popen(words, env=os.environ | {"HF_HUB_OFFLINE": "1"})
    try:
        _wait(f"http://127.0.0.1:{port}/health", running)
        yield f"http://127.0.0.1:{port}/v1", folder
    finally:
        running.kill()
        running.wait()


def _wait(address: str, running: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 180
    while time.monotonic() < until and running.poll() is None:
        try:
            if httpx.get(address).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.5)
    raise AssertionError("the server did not start")


def test_answers_come_over_the_wire_once(served: tuple[str, Path], tmp_path: Path) -> None:
    address, folder = served
    ws: Workspace = ferry(tmp_path / "workspace").ws
    text = f'base_url = "{address}"\nmodel = "{folder}"\nmax_tokens = 8\n'
    (ws.folder / "models.toml").write_text(text, "utf-8")
    done = answered(ws)
    assert done.calls == 6
    assert {each.state for each in standing(ws)} <= {"answered", "cut_off", "empty"}
    [spent] = calls(ws)
    assert (spent.calls, spent.answered, spent.untold) == (6, 6, 0)
    assert answered(ws).calls == 0  # nothing is asked twice
    keep_choices(ws)
    answered(ws, formats=(Format.CHOICE_LIKELIHOOD,))
    choices = [each for each in standing(ws) if each.format == Format.CHOICE_LIKELIHOOD]
    assert [(each.state, each.choice) for each in choices] == [("unread", None)] * len(choices)
    assert len(choices) == 2
