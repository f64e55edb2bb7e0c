"""Scores against worked examples, and against definitions written out as plain loops."""

from __future__ import annotations

from math import log2

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.ranking.measures import LEADERBOARD, Measure, parse_measure
from evaluation.ranking.scoring import evaluate

UNITS = [f"u{i}" for i in range(12)]
RANKINGS = st.lists(st.sampled_from(UNITS), unique=True, max_size=12)
JUDGEMENTS = st.dictionaries(st.sampled_from(UNITS), st.integers(0, 3), max_size=6)
CUT = ["Recall@1", "Recall@3", "P@3", "P@5", "nDCG@3", "AP@3", "MRR@2", "RR@2"]
CUT += ["AnyGold@2", "AnyGold@4", "FullCov@2", "FullCov@4"]
KEYS = [*CUT, "nDCG", "AP", "MRR", "RR"]


def reference(key: str, ranking: list[str], judged: dict[str, int]) -> float:
    """Return the measure by its definition."""
    name, _, cut = key.partition("@")
    k = int(cut) if cut else len(ranking)
    gains = [judged.get(unit, 0) for unit in ranking[:k]]
    relevant = [gain for gain in judged.values() if gain > 0]
    found = [i + 1 for i, gain in enumerate(gains) if gain > 0]
    ideal = sorted(relevant, reverse=True)[: int(cut) if cut else None]
    return {
        "Recall": lambda: len(found) / len(relevant),
        "P": lambda: len(found) / k,
        "MRR": lambda: 1 / found[0] if found else 0.0,
        "RR": lambda: 1 / found[0] if found else 0.0,
        "AnyGold": lambda: float(bool(found)),
        "FullCov": lambda: float(len(found) == len(relevant)),
        "AP": lambda: sum((i + 1) / rank for i, rank in enumerate(found)) / len(relevant),
        "nDCG": lambda: _dcg(gains) / _dcg(ideal),
    }[name]()


def _dcg(gains: list[int]) -> float:
    return sum(gain / log2(i + 2) for i, gain in enumerate(gains))


@pytest.mark.parametrize("keys", [KEYS, CUT], ids=["to the end", "cut off"])
@given(
    run=st.dictionaries(st.sampled_from("abcd"), RANKINGS),
    qrels=st.dictionaries(st.sampled_from("abcd"), JUDGEMENTS),
)
def test_every_measure_equals_its_definition(keys, run, qrels):
    table = evaluate(run, qrels, [parse_measure(key) for key in keys]).table
    assert list(table) == sorted(qrels)
    for query, row in table.items():
        for key in keys:
            if any(gain > 0 for gain in qrels[query].values()):
                expected = reference(key, run.get(query, []), qrels[query])
                assert row[key] == pytest.approx(expected, abs=1e-9), (query, key)
            else:
                assert row[key] is None


def test_a_worked_example():
    # Gold: a (2), b (1). Ranked: x, a, y, b.
    row = evaluate(
        {"q": ["x", "a", "y", "b"]},
        {"q": {"a": 2, "b": 1}},
        [parse_measure(key) for key in ("Recall@1", "Recall@2", "P@5", "MRR@10", "AP", "nDCG@10")],
    ).table["q"]
    assert row["Recall@1"] == 0 and row["Recall@2"] == 0.5
    assert row["P@5"] == pytest.approx(0.4)
    assert row["MRR@10"] == 0.5
    assert row["AP"] == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert row["nDCG@10"] == pytest.approx((2 / 1.5849625 + 1 / 2.3219281) / (2 + 1 / 1.5849625))


def test_some_gold_and_all_gold_bound_the_recall():
    row = evaluate(
        {"q": ["a", "x", "b"]},
        {"q": {"a": 1, "b": 1}},
        [parse_measure(key) for key in ("AnyGold@2", "Recall@2", "FullCov@2", "FullCov@3")],
    ).table["q"]
    assert row == {"AnyGold@2": 1.0, "Recall@2": 0.5, "FullCov@2": 0.0, "FullCov@3": 1.0}


PARITY = ["P@3", "Recall@3", "nDCG@3", "AP", "AP@3", "RR", "RR@2", "Success@3"]


@given(
    run=st.dictionaries(st.sampled_from("abcd"), RANKINGS.filter(bool), min_size=1),
    qrels=st.dictionaries(
        st.sampled_from("abcd"),
        st.dictionaries(st.sampled_from(UNITS), st.integers(1, 3), min_size=1),
    ),
)
def test_values_are_those_of_ir_measures(run, qrels):
    shared = {query: units for query, units in qrels.items() if query in run}
    ours = evaluate(run, shared, [parse_measure(key) for key in PARITY]).table
    scored = {query: {u: -float(at) for at, u in enumerate(units)} for query, units in run.items()}
    for metric in ir_measures.iter_calc(map(ir_measures.parse_measure, PARITY), shared, scored):
        key = repr(parse_measure(str(metric.measure)))
        assert ours[metric.query_id][key] == pytest.approx(metric.value), key


def test_the_ranking_decides_and_no_name_does():
    """trec_eval alone would order equal scores by descending id."""
    for ranking in (["a", "z"], ["z", "a"]):
        scored = evaluate({"q": ranking}, {"q": {ranking[0]: 1}}, [Measure("MRR", 10)])
        assert scored.table["q"]["MRR@10"] == 1.0


def test_a_unit_beyond_32_bit_float_neighbours_keeps_its_rank():
    ranking = [f"u{i:05}" for i in range(50_000)]
    scored = evaluate({"q": ranking}, {"q": {"u00099": 1}})
    assert scored.table["q"]["Recall@100"] == 1.0
    assert scored.table["q"]["Recall@50"] == 0.0


def test_missing_and_empty_answers_score_zero_and_are_named():
    result = evaluate(
        {"answered": ["a"], "empty": [], "stranger": ["a"]},
        {"answered": {"a": 1}, "empty": {"a": 1}, "missing": {"a": 1}},
        [Measure("Recall", 1)],
    )
    assert result.missing == ("empty", "missing")
    assert result.unjudged == ("stranger",)
    assert [row["Recall@1"] for row in result.table.values()] == [1.0, 0.0, 0.0]
    assert result.figures[0].value == pytest.approx(1 / 3)
    assert result.figures[0].n == 3


def test_a_query_without_gold_is_unscored_and_outside_the_mean():
    result = evaluate({"q": ["a"], "none": ["a"]}, {"q": {"a": 1}, "none": {"a": 0}})
    assert result.table["none"]["nDCG@10"] is None
    assert {figure.n for figure in result.figures} == {1}
    assert {figure.value for figure in result.figures} == {1.0}


def test_nothing_to_score_has_figures_without_values():
    result = evaluate({}, {})
    assert [figure.name for figure in result.figures] == [repr(m) for m in LEADERBOARD]
    assert {figure.value for figure in result.figures} == {None}


def test_a_unit_ranked_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        evaluate({"q": ["a", "b", "a"]}, {"q": {"a": 1}})
