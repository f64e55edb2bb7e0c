from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.agreement.alpha import KrippendorffAlpha
from evaluation.agreement.likeness import jaccard
from evaluation.agreement.ratings import Reason, Scale, measure
from tests.evaluation.agreement.examples import (
    BINARY,
    FOUR_OBSERVERS,
    TWO_OBSERVERS,
    by_item,
    by_rater,
    masi_distance,
    slow_alpha,
    tables,
)

Used = Counter[Hashable]
SETS = st.frozensets(st.sampled_from("abcd"), max_size=3)


@pytest.mark.parametrize(
    ("rows", "scale", "distance", "published"),
    [  # Krippendorff 2011, sections A to E
        (BINARY, Scale.NOMINAL, "nominal", 0.095),
        (TWO_OBSERVERS, Scale.NOMINAL, "nominal", 0.692),
        (FOUR_OBSERVERS, Scale.NOMINAL, "nominal", 0.743),
        (FOUR_OBSERVERS, Scale.ORDINAL, "ordinal", 0.815),
        (FOUR_OBSERVERS, Scale.INTERVAL, "interval", 0.849),
    ],
)
def test_the_published_values(rows: list[str], scale: Scale, distance: str, published) -> None:
    ratings = by_rater(rows, scale, "12345" if scale is Scale.ORDINAL else None)
    found = measure(ratings, KrippendorffAlpha(distance))
    assert found.figure.value == pytest.approx(published, abs=0.0005)
    assert found.figure.n == {BINARY[0]: 10, TWO_OBSERVERS[0]: 12}.get(rows[0], 11)


def nominal(a, b, used: Used) -> float:
    return float(a != b)


def interval(a, b, used: Used) -> float:
    return float((a - b) ** 2)


def ordinal(a, b, used: Used) -> float:
    """The published formula: ratings from one category to the other, half of both ends, squared."""
    low, high = min(a, b), max(a, b)
    return (sum(used[c] for c in range(low, high + 1)) - (used[a] + used[b]) / 2) ** 2


def masi(a, b, used: Used) -> float:
    return masi_distance(a, b)


def one_minus_jaccard(a, b, used: Used) -> float:
    return 1 - jaccard(a, b)


def check(rows, scale: Scale, distance: str, slow, categories=None) -> None:
    found = measure(by_item(rows, scale, categories), KrippendorffAlpha(distance), resamples=0)
    expected = slow_alpha(rows, slow)
    if expected is None:
        assert found.figure.value is None
        assert found.reason in (Reason.NO_PAIRS, Reason.NO_VARIATION)
    else:
        assert found.figure.value == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(tables(st.integers(0, 3)))
def test_alpha_of_values_is_its_definition(rows) -> None:
    check(rows, Scale.NOMINAL, "nominal", nominal)
    check(rows, Scale.ORDINAL, "ordinal", ordinal, range(4))
    check(rows, Scale.INTERVAL, "interval", interval)


@settings(deadline=None)
@given(tables(SETS))
def test_alpha_of_sets_is_its_definition(rows) -> None:
    check(rows, Scale.SETS, "masi", masi)
    check(rows, Scale.SETS, "jaccard", one_minus_jaccard)


@settings(deadline=None)
@given(tables(st.integers(-5, 5)), st.floats(1e3, 1e6), st.floats(0.1, 10))
def test_the_interval_alpha_knows_no_unit_and_no_zero(rows, shift: float, factor: float) -> None:
    moved = [[None if v is None else v * factor + shift for v in row] for row in rows]
    alpha = KrippendorffAlpha("interval")
    plain = measure(by_item(rows, Scale.INTERVAL), alpha, resamples=0).figure.value
    found = measure(by_item(moved, Scale.INTERVAL), alpha, resamples=0).figure.value
    assert found == (None if plain is None else pytest.approx(plain, abs=1e-6))


def test_a_distance_is_only_for_its_scale() -> None:
    ratings = by_item([["a", "b"], ["a", "a"]], Scale.NOMINAL)
    for distance in ("ordinal", "interval", "masi", "jaccard"):
        assert measure(ratings, KrippendorffAlpha(distance)).reason == Reason.SCALE
    with pytest.raises(KeyError):
        measure(ratings, KrippendorffAlpha("unheard of"))
