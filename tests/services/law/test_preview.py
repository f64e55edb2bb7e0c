"""Previews count what an import would keep, and keep nothing; reading rules are set once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from corpus.importers.table import ReadingRules
from errors import UserError
from services.law.importing import import_questions, import_statutes
from services.law.overview import overview
from services.law.preview import preview_questions, preview_statutes, save_rules, saved_rules
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.annotation.house import statute
from tests.conftest import ROOT

SLUG = "p"
FIXTURES = ROOT / "tests" / "fixtures"


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "workspace")
    migrate(workspace)
    create_project(workspace, SLUG, "P")
    return workspace


def test_a_preview_counts_shows_and_keeps_nothing(ws: Workspace) -> None:
    seen = preview_statutes(ws, SLUG, FIXTURES / "searchfiresafety")
    assert (seen.format, seen.statutes, seen.units, seen.links) == ("searchfiresafety", 3, 5, 4)
    assert seen.levels == {"article": 3, "section": 1, "annex": 1}
    assert seen.tiers == {1: 1, 2: 1, 4: 1}
    assert [unit.semantic_id for unit in seen.first] == [
        *("나루터-안전법_1조", "나루터-안전법_2조의2"),
        *("나루터-안전법-시행령_3조", "나루터-안전법-시행령_별표1-2호의가"),
        "등불의-안전기술기준-NFTC-901_2.1",
    ]
    assert [note.code for note in seen.problems] == ["link_missing"]
    assert json.loads(json.dumps(seen.as_dict()))["units"] == 5
    assert overview(ws, SLUG).snapshot_id is None


@pytest.mark.parametrize("name", ["searchfiresafety", "table"])
def test_what_the_preview_counts_is_what_the_import_keeps(ws: Workspace, name: str) -> None:
    seen = preview_statutes(ws, SLUG, FIXTURES / name)
    kept = import_statutes(ws, SLUG, FIXTURES / name)
    assert (kept.statutes, kept.units) == (seen.statutes, seen.units)
    assert kept.articles == seen.levels.get("article", 0)


def test_very_long_units_are_pointed_out(ws: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("X Act\n§ 1. A\n" + "words " * 20_000, encoding="utf-8")
    seen = preview_statutes(ws, SLUG, file)
    assert [note.code for note in seen.problems] == ["long_unit"]
    assert "§ 1" in seen.problems[0].render()


def test_rules_are_set_once_and_used_again(ws: Workspace, tmp_path: Path) -> None:
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("p,q\nArticle 1,Lamps.\n", encoding="utf-8")
    second.write_text("p,q\nArticle 2,Whistles.\n", encoding="utf-8")
    rules = ReadingRules({"place": "p", "text": "q"}, title="Ferry Act")
    assert import_statutes(ws, SLUG, first, rules=rules).units == 1
    assert saved_rules(ws, SLUG) == rules
    seen = preview_statutes(ws, SLUG, second)
    assert seen.first[0].semantic_id == "Ferry-Act_article-2"
    with pytest.raises(UserError):  # rules of an import that failed are not saved
        import_statutes(ws, SLUG, first, rules=ReadingRules({"text": "nowhere"}))
    assert saved_rules(ws, SLUG) == rules


def test_saved_rules_that_were_damaged_are_named(ws: Workspace) -> None:
    file = save_rules(ws, SLUG, ReadingRules(title="X"))
    file.write_text("{", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        preview_statutes(ws, SLUG, FIXTURES / "table")
    assert caught.value.where.file == "p.json"


def _lines(folder: Path, name: str, *rows: Mapping[str, object]) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_labels_are_counted_with_those_that_the_corpus_has(ws: Workspace, tmp_path: Path) -> None:
    unit = statute().units[0].semantic_id
    plain = {"question": "May I swim?", "answer": "Yes."}
    path = _lines(
        tmp_path,
        "q.jsonl",
        plain | {"question_id": "a", "semantic_ids": [unit, "sea-act_article-1"]},
        plain | {"question_id": "b", "semantic_ids": [unit], "law_references": ["Article 1"]},
        plain | {"question_id": "c", "answer": ""},
    )
    first = preview_questions(ws, SLUG, path)
    assert (first.ids, first.in_corpus, first.absent) == (2, None, ())
    assert "no law is in use yet" in first.lines()[2]
    keep_statutes(ws, SLUG, [statute()], "law")
    seen = preview_questions(ws, SLUG, path)
    assert (seen.questions, seen.answers, seen.citing, seen.labelled) == (3, 2, 1, 2)
    assert (seen.pairs, seen.grades, seen.ids, seen.in_corpus) == (3, {1: 3}, 2, 1)
    assert seen.absent == ("sea-act_article-1",)
    assert seen.lines() == [
        "3 questions: 2 with an official answer, 1 with citations listed in the file.",
        "Labels of the source: 2 questions, 3 pairs of question and provision (by grade: 1: 3).",
        "1 of the 2 provisions that they name are in the law in use.",
        "Not there, for example: sea-act_article-1",
        "Nothing was kept.",
    ]
    assert import_questions(ws, SLUG, path).new == 3, "nothing was kept by looking"


def test_grades_of_a_beir_folder_are_counted(ws: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    _lines(
        folder, "corpus.jsonl", {"_id": "d1", "text": "A lake."}, {"_id": "d2", "text": "A sea."}
    )
    _lines(folder, "queries.jsonl", {"_id": "q1", "text": "Lake?"}, {"_id": "q2", "text": "Sea?"})
    (folder / "qrels").mkdir()
    rows = "q1\td1\t2\nq1\td2\t0\nq9\td1\t1\n"
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}")
    seen = preview_questions(ws, SLUG, folder)
    assert (seen.questions, seen.labelled, seen.pairs, seen.grades) == (2, 1, 2, {0: 1, 2: 1})
    assert len(seen.notes) == 1
    empty = _lines(tmp_path, "none.jsonl", {"question_id": "a", "question": "Why?", "answer": ""})
    assert "The file has no labels." in preview_questions(ws, SLUG, empty).lines()
