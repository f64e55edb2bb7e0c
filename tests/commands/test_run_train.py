"""`run train`, and `retrieve --model` with what it wrote."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from tests.commands.called import printed
from tests.projects.trainable_project import tiny_encoder, trainable


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
