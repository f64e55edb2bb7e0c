"""Law without a database: what a notebook reads, searches and takes for gold."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import touchstone
from corpus.graph.model import EdgeType
from corpus.model import Question
from library.law import Law, load_law, load_questions, sample, spec_of
from retrieval.core.model import Query
from services.law.importing import import_statutes
from services.runs.methods.preparation import corpus_of, ready, resources
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.support.refusals import code_of, refusal

STATUTES = sample() / "statutes"
SAR = {"method": "sar", "base": {"method": "bm25"}}


@pytest.fixture(scope="module")
def law() -> Law:
    return load_law(STATUTES)


def test_a_question_is_answered_with_units_and_their_words(law: Law) -> None:
    found = law.search("bm25", "smoke compartment", k=2)
    assert [each.rank for each in found] == [1, 2] and found[0].score >= found[1].score
    assert found[0].unit_id.endswith("GFTC-101E_2.3")
    assert found[0].text == law[found[0].unit_id].text and "Smoke Curtain" in found[0].title
    assert law.fitted("bm25") is law.fitted({"method": "bm25"})
    assert law.search("bm25", " ") == []
    assert len(law.search("bm25", "smoke", k=np.int64(2))) == 2  # type: ignore[arg-type]


def test_the_graph_is_that_of_the_statutes(law: Law) -> None:
    act = "Gaon-Fire-Safety-Act_article-12"
    assert act in law.graph
    assert law.graph.neighbours(act, [EdgeType.DELEGATES_TO], "out")
    assert len(law.units) > len(law.corpus) == 104


def test_who_waits_hears_of_reading_building_and_fitting() -> None:
    told: list[tuple[int, int]] = []
    law = touchstone.load_law(
        touchstone.sample() / "statutes/ko", progress=lambda *said: told.append(said)
    )
    for work in (lambda: law.graph, lambda: law.search("bm25", "나룻배")):
        told.clear()
        work()
        assert told and told[-1][0] == told[-1][1]


def test_it_ranks_as_a_project_of_the_same_law_does(law: Law, tmp_path: Path) -> None:
    ws = Workspace(tmp_path)
    migrate(ws)
    create_project(ws, "law", "Law")
    snapshot = import_statutes(ws, "law", STATUTES).snapshot_id
    questions = load_questions(sample() / "questions.jsonl")[:6]
    queries = [Query(each.external_id, each.text) for each in questions]
    for spec in ({"method": "bm25"}, SAR, {"method": "cited_as"}):
        method = ready(ws, spec, corpus_of(ws, snapshot), resources(ws, snapshot))
        assert law.run(spec, questions, k=20) == method.search(queries, 20)


def test_methods_come_by_name_as_specs_and_as_files(law: Law, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("method: sar\nbase: bm25\n", "utf-8")
    texts = {"a": "smoke compartment"}
    assert law.run(file, texts, 5) == law.run(str(file), texts, 5) == law.run(SAR, texts, 5)
    assert law.run("bm25", texts).name == "bm25" and law.run(SAR, texts).name.startswith("SAR")
    assert law.run(SAR, texts, name="mine").name == "mine"
    assert (
        spec_of("recommended")["method"] == "weighted" and spec_of("keller")["method"] == "keller"
    )


def test_what_cannot_be_is_refused(law: Law, tmp_path: Path) -> None:
    asked = load_questions(sample() / "questions.jsonl")[:2]
    texts = {"a": "x"}
    method = partial(law.run, questions=texts)
    run: Any = partial(law.run, "bm25")
    for call, given, code in (
        (method, "nothing", "unknown_method"),
        (method, {"method": "bm25", "k9": 1}, "method_parameter_unknown"),
        (method, "none.yaml", "spec_unreadable"),
        *((method, wrong, "library_method") for wrong in (None, 3, touchstone.Method, ["bm25"])),
        (run, [*asked, asked[0]], "library_repeated"),
        *((run, wrong, "library_questions") for wrong in (["Who?"], [{"text": "?"}], {"q": None})),
        *((run, wrong, "library_questions") for wrong in (None, Path("questions.jsonl"), "q")),
        (partial(law.search, "bm25"), None, "library_questions"),
        *((law.gold, wrong, "library_questions") for wrong in (None, "q", texts, ["x"])),
        *((law.not_searched, wrong, "library_qrels") for wrong in (None, "q", ["x"])),
    ):
        assert code_of(call, given) == code, given
    for k, code in (
        (0, "retrieve_depth"),
        *((k, "library_whole") for k in ("10", 2.5, None, True)),
    ):
        assert code_of(run, texts, k=k) == code
        assert code_of(law.search, "bm25", "x", k=k) == code
    assert code_of(load_law, STATUTES, levels=["chapter"]) == "library_level"
    assert code_of(load_law, STATUTES, format="word") == "format_name"


def test_gold_is_cut_down_to_units_and_what_cannot_be_found_is_told(
    law: Law, tmp_path: Path
) -> None:
    article, item = "가온-화재안전-기본법_12조", "가온-화재안전-기본법_12조-1항3호"
    lines = [
        {"question_id": "a", "question": "?", "answer": "", "semantic_ids": [item, "없는법_1조"]},
        {"question_id": "b", "question": "!", "answer": ""},
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    gold = law.gold(load_questions(file))
    assert gold == {"a": {article: 1, "없는법_1조": 1}, "b": {}}
    assert law.not_searched(gold) == {"없는법_1조": "absent"}
    forms = load_law(STATUTES, levels="form")
    assert forms.levels == load_law(STATUTES, levels=["form"]).levels
    assert forms.not_searched(gold)[article] == "article"
    deleted = next(unit for unit in law.units.values() if unit.deleted)
    assert law.not_searched({"a": [deleted.semantic_id]}) == {deleted.semantic_id: "deleted"}


def test_gold_has_the_grades_of_its_source(law: Law) -> None:
    article, item = "가온-화재안전-기본법_12조", "가온-화재안전-기본법_12조-1항3호"
    labels = ("없는법_1조", article, item)
    grades = ((article, 2), (item, 3), ("x", 0))
    asked = Question("a", "?", "", "ko", gold_ids=labels, grades=grades)
    assert law.gold([asked]) == {"a": {"없는법_1조": 1, article: 3}}


def test_a_question_is_searched_in_its_own_law_alone(tmp_path: Path) -> None:
    for key, words in (("kr", "alarm in buildings"), ("de", "alarm in halls")):
        (tmp_path / f"{key}.txt").write_text(f"Law of {key}\nArticle 1 (X)\n{words}\n", "utf-8")
    one = load_law(tmp_path / "kr.txt", format="text", jurisdiction="kr")
    other = load_law(tmp_path / "de.txt", format="text", jurisdiction="de")
    both = Law([*one.statutes, *other.statutes])
    assert len(both.search("bm25", "alarm")) == 2
    assert [each.unit_id for each in both.search("bm25", "alarm", jurisdiction="de")] == [
        *other.corpus.ids
    ]


def test_the_public_names_are_all_there_and_nothing_else_is() -> None:
    assert touchstone.__all__ == list(touchstone._public())
    assert all(getattr(touchstone, name) is not None for name in touchstone.__all__)
    assert set(touchstone.__all__) <= set(dir(touchstone))
    with pytest.raises(AttributeError):
        _ = touchstone.nothing


def test_an_error_in_questions_or_law_names_the_path_that_was_given(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "questions.jsonl"
    file.parent.mkdir()
    file.write_text("{", "utf-8")
    for given in (file, tmp_path / "deep" / "none.jsonl"):
        assert refusal(touchstone.load_questions, given).where.file == str(given)
    broken = tmp_path / "laws" / "broken.xml"
    broken.parent.mkdir()
    broken.write_text("<법령>", encoding="utf-8")
    for given in (broken.parent, broken):
        assert refusal(load_law, given).where.file == str(broken)
