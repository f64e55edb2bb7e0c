"""What a project holds, counted, and its law in outline."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from corpus.model import Level, Question, Statute, Tier, Unit
from services.law.overview import (
    LevelCount,
    chapters,
    current_snapshot,
    law_counts,
    overview,
    statutes,
)
from services.mapping.candidates import build_candidates
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from tests.conftest import FakeClock
from tests.projects.bare_project import bare_project
from tests.projects.mcq_project import SLUG as QUAY
from tests.projects.mcq_project import build, submitted
from tests.projects.small_law import ACT, RULE, SLUG, law
from tests.support.refusals import code_of

FERRY_ACT = Statute(
    "법",
    "법",
    "법률",
    Tier.ACT,
    "ko",
    (
        Unit("법_1조", "법", Level.ARTICLE, "제1조", "목적", "이 법은 목적을 정한다.", 0),
        Unit("법_2조", "법", Level.ARTICLE, "제2조", "", "", 1, deleted=True),
        Unit("법_별표1", "법", Level.ANNEX, "별표 1", "", "", 2, text_missing=True),
    ),
)


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    return bare_project(tmp_path / "ws", "p", clock)


def test_an_empty_project_holds_nothing_also_beside_others(workspace: Workspace):
    create_project(workspace, "other", "Other")
    keep_statutes(workspace, "other", [FERRY_ACT], "law")
    keep_questions(workspace, "other", [Question("1", "?", "!", "ko")], "q.jsonl")
    found = overview(workspace, "p")
    assert (found.snapshots, found.questions, found.items, found.ready) == ((), 0, 0, 0)
    assert found.snapshot_id is None
    assert code_of(overview, workspace, "nowhere") == "project_unknown"
    assert code_of(current_snapshot, workspace, "p") == "corpus_missing"


def test_law_is_counted_by_tier_and_level(workspace: Workspace):
    decree = replace(FERRY_ACT, semantic_id="영", title="영", tier=Tier.DECREE, units=())
    report = keep_statutes(workspace, "p", [FERRY_ACT, decree], "law")
    counts = law_counts(workspace, report.snapshot_id)
    assert counts.tiers == ((Tier.ACT, 1), (Tier.DECREE, 1))
    assert counts.levels == (LevelCount(Level.ARTICLE, 2, 1, 0), LevelCount(Level.ANNEX, 1, 0, 1))
    assert (counts.statutes, counts.units) == (2, 3)


def test_the_newest_snapshot_is_in_use_and_candidates_of_an_older_one_are_not_ready(
    workspace: Workspace,
):
    keep_statutes(workspace, "p", [FERRY_ACT], "old")
    keep_questions(workspace, "p", [Question("1", "목적은?", "제1조", "ko")], "q.jsonl")
    build_candidates(workspace, "p")
    before = overview(workspace, "p")
    assert (before.questions, before.items, before.ready) == (1, 1, 1)
    keep_statutes(workspace, "p", [replace(FERRY_ACT, title="새 법")], "new")
    after = overview(workspace, "p")
    assert [(line.name, line.in_use) for line in after.snapshots] == [("new", True), ("old", False)]
    assert after.ready == 0


def test_items_of_other_tasks_are_not_questions_with_candidates(tmp_path: Path):
    house = build(tmp_path / "quay", number=2)
    submitted(house, house.ann, house.items[0])
    found = overview(house.ws, QUAY)
    assert (found.items, found.ready) == (0, 0)


def test_statutes_come_by_tier_and_units_under_their_chapter_in_document_order(ws: Workspace):
    snapshot = current_snapshot(ws, SLUG).id
    found = statutes(ws, snapshot)
    assert [(line.statute_id, line.tier, line.units) for line in found] == [
        (ACT, 1, 7),
        (RULE, 3, 2),
    ]
    parts = chapters(ws, snapshot, ACT)
    assert [chapter.path for chapter in parts] == [("제1장 총칙",), ()]
    assert [unit.label for unit in parts[1].units][:3] == ["제2조", "제3조", "제4조"]
    assert [unit.deleted for unit in parts[1].units][:3] == [False, True, False]
    assert chapters(ws, snapshot, "nothing") == []
    keep_statutes(ws, SLUG, law(" 개정"), "second")
    assert current_snapshot(ws, SLUG).id > snapshot
