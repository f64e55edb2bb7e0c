from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.agreement.likeness import Matrix, Same, graded
from evaluation.agreement.ratings import Scale
from tests.evaluation.agreement.examples import by_item, tables


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
