"""Forest plot of differences between methods: dots with intervals and a line at zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.drawing.canvas import PLAIN, Look, Paper, filled, plain, quiet, short
from evaluation.figure import Figure

_NAME = 60
_WIDE, _ROW, _ROOM = 6.4, 0.34, 1.1


@dataclass(frozen=True, slots=True)
class Difference:
    """One dot: its name, the series that colours it, and the mean difference."""

    name: str
    series: str
    figure: Figure


def difference_paper(rows: Sequence[Difference], label: str, look: Look = PLAIN) -> Paper:
    """Return a matplotlib figure with a row for each difference in the given order, n in its name.

    `label` is the axis label. A difference without a value is a dash on the line.
    """
    series = list(dict.fromkeys(row.series for row in rows))
    size = (_WIDE, _ROOM + _ROW * max(1, len(rows)))
    return filled(size, look, lambda paper: _draw(paper, rows, series, label, look))


def _draw(
    paper: Any, rows: Sequence[Difference], series: list[str], label: str, look: Look
) -> None:
    axes = paper.add_subplot()
    axes.axvline(0, color=look.theme.faint, linewidth=1)
    for place, name in enumerate(series):
        colour = look.theme.series[place % len(look.theme.series)]
        mine = [(y, row.figure) for y, row in enumerate(rows) if row.series == name]
        known = [(y, figure) for y, figure in mine if figure.value is not None]
        values = [figure.value for _, figure in known]
        label_of = plain(short(name, _NAME)) or " "
        axes.plot(values, [y for y, _ in known], "o", color=colour, markersize=6, label=label_of)
        for y, figure in known:
            if figure.low is not None and figure.high is not None:
                axes.hlines(y, figure.low, figure.high, color=colour, linewidth=1.4, alpha=0.8)
        for y, figure in mine:
            if figure.value is None:
                axes.text(0, y, "–", ha="center", va="center", color=colour)
    quiet(axes, look.theme, "x")
    names = [f"{plain(short(row.name, _NAME))}  n={row.figure.n}" for row in rows]
    axes.set_yticks(range(len(rows)), names)
    axes.set_ylim(max(1, len(rows)) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(plain(label))
    if len(series) > 1:
        paper.legend(loc="outside upper left", ncols=min(3, len(series)))
