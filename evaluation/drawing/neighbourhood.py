"""Figure of a question's neighbourhood: nearest neighbours beside the citation graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaluation.drawing.canvas import (
    PLAIN,
    Look,
    Theme,
    drawn,
    fitting,
    printable_line,
    quiet,
    short,
)
from evaluation.figures.neighbourhood import Neighbourhood, Panel, Point, Role
from messages import say

_SIZE = (10.0, 5.4)
_QUESTION = 9.4  # width of the question in the title, in inches
_NAME = 60
_NAMED = 6  # gold units listed below the panels
_MARKS = {Role.OTHER: 26, Role.SEED: 120, Role.GOLD: 150, Role.SEED_GOLD: 150, Role.QUERY: 170}


def neighbourhood_figure(
    neighbourhood: Neighbourhood, question: str, names: Mapping[str, str], look: Look = PLAIN
) -> bytes:
    """Return the two panels as a file, under the question's text.

    `names` are the names of units; gold units are listed below the panels, by letter. Seeds are
    labelled with their rank.
    """
    return drawn(_SIZE, look, lambda paper: _draw(paper, neighbourhood, question, names, look))


def letters(neighbourhood: Neighbourhood) -> dict[str, str]:
    """Return the letter of each gold unit, in the order of the points."""
    gold = [p.unit_id for p in neighbourhood.points if p.role in (Role.GOLD, Role.SEED_GOLD)]
    return {unit: _letter(n) for n, unit in enumerate(gold)}


def _letter(n: int) -> str:
    """Return A to Z, then AA, AB and so on."""
    return chr(65 + n) if n < 26 else _letter(n // 26 - 1) + chr(65 + n % 26)


def _draw(
    paper: Any, neighbourhood: Neighbourhood, question: str, names: Mapping[str, str], look: Look
) -> None:
    left, right = paper.subplots(1, 2, sharex=True, sharey=True)
    panels = (("cosine", left, neighbourhood.cosine), ("explicit", right, neighbourhood.explicit))
    for name, axes, panel in panels:
        _draw_panel(axes, neighbourhood, panel, look)
        title = say(f"drawing.{name}", look.language)
        edges = say("drawing.edges", look.language, edges=len(panel.links), hits=panel.hits)
        axes.set_title(f"{title}\n{edges}", fontsize=9.5, linespacing=1.35)
    _label_axes(left, right, neighbourhood, look)
    _draw_legend(paper, left, fitting(printable_line(question), _QUESTION), look)
    if named := _gold_list(neighbourhood, names, look.language):
        paper.supxlabel(named, x=0.01, ha="left", fontsize=8.5, linespacing=1.45)


def _label_axes(left: Any, right: Any, neighbourhood: Neighbourhood, look: Look) -> None:
    for axes in (left, right):
        quiet(axes, look.theme, "none")
        axes.set_xlabel(f"PC1 ({neighbourhood.explained[0]:.0%})")
        axes.tick_params(labelleft=False, labelbottom=False, length=0)
        axes.margins(0.08)
    left.set_ylabel(f"PC2 ({neighbourhood.explained[1]:.0%})")


def _draw_panel(axes: Any, neighbourhood: Neighbourhood, panel: Panel, look: Look) -> None:
    theme, points, marks = look.theme, neighbourhood.by_id, letters(neighbourhood)
    for link in sorted(panel.links, key=lambda each: each.hits):
        _draw_edge(axes, points[link.source], points[link.target], link.hits, theme)
    for point in neighbourhood.points:
        if point.role is not Role.OTHER or point.unit_id in panel.others:
            _draw_point(axes, point, marks.get(point.unit_id, ""), theme)
    if panel.left_out:
        words = say("drawing.left_out", look.language, count=panel.left_out)
        axes.text(0.99, 0.01, words, transform=axes.transAxes, ha="right", fontsize=8)


def _draw_edge(axes: Any, source: Point, target: Point, hits: bool, theme: Theme) -> None:
    style = {
        "arrowstyle": "-|>",
        "shrinkA": 4,
        "shrinkB": 6,
        "connectionstyle": "arc3,rad=0.12",
        "color": theme.gold if hits else theme.faint,
        "linewidth": 2.4 if hits else 0.7,
        "alpha": 1.0 if hits else 0.6,
    }
    start, end = (source.x, source.y), (target.x, target.y)
    axes.annotate("", xy=end, xytext=start, arrowprops=style, zorder=3 if hits else 1)


def _draw_point(axes: Any, point: Point, letter: str, theme: Theme) -> None:
    fill = {
        Role.SEED: theme.seed,
        Role.SEED_GOLD: theme.seed,
        Role.GOLD: theme.gold,
        Role.OTHER: theme.faint,
        Role.QUERY: theme.ink,
    }[point.role]
    axes.scatter(
        [point.x],
        [point.y],
        s=_MARKS[point.role],
        marker="*" if point.role is Role.QUERY else "o",
        color=fill,
        edgecolors=theme.gold if point.role is Role.SEED_GOLD else theme.paper,
        linewidths=2.4 if point.role is Role.SEED_GOLD else 0.8,
        zorder=2 if point.role is Role.OTHER else 4,
    )
    label = f"{point.rank or ''}{letter}"
    if label:
        axes.text(
            *(point.x, point.y, label),
            **{"ha": "center", "va": "center_baseline", "fontsize": 6.5},
            **{"color": theme.paper, "zorder": 5, "fontweight": "bold"},
        )


def _draw_legend(paper: Any, axes: Any, title: str, look: Look) -> None:
    """Draw the title and the legend above the panels."""
    theme, entries = look.theme, []
    kinds = (("query", "*", theme.ink), ("seed", "o", theme.seed), ("gold", "o", theme.gold))
    for name, mark, colour in (*kinds, ("other", "o", theme.faint)):
        words = say(f"drawing.{name}", look.language)
        dot = {"marker": mark, "markersize": 8 if name != "other" else 5, "linestyle": ""}
        entries += axes.plot([], [], color=colour, label=words, **dot)
    entries += axes.plot(
        [], [], color=theme.gold, linewidth=2.4, label=say("drawing.hit", look.language)
    )
    where = {"loc": "outside upper left", "ncols": len(entries), "fontsize": 8.5}
    paper.legend(handles=entries, title=title, title_fontsize=10.5, alignment="left", **where)


def _gold_list(neighbourhood: Neighbourhood, names: Mapping[str, str], language: str) -> str:
    gold = [
        f"{each}  {printable_line(short(names.get(unit, unit), _NAME))}"
        for unit, each in letters(neighbourhood).items()
    ]
    more = len(gold) - _NAMED
    lines = gold[:_NAMED] + ([say("drawing.more_gold", language, count=more)] if more > 0 else [])
    return "\n".join(lines)
