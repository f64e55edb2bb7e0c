"""Published examples of statistics that have none in their own tests, and alpha's library."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evaluation.agreement.kappa import KrippendorffAlpha, MeanJaccard, RawAgreement
from evaluation.agreement.likeness import jaccard
from evaluation.agreement.ratings import Scale, measure
from tests.evaluation.agreement.examples import by_item, masi_distance, of_table, tables

SETS = st.frozensets(st.sampled_from("abcd"), max_size=3)


def test_raw_agreement_of_the_survey_of_artstein_and_poesio() -> None:
    # R. Artstein & M. Poesio 2008, Inter-Coder Agreement for Computational Linguistics, table 1:
    # two coders call 100 utterances a statement or a request; they agree on 20 and on 50.
    found = measure(of_table([[20, 20], [10, 50]]), RawAgreement()).figure
    assert found.value == pytest.approx(0.7)
    assert found.n == 100


def test_jaccard_of_the_textbook() -> None:
    # C. Manning, P. Raghavan & H. Schütze 2008, Introduction to Information Retrieval, 3.3.4: the
    # bigrams of "bord" and of "boardroom" share 2 of 9.
    bord, boardroom = bigrams("bord"), bigrams("boardroom")
    found = measure(by_item([[bord, boardroom]], Scale.SETS), MeanJaccard()).figure
    assert found.value == pytest.approx(2 / (8 + 3 - 2))


def bigrams(word: str) -> frozenset[str]:
    return frozenset(word[at : at + 2] for at in range(len(word) - 1))


def test_masi_as_its_best_known_implementation_prints_it() -> None:
    # NLTK, nltk.metrics.masi_distance: 0.665 for {1, 2} and {1, 2, 3, 4}, with 0.67 for the 2/3 of
    # R. Passonneau (LREC 2006).
    assert masi_distance(frozenset("12"), frozenset("1234")) == pytest.approx(0.665, abs=0.002)


def of_library(rows: Sequence[Sequence[Any]], domain: Sequence[Hashable], level: Any) -> float:
    """Return alpha of the package krippendorff, from how often each item has each value."""
    counts = np.array([[row.count(value) for value in domain] for row in rows])
    assume((counts.sum(axis=1) > 1).any())
    paired = counts[counts.sum(axis=1) > 1]
    assume((paired.sum(axis=0) > 0).sum() > 1)  # else there is no variation, and no alpha
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement=level))


@settings(deadline=None)
@given(tables(st.integers(0, 3)))
def test_alpha_of_values_is_that_of_the_library(rows: list[list[Any]]) -> None:
    for scale in (Scale.NOMINAL, Scale.ORDINAL, Scale.INTERVAL):
        expected = of_library(rows, range(4), str(scale))
        categories = None if scale is Scale.INTERVAL else range(4)
        alpha = KrippendorffAlpha(str(scale))
        found = measure(by_item(rows, scale, categories), alpha, resamples=0).figure.value
        assert found == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(tables(SETS))
def test_alpha_of_sets_is_that_of_the_library(rows: list[list[Any]]) -> None:
    domain = sorted({each for row in rows for each in row if each is not None}, key=sorted)
    assume(len(domain) > 1)
    for name, distance in (("masi", masi_distance), ("jaccard", one_minus_jaccard)):
        expected = of_library(rows, domain, matrix_of(domain, distance))
        alpha = KrippendorffAlpha(name)
        found = measure(by_item(rows, Scale.SETS), alpha, resamples=0).figure.value
        assert found == pytest.approx(expected, abs=1e-9)


def matrix_of(
    domain: Sequence[frozenset[str]], distance: Callable[[frozenset[str], frozenset[str]], float]
) -> Callable[..., Any]:
    """Return the distance as the library asks for it: of arrays of places in the domain."""
    every = np.array([[distance(a, b) for b in domain] for a in domain])

    def metric(v1: Any, v2: Any, i1: Any, i2: Any, n_v: Any, dtype: Any = None) -> Any:
        return every[i1, i2]

    return metric


def one_minus_jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return 1 - jaccard(a, b)
