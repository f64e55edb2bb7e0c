"""What a file of questions holds is told before anything of it is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from services.law.importing import import_questions
from services.law.question_preview import preview_questions
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.annotation.house import statute

SLUG = "lake"


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "workspace")
    migrate(workspace)
    create_project(workspace, SLUG, "Lake law")
    return workspace


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
    assert len(seen.lines("ko")) == 5
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
