"""`legalsearchlm prepare`, `train`, `curve`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.commands.called import printed
from tests.projects.small_law import small_workspace
from tests.projects.trainable_project import tiny_encoder, trainable

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


@pytest.mark.long  # `tests/services/generative` trains, too
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


def test_from_gold_to_a_model_and_its_run(tmp_path: Path, clock) -> None:
    ws = trainable(tmp_path / "ws", clock)
    base, model = tiny_encoder(tmp_path / "base"), str(tmp_path / "model")
    run = partial(printed, ws.folder)
    words = ("--model", str(base), "--epochs", "2", "--batch", "8", "--device", "cpu")
    code, out, _ = run("run", "train", model, *words)
    assert code == 0 and "18 pairs of 18 questions (train of split 1)" in out
    assert "0 rejected by people, 18 of BM25" in out
    assert f"retrieve --method dense --model {model}" in out
    code, _, err = run("run", "train", model, *words)
    assert code == 3 and "training is complete" in err
    code, out, _ = run("retrieve", "--method", "dense", "--model", model)
    assert code == 0 and "trained on this gold (harbour, train of split 1, 18 questions)" in out
    told = json.loads(run("evaluate", "1", "--json")[1])
    assert {figure["n"] for figure in told.values()} == {12}
