from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter

import pytest

from corpus.graph.model import EdgeType, Origin
from corpus.importers.legalize_kr import read_tree
from errors import UserError
from jobs.graph import build, unit_page
from jobs.imports import import_questions, import_statutes
from storage.graph import graph_view
from storage.imports import keep_statutes
from storage.migrate import migrate
from storage.projects import create_project
from storage.workspace import Workspace
from tests.conftest import ROOT

SLUG = "p"


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "workspace")
    migrate(workspace)
    create_project(workspace, SLUG, "P")
    return workspace


def test_the_sample_is_imported_and_a_second_time_changes_nothing(ws: Workspace) -> None:
    seen: list[tuple[int, int]] = []
    tree, questions = ROOT / "sample" / "statutes", ROOT / "sample" / "questions.jsonl"
    first = import_statutes(ws, SLUG, tree, lambda done, total: seen.append((done, total)))
    assert first.new
    assert first.statutes == 8
    assert seen[-1] == (8, 8)
    asked = import_questions(ws, SLUG, questions)
    lines = [line for line in questions.read_text("utf-8").splitlines() if line.strip()]
    assert asked.new == len(lines)
    assert not import_statutes(ws, SLUG, tree).new
    assert import_questions(ws, SLUG, questions).as_dict() == {"new": 0, "unchanged": asked.new}


def test_statutes_come_with_their_graph(ws: Workspace) -> None:
    report = import_statutes(ws, SLUG, ROOT / "sample" / "statutes")
    with ws.reading() as session:
        view = graph_view(session, report.snapshot_id)
    assert view is not None and view.references > 0
    assert not build(ws, SLUG).new


def test_a_snapshot_from_before_there_were_graphs_gets_one(ws: Workspace) -> None:
    tree = ROOT / "sample" / "statutes"
    keep_statutes(ws, SLUG, read_tree(tree), "old")
    again = import_statutes(ws, SLUG, tree)
    assert not again.new
    with ws.reading() as session:
        assert graph_view(session, again.snapshot_id) is not None


def test_a_hyperlink_of_a_saved_page_reaches_the_graph(ws: Workspace) -> None:
    report = import_statutes(ws, SLUG, ROOT / "tests" / "fixtures" / "html")
    page = unit_page(ws, report.snapshot_id, "등대-관리법_2조의2")
    words = [page.unit.text[link.start : link.end] for link in page.unit.links]
    assert words == ["「바다 안전법」", "제5조", "별표 1", "제1항", "20미터"]
    (edge,) = [each.edge for each in page.cites if each.edge.type is EdgeType.REFERENCES]
    assert (edge.origin, edge.pinpoint) == (Origin.HYPERLINK, "1항")
    assert page.unit.text[edge.start : edge.end] == "제1항"


def test_an_unknown_project_is_refused_before_anything_is_read(ws: Workspace) -> None:
    for act in (import_statutes, import_questions):
        with pytest.raises(UserError) as caught:
            act(ws, "nowhere", Path("/no/such/path"))
        assert caught.value.code == "project_unknown"


def test_a_broken_file_leaves_nothing(ws: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    good = {"question_id": 1, "question": "Which?", "answer": "This."}
    file.write_text(json.dumps(good) + '\n{"question_id": 2, "quest', encoding="utf-8")
    with pytest.raises(UserError) as caught:
        import_questions(ws, SLUG, file)
    assert caught.value.where.line == 2
    file.write_text(json.dumps(good) + "\n", encoding="utf-8")
    assert import_questions(ws, SLUG, file).new == 1


@pytest.mark.real_data
def test_the_real_law_is_imported_in_seconds(ws: Workspace, shared_data: Path) -> None:
    began = perf_counter()
    report = import_statutes(ws, SLUG, shared_data / "korean-law" / "fire-safety")
    assert report.statutes == 155
    assert report.articles > 6_800
    asked = import_questions(ws, SLUG, shared_data / "searchfiresafety" / "qna.jsonl")
    assert asked.new == 619
    assert perf_counter() - began < 20
