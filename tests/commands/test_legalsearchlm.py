"""`legalsearchlm prepare`, `train`, `curve`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.commands.called import printed
from tests.projects.small_law import small_workspace

Run = Callable[..., tuple[int, str, str]]
TOY = (
    *("--from-scratch", "--vocabulary", "200", "--width", "8", "--inner", "8", "--heads", "2"),
    *("--encoder-layers", "1", "--decoder-layers", "1", "--batch", "2", "--steps", "2"),
    *("--every", "1", "--threads", "1", "--device", "cpu"),
)


@pytest.fixture
def run(tmp_path: Path, clock) -> Run:
    ws = small_workspace(tmp_path / "ws", clock)

    return partial(printed, ws.folder)


def test_from_law_to_a_model_and_its_curve(run: Run, tmp_path: Path) -> None:
    pairs, model = str(tmp_path / "pairs"), str(tmp_path / "model")
    code, out, _ = run("legalsearchlm", "prepare", pairs, "--aside", "0.2")
    assert code == 0 and "pairs to train on" in out and "paragraph → its own identifier" in out
    code, out, _ = run("legalsearchlm", "train", pairs, model, *TOY)
    assert code == 0 and "2 steps" in out
    code, out, _ = run("legalsearchlm", "curve", model, "--table", "markdown")
    assert code == 0 and len(out.splitlines()) == 4
    told = json.loads(run("legalsearchlm", "curve", model, "--json")[1])
    assert [point["step"] for point in told["points"]] == [1, 2]
    code, _, err = run("legalsearchlm", "train", pairs, model, *TOY)
    assert code == 3 and "training is complete" in err


def test_what_to_begin_with_is_said_once(run: Run, tmp_path: Path) -> None:
    for words in ([], ["--from-scratch", "--model", str(tmp_path)]):
        code, _, err = run("legalsearchlm", "train", str(tmp_path), str(tmp_path / "m"), *words)
        assert code == 3 and "what to start from" in err
