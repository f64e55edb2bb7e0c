"""Compare methods by their scores on the same queries: differences, tests, wins and losses.

Rules: a pair is a query that both methods have a score for; one that either could not be scored on
(None) is left out, and `n` counts the pairs. What a method scores where it found nothing is
decided in `evaluation.ranking.scoring`, before scores come here. The p-values of one call are read
together: Holm's correction is over all its comparisons.

Figures by group of queries: every value that a column has makes a stratum. Rules: a query without
the column is in the stratum NOT_STATED; one with a list is in the stratum of every entry, so strata
may overlap; a column is offered only when it splits the queries into 2 to MOST strata. Intervals
within a stratum rest on its queries alone.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from evaluation.figure import Figure, mean_figure
from evaluation.significance import (
    LEVEL,
    PERMUTATIONS,
    TIE,
    Array,
    PairedTest,
    Tally,
    holm,
    paired_tests,
    tally,
)

MOST = 50
NOT_STATED = ""
COUNTED_APART = 3  # numbers of gold units from here on are one stratum

Cell = str | int | float | bool | None | Sequence[str]
Rows = Mapping[str, Mapping[str, Cell]]
"""Query id → column → value."""

_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def columns(rows: Rows) -> list[str]:
    """Return the columns that split the queries, ascending."""
    names = sorted({name for row in rows.values() for name in row})
    return [name for name in names if 2 <= len(strata(rows, name)) <= MOST]


def strata(rows: Rows, column: str) -> dict[str, tuple[str, ...]]:
    """Return each value of `column`, in order, with the ids of its queries, ascending."""
    found: dict[str, list[str]] = {}
    for query, row in sorted(rows.items()):
        for value in _values(row.get(column)):
            found.setdefault(value, []).append(query)
    return {value: tuple(found[value]) for value in in_order(found)}


def in_order(values: Iterable[str]) -> list[str]:
    """Return values of a column: numbers in their order, then the others, NOT_STATED last."""
    return sorted(values, key=_place)


def gold_count(units: Iterable[str]) -> str:
    """Return the stratum of a query with so many gold units: ``0``, ``1``, ``2`` or ``3+``."""
    count = len(set(units))
    return str(count) if count < COUNTED_APART else f"{COUNTED_APART}+"


def _values(cell: Cell) -> list[str]:
    entries = [cell] if cell is None or isinstance(cell, str | int | float) else list(cell)
    return sorted({_written(entry) for entry in entries}) or [NOT_STATED]


def _written(value: str | int | float | bool | None) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return NOT_STATED if value is None else str(value).strip()


def _place(value: str) -> tuple[int, float, str]:
    if value == NOT_STATED:
        return 2, 0.0, ""
    return (0, float(value), "") if _NUMBER.fullmatch(value) else (1, 0.0, value)


Scores = Mapping[str, float | None]
"""Query id → score by one measure; None where the query could not be scored."""

Name = TypeVar("Name", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A method against a baseline, by one measure.

    `difference` is the mean of method minus baseline over the pairs, with its 95 % interval and
    n. `p` is two-sided, `p_holm` corrected for the comparisons made with it; both None without a
    pair. `exact` says that `p` is over all sign patterns.
    """

    difference: Figure
    p: float | None
    p_holm: float | None
    exact: bool
    tally: Tally

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


def compare(
    scores: Mapping[Name, Scores], baseline: Name, seed: int = 0, n: int = PERMUTATIONS
) -> dict[Name, Comparison]:
    """Return each other method's comparison with `baseline`, in the order given.

    Raises KeyError for a baseline that is not among the methods, ValueError for a score that is
    not finite (NaN is no score; an unscored query is None).
    """
    return compare_each([(scores, baseline)], seed, n)[0]


def compare_each(
    families: Sequence[tuple[Mapping[Name, Scores], Name | None]],
    seed: int = 0,
    n: int = PERMUTATIONS,
) -> list[dict[Name, Comparison]]:
    """Return what :func:`compare` does of each pair of scores and baseline; nothing without one.

    Holm's correction stays within each. Tests are made together, for which random patterns are
    drawn once. Raises as :func:`compare` does.
    """
    rows = [_rows(scores, baseline) for scores, baseline in families]
    tests = iter(paired_tests([row for family in rows for row in family.values()], seed, n))
    return [_compared(family, [next(tests) for _ in family]) for family in rows]


def _rows(scores: Mapping[Name, Scores], baseline: Name | None) -> dict[Name, Array]:
    if baseline is None:
        return {}
    against = scores[baseline]
    return {
        name: _differences(values, against) for name, values in scores.items() if name != baseline
    }


def _compared(rows: Mapping[Name, Array], tests: Sequence[PairedTest]) -> dict[Name, Comparison]:
    corrected = holm([test.p for test in tests])
    return {
        name: Comparison(mean_figure("difference", list(row)), test.p, p, test.exact, tally(row))
        for (name, row), test, p in zip(rows.items(), tests, corrected, strict=True)
    }


def best_of(scores: Mapping[Name, Scores]) -> Name | None:
    """Return the method of the highest mean over its scored queries; of equals the first given.

    None when no method has a score.
    """
    best, highest = None, -np.inf
    for name, values in scores.items():
        scored = [value for value in values.values() if value is not None]
        if scored and float(np.mean(scored)) > highest + TIE:
            best, highest = name, float(np.mean(scored))
    return best


def _differences(values: Scores, against: Scores) -> Array:
    pairs = [
        (value, against[query])
        for query, value in sorted(values.items())
        if value is not None and against.get(query) is not None
    ]
    table = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    difference: Array = table[:, 0] - table[:, 1]
    return difference
