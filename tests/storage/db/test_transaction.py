from __future__ import annotations

from pathlib import Path

import pytest

from annotation.people.members import add_person, list_people
from storage.db.migrate import migrate
from storage.db.workspace import Workspace, together
from storage.projects import create_project
from tests.conftest import FakeClock


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "ws", clock)
    migrate(workspace)
    create_project(workspace, "p", "P")
    return workspace


def names(ws: Workspace) -> list[str]:
    return [each.name for each in list_people(ws, "p")]


def test_acts_see_each_other_and_are_kept_at_the_end(ws: Workspace) -> None:
    with together(ws) as inside:
        add_person(inside, "p", "Ara", "annotator")
        add_person(inside, "p", "Jun", "annotator")
        assert names(inside) == ["Ara", "Jun"]
        assert names(ws) == []
    assert names(ws) == ["Ara", "Jun"]
