from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import touchstone
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.law_with_graph import ACT, DECREE, project_with_graph

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "ws", clock)
    project_with_graph(workspace)
    return workspace


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], workspace: Workspace
) -> Run:
    def call(*words: str) -> tuple[int, str]:
        start = ["touchstone.py", "--workspace", str(workspace.folder), "graph", "map"]
        monkeypatch.setattr(sys, "argv", [*start, *words])
        code = touchstone.main()
        return code, capsys.readouterr().out

    return call


def _json(text: str) -> Any:
    return json.loads(text)


def test_it_says_what_is_drawn_of_what(run: Run) -> None:
    code, said = run("--limit", "1")
    assert code == 0
    assert "1 of 2 matching statutes are drawn" in said
    assert ACT in said


def test_it_can_be_narrowed(run: Run) -> None:
    of_decree = _json(run("--statute", DECREE, "--json")[1])
    assert [node["id"] for node in of_decree["nodes"]] == [f"{DECREE}_1조"]
    acts = _json(run("--tier", "1", "--json")[1])
    assert [node["id"] for node in acts["nodes"]] == [ACT]
    named = _json(run("--units", "--text", "벌칙", "--type", "references", "--json")[1])
    assert [node["id"] for node in named["nodes"]] == [f"{ACT}_3조"]
    assert _json(run("--community", "1", "--json")[1])["matching"] == 3


@pytest.mark.parametrize("name", ["m.csv", "m.JSON"])
def test_it_is_written_to_a_file(run: Run, tmp_path: Path, name: str) -> None:
    code, _ = run("--output", str(tmp_path / name))
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert code == 0 and ACT in text
    assert text.startswith("kind,id," if name.endswith("csv") else "{")
