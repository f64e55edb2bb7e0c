"""Scores against worked examples, and against definitions written out as plain loops."""

from __future__ import annotations

import math
from math import log2

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.ranking.scoring import (
    OFFERED,
    GroupedQuery,
    Measure,
    evaluate,
    measures_of,
    parse_measure,
    recall_bounds,
    score,
    too_deep,
    too_deep_notes,
)
from tests.support.refusals import code_of

NAMES = ["Recall", "P", "nDCG", "AP", "RR", "MRR", "FullRank", "AnyGold", "FullCov"]
CUTOFFS = st.integers(1, 1000)
MEASURES = st.one_of(
    st.builds(Measure, st.sampled_from(NAMES), CUTOFFS),
    st.builds(Measure, st.sampled_from(["nDCG", "AP", "RR", "MRR"])),
)


@given(MEASURES)
def test_the_key_reads_back_as_the_same_measure(measure):
    assert parse_measure(repr(measure)) == measure
    assert parse_measure(repr(measure).upper()) == measure


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("rr@10", "RR@10"),
        ("R@5", "Recall@5"),
        ("MAP", "AP"),
        (" ndcg@3 ", "nDCG@3"),
        ("AllGold@10", "FullCov@10"),
        ("success@5", "AnyGold@5"),
        ("FullMRR@10", "FullRank@10"),
    ],
)
def test_other_spellings(written, key):
    assert repr(parse_measure(written)) == key


@pytest.mark.parametrize(
    "written", ["Recall", "P", "FullCov", "AnyGold", "P@0", "nDCG@-1", "F1@3", "", "P@5@5"]
)
def test_anything_else_is_refused(written):
    assert code_of(parse_measure, written) == "unknown_measure"


def test_no_figure_is_offered_under_two_names():
    keys = [repr(each) for each in OFFERED]
    assert " ".join(keys) == (
        "Recall@1 Recall@5 Recall@10 Recall@20 Recall@50 Recall@100 nDCG@10 MRR@10 P@5 AP "
        "FullCov@1 FullCov@10 FullCov@100 FullCov@1000 "
        "AnyGold@1 AnyGold@10 AnyGold@100 AnyGold@1000 FullRank@10"
    )
    both = [Measure("RR", 10), Measure("MRR", 10)]
    assert evaluate({"q": ["a", "b"]}, {"q": {"b": 1}}, both).table["q"] == {
        "RR@10": 0.5,
        "MRR@10": 0.5,
    }


UNITS = [f"u{i}" for i in range(12)]
RANKINGS = st.lists(st.sampled_from(UNITS), unique=True, max_size=12)
JUDGEMENTS = st.dictionaries(st.sampled_from(UNITS), st.integers(0, 3), max_size=6)
CUT = ["Recall@1", "Recall@3", "P@3", "P@5", "nDCG@3", "AP@3", "MRR@2", "RR@2"]
CUT += ["AnyGold@2", "AnyGold@4", "FullCov@2", "FullCov@4", "FullRank@2", "FullRank@5"]
KEYS = [*CUT, "nDCG", "AP", "MRR", "RR", "FullRank"]


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
        "FullRank": lambda: 1 / found[-1] if found and len(found) == len(relevant) else 0.0,
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


def test_a_unit_ranked_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        evaluate({"q": ["a", "b", "a"]}, {"q": {"a": 1}})


P2, NDCG2 = parse_measure("P@2"), parse_measure("nDCG@2")
QUERIES = [
    GroupedQuery("g1/a", "a", "g1", "fraud"),
    GroupedQuery("g1/b", "b", "g1", "fraud"),
    GroupedQuery("g2/c", "c", "g2", "fraud"),
    GroupedQuery("g3/d", "d", "g3", "drug"),
]
QRELS = {
    "g1/a": {"b": 2, "x": 1},
    "g1/b": {"a": 2, "x": 1},
    "g2/c": {"y": 2, "z": 2},
    "g3/d": {"w": 1},
}


def test_the_query_itself_takes_no_rank():
    found = score({"g1/a": ["a", "b", "x"]}, QUERIES, QRELS, [P2])
    assert found.table["g1/a"] == {"P@2": 1.0}


def test_a_higher_grade_can_be_asked_for_and_grades_still_weigh():
    found = score({"g1/a": ["x", "b"]}, QUERIES, QRELS, [P2, NDCG2], least=2)
    ideal = 2 + 1 / math.log2(3)
    assert found.table["g1/a"]["P@2"] == 0.5
    assert found.table["g1/a"]["nDCG@2"] == pytest.approx((1 + 2 / math.log2(3)) / ideal)


def test_a_query_without_a_target_is_not_scored_and_not_zero():
    found = score({"g3/d": ["w"]}, QUERIES, QRELS, [P2, NDCG2], least=2)
    assert found.table["g3/d"] == {"P@2": None, "nDCG@2": None}
    assert [(f.value, f.n) for f in found.by_category["drug"]] == [(None, 0), (None, 0)]


def test_a_group_counts_once_with_the_mean_of_its_queries():
    run = {"g1/a": ["b", "x"], "g1/b": ["q", "r"], "g2/c": ["y", "z"], "g3/d": ["w", "q"]}
    found = score(run, QUERIES, QRELS, [P2])
    assert found.figures[0].value == pytest.approx((0.5 + 1 + 0.5) / 3)
    assert found.figures[0].n == 3
    assert found.figures[0].low is not None
    assert found.by_category["fraud"][0].value == 0.75
    assert found.by_category["fraud"][0].n == 2
    assert found.by_category["drug"][0].as_json() == {"value": 0.5, "n": 1, "ci": None}


def test_what_the_run_leaves_out_scores_zero_and_what_nobody_asked_is_named():
    found = score({"g2/c": ["y", "z"], "odd": ["y"]}, QUERIES, QRELS, [P2])
    assert (found.missing, found.unknown) == (("g1/a", "g1/b", "g3/d"), ("odd",))
    assert found.table["g1/a"] == {"P@2": 0.0}


@given(st.lists(MEASURES, max_size=6), st.one_of(st.none(), CUTOFFS))
def test_only_what_looks_deeper_than_the_run_is_blank(measures, depth):
    qrels = {"q": {"a": 1}, "none": {}}
    found = evaluate({"q": ["b", "a"]}, qrels, measures)
    cut = found.within(depth)
    deep = [repr(each) for each in measures if depth and each.cutoff and each.cutoff > depth]
    assert list(too_deep(found.measures, depth)) == deep
    for key in cut.measures:
        assert cut.table["q"][key] == (None if key in deep else found.table["q"][key])
        assert cut.table["none"][key] is None
    assert bool(too_deep_notes(cut.measures, [depth])) == bool(deep)


def test_blank_figures_are_told_once_for_each_depth():
    notes = too_deep_notes(["Recall@10", "AP", "Recall@100"], [50, None, 5, 50, 100])
    assert [note.partition(": ")[2] for note in notes] == [
        "Recall@10, Recall@100 of 1 run kept to depth 5.",
        "Recall@100 of 2 runs kept to depth 50.",
    ]


def test_a_benchmark_of_groups_leaves_the_same_blank():
    queries = [GroupedQuery("q", "own", "g", "c")]
    measures = [Measure("P", 2), Measure("Recall", 3)]
    found = score({"q": ["own", "a"]}, queries, {"q": {"a": 1}}, measures, depth=2)
    assert [figure.value for figure in found.figures] == [0.5, None]
    assert [figure.value for figure in found.by_category["c"]] == [0.5, None]
    assert found.table == {"q": {"P@2": 0.5, "Recall@3": None}}


PARENTS = {"a-o1": "a", "a-o2": "a", "b-o1": "b"}
QRELS_OF_BOUNDS = {
    "a-o1": {"u": 1, "v": 1},
    "a-o2": {"u": 1, "v": 1},
    "b-o1": {"w": 1},
    "c": {"w": 1},
}
RUN = {"a-o1": ["u", "x", "v"], "a-o2": ["x", "y"], "b-o1": ["w"], "c": ["x"]}
SIZES = {query: len(units) for query, units in QRELS_OF_BOUNDS.items()}


def bounds(run, k, resamples=1000):
    table = evaluate(run, QRELS_OF_BOUNDS, measures_of(k)).table
    return recall_bounds(table, PARENTS, SIZES, k, resamples)


def test_any_gold_is_the_upper_and_all_gold_the_lower_bound() -> None:
    found = bounds(RUN, 2)
    assert (found.lower.name, found.upper.name) == ("FullCov@2", "AnyGold@2")
    assert found.lower.value == pytest.approx(1 / 3)  # b-o1 alone
    assert found.upper.value == pytest.approx(2 / 3)  # a-o1 as well
    assert (found.lower.n, found.parents, found.several) == (3, 2, 2)
    deeper = bounds(RUN, 3)
    assert deeper.lower.value == deeper.upper.value == pytest.approx(2 / 3)


def test_intervals_draw_parents_and_not_questions() -> None:
    found = bounds(RUN, 2)
    # Both of a, both of b, or one of each: shares 1/2, 1 and 2/3 are all there are.
    assert (found.upper.low, found.upper.high) == (0.5, 1.0)
    alone = {"a-o1": ["u"], "a-o2": []}
    table = evaluate(alone, {each: QRELS_OF_BOUNDS[each] for each in alone}, measures_of(1)).table
    one = recall_bounds(table, PARENTS, SIZES, 1)
    assert (one.upper.value, one.upper.low, one.parents) == (0.5, None, 1)


def test_questions_without_gold_and_of_no_parent_are_left_out() -> None:
    table: dict[str, dict[str, float | None]] = {
        "a-o1": {"FullCov@1": None, "AnyGold@1": None},
        "c": {"FullCov@1": 1, "AnyGold@1": 1},
    }
    found = recall_bounds(table, PARENTS, {}, 1)
    assert (found.lower.value, found.lower.n, found.parents) == (None, 0, 0)
