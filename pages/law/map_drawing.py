"""Map of the law in the browser: streamlit-agraph's canvas, and its legend.

The canvas draws nodes at given positions and returns the clicked node. It sets a node's ``title``
as HTML and opens it as an address on a double click, so no node has one: all names are labels,
which a canvas draws as text. Its iframe has a white page and no name for screen readers; the
legend's script fixes both.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from math import sqrt
from types import MappingProxyType, SimpleNamespace
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from corpus.graph.layout import unhindered
from corpus.graph.model import EdgeType
from corpus.model import Tier
from pages.shell.bundle import ELEMENTS, joined
from pages.shell.context import Context
from services.law.graph.law_map import LawMap, MapEdge, MapNode

FRAME = "streamlit_agraph.agraph"  # Streamlit's title of the canvas's iframe
HEIGHT = 560
# Okabe and Ito's palette, distinguishable with any colour vision, slightly darker where it would
# be faint on white. A tier is also a shape, a type of edge also a dash.
TIERS = MappingProxyType(
    {
        Tier.ACT: ("#0072B2", "dot"),
        Tier.DECREE: ("#C77C02", "square"),
        Tier.RULE: ("#009E73", "triangle"),
        Tier.NOTICE: ("#CC79A7", "diamond"),
        Tier.MANUAL: ("#808790", "star"),
    }
)
STROKES = MappingProxyType(
    {
        EdgeType.REFERENCES: ("#808790", ()),
        EdgeType.DELEGATES_TO: ("#0072B2", (10, 4)),
        EdgeType.SPECIFIES: ("#009E73", (10, 3, 2, 3)),
        EdgeType.APPLIES: ("#D55E00", (5, 3)),
        EdgeType.REQUIRES_FORM: ("#CC79A7", (14, 3, 2, 3, 2, 3)),
        EdgeType.CO_SPECIFIES: ("#8E6BBF", (1, 3, 6, 3)),
        EdgeType.PARALLEL: ("#C77C02", (2, 4)),
    }
)
PAPER = MappingProxyType({"light": "#ffffff", "dark": "#15181c"})
INK = MappingProxyType({"light": "#1f2429", "dark": "#e4e6e8"})
_WIDTH, _FONT = 1000, 13  # pixels: approximate width of the canvas, and font size
_READABLE = 30  # labels; more hide what they name
_LABEL, _TAIL = 18, 7  # characters of a label, of which the last ones are kept at its end


def canvas(drawn: LawMap, named: str) -> str | None:
    """Draw the map; return the id of the clicked node, None before a click.

    `named` is what labels show: "title", or "place" if all nodes belong to one statute.
    """
    from streamlit_agraph import agraph  # loaded only if a map is drawn

    theme = "dark" if st.context.theme.type == "dark" else "light"
    nodes = [_drawable(each) for each in _nodes(drawn.nodes, named, theme)]
    nodes.reverse()  # later nodes are drawn on top
    scale = _scale(drawn.nodes)
    edges = [_drawable(_edge(edge, scale)) for edge in drawn.edges]
    pressed = agraph(nodes, edges, SimpleNamespace(**_OPTIONS))
    # Browser input: only a drawn node counts.
    return pressed if pressed in {node.id for node in drawn.nodes} else None


def legend(context: Context, drawn: LawMap) -> None:
    """Draw the legend of shapes, colours and dashes; name the iframe for screen readers."""
    tiers, types = {node.tier for node in drawn.nodes}, {edge.type for edge in drawn.edges}
    told = {
        "frame": FRAME,
        "name": context.say("law_map.frame", nodes=len(drawn.nodes), edges=len(drawn.edges)),
        "tiers": [
            {"colour": colour, "shape": shape, "name": context.say(f"mapping.tier.{int(tier)}")}
            for tier, (colour, shape) in TIERS.items()
            if tier in tiers
        ],
        "types": [
            {"colour": colour, "dash": dash, "name": context.say(f"corpus.edge.{kind}")}
            for kind, (colour, dash) in STROKES.items()
            if kind in types
        ],
        "words": {name: context.say(f"law_map.{name}") for name in ("tiers", "types")},
    }
    _legend()(key="law-map-legend", data=told)


@cache
def _legend() -> ComponentRenderer:
    css = joined(("law/frontend/map/legend",), "css")
    js = joined((ELEMENTS, "law/frontend/map/legend"), "js")
    return st.components.v2.component("touchstone_map_legend", css=css, js=js)


def label_of(node: MapNode, named: str) -> str:
    """Return a node's label: one line of bounded length, without bidirectional controls."""
    of_unit = f"{node.label} {node.heading}" if named == "place" else f"{node.statute} {node.label}"
    text = unicodedata.normalize("NFC", of_unit if node.label else node.statute)
    kept = "".join(" " if unicodedata.category(mark)[0] in "CZ" else mark for mark in text)
    line = " ".join(kept.split())
    if len(line) <= _LABEL:
        return line
    return f"{line[: _LABEL - _TAIL - 1].rstrip()}…{line[-_TAIL:].lstrip()}"


class _Drawable(SimpleNamespace):
    """A node or edge in the form that streamlit-agraph takes."""

    def to_dict(self) -> dict[str, Any]:
        return self.__dict__


def _drawable(values: dict[str, Any]) -> _Drawable:
    return _Drawable(**values)


def _nodes(nodes: Sequence[MapNode], named: str, theme: str) -> Iterator[dict[str, Any]]:
    """Yield the canvas's data of each node.

    When the whole map is in view, up to `_READABLE` labels that hide no other are readable, those
    of high degree before others; the rest become readable after zooming in.
    """
    scale = _scale(nodes)
    labels = [label_of(node, named) for node in nodes]
    boxes = [_box(*each, scale) for each in zip(nodes, labels, strict=True)]
    most = max((node.degree for node in nodes), default=0)
    large = [at for at, free in enumerate(unhindered(boxes)) if free][:_READABLE]
    for at, (node, label) in enumerate(zip(nodes, labels, strict=True)):
        colour, shape = TIERS[node.tier]
        border = {"border": INK[theme], "background": colour}
        font = {"color": INK[theme], "strokeWidth": 4, "strokeColor": PAPER[theme]}
        yield {
            "id": node.id,
            "label": label,
            "title": "",  # HTML, see the module docstring
            "div": {"innerHTML": ""},  # a double click would open it
            "shape": shape,
            "size": round(scale * (6 + 9 * sqrt(node.degree / most if most else 0.0)), 1),
            "x": node.x,
            "y": node.y,
            "color": border | {"highlight": border},
            "font": font | {"size": round(scale * _FONT * (1 if at in large else 0.4), 1)},
        }


def _scale(nodes: Sequence[MapNode]) -> float:
    """Return the drawing units per pixel when the whole map is in view."""
    wide, high = (max(each) - min(each) for each in ([n.x for n in nodes], [n.y for n in nodes]))
    return max(wide / _WIDTH, high / (HEIGHT * 0.85), 1.0)


def _box(node: MapNode, label: str, scale: float) -> tuple[float, float, float, float]:
    """Return the approximate bounding box of a node's label, below the node."""
    half = sum(1.0 if ord(mark) > 0x1100 else 0.55 for mark in label) * _FONT * scale / 2
    top = node.y + 8 * scale
    return node.x - half, top, node.x + half, top + 1.8 * _FONT * scale


def _edge(edge: MapEdge, scale: float) -> dict[str, Any]:
    colour, dash = STROKES[edge.type]
    return {
        "from": edge.source,
        "to": edge.target,
        "color": {"color": colour, "highlight": colour, "opacity": 0.8},
        "dashes": [round(length * scale) for length in dash] or False,
        "width": round(scale * min(0.6 + edge.count.bit_length() / 5, 3), 1),
        # Each type has its own curvature, so that edges between the same nodes lie side by side.
        "smooth": {
            "enabled": True,
            "type": "curvedCW",
            "roundness": 0.08 + 0.05 * list(STROKES).index(edge.type),
        },
    }


_OPTIONS: dict[str, Any] = {
    "height": f"{HEIGHT}px",
    "width": "100%",
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False, "randomSeed": 0},
    "interaction": {
        "dragNodes": False,
        "hideEdgesOnDrag": True,
        "navigationButtons": True,
        "keyboard": {"enabled": True, "bindToWindow": False},
    },
    "nodes": {"borderWidth": 1, "scaling": {"label": {"drawThreshold": 8}}},
    "edges": {"arrows": {"to": {"enabled": True, "scaleFactor": 0.5}}},
}
