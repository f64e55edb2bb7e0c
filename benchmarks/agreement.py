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

With ``--groups`` instead: the same of decisions on candidates, drawn singly (``…_singly``) and by
the question (``…_questions``), for 30 and 100 questions. Two people decide on eight candidates of
each, accept or reject. On most questions each is right on 90 % of the candidates, on the hard ones
on 60 % and guesses on the others; so decisions on one question are not independent.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import program

PARSER = program(__doc__, "annotations seconds seconds_* distinct_sets coverage_*")
PARSER.add_argument("--annotations", type=int, default=100_000, help="ratings in each table")
PARSER.add_argument("--resamples", type=int, default=1000, help="of the items")
only = PARSER.add_mutually_exclusive_group()
only.add_argument("--coverage", action="store_true", help="of intervals, instead of times")
only.add_argument("--groups", action="store_true", help="coverage of decisions on candidates")
PARSER.add_argument("--draws", type=int, default=400, help="for each coverage")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import time
from argparse import Namespace
from collections.abc import Sequence

import numpy as np

from benchmarks.program import program, run
from evaluation.agreement.clusters import measure_in_groups
from evaluation.agreement.kappa import (
    CohenKappa,
    FleissKappa,
    GwetAC,
    KrippendorffAlpha,
    MeanJaccard,
    RawAgreement,
)
from evaluation.agreement.ratings import Finding, Rating, Ratings, Scale, Statistic, measure
from evaluation.figure import Figure, share_figure

SEED = 0
CATEGORIES = "abcde"
RIGHT = 0.8  # how often a rater says what the item is
RATERS = 20
_SHARES = {"even": (0.4, 0.3, 0.3), "skewed": (0.9, 0.05, 0.05)}
_POPULATION = 2_000_000
UNITS = 7_000  # provisions that sets are made of

CANDIDATES = 8  # of a question
ACCEPTED = 0.25  # share of candidates that are right
HARD = 0.3  # share of hard questions
RIGHT_EASY, RIGHT_HARD = 0.9, 0.6
QUESTIONS = 100_000

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
    if options.groups:
        return coverage_of_groups(options.draws, options.resamples)
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
                tables = (_drawn(items, shares, rng) for _ in range(draws))
                findings = [measure(each, statistic, resamples) for each in tables]
                key = f"coverage_{statistic.key}_{items}_{name}"
                found.append(_share(key, findings, truth or 0.0))
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


def coverage_of_groups(
    draws: int, resamples: int, sizes: Sequence[int] = (30, 100)
) -> list[Figure]:
    """Return how often intervals of so many questions hold the value of the population."""
    found = []
    for statistic in (RawAgreement(), KrippendorffAlpha(), GwetAC()):
        rng = np.random.default_rng(SEED)
        truth = measure(decided(QUESTIONS, rng), statistic, resamples=0).figure.value or 0.0
        for questions in sizes:
            tables = [decided(questions, rng) for _ in range(draws)]
            groups = [at // CANDIDATES for at in range(questions * CANDIDATES)]
            singly = [measure(each, statistic, resamples) for each in tables]
            whole = [measure_in_groups(each, statistic, groups, resamples) for each in tables]
            key = f"coverage_{statistic.key}_{questions}"
            found += [
                _share(f"{key}_singly", singly, truth),
                _share(f"{key}_questions", whole, truth),
            ]
    return found


def decided(questions: int, rng: np.random.Generator) -> Ratings:
    """Return the decisions of two people on the candidates of so many questions."""
    rows = questions * CANDIDATES
    right = np.where(rng.random(questions) < HARD, RIGHT_HARD, RIGHT_EASY).repeat(CANDIDATES)
    truth = rng.random(rows) < ACCEPTED
    guess = rng.random((rows, 2)) < 0.5
    said = np.where(rng.random((rows, 2)) < right[:, None], truth[:, None], guess)
    names, categories = ("first", "second"), ("reject", "accept")
    return Ratings(tuple(range(rows)), names, Scale.NOMINAL, categories, said.astype(np.int32))


def _share(name: str, findings: Sequence[Finding], truth: float) -> Figure:
    known = [each.figure for each in findings if each.figure.low is not None]
    inside = sum((each.low or 0.0) <= truth <= (each.high or 0.0) for each in known)
    return share_figure(name, inside, len(known))


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
