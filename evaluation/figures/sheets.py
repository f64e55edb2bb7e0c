"""The data of figures as tables, so that others can redraw them.

They are for programs: numbers have all digits. A missing value is an empty cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaluation.figure import Figure
from evaluation.figures.buckets import Bar, Curve, HitRate
from evaluation.figures.datasets import BINS, PAIRS, Description
from evaluation.figures.neighbourhood import Neighbourhood
from evaluation.tables import Cell, Table

_FIGURE = ("value", "low", "high", "n")


def bar_sheet(bars: Sequence[Bar]) -> Table:
    """Return a table with a row for each bar."""
    rows = ((bar.group, bar.series, *_cells(bar.figure)) for bar in bars)
    return Table(("group", "series", *_FIGURE), tuple(rows))


def curve_sheet(curves: Sequence[Curve]) -> Table:
    """Return a table with a row for each bucket of each curve, and one for its slope."""
    rows: list[tuple[Cell, ...]] = []
    for each in curves:
        rows += [
            (each.name, round(b.low, 9), round(b.high, 9), *_cells(b.figure)) for b in each.buckets
        ]
        rows.append((each.name, "slope", None, *_cells(each.slope)))
    return Table(("series", "from", "to", *_FIGURE), tuple(rows))


def hit_sheet(rates: Sequence[HitRate]) -> Table:
    """Return a table with a row for each hit rate of each graph."""
    rows = [
        (each.graph, name, *_cells(figure))
        for each in rates
        for name, figure in (
            ("missed", each.missed),
            ("linked", each.linked),
            ("reached", each.reached),
        )
    ]
    return Table(("graph", "figure", *_FIGURE), tuple(rows))


def neighbourhood_sheet(neighbourhood: Neighbourhood, names: Mapping[str, str]) -> Table:
    """Return a table with a row for each point, then one for each edge of either graph."""
    columns = ("kind", "unit", "name", "role", "rank", "x", "y", "target", "hits")
    rows: list[tuple[Cell, ...]] = [
        ("point", p.unit_id, names.get(p.unit_id, ""), p.role, p.rank, p.x, p.y, None, None)
        for p in neighbourhood.points
    ]
    for kind, panel in (("cosine", neighbourhood.cosine), ("explicit", neighbourhood.explicit)):
        rows += [
            (kind, link.source, None, None, None, None, None, link.target, int(link.hits))
            for link in panel.links
        ]
    return Table(columns, tuple(rows))


def dataset_sheet(datasets: Sequence[Description]) -> Table:
    """Return a table with a row for each figure of each data set, histograms included."""
    rows: list[tuple[Cell, ...]] = []
    for each in datasets:
        rows.append((each.name, "questions", None, each.questions, None, None, None))
        rows.append((each.name, "without_gold", None, each.without_gold, None, None, None))
        rows += [
            (each.name, name, None, getattr(each, name), None, None, None)
            for name in ("not_searched", "not_searched_questions")
        ]
        rows.append((each.name, "gold_per_question", None, *_cells(each.gold)))
        rows += [(each.name, "questions_with_gold", n, m, None, None, None) for n, m in each.counts]
        for pair in PAIRS:
            rows.append((each.name, pair, None, *_cells(each.cosines[pair])))
            rows += [
                (each.name, f"{pair}_histogram", round(at / BINS, 9), count, None, None, None)
                for at, count in enumerate(each.histograms[pair])
            ]
    return Table(("dataset", "figure", "from", *_FIGURE), tuple(rows))


def _cells(figure: Figure) -> tuple[Cell, ...]:
    return (figure.value, figure.low, figure.high, figure.n)
