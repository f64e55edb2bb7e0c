"""A small run of `benchmarks/llm_batch.py`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks import llm_batch
from evaluation.figure import Figure
from llm.roles import Endpoint, Role


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> list[Figure]:
    """Return what one run measures, for all tests: it starts processes and waits for them."""
    folder = tmp_path_factory.mktemp("batch")
    return llm_batch.measure(folder, questions=80, concurrency=32, delay=1.0, per_round=4)


@pytest.mark.long
def test_a_kill_asks_nothing_that_was_kept_twice_and_the_server_is_kept_busy(
    figures: list[Figure],
) -> None:
    told = {figure.name: figure.value or 0 for figure in figures}
    assert told["kept_asked_again"] == told["missing"] == 0
    # Under way when it was killed, or answered and on the way into the store.
    assert 0 <= told["asked_again"] <= 2 * 32
    assert told["most_concurrency"] == 32
    assert told["mean_concurrency"] > 20
    assert told["ours_ms"] > 0


def test_every_call_is_unlike_all_others() -> None:
    calls = llm_batch.requests(Endpoint(Role.SOLVE, "http://h", "m"), 50)
    assert len({call.key for call in calls}) == len(calls) == 200


@pytest.mark.long
def test_json_is_one_object(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, figures: list[Figure]
) -> None:
    asked: list[tuple[float, ...]] = []

    def measured(_: Path, *options: float) -> list[Figure]:
        asked.append(options)
        return figures

    words = ["--questions", "12", "--delay", "0.01", "--per-round", "4", "--json"]
    monkeypatch.setattr(sys, "argv", ["llm_batch.py", *words])
    monkeypatch.setattr(llm_batch, "measure", measured)
    assert llm_batch.main() == 0
    assert asked == [(12, 32, 0.01, 4)]
    said = json.loads(capsys.readouterr().out)
    assert said["missing"]["value"] == 0
    assert set(said) >= {"mean_concurrency", "overhead_ms", "asked_again"}
