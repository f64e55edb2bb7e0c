"""Published data that several tests compute from, and a slow reading of each definition."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations

from hypothesis import strategies as st

from evaluation.agreement.likeness import jaccard
from evaluation.agreement.ratings import Ratings, Scale

Row = Sequence[Hashable | None]  # what each rater said of one item

# K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), sections A to C: a row per
# observer. The last is also K. Gwet's example of four raters with gaps (Handbook, 4th ed. 2014).
BINARY = ["0100000010", "1110010000"]
TWO_OBSERVERS = ["aabbdcccedda", "babbbccceddd"]
FOUR_OBSERVERS = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]

# J. L. Fleiss, Measuring nominal scale agreement among many raters (1971), table 1: how many of
# six psychiatrists gave each of 30 patients each of five diagnoses.
DIAGNOSES = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""


def by_rater(rows: Sequence[str], scale: Scale, categories: str | None = None) -> Ratings:
    """Return the ratings of one string per rater; a dot is a gap. Interval digits are numbers."""
    value: Callable[[str], Hashable] = int if scale is Scale.INTERVAL else str
    return Ratings.of(
        (
            (item, f"rater {rater}", None if said == "." else value(said))
            for rater, row in enumerate(rows)
            for item, said in enumerate(row)
        ),
        scale,
        categories,
    )


def by_item(
    rows: Iterable[Row], scale: Scale, categories: Sequence[Hashable] | None = None
) -> Ratings:
    """Return the ratings of one row per item."""
    return Ratings.of(
        ((item, rater, said) for item, row in enumerate(rows) for rater, said in enumerate(row)),
        scale,
        categories,
    )


def of_table(table: Sequence[Sequence[int]], scale: Scale = Scale.NOMINAL) -> Ratings:
    """Return two raters' ratings with these joint counts; categories are 0, 1, ..."""
    pairs = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return by_item(pairs, scale, range(len(table)))


def of_counts(counts: Iterable[Iterable[int]]) -> Ratings:
    """Return ratings of which only each item's count of each category is known."""
    rows = [[k for k, n in enumerate(item) for _ in range(n)] for item in counts]
    return by_item(rows, Scale.NOMINAL)


def masi_distance(a: frozenset[str], b: frozenset[str]) -> float:
    """Return 1 − MASI of R. Passonneau (LREC 2006): Jaccard × monotonicity, case by case."""
    if a == b:
        return 0.0
    if not a & b:
        return 1.0
    monotonicity = 2 / 3 if a <= b or b <= a else 1 / 3
    return 1.0 - jaccard(a, b) * monotonicity


def slow_raw(rows: Iterable[Row]) -> float | None:
    """Return the mean over items of the share of their pairs that are the same."""
    pairs = [
        [a == b for a, b in combinations([value for value in row if value is not None], 2)]
        for row in rows
    ]
    shares = [sum(each) / len(each) for each in pairs if each]
    return sum(shares) / len(shares) if shares else None


def tables(
    values: st.SearchStrategy[Hashable], raters: int | None = None, gaps: bool = True
) -> st.SearchStrategy[list[list[Hashable | None]]]:
    """Draw items × raters of values, with gaps."""
    cell = st.one_of(st.none(), values) if gaps else values
    width = st.just(raters) if raters else st.integers(2, 4)
    return width.flatmap(
        lambda n: st.lists(st.lists(cell, min_size=n, max_size=n), min_size=1, max_size=9)
    )
