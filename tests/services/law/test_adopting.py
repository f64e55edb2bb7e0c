"""A published benchmark becomes law, questions and the gold set of its source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corpus.model import Level
from services.gold.gold_set import gold_set
from services.law.adopting import adopt
from services.law.importing import import_questions
from storage.db.workspace import Workspace
from storage.imported_files import label_sources
from storage.law.passages import retrieval_corpus
from storage.projects import find_project
from tests.corpus.benchmarks import test_reading as layouts
from tests.projects.bare_project import bare_project
from tests.support.refusals import code_of

SLUG = "p"
LAYOUTS = ("beir", "tables", "lecard")


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return bare_project(tmp_path / "workspace", SLUG)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "boats"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_becomes_law_questions_and_gold(
    layout: str, ws: Workspace, home: Path
) -> None:
    getattr(layouts, layout)(home)
    done = adopt(ws, SLUG, home, release="1.2")
    assert (done.units, done.new) == (2 if layout == "lecard" else 1, 1)
    assert (done.labels, done.left_out) == (1, {})
    gold = gold_set(ws, SLUG, name="")
    grade = 1 if layout == "tables" else 2
    assert (gold.name, done.outside) == ("source", 0)
    assert [*gold.qrels["q1"].values()] == [grade]
    again = adopt(ws, SLUG, home, release="1.2")
    assert (again.new, again.sha256) == (0, done.sha256)


def test_the_source_and_its_release_are_known_of_its_labels(ws: Workspace, home: Path) -> None:
    layouts.lines(home / "corpus.jsonl", {"_id": "d1", "text": "A boat."})
    assert code_of(adopt, ws, SLUG, home) == "import_empty"  # documents without questions
    layouts.beir(home)
    layouts.text(home / "README.md", "---\nversion: 2.0.1\n---\n")
    done = adopt(ws, SLUG, home)
    with ws.reading() as session:
        (source,) = label_sources(session, find_project(session, SLUG).id)
    assert (source.name, source.sha256, source.questions) == ("boats 2.0.1", done.sha256, 1)


def test_what_does_not_fit_is_left_out_and_counted(ws: Workspace, home: Path) -> None:
    layouts.beir(home)
    layouts.lines(
        home / "queries.jsonl",
        *({"_id": "q1", "text": "What floats?"}, {"_id": "q1", "text": "Again?"}),
        {"_id": "q2", "text": "?" * 50_000},
    )
    rows = ("q1\td1\t3", "q1\tgone\t1", "q1\td1\t0", "q9\td1\t1", "q2\td1\t1", "q1\td2\t0.5")
    layouts.text(home / "qrels/dev.tsv", "\n".join(("query-id\tcorpus-id\tscore", *rows)))
    done = adopt(ws, SLUG, home)
    assert done.left_out == {
        **{"graded_twice": 1, "grade_not_whole": 1, "judged_question_missing": 2},
        **{"question_repeated": 1, "field_long": 1},
    }
    assert (done.labels, done.outside) == (2, 1)
    assert gold_set(ws, SLUG, name="").qrels == {"q1": {"boats_d1": 3, "boats_gone": 1}}
    assert any("a label of a question that did not come in" in line for line in done.lines())


def test_questions_alone_are_of_the_law_in_use_and_those_imported_stay(
    ws: Workspace, home: Path
) -> None:
    layouts.beir(home)
    import_questions(ws, SLUG, home)
    assert adopt(ws, SLUG, home).new == 0
    row: dict[str, Any] = {"question_id": "s1", "question": "What floats?", "answer": "A."}
    layouts.lines(home.parent / "qna.jsonl", row | {"semantic_ids": ["boats_d1", "x"]})
    done = adopt(ws, SLUG, home.parent / "qna.jsonl")
    assert (done.units, done.labels, done.outside) == (0, 2, 1)


def test_provisions_stay_statutes_where_the_format_says_so(ws: Workspace, home: Path) -> None:
    row = {"question_id": "q1", "question": "무엇인가?", "answer": "제1조."}
    layouts.lines(home / "qna.jsonl", row | {"semantic_ids": ["배법_1조"]})
    law = {"semantic_id": "배법_1조", "law_name": "배법", "law_level": "법률", "text": "배는 뜬다."}
    layouts.lines(home / "documents.jsonl", law)
    done = adopt(ws, SLUG, home)
    assert (done.units, done.outside) == (1, 0)
    with ws.reading() as session:
        (unit,) = retrieval_corpus(session, 1, (Level.ARTICLE,))
    assert (unit.unit_id, unit.statute) == ("배법_1조", "배법")
