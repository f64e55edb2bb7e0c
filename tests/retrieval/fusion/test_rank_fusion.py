"""RRF, weighted RRF, Reciprocal Rank MAX and the min-max hybrid, worked out by hand.

Two parts rank five units:

rank     1       2       3       4
lexical  a 8.0   b 6.0   c 4.0   d 2.0
dense    c 0.9   a 0.6   e 0.3
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.core.model import Hit, best
from retrieval.core.registry import make
from retrieval.fusion.rank_fusion import RRF, RRM, WRRF, MinMax, minmax_sum, reciprocal_rank_sum
from tests.retrieval.toys import ASKED, ToyScores, corpus_of, found, ids_of, made
from tests.support.refusals import code_of

LEXICAL = {"a": 8.0, "b": 6.0, "c": 4.0, "d": 2.0}
DENSE = {"c": 0.9, "a": 0.6, "e": 0.3}
KINDS = (RRF, WRRF, RRM, MinMax)


def fitted(kind, first=LEXICAL, second=DENSE, **given):
    method = made(kind, [ToyScores(first), ToyScores(second)], **given)
    method.fit(corpus_of("a", "b", "c", "d", "e"))
    return method


def test_weighted_rrf_by_hand() -> None:
    """With k = 5 and 0.1/0.9: c .1/8 + .9/6 = .1625, a .1/6 + .9/7 = .145238, e .9/8 = .1125."""
    told = found(fitted(WRRF))
    assert told == pytest.approx(
        {"c": 0.1625, "a": 0.1452380952, "e": 0.1125, "b": 0.0142857143, "d": 0.0111111111}
    )
    assert list(told) == ["c", "a", "e", "b", "d"]


def test_reciprocal_rank_max_by_hand() -> None:
    """With k = 60: a and c have rank 1 somewhere, b 2, e 3, d 4; a and c tie and stand by id."""
    told = found(fitted(RRM))
    assert told == pytest.approx(
        {"a": 0.0163934426, "c": 0.0163934426, "b": 0.0161290323, "e": 0.0158730159, "d": 0.015625}
    )
    assert list(told) == ["a", "c", "b", "e", "d"]


def test_minmax_by_hand() -> None:
    """Lexical a 1, b 2/3, c 1/3, d 0; dense c 1, a 1/2, e 0. At .4/.6: a .7, c .7333, b .2667."""
    told = found(fitted(MinMax, weights=[0.4, 0.6]))
    assert told == pytest.approx({"c": 0.7333333333, "a": 0.7, "b": 0.2666666667, "d": 0, "e": 0})
    assert list(told) == ["c", "a", "b", "d", "e"]
    halves = found(fitted(MinMax))  # a .5 + .25, c 1/6 + .5, b 1/3
    assert halves == pytest.approx(
        {"a": 0.75, "c": 0.6666666667, "b": 0.3333333333, "d": 0, "e": 0}
    )


def test_equal_scores_of_a_part_count_fully() -> None:
    told = found(fitted(MinMax, {"b": 3.0, "d": 3.0}, {"e": 7.0}))
    assert told == {"b": 0.5, "d": 0.5, "e": 0.5}


def test_below_the_pool_comes_what_parts_rank_further_down_by_the_whole_fusion() -> None:
    """Of the first two a, b, c; then d (4th and 3rd) before e (3rd alone)."""
    dense = {"c": 0.9, "a": 0.6, "d": 0.3}
    lexical = {"a": 8.0, "b": 6.0, "e": 4.0, "d": 2.0}
    told = found(fitted(RRF, lexical, dense, depth=2))
    assert list(told) == ["a", "c", "b", "d", "e"]
    pool = 1 / 61 + 1 / 62, 1 / 62
    width = pool[0] - pool[1]
    assert told["d"] == pytest.approx(pool[1] - width / 2)
    assert told["e"] == pytest.approx(pool[1] - 2 * width / 3)


@pytest.mark.parametrize("weights", [[0.5], [0.5, 0.6], [0.2, 0.3, 0.5]])
@pytest.mark.parametrize("name", ["wrrf", "minmax"])
def test_weights_that_do_not_fit_are_refused(name, weights) -> None:
    spec = {"method": name, "of": [{"method": "bm25"}, {"method": "bm25", "k1": 1}]}
    assert code_of(make, spec | {"weights": weights}) == "fusion_weights"
    make(spec | {"weights": [0.25, 0.75]})
    make(spec | {"weights": []})


RANKING = st.dictionaries(st.sampled_from("abcde"), st.floats(0.5, 9), max_size=5)


@pytest.mark.parametrize("kind", KINDS)
@given(first=RANKING, second=RANKING, depth=st.integers(1, 5), k=st.integers(0, 6))
def test_a_deep_ranking_goes_on_below_the_same_pool(kind, first, second, depth, k) -> None:
    method = fitted(kind, first, second, depth=depth)
    hits = method.search([ASKED], 10)["q"]
    cut = [dict(list(sorted_by(part).items())[:depth]) for part in (first, second)]
    pool = fitted(kind, *cut).search([ASKED], 10)["q"]
    assert hits[: len(pool)] == pool
    assert sorted(ids_of(hits)) == sorted({*first, *second})
    falling = [hit.score for hit in hits[max(0, len(pool) - 1) :]]
    assert falling == sorted(set(falling), reverse=True)
    whole = ids_of(fitted(kind, first, second).search([ASKED], 10)["q"])
    below = ids_of(hits[len(pool) :])
    assert below == [unit for unit in whole if unit in below]
    assert method.search([ASKED], k)["q"] == hits[:k]


def sorted_by(scores):
    """Return a ranking's scores, best first."""
    return {hit.unit_id: hit.score for hit in best(scores, len(scores))}


LONG = st.permutations([f"u{n:02}" for n in range(40)]).flatmap(
    lambda units: st.integers(0, 40).map(lambda many: units[:many])
)


@given(first=LONG, second=LONG, tenths=st.integers(0, 10), k=st.sampled_from([0, 5, 60, 0.1]))
def test_equal_sums_are_equal_scores_and_stand_by_id(first, second, tenths, k) -> None:
    """As fractions .1/6 + .9/18 is .1/9 + .9/16.2: what floats make of them decides no order."""
    exact: dict[str, Fraction] = {}
    weights = [Fraction(tenths, 10), 1 - Fraction(tenths, 10)]
    for units, weight in zip((first, second), weights, strict=True):
        for rank, unit in enumerate(units, 1):
            exact[unit] = exact.get(unit, Fraction(0)) + weight / (Fraction(str(k)) + rank)
    runs = [[Hit(unit, -float(at)) for at, unit in enumerate(units)] for units in (first, second)]
    found = reciprocal_rank_sum(runs, k, [tenths / 10, (10 - tenths) / 10])
    assert [hit.unit_id for hit in best(found, 99)] == sorted(exact, key=lambda u: (-exact[u], u))


def test_shares_that_make_up_one_are_one_in_minmax() -> None:
    """.1 + .2 is .3, though not in floats."""
    high, low = [Hit("a", 2.0), Hit("z", 1.0)], [Hit("b", 2.0), Hit("z", 1.0)]
    assert minmax_sum([high, high, low, []], [0.1, 0.2, 0.3, 0.4]) == {"a": 0.3, "b": 0.3, "z": 0}
