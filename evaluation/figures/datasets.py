"""Description of data sets: similarity of question, gold and answer, and amount of gold.

After Zheng et al. (2025, section 4 and appendix G). The similarities are TF-IDF cosines, computed
elsewhere; here they become means with intervals, histograms, and tests between data sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal

import numpy as np

from evaluation.figure import Figure, mean_figure
from evaluation.significance import holm

BINS = 20  # bins of a histogram from 0 to 1
Pair = Literal["query_gold", "gold_answer"]
PAIRS: tuple[Pair, ...] = ("query_gold", "gold_answer")
Test = Literal["ks", "t"]
_Tested = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class Likeness:
    """One question: cosines with its gold and of gold and answer, and number of gold units.

    Over several gold units a cosine is the mean, or that of the nearest. None means that there is
    nothing to compare: no gold unit in the corpus, or no answer. `gold` counts the gold units in
    the corpus, `not_searched` those outside it.
    """

    question: str
    gold: int
    query_gold: float | None
    gold_answer: float | None
    not_searched: int = 0


@dataclass(frozen=True, slots=True)
class Dataset:
    """A named data set with its gold questions.

    `texts` are all its texts, by kind; `columns` the share of each value of a column.
    """

    name: str
    questions: tuple[Likeness, ...]
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, Figure]] = field(default_factory=dict)

    def cosines(self, pair: Pair) -> list[float]:
        """Return the known cosines of one kind, in question order."""
        found = (getattr(question, pair) for question in self.questions)
        return [value for value in found if value is not None]


@dataclass(frozen=True, slots=True)
class Description:
    """The figures that describe a data set.

    `without_gold` counts questions without a gold unit in the corpus. `gold` is the mean number of
    gold units of the others, `counts` their distribution. `not_searched` counts the
    pairs of a question and a gold unit outside the corpus, `not_searched_questions` the questions
    that have one. `histograms` has BINS
    counts for each kind of pair; a cosine on the border of two bins is in the higher one, 1 in the
    last. `lengths` are the mean lengths of texts in characters and words, by kind of text;
    `columns` the share of each value of a column.
    """

    name: str
    questions: int
    without_gold: int
    gold: Figure
    counts: tuple[tuple[int, int], ...]
    cosines: dict[Pair, Figure]
    histograms: dict[Pair, tuple[int, ...]]
    not_searched: int
    not_searched_questions: int
    lengths: Mapping[str, tuple[Figure, Figure]]
    columns: Mapping[str, Mapping[str, Figure]]


@dataclass(frozen=True, slots=True)
class Difference:
    """A test of the difference between two data sets in one kind of cosine.

    `test` is the two-sample Kolmogorov–Smirnov test of equal distributions ("ks"), or
    Welch's t test of equal means ("t"). `statistic` and `p` (two-sided) are None where a
    data set has too few values, or where neither varies. `corrected` is `p` after Holm's
    correction over all tests of the same comparison.
    """

    left: str
    right: str
    pair: Pair
    test: Test
    statistic: float | None
    p: float | None
    n: tuple[int, int]
    corrected: float | None = None


def describe(dataset: Dataset) -> Description:
    """Return a data set in numbers: questions, gold units, cosines, and lengths of texts."""
    counts = Counter(question.gold for question in dataset.questions if question.gold)
    cosines = {pair: dataset.cosines(pair) for pair in PAIRS}
    return Description(
        name=dataset.name,
        questions=len(dataset.questions),
        without_gold=sum(not question.gold for question in dataset.questions),
        gold=mean_figure("gold", [float(question.gold) or None for question in dataset.questions]),
        counts=tuple(sorted(counts.items())),
        cosines={pair: mean_figure(pair, values) for pair, values in cosines.items()},
        histograms={pair: histogram(values) for pair, values in cosines.items()},
        not_searched=sum(question.not_searched for question in dataset.questions),
        not_searched_questions=sum(question.not_searched > 0 for question in dataset.questions),
        lengths={kind: mean_lengths(texts) for kind, texts in dataset.texts.items()},
        columns=dataset.columns,
    )


def mean_lengths(texts: Sequence[str]) -> tuple[Figure, Figure]:
    """Return the mean length of the texts that are not blank, in characters and in words."""
    told = [text.strip() for text in texts if text.strip()]
    words = [float(len(text.split())) for text in told]
    return mean_figure("characters", [float(len(t)) for t in told]), mean_figure("words", words)


def histogram(values: Sequence[float]) -> tuple[int, ...]:
    """Return the number of `values` in each of BINS bins from 0 to 1."""
    places = np.floor(np.clip(values, 0, 1) * BINS + 1e-9).astype(int)
    return tuple(np.bincount(np.minimum(places, BINS - 1), minlength=BINS).tolist())


def differences(datasets: Sequence[Dataset]) -> list[Difference]:
    """Test the cosines of every two data sets, by each kind that both have; p corrected by Holm."""
    found = [
        _test_difference(left, right, pair, test)
        for pair in PAIRS
        for left, right in combinations(datasets, 2)
        if left.cosines(pair) and right.cosines(pair)
        for test in _TESTS
    ]
    adjusted = holm([each.p for each in found])
    return [replace(each, corrected=p) for each, p in zip(found, adjusted, strict=True)]


def _test_difference(left: Dataset, right: Dataset, pair: Pair, test: Test) -> Difference:
    """Test the difference of two data sets in one kind of cosine; `corrected` is left open."""
    a, b = left.cosines(pair), right.cosines(pair)
    statistic, p = _TESTS[test](a, b)
    return Difference(left.name, right.name, pair, test, statistic, p, (len(a), len(b)))


def _ks_test(a: Sequence[float], b: Sequence[float]) -> _Tested:
    from scipy.stats import ks_2samp

    found = ks_2samp(a, b)
    return float(found.statistic), float(found.pvalue)


def _t_test(a: Sequence[float], b: Sequence[float]) -> _Tested:
    from scipy.stats import ttest_ind

    if min(len(a), len(b)) < 2 or (np.ptp(a) == 0 and np.ptp(b) == 0):
        return None, None
    found = ttest_ind(a, b, equal_var=False)
    return float(found.statistic), float(found.pvalue)


_TESTS: dict[Test, Callable[[Sequence[float], Sequence[float]], _Tested]] = {
    "ks": _ks_test,
    "t": _t_test,
}
