from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.figures.datasets import BINS, Dataset, Likeness, describe, differences, histogram


def dataset(name: str, cosines: list[float], answers: list[float] | None = None) -> Dataset:
    told: Sequence[float | None] = answers or [None] * len(cosines)
    rows = zip(cosines, told, strict=True)
    return Dataset(name, tuple(Likeness(f"q{n}", 1, a, b) for n, (a, b) in enumerate(rows)))


def test_a_data_set_is_described_by_what_there_is() -> None:
    rows = (
        Likeness("a", 1, 0.1, 0.3, 1),
        Likeness("b", 2, 0.3, None),
        Likeness("c", 1, 0.2, 0.5),
        Likeness("d", 0, None, None, 2),
    )
    found = describe(Dataset("set", rows, {"question": [" ab cd ", "", "abc"]}))
    assert (found.not_searched, found.not_searched_questions) == (3, 2)
    assert [(each.value, each.n) for each in found.lengths["question"]] == [(4.0, 2), (1.5, 2)]
    assert (found.questions, found.without_gold) == (4, 1)
    assert found.counts == ((1, 2), (2, 1))
    assert found.gold.value == pytest.approx(4 / 3)
    assert found.cosines["query_gold"].value == pytest.approx(0.2)
    assert found.cosines["gold_answer"].value == pytest.approx(0.4)
    assert (found.gold.n, *(each.n for each in found.cosines.values())) == (3, 3, 2)


def test_an_empty_data_set_has_nothing_to_say() -> None:
    found = describe(Dataset("none", ()))
    assert found.cosines["query_gold"].value is None and found.gold.value is None
    assert sum(found.histograms["query_gold"]) == 0
    assert differences([Dataset("none", ()), dataset("some", [0.1, 0.2])]) == []


def test_a_cosine_on_a_border_is_in_the_higher_bin() -> None:
    found = histogram([0.0, 0.05, 0.15, 0.99, 1.0])
    assert (found[0], found[1], found[3], found[-1]) == (1, 1, 1, 2)


def test_the_statistics_are_those_worked_out_by_hand() -> None:
    # KS: the greatest gap of the step functions of {.1, .2, .2, .3} and {.2, .5, .6} is 2/3, at .3.
    # Welch: means .2 and 13/30, variances .02/3 and 13/300, of four and three values.
    ks, t = differences([dataset("a", [0.1, 0.2, 0.2, 0.3]), dataset("b", [0.2, 0.5, 0.6])])
    assert (ks.test, t.test) == ("ks", "t")
    assert ks.statistic == pytest.approx(2 / 3)
    assert t.statistic == pytest.approx(-(7 / 30) / (0.02 / 3 / 4 + 13 / 300 / 3) ** 0.5)
    assert ks.n == t.n == (4, 3)


def test_every_two_data_sets_are_tested_and_the_p_values_corrected_together() -> None:
    rng = np.random.default_rng(1)
    low, high = (rng.uniform(at, at + 0.2, 40).tolist() for at in (0.0, 0.3))
    found = differences([dataset("a", low, low), dataset("b", high, low), dataset("c", low)])
    told = [(each.left, each.right, each.pair) for each in found if each.test == "ks"]
    assert told == [
        ("a", "b", "query_gold"),
        ("a", "c", "query_gold"),
        ("b", "c", "query_gold"),
        ("a", "b", "gold_answer"),
    ]
    for each in found:
        assert each.p is not None and each.corrected is not None and each.corrected >= each.p
    apart = next(each for each in found if each.right == "b" and each.pair == "query_gold")
    alike = next(each for each in found if each.right == "c")
    assert apart.corrected is not None and apart.corrected < 0.001
    assert alike.p == pytest.approx(1.0)


def test_a_test_that_cannot_be_made_is_missing() -> None:
    one = differences([dataset("a", [0.1]), dataset("b", [0.2, 0.3])])
    assert [(each.test, each.p is None) for each in one] == [("ks", False), ("t", True)]
    still = differences([dataset("a", [0.1, 0.1]), dataset("b", [0.2, 0.2])])
    assert still[1].statistic is None and still[1].corrected is None
    for each in differences([dataset("a", [0.1, 0.1]), dataset("b", [0.2, 0.3])]):
        assert each.p is not None


@given(st.lists(st.floats(0, 1), max_size=50))
def test_a_histogram_counts_every_value_once(values: list[float]) -> None:
    found = histogram(values)
    assert len(found) == BINS
    assert sum(found) == len(values)
