from __future__ import annotations

from pathlib import Path

import pytest

from annotation.people.members import list_people
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.commands.people.test_members import run, ws

__all__ = ["ws"]


def test_annotations_are_carried_over(
    ws: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    file = str(tmp_path / "annotations.jsonl")
    assert run(monkeypatch, capsys, ws, "person", "add", "Ara")[0] == 0
    code, told = run(monkeypatch, capsys, ws, "export", "annotations", file)
    assert (code, told["counts"]) == (0, {"annotations": 1, "person": 1, "person_event": 1})
    there = Workspace(tmp_path / "there")
    migrate(there)
    create_project(there, "shore", "Shore law")
    assert run(monkeypatch, capsys, there, "import", "annotations", file)[1]["new"]
    assert [each.name for each in list_people(there, "shore")] == ["Ara"]
    assert not run(monkeypatch, capsys, there, "import", "annotations", file)[1]["new"]
    assert run(monkeypatch, capsys, there, "person", "add", "Jun")[0] == 0
    code, told = run(monkeypatch, capsys, there, "import", "annotations", file)
    assert (code, told["error"]) == (3, "exchange_not_empty")
