from __future__ import annotations

from pathlib import Path

from annotation.people.members import list_people
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.commands.called import told
from tests.commands.people.test_members import ws

__all__ = ["ws"]


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
