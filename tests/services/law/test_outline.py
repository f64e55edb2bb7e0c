from __future__ import annotations

from pathlib import Path

import pytest

from errors import UserError
from services.law.outline import chapters, current_snapshot, statutes
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.conftest import FakeClock
from tests.projects.small_law import ACT, RULE, SLUG, law, small_workspace


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    return small_workspace(tmp_path / "ws", clock)


def test_statutes_come_by_tier_with_their_sizes(ws: Workspace):
    snapshot = current_snapshot(ws, SLUG)
    found = statutes(ws, snapshot.id)
    assert [(line.statute_id, line.tier, line.units) for line in found] == [
        (ACT, 1, 7),
        (RULE, 3, 2),
    ]


def test_units_stand_under_their_chapter_in_document_order(ws: Workspace):
    found = chapters(ws, current_snapshot(ws, SLUG).id, ACT)
    assert [chapter.path for chapter in found] == [("제1장 총칙",), ()]
    assert [unit.label for unit in found[1].units][:3] == ["제2조", "제3조", "제4조"]
    assert [unit.deleted for unit in found[1].units][:3] == [False, True, False]


def test_a_newer_import_becomes_the_current_snapshot(ws: Workspace):
    before = current_snapshot(ws, SLUG)
    keep_statutes(ws, SLUG, law(" 개정"), "second")
    assert current_snapshot(ws, SLUG).id > before.id


def test_an_unknown_statute_has_no_units(ws: Workspace):
    assert chapters(ws, current_snapshot(ws, SLUG).id, "nothing") == []


def test_without_law_it_says_what_to_import(tmp_path: Path):
    ws = Workspace(tmp_path / "empty")
    migrate(ws)
    create_project(ws, "empty", "Empty")
    with pytest.raises(UserError) as caught:
        current_snapshot(ws, "empty")
    assert caught.value.code == "corpus_missing"
