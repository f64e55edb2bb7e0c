from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import touchstone
from commands.shell.state import EXIT_USER_ERROR
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.law_with_graph import project_with_graph

Run = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    clock: FakeClock,
) -> Run:
    workspace = Workspace(tmp_path / "ws", clock)
    project_with_graph(workspace)

    def call(*words: str) -> tuple[int, dict[str, Any]]:
        start = ["touchstone.py", "--workspace", str(workspace.folder), "graph"]
        monkeypatch.setattr(sys, "argv", [*start, *words, "--json"])
        code = touchstone.main()
        return code, json.loads(capsys.readouterr().out)

    return call


def test_a_graph_that_is_there_stays(run: Run) -> None:
    code, said = run("build")
    assert (code, said["new"]) == (0, False)
    assert said["references"] > 0


def test_the_units_around_one(run: Run) -> None:
    code, said = run("neighbours", "나루안전법_2조")
    assert code == 0
    assert said["nodes"][0]["unit"] == "나루안전법_2조"
    assert {edge["type"] for edge in said["edges"]} >= {"delegates_to", "specifies"}
    assert not said["capped"]


def test_only_edges_of_the_types_named(run: Run) -> None:
    _, said = run("neighbours", "나루안전법_2조", "--type", "delegates_to")
    assert {edge["type"] for edge in said["edges"]} == {"delegates_to"}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("neighbours", "나루안전법_99조"), "graph_unit_unknown"),
        (("neighbours", "나루안전법_2조", "--type", "likes"), "edge_type_unknown"),
    ],
)
def test_what_is_not_there_is_said(run: Run, words: tuple[str, ...], code: str) -> None:
    exit_code, said = run(*words)
    assert exit_code == EXIT_USER_ERROR
    assert said["error"] == code


def test_the_report_is_there_too(run: Run) -> None:
    code, said = run("report")
    assert (code, said["statutes"]) == (0, 2)
