"""A figure of agreement with the items behind it, whatever the task."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace

from annotation.agreement.calibration import Accuracy
from annotation.agreement.views import FigureRow, ItemLine, ReportPart, Table, View
from evaluation.agreement.breakdown import per_item
from evaluation.agreement.clusters import measure_in_groups
from evaluation.agreement.ratings import Finding, Ratings, Reason, Scale, Statistic, measure

OF_DECISIONS = ("cohen_kappa", "fleiss_kappa", "alpha_nominal", "ac1", "raw")
Lines = Mapping[int, ItemLine]


def item_of(item: Hashable) -> int:
    """Return the item id of a row of ratings: of an item, or of a part of one."""
    number = item[0] if isinstance(item, tuple) else item
    assert isinstance(number, int)  # noqa: S101  (as those who make ratings make them)
    return number


def figure_row(
    lines: Lines, ratings: Ratings, statistic: Statistic, names: tuple[str, ...] = ()
) -> FigureRow:
    """Return what a statistic finds; decisions on parts of an item are drawn together."""
    if ratings.scale is Scale.NOMINAL:
        finding = measure_in_groups(ratings, statistic, groups_of(ratings))
    else:
        finding = measure(ratings, statistic)
    return FigureRow(names, finding, behind(lines, ratings))


def groups_of(ratings: Ratings) -> list[Hashable]:
    """Return the item of each row."""
    return [item_of(item) for item in ratings.items]


def behind(lines: Lines, ratings: Ratings) -> tuple[ItemLine, ...]:
    """Return the questions behind a figure, least agreed upon first, then in their order."""
    likeness: dict[int, list[float]] = {}
    for each in per_item(ratings):
        likeness.setdefault(item_of(each.item), []).append(each.agreement)
    means = {item: sum(found) / len(found) for item, found in likeness.items()}
    order = {item: at for at, item in enumerate(lines)}
    return tuple(
        replace(lines[item], agreement=means[item])
        for item in sorted(means, key=lambda item: (means[item], order[item]))
    )


def fit_for(ratings: Ratings, key: str) -> Ratings:
    """Return the rows for a statistic: Fleiss' needs equally many ratings, so no lone ones."""
    if key != "fleiss_kappa":
        return ratings
    return ratings.at([at for at, count in enumerate(ratings.per_item) if count >= 2])


def chosen_in(ratings: Ratings) -> dict[Hashable, list[int]]:
    """Return the rows in which anybody chose each category, or each unit of a set."""
    found: dict[Hashable, dict[int, None]] = {}
    for row, codes in enumerate(ratings.codes):
        for code in codes[codes >= 0]:
            value = ratings.categories[code]
            for each in value if isinstance(value, frozenset) else (value,):
                found.setdefault(each, {})[row] = None
    return {category: list(rows) for category, rows in found.items()}


def calibration_table(found: Iterable[Accuracy], lines: Lines) -> Table:
    """Return how everybody did on calibration items, with these items, those missed first."""
    by_name = {line.external_id: line for line in lines.values()}
    rows = [
        FigureRow(
            (each.person,),
            Finding(each.share, None if each.share.n else Reason.NO_CALIBRATION),
            (
                *(replace(by_name[name], agreement=0.0) for name in each.wrong),
                *(replace(by_name[name], agreement=1.0) for name in each.known),
            ),
        )
        for each in found
    ]
    items = max((row.finding.figure.n for row in rows), default=0)
    return Table(ReportPart.CALIBRATION, View.QUESTIONS, items, tuple(rows))


def without_items(table: Table) -> Table:
    """Return the table for who may not know which items are behind its figures."""
    return replace(table, rows=tuple(replace(row, items=()) for row in table.rows))
