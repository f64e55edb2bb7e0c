"""Agreement at size: how long the statistics of many annotations take, intervals included.

The annotations are made by a fixed seed. Two raters rate every item, so that every nominal
statistic applies; then 20 raters share the items, one to five on each (``…_gaps``); then two raters
choose sets of provisions, some of them common and most rare (``…_sets``). Figures:

``annotations``      ratings in each of the three
``seconds``          all nominal statistics of the first, each with its interval, and making the
                     table from (item, rater, value) triples
``seconds_table``    of these, making the table
``seconds_<key>``    of these, one statistic
``seconds_…_gaps``, ``seconds_…_sets``  the same for the others; not in ``seconds``
``distinct_sets``    how many different sets were chosen

With ``--coverage`` instead: how often the 95 % interval holds the value of the population that the
items come from, over so many draws (n) of 20, 50 or 200 items rated by two people in three
categories. ``…_even``: none of the categories is rare; ``…_skewed``: one has 90 % of the items.
Draws in which all resamples are alike have no interval and count in neither.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import program

PARSER = program(__doc__, "annotations seconds seconds_* distinct_sets coverage_*")
PARSER.add_argument("--annotations", type=int, default=100_000, help="ratings in each table")
PARSER.add_argument("--resamples", type=int, default=1000, help="of the items")
PARSER.add_argument("--coverage", action="store_true", help="of intervals, instead of times")
PARSER.add_argument("--draws", type=int, default=400, help="for each coverage")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import time
from argparse import Namespace
from collections.abc import Sequence

import numpy as np

from benchmarks.program import run
from evaluation.agreement.kappa import (
    CohenKappa,
    FleissKappa,
    GwetAC,
    KrippendorffAlpha,
    MeanJaccard,
    RawAgreement,
)
from evaluation.agreement.ratings import Rating, Ratings, Scale, Statistic, measure
from evaluation.figure import Figure, share_figure

SEED = 0
CATEGORIES = "abcde"
RIGHT = 0.8  # how often a rater says what the item is
RATERS = 20
_SHARES = {"even": (0.4, 0.3, 0.3), "skewed": (0.9, 0.05, 0.05)}
_POPULATION = 2_000_000
UNITS = 7_000  # provisions that sets are made of

_COMPLETE: tuple[Statistic, ...] = (
    RawAgreement(),
    CohenKappa(),
    FleissKappa(),
    KrippendorffAlpha(),
    GwetAC(),
)
_GAPS: tuple[Statistic, ...] = (RawAgreement(), KrippendorffAlpha(), GwetAC())
_SETS: tuple[Statistic, ...] = (
    RawAgreement(),
    MeanJaccard(),
    KrippendorffAlpha("jaccard"),
    KrippendorffAlpha("masi"),
)


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return times, or how often intervals hold."""
    if options.coverage:
        return coverage(options.draws, options.resamples)
    return measured(options.annotations, options.resamples)


def measured(annotations: int, resamples: int) -> list[Figure]:
    """Return the figures for this many annotations and resamples."""
    rng = np.random.default_rng(SEED)
    complete = _timed(complete_table(annotations, rng), Scale.NOMINAL, _COMPLETE, resamples)
    gaps = _timed(table_with_gaps(annotations, rng), Scale.NOMINAL, _GAPS, resamples)
    chosen = sets(annotations, rng)
    of_sets = _timed(chosen, Scale.SETS, _SETS, resamples)
    distinct = len({value for _, _, value in chosen})
    return [
        Figure("annotations", annotations, annotations),
        Figure("seconds", sum(complete.values()), annotations),
        *(Figure(f"seconds_{key}", spent, annotations) for key, spent in complete.items()),
        *(Figure(f"seconds_{key}_gaps", spent, annotations) for key, spent in gaps.items()),
        *(Figure(f"seconds_{key}_sets", spent, annotations) for key, spent in of_sets.items()),
        Figure("distinct_sets", distinct, annotations),
    ]


def coverage(draws: int, resamples: int, sizes: Sequence[int] = (20, 50, 200)) -> list[Figure]:
    """Return how often intervals of so many items hold the value of the population."""
    found = []
    for name, shares in _SHARES.items():
        for statistic in (CohenKappa(), KrippendorffAlpha(), GwetAC()):
            rng = np.random.default_rng(SEED)
            truth = measure(_drawn(_POPULATION, shares, rng), statistic, resamples=0).figure.value
            for items in sizes:
                inside = [
                    figure.low <= (truth or 0.0) <= figure.high
                    for figure in (
                        measure(_drawn(items, shares, rng), statistic, resamples).figure
                        for _ in range(draws)
                    )
                    if figure.low is not None and figure.high is not None
                ]
                key = f"coverage_{statistic.key}_{items}_{name}"
                found.append(share_figure(key, sum(inside), len(inside)))
    return found


def _drawn(items: int, shares: Sequence[float], rng: np.random.Generator) -> Ratings:
    truth = rng.choice(len(shares), items, p=shares)
    guess = rng.choice(len(shares), (items, 2), p=shares)
    codes = np.where(rng.random((items, 2)) < RIGHT, truth[:, None], guess).astype(np.int32)
    categories = tuple(range(len(shares)))
    return Ratings(tuple(range(items)), ("first", "second"), Scale.NOMINAL, categories, codes)


def complete_table(annotations: int, rng: np.random.Generator) -> list[Rating]:
    """Return two ratings of each item."""
    truth = rng.integers(0, len(CATEGORIES), annotations // 2)
    return [
        (item, rater, CATEGORIES[said])
        for rater in ("first", "second")
        for item, said in enumerate(_said(truth, rng))
    ]


def table_with_gaps(annotations: int, rng: np.random.Generator) -> list[Rating]:
    """Return one to five ratings of each item, by some of 20 raters, until there are enough."""
    overlap = rng.integers(1, 6, annotations)
    item = np.repeat(np.arange(annotations), overlap)[:annotations]
    offset = rng.integers(0, RATERS, annotations)
    nth = np.arange(annotations) - np.searchsorted(item, item)
    rater = (offset[item] + nth) % RATERS
    said = _said(rng.integers(0, len(CATEGORIES), annotations)[item], rng)
    return [
        (int(i), f"rater {r}", CATEGORIES[code])
        for i, r, code in zip(item, rater, said, strict=True)
    ]


def sets(annotations: int, rng: np.random.Generator) -> list[Rating]:
    """Return two raters' sets of one to three provisions; a rater leaves out, or adds, some."""
    items = annotations // 2
    popular = 1 / (np.arange(UNITS) + 10)
    drawn = rng.choice(UNITS, size=(items, 4), p=popular / popular.sum())
    size = rng.integers(1, 4, items)
    found: list[Rating] = []
    for rater in ("first", "second"):
        more = rng.choice([-1, 0, 0, 0, 0, 1], items)
        for item, width in enumerate(np.clip(size + more, 0, 4)):
            found.append((item, rater, frozenset(map(str, drawn[item, :width]))))
    return found


def _said(truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    other = rng.integers(0, len(CATEGORIES), len(truth))
    return np.where(rng.random(len(truth)) < RIGHT, truth, other)


def _timed(
    triples: list[Rating], scale: Scale, statistics: Sequence[Statistic], resamples: int
) -> dict[str, float]:
    """Return the seconds that the table and each statistic take."""
    started = time.perf_counter()
    ratings = Ratings.of(triples, scale)
    found = {"table": time.perf_counter() - started}
    for statistic in statistics:
        started = time.perf_counter()
        finding = measure(ratings, statistic, resamples)
        found[statistic.key] = time.perf_counter() - started
        if finding.figure.value is None:
            raise ValueError(f"{statistic.key} has no value: {finding.reason}")
    return found


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
