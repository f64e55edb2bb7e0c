"""Checked against published worked examples; see the notes at each."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement.sets import (
    Alpha,
    exact_match,
    jaccard,
    masi_distance,
    mean_jaccard,
)

S = frozenset
answers = st.frozensets(st.sampled_from("abcde"), max_size=4)
items = st.lists(
    st.lists(st.one_of(st.none(), answers), min_size=2, max_size=4), min_size=1, max_size=8
)

# K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011): data and results of
# sections A (binary, two observers), B (nominal, two observers), C (four observers, gaps).
BINARY = ["0100000010", "1110010000"]
NOMINAL = ["aabbdcccedda", "babbbccceddd"]
MISSING = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]


def _columns(rows: list[str]) -> list[list[str | None]]:
    return [[None if value == "." else value for value in unit] for unit in zip(*rows, strict=True)]


@pytest.mark.parametrize(
    ("rows", "published"), [(BINARY, 0.095), (NOMINAL, 0.692), (MISSING, 0.743)]
)
def test_alpha_gives_the_published_nominal_values(rows: list[str], published: float) -> None:
    assert Alpha(_columns(rows)).value() == pytest.approx(published, abs=0.0005)


def test_alpha_takes_any_distance_as_the_published_interval_value_shows() -> None:
    def squared(a: str, b: str) -> float:
        return float((int(a) - int(b)) ** 2)

    assert Alpha(_columns(MISSING), squared).value() == pytest.approx(0.849, abs=0.0005)


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
    assert masi_distance(a, b) == pytest.approx(float(1 - masi))


@given(answers, answers)
def test_masi_is_a_symmetric_distance_no_smaller_than_jaccard(a: S[str], b: S[str]) -> None:
    assert masi_distance(a, b) == masi_distance(b, a)
    assert 0 <= masi_distance(a, b) <= 1
    assert (masi_distance(a, b) == 0) == (a == b)
    assert masi_distance(a, b) >= 1 - jaccard(a, b) - 1e-12


def _by_definition(data: list[list[S[str] | None]]) -> float | None:
    """Alpha straight from its definition, over all pairs of values, without any shortcut."""
    kept = [[v for v in item if v is not None] for item in data]
    kept = [item for item in kept if len(item) > 1]
    values = [v for item in kept for v in item]
    n = len(values)
    observed = sum(
        masi_distance(item[i], item[j]) / (len(item) - 1)
        for item in kept
        for i in range(len(item))
        for j in range(len(item))
        if i != j
    )
    expected = sum(
        masi_distance(values[i], values[j]) for i in range(n) for j in range(n) if i != j
    )
    if not expected:
        return None
    return 1 - (observed / n) / (expected / (n * (n - 1)))


@given(items)
def test_alpha_equals_its_definition(data: list[list[S[str] | None]]) -> None:
    expected = _by_definition(data)
    found = Alpha(data, masi_distance).value()
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert found == pytest.approx(expected, abs=1e-9)
        assert found <= 1 + 1e-12


@given(items, st.randoms(use_true_random=False))
def test_alpha_knows_no_order_of_people_or_items(data: list[list[S[str] | None]], random) -> None:
    shuffled = [random.sample(item, len(item)) for item in data]
    random.shuffle(shuffled)
    a, b = Alpha(data, masi_distance).value(), Alpha(shuffled, masi_distance).value()
    assert a == b or (a is not None and b is not None and a == pytest.approx(b, abs=1e-9))


@given(st.lists(answers, min_size=2, max_size=8), st.integers(2, 4))
def test_perfect_agreement_is_one_and_no_variation_is_undefined(
    said: list[S[str]], people: int
) -> None:
    alpha = Alpha([[each] * people for each in said], masi_distance)
    assert alpha.value() == (pytest.approx(1.0) if len(set(said)) > 1 else None)


@given(items)
def test_the_resample_of_every_item_once_is_the_value(data: list[list[S[str] | None]]) -> None:
    alpha = Alpha(data, masi_distance)
    rows = np.arange(alpha.n, dtype=np.float64)[None, ::-1]
    found = alpha.of_samples(rows)[0]
    value = alpha.value()
    assert np.isnan(found) if value is None else found == pytest.approx(value)


def test_a_resample_is_the_alpha_of_the_resampled_items() -> None:
    data: list[list[S[str] | None]] = [
        [S("a"), S("a")],
        [S("ab"), S("b")],
        [S("c"), S("d")],
        [S(), S("a")],
    ]
    picked = [0, 2, 2, 3]
    found = Alpha(data, masi_distance).of_samples(np.array([picked], dtype=np.float64))[0]
    assert found == pytest.approx(_by_definition([data[n] for n in picked]))


def test_missing_answers_take_part_in_nothing() -> None:
    assert exact_match([S("a"), None]) is None
    assert mean_jaccard([None, None]) is None
    assert Alpha([[S("a"), None], [None, None]], masi_distance).value() is None
    assert Alpha([], masi_distance).value() is None
    with_gap: list[list[S[str] | None]] = [[S("a"), S("a"), None], [S("b"), S("c"), None]]
    without = [item[:2] for item in with_gap]
    assert Alpha(with_gap, masi_distance).value() == Alpha(without, masi_distance).value()


def test_two_people_who_both_find_no_provision_agree() -> None:
    assert exact_match([S(), S()]) == 1.0
    assert mean_jaccard([S(), S()]) == 1.0
    assert exact_match([S(), S("a")]) == mean_jaccard([S(), S("a")]) == 0.0


def test_three_answers_are_compared_in_pairs() -> None:
    three = [S("a"), S("a"), S("ab")]
    assert exact_match(three) == 0.0
    assert mean_jaccard(three) == pytest.approx((1 + 0.5 + 0.5) / 3)
