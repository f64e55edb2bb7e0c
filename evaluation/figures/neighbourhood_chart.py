"""Picture of a question's neighbourhood: nearest neighbours beside the citation graph.

A Vega-Lite specification of two panels. Places are pixels of a panel, so that the heads of arrows
point where their edges go.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, degrees, hypot
from typing import Any

from evaluation.figures.neighbourhood import Neighbourhood, Panel, Point, Role
from evaluation.reports.encodings import COLOURS
from evaluation.reports.report import Words

_WIDTH, _HEIGHT = 430, 380  # of a panel, in pixels
_MARGIN = 0.06  # of a panel, without points
_NAME = 60  # characters of a gold unit's name
_NAMED = 6  # gold units listed under the question
_QUESTION = 800  # pixels of the question in the title
_ROLES = (Role.QUERY, Role.SEED, Role.GOLD, Role.OTHER)
_SIZES = {Role.OTHER: 40, Role.QUERY: 380}  # in square pixels, others 260
_STAR = "M0,-1L.23,-.31L.95,-.31L.36,.12L.59,.81L0,.38L-.59,.81L-.36,.12L-.95,-.31L-.23,-.31Z"
_SEED, _GOLD, _OTHER, _QUERY = COLOURS[0], COLOURS[1], COLOURS[6], COLOURS[2]
_Places = Mapping[str, tuple[float, float]]
Spec = dict[str, Any]


def neighbourhood_picture(
    found: Neighbourhood, question: str, names: Mapping[str, str], language: str
) -> Spec:
    """Return the two panels under the question's text and the list of its gold units.

    `names` are the names of units. Seeds are labelled with their rank, gold units with the letter
    under which they are listed.
    """
    words, places = Words("figure_report", language), _places(found)
    panels = (("cosine", found.cosine), ("explicit", found.explicit))
    gold = _gold_list(found, names, words)
    edges = (f"{words(f'graph_{k}')}: {_edge_caption(p, words)}" for k, p in panels)
    return {
        "title": {
            "text": " ".join(question.split()),
            "subtitle": gold,
            "anchor": "start",
            "limit": _QUESTION,
        },
        "description": ". ".join((question, *edges, *gold)),
        "hconcat": [_panel(found, k, panel, places, names, words) for k, panel in panels],
    }


def letters(found: Neighbourhood) -> dict[str, str]:
    """Return the letter of each gold unit, in the order of the points."""
    gold = [p.unit_id for p in found.points if p.role in (Role.GOLD, Role.SEED_GOLD)]
    return {unit: _letter(n) for n, unit in enumerate(gold)}


def _letter(n: int) -> str:
    """Return A to Z, then AA, AB and so on."""
    return chr(65 + n) if n < 26 else _letter(n // 26 - 1) + chr(65 + n % 26)


def _gold_list(found: Neighbourhood, names: Mapping[str, str], words: Words) -> list[str]:
    gold = [f"{letter}  {names.get(unit, unit)[:_NAME]}" for unit, letter in letters(found).items()]
    more = len(gold) - _NAMED
    return gold[:_NAMED] + ([words("more_gold", count=more)] if more > 0 else [])


def _edge_caption(panel: Panel, words: Words) -> str:
    """Return the caption with the number of edges and hits."""
    return words("edges", edges=len(panel.links), hits=panel.hits)


def _places(found: Neighbourhood) -> _Places:
    """Return the place of each point in a panel, in pixels from its lower left."""
    sides = [[getattr(point, axis) for point in found.points] for axis in ("x", "y")]
    low = [min(side) for side in sides]
    spans = [(max(side) - least) or 1.0 for side, least in zip(sides, low, strict=True)]
    inner = 1 - 2 * _MARGIN
    return {
        p.unit_id: (
            round(_WIDTH * (_MARGIN + inner * (p.x - low[0]) / spans[0]), 2),
            round(_HEIGHT * (_MARGIN + inner * (p.y - low[1]) / spans[1]), 2),
        )
        for p in found.points
    }


def _panel(
    found: Neighbourhood,
    kind: str,
    panel: Panel,
    places: _Places,
    names: Mapping[str, str],
    words: Words,
) -> Spec:
    """Return the chart of one panel."""
    lines = [words(f"graph_{kind}"), _edge_caption(panel, words)]
    if panel.left_out:
        lines.append(words("left_out", count=panel.left_out))
    x, y = (
        {"type": "quantitative", "scale": {"domain": [0, end], "nice": False}, "axis": axis}
        for end, axis in zip((_WIDTH, _HEIGHT), map(_axis, (1, 2), found.explained), strict=True)
    )
    at = {"x": {"field": "x"} | x, "y": {"field": "y"} | y}
    return {
        "title": {"text": lines, "anchor": "start", "fontWeight": "normal"},
        "width": _WIDTH,
        "height": _HEIGHT,
        "layer": [
            *_edge_layers(panel, at, places, words),
            *_point_layers(found, panel, at, places, names, words),
        ],
    }


def _axis(number: int, share: float) -> Spec:
    """Return the axis of a principal component."""
    return {"title": f"PC{number} ({share:.0%})", "labels": False, "ticks": False, "grid": False}


def _edge_layers(panel: Panel, at: Spec, places: _Places, words: Words) -> list[Spec]:
    hit, other = words("hit"), words("other_edge")
    data = []
    for link in sorted(panel.links, key=lambda each: each.hits):
        (x, y), (x2, y2) = places[link.source], places[link.target]
        far = hypot(x2 - x, y2 - y) or 1.0
        end = 1 - min(9 / far, 0.9)  # before the mark of the target
        data.append(
            {
                **{"x": x, "y": y, "hits": link.hits},
                **{"x2": round(x + (x2 - x) * end, 2), "y2": round(y + (y2 - y) * end, 2)},
                "angle": round(degrees(atan2(x2 - x, y2 - y)), 1),
                "edge": hit if link.hits else other,
            }
        )
    colour = {
        "field": "edge",
        "type": "nominal",
        "scale": {"domain": [hit, other], "range": [_GOLD, _OTHER]},
        "legend": {"orient": "top", "title": None, "values": [hit]},
    }
    wide = {"condition": {"test": "datum.hits", "value": 2.4}, "value": 0.7}
    faint = {"condition": {"test": "datum.hits", "value": 1}, "value": 0.6}
    ends = {"x2": {"field": "x2"}, "y2": {"field": "y2"}}
    line = at | ends | {"strokeWidth": wide, "opacity": faint}
    head = {
        "x": at["x"] | {"field": "x2"},
        "y": at["y"] | {"field": "y2"},
        "angle": {"field": "angle", "type": "quantitative", "scale": None},
    }
    arrow = {"type": "point", "shape": "triangle", "filled": True, "size": 45, "opacity": 1}
    return [
        {"data": {"values": data}, "mark": mark, "encoding": places_of | {"color": colour}}
        for mark, places_of in (("rule", line), (arrow, head))
    ]


def _point_layers(
    found: Neighbourhood,
    panel: Panel,
    at: Spec,
    places: _Places,
    names: Mapping[str, str],
    words: Words,
) -> list[Spec]:
    marks = letters(found)
    shown = [p for p in found.points if p.role is not Role.OTHER or p.unit_id in panel.others]
    shown.sort(key=lambda point: point.role is not Role.OTHER)
    data = [_datum(p, marks.get(p.unit_id, ""), places, names, words) for p in shown]
    roles = [words(role) for role in _ROLES]
    legend = {"orient": "top", "title": None}
    shapes, fills = [_STAR, *["circle"] * 3], [_QUERY, _SEED, _GOLD, _OTHER]
    by_role = {"field": "role", "type": "nominal", "legend": legend}
    both = {"test": "datum.both", "value": _GOLD}
    points = {
        "shape": by_role | {"scale": {"domain": roles, "range": shapes}},
        "fill": by_role | {"scale": {"domain": roles, "range": fills}},
        "size": {"field": "size", "type": "quantitative", "scale": None},
        "stroke": {"condition": both, "value": None},
        "tooltip": [{"field": "name", "title": " "}, {"field": "role", "title": " "}],
    }
    ink = {"condition": {"test": "datum.dark", "value": "white"}, "value": "black"}
    mark = {"type": "point", "filled": True, "opacity": 1, "strokeWidth": 2.5}
    text = {"type": "text", "fontSize": 9, "fontWeight": "bold"}
    label = {"text": {"field": "label", "type": "nominal"}, "color": ink}
    values = {"values": data}
    return [
        {"data": values, "mark": mark, "encoding": at | points},
        {"data": values, "mark": text, "encoding": at | label},
    ]


def _datum(
    point: Point, letter: str, places: _Places, names: Mapping[str, str], words: Words
) -> Spec:
    """Return a point as a row of chart data."""
    seed = point.role in (Role.SEED, Role.SEED_GOLD)
    x, y = places[point.unit_id]
    return {
        **{"x": x, "y": y, "both": point.role is Role.SEED_GOLD, "dark": seed},
        "size": _SIZES.get(point.role, 260),
        "role": words(Role.SEED if seed else point.role),
        "label": f"{point.rank or ''}{letter}",
        "name": names.get(point.unit_id, point.unit_id),
    }
