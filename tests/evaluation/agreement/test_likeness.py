from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.agreement import likeness
from evaluation.agreement.likeness import Likeness, Matrix, OfSets, Same, graded
from evaluation.agreement.ratings import Scale
from evaluation.agreement.sets import jaccard, masi_distance
from tests.evaluation.agreement.examples import by_item, tables

SETS = st.frozensets(st.sampled_from("abcd"), max_size=3)


def written_out(of: Likeness) -> np.ndarray:
    """Return the whole matrix, read off products with single categories and pairs of them."""
    ones = np.eye(of.size)
    pairs = [[of.product((a + b)[None, :])[0] for b in ones] for a in ones]
    own = of.product(ones)
    return (np.array(pairs) - own[:, None] - own[None, :]) / 2


@settings(deadline=None)
@given(st.lists(SETS, min_size=1, max_size=8, unique=True), st.booleans())
def test_sets_are_as_alike_as_the_plain_definitions_say(sets, masi: bool) -> None:
    found = written_out(OfSets(sets, masi))
    for i, a in enumerate(sets):
        for j, b in enumerate(sets):
            expected = 1 - masi_distance(a, b) if masi else jaccard(a, b)
            assert found[i, j] == pytest.approx(expected)


@settings(deadline=None)
@given(tables(SETS), st.booleans())
def test_pairs_within_an_item_are_summed_in_both_directions(rows, masi: bool) -> None:
    ratings = by_item(rows, Scale.SETS)
    found = OfSets(ratings.categories, masi).within(ratings.kinds)
    for codes, total in zip(ratings.kinds.codes, found, strict=True):
        said = [ratings.categories[code] for code in codes if code >= 0]
        expected = sum(
            1 - masi_distance(a, b) if masi else jaccard(a, b) for a, b in permutations(said, 2)
        )
        assert total == pytest.approx(expected)


def test_working_through_sets_in_parts_changes_nothing(monkeypatch) -> None:
    sets = [frozenset(each) for each in ("", "a", "ab", "abc", "bc", "c", "d", "ad", "acd")]
    whole = written_out(OfSets(sets, masi=True))
    monkeypatch.setattr(likeness, "_CELLS_AT_ONCE", 5)
    parts = OfSets(sets, masi=True)
    assert len(parts._ends) > 3
    assert written_out(parts) == pytest.approx(whole)


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


@pytest.mark.parametrize("name", ["identity", "linear", "quadratic", "ordinal"])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_graded_weights_fall_from_one_to_nothing(name: str, size: int) -> None:
    weights = graded(name, size)
    assert weights.shape == (size, size)
    assert np.diag(weights) == pytest.approx(1)
    assert (weights == weights.T).all()
    assert (np.diff(weights[0]) <= 0).all()
    assert size == 1 or weights[0, -1] == pytest.approx(0)


def test_unknown_weights_are_refused() -> None:
    with pytest.raises(KeyError):
        graded("cubic", 3)
