from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import touchstone
from commands.shell.state import EXIT_USER_ERROR
from storage.db.workspace import Workspace
from tests.pages.law_with_graph import project_with_graph

TEXT = "「나루안전법」 제2조제1항과 「없는법」 제3조"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    workspace = Workspace(tmp_path / "ws")
    project_with_graph(workspace, built=False)
    return workspace.folder


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *words: str) -> int:
    start = ["touchstone.py", "--workspace", str(folder), "citations", "read"]
    monkeypatch.setattr(sys, "argv", [*start, *words])
    return touchstone.main()


@pytest.mark.parametrize("from_file", [False, True])
def test_citations_of_a_text_are_read(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    from_file: bool,
) -> None:
    file = folder.parent / "answer.txt"
    file.write_text(TEXT, "utf-8")
    given = ("--file", str(file)) if from_file else (TEXT,)
    assert run(monkeypatch, folder, *given, "--json") == 0
    first, second = json.loads(capsys.readouterr().out)
    assert first["targets"] == [{"unit": "나루안전법_2조", "pinpoint": "1항"}]
    assert (first["status"], first["reason"], first["instrument"]) == (
        *("resolved", None, "나루안전법"),
    )
    assert TEXT[first["start"] : first["end"]] == first["text"]
    assert (second["status"], second["reason"], second["targets"]) == (
        *("unresolved", "no_such_instrument", []),
    )
    assert run(monkeypatch, folder, *given) == 0
    assert "is the one unit meant" in capsys.readouterr().out


@pytest.mark.parametrize("words", [(), (" ",), ("--file", "none.txt")])
def test_without_a_text_it_is_refused(
    monkeypatch: pytest.MonkeyPatch, folder: Path, words: tuple[str, ...]
) -> None:
    assert run(monkeypatch, folder, *words) == EXIT_USER_ERROR
