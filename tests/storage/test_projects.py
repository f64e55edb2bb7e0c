from __future__ import annotations

from pathlib import Path

import pytest

from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project, list_projects, project_by_slug
from tests.support.refusals import code_of, refused


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "workspace")
    migrate(workspace)
    return workspace


def test_projects_are_found_by_slug_and_listed_oldest_first(ws: Workspace) -> None:
    second = create_project(ws, "b-1", "  Second  ")
    first = create_project(ws, "a", "First", 3)
    assert list_projects(ws) == [second, first]
    assert project_by_slug(ws, "a") == first
    assert (second.title, second.overlap, first.overlap) == ("Second", 2, 3)


def test_what_cannot_be_a_project_is_refused(ws: Workspace) -> None:
    create_project(ws, "taken", "Taken")
    assert code_of(create_project, ws, "taken", "T", 2) == "project_exists"
    for slug in ("", "-a", "A", "a/../b", "a\n", "a" * 61):
        assert code_of(create_project, ws, slug, "T", 2) == "project_slug"
    for title in (" ", "x" * 201, "two\nlines", "\x1b[31mred", "\udcff"):
        assert code_of(create_project, ws, "a", title, 2) == "project_title"
    for overlap in (0, 6):
        assert code_of(create_project, ws, "a", "T", overlap) == "project_overlap"
    assert len(list_projects(ws)) == 1


def test_an_unknown_project_names_the_known_ones(ws: Workspace) -> None:
    for known in ("b", "a"):
        create_project(ws, known, "T")
    with refused("project_unknown") as caught:
        project_by_slug(ws, "c")
    assert "a, b" in caught.value.remedy()
