"""A run is one type: methods return it, measures and tables read it."""

from __future__ import annotations

from corpus.run import Hit, Run, best, continued, deepest
from evaluation.ranking.scoring import evaluate, parse_measure
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.model import Run as MethodsRun
from retrieval.core.registry import make

LAW = Corpus.of([Document("a", body="소방시설"), Document("b", body="건축물 소방시설")])


def test_what_a_method_returns_is_scored_as_it_is() -> None:
    assert MethodsRun is Run
    method = make({"method": "bm25"})
    method.fit(LAW)
    run = method.search([Query("q", "건축물"), Query("none", "")], 5)
    assert isinstance(run, Run) and run["none"] == ()
    qrels = {"q": {"b": 1}, "none": {"a": 1}}
    scored = evaluate(run, qrels, [parse_measure("RR")])
    assert scored.table == {"q": {"RR": 1.0}, "none": {"RR": 0.0}}
    assert scored == evaluate(run.rankings, qrels, [parse_measure("RR")])


def test_a_run_is_a_data_frame_with_its_ranks() -> None:
    run = Run({"q": best({"b": 1.0, "a": 1.0, "c": 2.5}, 2), "none": []}, "mine")
    assert run == {"q": (Hit("c", 2.5), Hit("a", 1.0)), "none": ()} and run.name == "mine"
    assert run.rankings == {"q": ["c", "a"], "none": []}
    rows = [tuple(row) for row in run.to_frame().itertuples(index=False)]
    assert rows == [("q", 1, "c", 2.5), ("q", 2, "a", 1.0)]
    assert list(Run().to_frame().columns) == ["query", "rank", "unit", "score"]


def test_a_ranking_goes_on_with_what_it_lacks_in_that_order() -> None:
    ranked, base = best({"b": 3.0, "a": 1.0}, 9), [Hit(unit, 0.5) for unit in "dabc"]
    assert continued(ranked, base, 9) == (*ranked, Hit("d", 0.0), Hit("c", 1 - 4 / 3))
    assert continued(ranked, base, 3) == (*ranked, Hit("d", 0.0))
    assert continued(ranked, base, 1) == ranked[:1] and continued(ranked, [], 9) == ranked
    level = continued(best({"a": 0.0}, 1), base, 9)  # no width of its own: 1
    assert [hit.score for hit in level] == [0, -1 / 2, -2 / 3, -3 / 4]


def test_a_run_is_as_deep_as_it_was_asked_for() -> None:
    found = {"q": best({"a": 1.0}, 5), "none": ()}
    assert Run(found, depth=5).depth == 5
    assert Run(found).depth == deepest(found) == 1 and Run().depth is None
    method = make({"method": "bm25"})
    method.fit(LAW)
    assert method.search([Query("q", "건축물")], 7).depth == 7
