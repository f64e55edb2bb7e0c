"""The history, and annotations carried over, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from annotation.people.members import list_people
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.commands.called import command_line, told
from tests.commands.people.test_members import ws

__all__ = ["ws"]


def test_history_is_told_and_written(ws: Workspace, tmp_path: Path) -> None:
    for name in ("Ara", "Jun"):
        assert told(ws.folder, "person", "add", name)[0] == 0
    code, said = told(ws.folder, "history", "--person", "Ara")
    assert (code, said["total"]) == (0, 1)
    assert said["entries"][0]["kind"] == "person.added"
    file = tmp_path / "out.jsonl"
    words = ("history", "--kind", "person", "--output", str(file), "--since", "2020-01-01")
    assert told(ws.folder, *words)[1]["entries"] == 2
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [each["about"] for each in lines] == ["Jun", "Ara"]


def test_a_person_reads_sentences_and_no_values_of_the_language(ws: Workspace) -> None:
    for words in (("add", "Ara"), ("role", "Ara", "lawyer"), ("rename", "Ara", "Ara Kim")):
        assert command_line(ws.folder, "person", *words).returncode == 0
    said = command_line(ws.folder, "history").stdout
    assert "Person · role changed" in said
    assert "operator → Ara Kim  Before: annotator · After: lawyer" in said
    assert not set(said) & set("{}'")


def test_what_cannot_be_asked_is_refused(ws: Workspace) -> None:
    for words, said in ((("--since", "yesterday"), "yesterday"), (("--output", "x.txt"), ".jsonl")):
        done = command_line(ws.folder, "history", *words)
        assert done.returncode == 3 and said in done.stderr


def test_annotations_are_carried_over(ws: Workspace, tmp_path: Path) -> None:
    file = str(tmp_path / "annotations.jsonl")
    assert told(ws.folder, "person", "add", "Ara")[0] == 0
    code, said = told(ws.folder, "export", "annotations", file)
    assert (code, said["counts"]) == (0, {"annotations": 1, "person": 1, "person_event": 1})
    there = Workspace(tmp_path / "there")
    migrate(there)
    create_project(there, "shore", "Shore law")
    assert told(there.folder, "import", "annotations", file)[1]["new"]
    assert [each.name for each in list_people(there, "shore")] == ["Ara"]
    assert not told(there.folder, "import", "annotations", file)[1]["new"]
    assert told(there.folder, "person", "add", "Jun")[0] == 0
    code, said = told(there.folder, "import", "annotations", file)
    assert (code, said["error"]) == (3, "exchange_not_empty")
