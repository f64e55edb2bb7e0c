from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.agreement import likeness
from evaluation.agreement.likeness import (
    Likeness,
    Matrix,
    OfSets,
    Same,
    exact_match,
    graded,
    jaccard,
    mean_jaccard,
)
from evaluation.agreement.ratings import Scale
from tests.evaluation.agreement.examples import by_item, masi_distance, tables


@settings(deadline=None)
@given(tables(st.sampled_from("abc")))
def test_the_same_is_the_unit_matrix(rows) -> None:
    kinds = by_item(rows, Scale.NOMINAL, "abc").kinds
    assert Same(3).within(kinds) == pytest.approx(Matrix(np.eye(3)).within(kinds))
    totals = np.arange(6.0).reshape(2, 3)
    assert Same(3).product(totals) == pytest.approx(Matrix(np.eye(3)).product(totals))


def test_graded_weights_are_those_printed_for_three_categories() -> None:
    # K. Gwet, package irrCAC 1.0, vignette "Weighted Chance-corrected Agreement Coefficients"
    assert graded("identity", 3).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert graded("linear", 3).tolist() == [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]
    assert graded("quadratic", 3).tolist() == [[1, 0.75, 0], [0.75, 1, 0.75], [0, 0.75, 1]]
    two_thirds = pytest.approx(2 / 3)
    assert graded("ordinal", 3).tolist() == [
        [1, two_thirds, 0],
        [two_thirds, 1, two_thirds],
        [0, two_thirds, 1],
    ]


def test_unknown_weights_are_refused() -> None:
    with pytest.raises(KeyError):
        graded("cubic", 3)


S = frozenset


def test_missing_answers_take_part_in_nothing() -> None:
    assert exact_match([S("a"), None]) is None
    assert mean_jaccard([None, None]) is None


def test_two_people_who_both_find_no_provision_agree() -> None:
    assert exact_match([S(), S()]) == 1.0
    assert mean_jaccard([S(), S()]) == 1.0
    assert exact_match([S(), S("a")]) == mean_jaccard([S(), S("a")]) == 0.0


def test_three_answers_are_compared_in_pairs() -> None:
    three = [S("a"), S("a"), S("ab")]
    assert exact_match(three) == 0.0
    assert mean_jaccard(three) == pytest.approx((1 + 0.5 + 0.5) / 3)


SMALL = st.frozensets(st.sampled_from("abcd"), max_size=3)
ANY = st.frozensets(st.sampled_from("abcdefghij"))  # up to ten members: large ones among them


def written_out(of: Likeness) -> np.ndarray:
    """Return the whole matrix, read off products with single categories and pairs of them."""
    ones = np.eye(of.size)
    pairs = [[of.product((a + b)[None, :])[0] for b in ones] for a in ones]
    own = of.product(ones)
    return (np.array(pairs) - own[:, None] - own[None, :]) / 2


@pytest.mark.parametrize(
    ("a", "b", "masi"),
    [  # R. Passonneau, Measuring Agreement on Set-Valued Items (LREC 2006): Jaccard × monotonicity
        (S("ab"), S("ab"), Fraction(1)),
        (S("ab"), S("a"), Fraction(1, 2) * Fraction(2, 3)),
        (S("ab"), S("abcd"), Fraction(1, 2) * Fraction(2, 3)),
        (S("abc"), S("a"), Fraction(1, 3) * Fraction(2, 3)),
        (S("ab"), S("bc"), Fraction(1, 3) * Fraction(1, 3)),
        (S("ab"), S("cd"), Fraction(0)),
        (S(), S("a"), Fraction(0)),
        (S(), S(), Fraction(1)),
    ],
)
def test_masi_follows_its_definition(a: S[str], b: S[str], masi: Fraction) -> None:
    sets = list(dict.fromkeys([a, b]))
    assert written_out(OfSets(sets, masi=True))[0, -1] == pytest.approx(float(masi))
    assert 1 - masi_distance(a, b) == pytest.approx(float(masi))


@settings(deadline=None)
@given(st.lists(st.one_of(SMALL, ANY), min_size=1, max_size=8, unique=True), st.booleans())
def test_sets_are_as_alike_as_the_plain_definitions_say(sets, masi: bool) -> None:
    found = written_out(OfSets(sets, masi))
    for i, a in enumerate(sets):
        for j, b in enumerate(sets):
            expected = 1 - masi_distance(a, b) if masi else jaccard(a, b)
            assert found[i, j] == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(tables(SMALL), st.booleans())
def test_pairs_within_an_item_are_summed_in_both_directions(rows, masi: bool) -> None:
    ratings = by_item(rows, Scale.SETS)
    found = OfSets(ratings.categories, masi).within(ratings.kinds)
    for codes, total in zip(ratings.kinds.codes, found, strict=True):
        said = [ratings.categories[code] for code in codes if code >= 0]
        expected = sum(
            1 - masi_distance(a, b) if masi else jaccard(a, b) for a, b in permutations(said, 2)
        )
        assert total == pytest.approx(expected)


def test_what_counts_as_large_and_working_in_parts_change_nothing(monkeypatch) -> None:
    sets = [frozenset(each) for each in ("", "a", "ab", "abc", "bc", "c", "d", "ad", "acd", "abcd")]
    whole = written_out(OfSets(sets, masi=True))
    monkeypatch.setattr(likeness, "_LARGE", 2)
    assert written_out(OfSets(sets, masi=True)) == pytest.approx(whole)
    monkeypatch.setattr(likeness, "_CELLS_AT_ONCE", 5)
    parts = OfSets(sets, masi=True)
    assert len(parts._ends) > 3
    assert written_out(parts) == pytest.approx(whole)
