"""What changed axes would do to the questions that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.work.versioned_texts import AXES
from construction.augmentation.axes import Cell, Wanted, starter
from services.augmentation.axes import Lost, Relevelled, changes
from services.augmentation.planning import WritingOptions
from storage.augmentation.questions import questions
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.projects.augmentation_project import ACT, SLUG, make, serving, written
from tests.projects.project_cache import kept


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    """Return a project with a question of an exception and one of an institution."""
    workspace = Workspace(tmp_path / "workspace", clock)
    kept("an exception and an institution", workspace, lambda: _written(workspace))
    return workspace


def _written(workspace: Workspace) -> None:
    make(workspace)
    wanted = (
        Wanted(Cell("exception_paired", "L4", "lifecycle"), 1),
        Wanted(Cell("institution_specific", "L2", "geography"), 1),
    )
    with serving(workspace):
        assert written(workspace, WritingOptions(wanted)).written == 2


def test_the_same_text_changes_nothing(ws: Workspace) -> None:
    found = changes(ws, SLUG, starter().replace("\n", "\r\n"))
    assert (found.new, found.gone, found.changed, found.lost, found.diff) == ((), (), (), (), "")
    assert found.relevelled == () and found.unknown == ()


def test_questions_lose_what_no_axis_has_any_longer(ws: Workspace) -> None:
    with ws.reading() as session:
        value = questions(session, 1)[0].axes["facets"]["lifecycle"]
    text = starter().replace("- key: institution_specific", "- key: institutional")
    text = text.replace(f"- {{key: {value},", "- {key: other,")
    found = changes(ws, SLUG, text)
    assert found.lost == (
        Lost("aug-0001", f"facets.lifecycle.{value}"),
        Lost("aug-0002", "types.institution_specific"),
    )
    assert "types.institutional" in found.new and "types.institution_specific" in found.gone
    AXES.save(ws, SLUG, text, "ours", 1)
    assert [each.number for each in AXES.editions(ws, SLUG)] == [2, 1]
    with ws.reading() as session:  # the questions keep what they were asked for
        assert questions(session, 1)[1].axes["type"] == "institution_specific"


def test_another_rubric_says_another_level(ws: Workspace) -> None:
    found = changes(ws, SLUG, starter().replace("parallel: 4 ", "parallel: 2 "))
    assert found.relevelled == (Relevelled("aug-0002", "L2", "L3"),)
    assert found.changed == ("rubric.parallel",)


def test_groups_that_are_left_out_and_those_that_nobody_declared(ws: Workspace) -> None:
    named = starter().replace("groups: []", "groups: [travel]")
    found = changes(ws, SLUG, named)
    assert found.unknown == ("travel",)
    assert Lost("aug-0002", "groups.settlement") in found.lost


def test_anchors_that_the_law_does_not_have(ws: Workspace) -> None:
    text = starter().replace("domains: []", "domains:\n- key: d\n  label: {en: D, ko: 영역}\n"
                             f"  anchors: [{ACT}_1조, {ACT}_99조]\n")  # fmt: skip
    assert changes(ws, SLUG, text).unknown == (f"{ACT}_99조",)
