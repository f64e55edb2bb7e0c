from __future__ import annotations

import json
from pathlib import Path

import pytest

from storage.db.workspace import Workspace
from tests.commands.called import command_line
from tests.commands.people.test_members import run, ws

__all__ = ["ws"]


def test_history_is_told_and_written(
    ws: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    for name in ("Ara", "Jun"):
        assert run(monkeypatch, capsys, ws, "person", "add", name)[0] == 0
    code, told = run(monkeypatch, capsys, ws, "history", "--person", "Ara")
    assert (code, told["total"]) == (0, 1)
    assert told["entries"][0]["kind"] == "person.added"
    file = tmp_path / "out.jsonl"
    words = ("history", "--kind", "person", "--output", str(file), "--since", "2020-01-01")
    assert run(monkeypatch, capsys, ws, *words)[1]["entries"] == 2
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [each["about"] for each in lines] == ["Jun", "Ara"]


def test_a_person_reads_sentences_and_no_values_of_the_language(ws: Workspace) -> None:
    for words in (("add", "Ara"), ("role", "Ara", "lawyer"), ("rename", "Ara", "Ara Kim")):
        assert command_line(ws.folder, "person", *words).returncode == 0
    said = command_line(ws.folder, "history").stdout
    assert "Person · role changed" in said
    assert "operator → Ara Kim  Before: annotator · After: lawyer" in said
    assert not set(said) & set("{}'")


def test_who_brought_in_which_file_of_questions_is_told(ws: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "asked.jsonl"
    file.write_text('{"question_id": "h1", "question": "May I?", "answer": "No."}\n', "utf-8")
    assert command_line(ws.folder, "import", "questions", str(file)).returncode == 0
    said = command_line(ws.folder, "history", "--kind", "questions").stdout
    assert "Questions from a file · imported" in said
    assert "operator" in said and "File: asked.jsonl" in said
    assert "Questions new or added to: 1" in said


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("--since", "yesterday"), "history_date"),
        (("--kind", "drafts"), "history_kind"),
        (("--item", "q1"), "history_item"),
        (("--output", "x.txt"), "history_ending"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    ws: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    error: str,
) -> None:
    code, told = run(monkeypatch, capsys, ws, "history", *words)
    assert (code, told["error"]) == (3, error)
