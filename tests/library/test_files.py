"""Runs and judgements in the forms in which people have them."""

from __future__ import annotations

from pathlib import Path
from unicodedata import normalize

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from corpus.run import Hit, Run
from library.files import qrels_of, read_qrels, read_run, run_of, write_run
from normalization import composed
from tests.support.refusals import code_of, refused

HITS = Run({"1": [Hit("b", 2.0), Hit("a", 1.0)], "2": [Hit("a", 0.5)]}, "mine")
FRAME = pd.DataFrame({"qid": [1, 2, 1], "docno": ["a", "a", "b"], "score": [1.0, 0.5, 2.0]})


def test_a_run_is_the_same_in_every_form(tmp_path: Path) -> None:
    assert write_run(HITS, tmp_path / "mine.trec") == 3
    by_score = {1: {"a": 1.0, "b": 2.0}, "2": [("a", 0.5)]}
    file = tmp_path / "mine.trec"
    forms: list[object] = [HITS, by_score, FRAME, file, str(file)]
    assert [run_of(form) for form in forms] == [HITS] * 5
    assert read_run(tmp_path / "mine.trec").name == "mine" == run_of(HITS).name
    ids = {"1": ["b", "a"], "2": ("a",)}
    ranks = FRAME.drop(columns="score").assign(rank=[2, 1, 1])
    ordered: list[object] = [ids, ranks, ranks.drop(columns="rank").iloc[[2, 0, 1]]]
    assert [run_of(form).rankings for form in ordered] == [HITS.rankings] * 3


def test_a_run_that_cannot_be_written_names_the_file(tmp_path: Path) -> None:
    with refused("library_unwritable") as caught:
        write_run(HITS, tmp_path / "none" / "mine.trec")
    assert caught.value.where.file == str(tmp_path / "none" / "mine.trec")


def test_judgements_are_the_same_in_every_form(tmp_path: Path) -> None:
    wanted = {"1": {"a": 1, "b": 2}, "2": {"c": 1}}
    file = tmp_path / "qrels.txt"
    file.write_text("1 0 a 1\n1 0 b 2\n2 0 c 1\n", "utf-8")
    columns = {"query_id": ["1", "1", "2"], "doc_id": ["a", "b", "c"], "relevance": [1, 2, 1]}
    for form in (wanted, file, pd.DataFrame(columns), {1: {"a": 1.0, "b": 2}, 2: ["c"]}):
        assert qrels_of(form) == wanted
    assert read_qrels(file) == wanted
    assert qrels_of(pd.DataFrame(columns).drop(columns="relevance"))["1"] == {"a": 1, "b": 1}


IDS = st.text(min_size=1).map(composed)


@given(st.dictionaries(IDS, st.dictionaries(IDS, st.floats(allow_nan=False, allow_infinity=False))))
def test_scores_fall_and_ties_go_by_id(scores: dict[str, dict[str, float]]) -> None:
    run = run_of(scores)
    assert {
        query: {hit.unit_id: hit.score for hit in hits} for query, hits in run.items()
    } == scores
    for hits in run.values():
        assert list(hits) == sorted(hits, key=lambda hit: (-hit.score, hit.unit_id))


def test_what_is_no_run_or_no_judgements_is_refused() -> None:
    runs: tuple[tuple[object, str], ...] = (
        (7, "library_run"),
        ([("q", "a")], "library_run"),
        ({"q": "a"}, "library_ranking"),
        ({"q": 3}, "library_ranking"),
        ({"q": {"a": float("nan")}}, "trec_number"),
        ({"q": {"a": "high"}}, "trec_number"),
        ({"q": ["a", "b", "a"]}, "trec_repeated"),
        (FRAME.rename(columns={"docno": "what"}), "library_column"),
        (FRAME.assign(docno=[float("nan"), "a", "b"]), "library_empty"),
        (pd.concat([FRAME, FRAME]), "trec_repeated"),
        (Path("nowhere.trec"), "path_missing"),
    )
    judgements: tuple[tuple[object, str], ...] = (
        (None, "library_qrels"),
        ({"q": "a"}, "library_ranking"),
        ({"q": {"a": 0.5}}, "trec_number"),
        (pd.DataFrame({"q_id": ["1"]}), "library_column"),
        (pd.DataFrame({"query": [1, 1], "unit": ["a", "a"]}), "trec_repeated"),
    )
    for read, forms in ((run_of, runs), (qrels_of, judgements)):
        assert [code_of(read, form) for form, _ in forms] == [code for _, code in forms]


def test_ids_are_one_however_they_are_written() -> None:
    apart = normalize("NFD", "소방법_1조")
    assert apart != "소방법_1조"
    assert qrels_of({normalize("NFD", "질문"): [apart]}) == {"질문": {"소방법_1조": 1}}
    assert run_of({"질문": {apart: 2.0}}).rankings == {"질문": ["소방법_1조"]}
    assert run_of(Run({"질문": [Hit(apart, 1.0)]})).rankings == {"질문": ["소방법_1조"]}
    numbers = pd.DataFrame({"query": [1.0, 2.0], "unit": ["a", "b"], "score": [1, 2]})
    assert list(run_of(numbers)) == ["1", "2"]


def test_the_scores_of_a_run_are_looked_at_too() -> None:
    with refused("trec_number"):
        run_of(Run({"q": [Hit("a", float("nan"))]}))
    unsorted = Run({"q": [Hit("b", 1.0), Hit("a", 2.0)]}, "mine")
    assert run_of(unsorted).rankings == {"q": ["a", "b"]} and run_of(unsorted).name == "mine"
