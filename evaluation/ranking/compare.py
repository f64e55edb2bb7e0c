"""Paired comparison of methods on the same queries: differences, tests, wins and losses.

Rules: a pair is a query that both methods have a score for; one that either could not be scored on
(None) is left out, and `n` counts the pairs. The score of a method that found nothing is
set in `evaluation.ranking.scoring`. The reader chooses which p-values are corrected
together (`Family`): those of one measure, or all of a table.

Figures by group of queries: every value of a column is a stratum. Rules: a query without
the column is in the stratum NOT_STATED; one with a list is in the stratum of every entry, so strata
may overlap; a column is offered only when it splits the queries into 2 to MOST strata. Columns
joined by CROSSED split by every combination of their values. Intervals within a stratum use its
queries alone.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate, pairwise, product
from typing import TypeVar

import numpy as np

from evaluation.figure import FEWEST_RESAMPLES, MOST_RESAMPLES, RESAMPLES, Figure, mean_figure
from evaluation.significance import (
    LEVEL,
    TIE,
    Array,
    PairedTest,
    Tally,
    holm,
    paired_tests,
    patterns_for,
    tally,
)

MOST = 50
NOT_STATED = ""
CROSSED = " × "
COUNTED_APART = 3  # from this number of gold units on, all are one stratum

Cell = str | int | float | bool | None | Sequence[str]
Rows = Mapping[str, Mapping[str, Cell]]
"""Query id → column → value."""

_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def columns(rows: Rows) -> list[str]:
    """Return the columns that split the queries into 2 to MOST strata, ascending."""
    names = sorted({name for row in rows.values() for name in row})
    return [name for name in names if 2 <= len(strata(rows, name)) <= MOST]


def strata(rows: Rows, column: str, *, every: bool = False) -> dict[str, tuple[str, ...]]:
    """Return each value of `column`, in order, with the ids of its queries, ascending.

    Of columns joined by CROSSED, combinations without queries are there only with `every`.
    """
    names = column.split(CROSSED)
    found: dict[str, list[str]] = {}
    for query, row in sorted(rows.items()):
        for values in product(*(_values(row.get(name)) for name in names)):
            found.setdefault(CROSSED.join(values), []).append(query)
    if every and len(names) > 1:
        for values in product(*(strata(rows, name) for name in names)):
            found.setdefault(CROSSED.join(values), [])
    return {value: tuple(found[value]) for value in in_order(found)}


def crossed(columns: str, value: str, unsaid: str) -> dict[str, str]:
    """Return each column's value in a combined stratum, `unsaid` if empty; {} of one column."""
    names, values = columns.split(CROSSED), value.split(CROSSED)
    values = [each or unsaid for each in values] * (len(names) if len(values) == 1 else 1)
    return dict(zip(names, values, strict=True)) if len(names) > 1 else {}


def in_order(values: Iterable[str]) -> list[str]:
    """Sort values of a column: numbers in their order, then the others, NOT_STATED last."""
    return sorted(values, key=_place)


def gold_count(units: Iterable[str]) -> str:
    """Return the stratum of a query by its number of gold units: ``0``, ``1``, ``2`` or ``3+``."""
    count = len(set(units))
    return str(count) if count < COUNTED_APART else f"{COUNTED_APART}+"


def _values(cell: Cell) -> list[str]:
    """Return the strata that a cell names."""
    entries = [cell] if cell is None or isinstance(cell, str | int | float) else list(cell)
    return sorted({_as_stratum(entry) for entry in entries}) or [NOT_STATED]


def _as_stratum(value: str | int | float | bool | None) -> str:
    """Return a value as the name of a stratum."""
    if isinstance(value, bool):
        return str(value).lower()
    return NOT_STATED if value is None else str(value).strip()


def _place(value: str) -> tuple[int, float, str]:
    """Return the sort key of a stratum: numbers, texts, not stated."""
    if value == NOT_STATED:
        return 2, 0.0, ""
    return (0, float(value), "") if _NUMBER.fullmatch(value) else (1, 0.0, value)


class Family(StrEnum):
    """The comparisons that Holm's correction covers (S. Holm, Scand. J. Stat. 6:65, 1979).

    A claim about one measure named beforehand needs the first, a claim about whichever
    measure of a table turns out significant needs the second.
    """

    MEASURE = "measure"  # those of one measure: all methods against all of its baselines
    TABLE = "table"  # those of all measures


@dataclass(frozen=True, slots=True)
class Inference:
    """Settings of inference: number of bootstrap resamples, and Holm's family.

    Raises ValueError for a number of resamples outside FEWEST_RESAMPLES to MOST_RESAMPLES.
    """

    resamples: int = RESAMPLES
    family: Family = Family.MEASURE

    def __post_init__(self) -> None:
        """Raise ValueError for too few or too many resamples."""
        if not FEWEST_RESAMPLES <= self.resamples <= MOST_RESAMPLES:
            raise ValueError(f"{self.resamples} resamples are too few or too many")


USUAL = Inference()

Scores = Mapping[str, float | None]
"""Query id → score by one measure; None if the query could not be scored."""

Name = TypeVar("Name", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A method against a baseline, by one measure.

    `difference` is the mean of method minus baseline over the pairs, with its 95 % interval and
    n. `p` is two-sided, `p_holm` corrected for the comparisons of its family; both None without a
    pair. `exact` says that `p` is over all sign patterns. `test` is ``randomisation``, or
    ``mcnemar`` where scores are yes or no.
    """

    difference: Figure
    p: float | None
    p_holm: float | None
    exact: bool
    tally: Tally
    test: str = "randomisation"

    @property
    def n(self) -> int:
        """Return the number of pairs."""
        return self.difference.n

    @property
    def verdict(self) -> int:
        """Return 1 where significantly better, −1 where worse, 0 where neither is shown."""
        value = self.difference.value
        if value is None or self.p_holm is None or self.p_holm >= LEVEL:
            return 0
        return 1 if value > 0 else -1

    def turned(self) -> Comparison:
        """Return the comparison with the sides exchanged: the baseline against the method."""
        told = self.difference
        ends = told.value, told.low, told.high
        value, low, high = (None if end is None else 0.0 - end for end in ends)
        difference = Figure(told.name, value, told.n, high, low)
        tally = Tally(self.tally.losses, self.tally.ties, self.tally.wins)
        return replace(self, difference=difference, tally=tally)


COMPARED = (
    *("difference", "difference_low", "difference_high", "pairs"),
    *("p", "p_holm", "wins", "ties", "losses"),
)
"""Columns of `comparison_numbers`."""


def comparison_numbers(test: Comparison | None) -> tuple[float | None, ...]:
    """Return a comparison as columns of numbers, all of them None without one."""
    if test is None:
        return (None,) * len(COMPARED)
    tally = test.tally
    return (*test.difference.numbers(), test.p, test.p_holm, tally.wins, tally.ties, tally.losses)


def comparison_cells(test: Comparison) -> dict[str, Figure | float | str | None]:
    """Return a report row's cells by column: difference, p-values, wins / ties / losses, n."""
    return {
        "difference": test.difference,
        "p": test.p,
        "p_holm": test.p_holm,
        "wins": f"{test.tally.wins} / {test.tally.ties} / {test.tally.losses}",
        "n": test.n,
    }


Table = Mapping[str, Mapping[str, float | None]]
"""Query id → measure → score, as in `evaluation.ranking.scoring.Evaluation`."""


def compare_tables(
    tables: Mapping[Name, Table], name: Name, keys: Sequence[str], inference: Inference
) -> dict[Name, dict[str, Comparison]]:
    """Compare `name` with each other method by each measure of `keys`.

    Within a measure, p is corrected for the number of other methods; over the table for all.
    Raises KeyError for an unknown name or measure.
    """
    families = [
        (
            {
                each: {query: row[key] for query, row in rows.items()}
                for each, rows in tables.items()
            },
            [name],
        )
        for key in keys
    ]
    found = compare_each(families, inference=inference)
    return {
        other: {key: each[name][other].turned() for key, each in zip(keys, found, strict=True)}
        for other in tables
        if other != name
    }


def compare(
    scores: Mapping[Name, Scores], baseline: Name, seed: int = 0, n: int | None = None
) -> dict[Name, Comparison]:
    """Compare each other method with `baseline`, in the order given.

    Raises KeyError for a baseline that is not among the methods, ValueError for a score that is
    not finite (NaN is no score; an unscored query is None).
    """
    return compare_each([(scores, [baseline])], seed, n)[0][baseline]


def compare_each(
    families: Sequence[tuple[Mapping[Name, Scores], Sequence[Name]]],
    seed: int = 0,
    n: int | None = None,
    inference: Inference = USUAL,
) -> list[dict[Name, dict[Name, Comparison]]]:
    """Compare every method of each family with each of its baselines: baseline → method → result.

    Holm's correction is over all tests of a family, whatever the baseline, or over
    those of all families if they form a table. Two baselines are one pair, tested once and reported
    both ways. Tests are made together, with shared random patterns: `n` of them, by
    default `patterns_for` the largest number of tests corrected together. Raises as :func:`compare`
    does.
    """
    rows = [_paired_differences(scores, baselines) for scores, baselines in families]
    sizes = [len(family) for family in rows]
    if inference.family is Family.TABLE:
        sizes = [sum(sizes)]
    n = patterns_for(max(sizes, default=0)) if n is None else n
    tests = paired_tests([row for family in rows for row in family.values()], seed, n)
    corrected = _holm_by_group([test.p for test in tests], sizes)
    together = iter(zip(tests, corrected, strict=True))
    return [
        _comparisons_of(each, [next(together) for _ in each], family, inference.resamples)
        for each, family in zip(rows, families, strict=True)
    ]


def _holm_by_group(ps: Sequence[float | None], sizes: Sequence[int]) -> list[float | None]:
    """Apply Holm's correction to consecutive groups of p-values of these `sizes`."""
    ends = list(accumulate(sizes, initial=0))
    return [p for start, end in pairwise(ends) for p in holm(ps[start:end])]


def _paired_differences(
    scores: Mapping[Name, Scores], baselines: Sequence[Name]
) -> dict[tuple[Name, Name], Array]:
    """Return the differences of each distinct pair of a method and a baseline.

    They are in the order of baselines and methods.
    """
    found: dict[tuple[Name, Name], Array] = {}
    for baseline in baselines:
        against = scores[baseline]
        for name, values in scores.items():
            if name != baseline and (baseline, name) not in found:
                found[name, baseline] = _differences(values, against)
    return found


def _comparisons_of(
    rows: Mapping[tuple[Name, Name], Array],
    tests: Sequence[tuple[PairedTest, float | None]],
    family: tuple[Mapping[Name, Scores], Sequence[Name]],
    resamples: int,
) -> dict[Name, dict[Name, Comparison]]:
    """Return the comparisons of a family from its tests; two baselines are reported both ways."""
    scores, baselines = family
    found: dict[tuple[Name, Name], Comparison] = {}
    for (pair, row), (test, p) in zip(rows.items(), tests, strict=True):
        for key, way in ((pair, row), (pair[::-1], 0.0 - row)):
            if key[1] in baselines:
                difference = mean_figure("difference", list(way), resamples)
                found[key] = Comparison(difference, test.p, p, test.exact, tally(way))
    return {
        baseline: {name: found[name, baseline] for name in scores if name != baseline}
        for baseline in baselines
    }


def best_of(scores: Mapping[Name, Scores]) -> Name | None:
    """Return the method of the highest mean over its scored queries, the first of ties; or None.

    None when no method has a score.
    """
    return _extreme(scores, 1.0)


def worst_of(scores: Mapping[Name, Scores]) -> Name | None:
    """Return the method of the lowest mean over its scored queries, the last of ties; or None.

    So of two methods it is never the one that `best_of` returns. None when no method has a score.
    """
    return _extreme({name: scores[name] for name in reversed(list(scores))}, -1.0)


def _extreme(scores: Mapping[Name, Scores], sign: float) -> Name | None:
    """Return the first method whose mean, times `sign`, is highest; None if none has a score."""
    best, highest = None, -np.inf
    for name, values in scores.items():
        scored = [value for value in values.values() if value is not None]
        if scored and sign * float(np.mean(scored)) > highest + TIE:
            best, highest = name, sign * float(np.mean(scored))
    return best


def _differences(values: Scores, against: Scores) -> Array:
    """Return the differences of the queries that both runs have scores for, by query id."""
    pairs = [
        (value, against[query])
        for query, value in sorted(values.items())
        if value is not None and against.get(query) is not None
    ]
    table = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    difference: Array = table[:, 0] - table[:, 1]
    return difference
