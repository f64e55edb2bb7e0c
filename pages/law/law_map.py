"""Map of the law: filters, drawing, and an equivalent table.

Map of the law in the browser: streamlit-agraph's canvas, and its legend.

The canvas draws nodes at given positions and returns the clicked node. It sets a node's ``title``
as HTML and opens it as an address on a double click, so no node has one: all names are labels,
which a canvas draws as text. Its iframe has a white page and no name for screen readers; the
legend's script fixes both.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from math import sqrt
from types import MappingProxyType, SimpleNamespace
from typing import Any, TypeVar

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from corpus.graph.law_map import unhindered
from corpus.graph.model import EdgeType
from corpus.model import Tier
from pages.shell.bundle import ELEMENTS, joined
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.widgets import choose, download_row, draw_table, pick_row
from services.law.graph.law_map import (
    MOST_NODES,
    TYPES,
    LawMap,
    MapEdge,
    MapNode,
    MapQuery,
    Nodes,
    as_csv,
    as_json,
    communities_of,
    law_map,
    name_of,
    summary,
)
from services.law.overview import current_snapshot, statutes

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
_OWN_LABEL = 24  # of a statute's own part of its name


def canvas(drawn: LawMap, kind: str) -> str | None:
    """Draw the map; return the id of the clicked node, None before a click.

    `kind` is what labels show: "title", or "place" if all nodes belong to one statute.
    """
    from streamlit_agraph import agraph  # loaded only if a map is drawn

    theme = "dark" if st.context.theme.type == "dark" else "light"
    nodes = [_Drawable(**each) for each in _nodes(drawn.nodes, kind, theme)]
    nodes.reverse()  # later nodes are drawn on top
    scale = _scale(drawn.nodes)
    edges = [_Drawable(**_edge(edge, scale)) for edge in drawn.edges]
    pressed = agraph(nodes, edges, SimpleNamespace(**_OPTIONS))
    # Browser input: only a drawn node counts.
    return pressed if pressed in {node.id for node in drawn.nodes} else None


def legend(context: Context, drawn: LawMap) -> None:
    """Draw the legend of shapes, colours and dashes; name the iframe for screen readers."""
    tiers, types = {node.tier for node in drawn.nodes}, {edge.type for edge in drawn.edges}
    say = context.say
    told = {
        "frame": FRAME,
        "name": say("law_map.frame", nodes=len(drawn.nodes), edges=len(drawn.edges)),
        "tiers": [
            {"colour": colour, "shape": shape, "name": say(f"mapping.tier.{int(tier)}")}
            for tier, (colour, shape) in TIERS.items()
            if tier in tiers
        ],
        "types": [
            {"colour": colour, "dash": dash, "name": say(f"corpus.edge.{kind}")}
            for kind, (colour, dash) in STROKES.items()
            if kind in types
        ],
        "words": {name: say(f"law_map.{name}") for name in ("tiers", "types")},
    }
    _legend()(key="law-map-legend", data=told)


@cache
def _legend() -> ComponentRenderer:
    """Register the component of the legend."""
    css = joined(("law/frontend/map/legend",), "css")
    js = joined((ELEMENTS, "law/frontend/map/legend"), "js")
    return st.components.v2.component("touchstone_map_legend", css=css, js=js)


def labels_of(nodes: Sequence[MapNode], kind: str) -> list[str]:
    """Return the labels of nodes, statutes without what they share with another's whole name.

    A decree is named for its act, in Korean at the beginning and in English at the end.
    """
    titles = {node.statute for node in nodes if not node.label}
    own = [replace(each, statute=_own_part(each.statute, titles)) for each in nodes]
    return [
        label_of(node, kind) if node.label or node == short else label_of(short, kind, _OWN_LABEL)
        for node, short in zip(nodes, own, strict=True)
    ]


def _own_part(title: str, others: Collection[str]) -> str:
    """Return a title with an ellipsis for the longest other title that begins or ends it."""
    within = [each for each in others if each and len(each) < len(title)]
    front = max((each for each in within if title.startswith(f"{each} ")), key=len, default="")
    back = max((each for each in within if title.endswith(f" {each}")), key=len, default="")
    if front:
        return f"…{title[len(front) :]}"
    return f"{title[: -len(back)].removesuffix(' of the ').strip()} …" if back else title


def label_of(node: MapNode, kind: str, most: int = _LABEL) -> str:
    """Return a node's label, a bounded line without bidirectional controls; `kind` as in canvas."""
    of_unit = f"{node.label} {node.heading}" if kind == "place" else f"{node.statute} {node.label}"
    text = unicodedata.normalize("NFC", of_unit if node.label else node.statute)
    kept = "".join(" " if unicodedata.category(mark)[0] in "CZ" else mark for mark in text)
    line = " ".join(kept.split())
    if len(line) <= most:
        return line
    return f"{line[: most - _TAIL - 1].rstrip()}…{line[-_TAIL:].lstrip()}"


class _Drawable(SimpleNamespace):
    """A node or edge in the form that streamlit-agraph takes."""

    def to_dict(self) -> dict[str, Any]:
        """Return the values, as the network component asks for them."""
        return self.__dict__


def _nodes(nodes: Sequence[MapNode], kind: str, theme: str) -> Iterator[dict[str, Any]]:
    """Yield the canvas's data of each node.

    When the whole map is in view, up to `_READABLE` labels that hide no other are readable, those
    of high degree before others; the rest become readable after zooming in.
    """
    scale = _scale(nodes)
    labels = labels_of(nodes, kind)
    boxes = [_box(node, label, scale) for node, label in zip(nodes, labels, strict=True)]
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
    """Return an edge with its colour and dashes."""
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


_T = TypeVar("_T")
_SIZES = (50, 100, 150, 200, MOST_NODES)
_SCOPES = ("statutes", "statute", "community")
_LARGE = 30_000  # units above which communities are computed on request only


@dataclass(slots=True)
class _Asked:
    """A session's choices for the map; `turn` is part of its widgets' keys.

    A click that changes the choices also changes `turn`, so that widgets show them.
    """

    project: str
    scope: str = "statutes"
    query: MapQuery = field(default_factory=MapQuery)
    community: int = 1
    turn: int = 0
    found_in: int = 0  # a large snapshot whose communities were requested
    answers: tuple[str | None, ...] = ()  # the nodes selected in drawing and table in the last run

    def show_units_of(self, statute: str) -> None:
        """Go from a statute to its units."""
        self.scope, self.turn, self.answers = "statute", self.turn + 1, ()
        self.query = replace(self.query, statute=statute, text="")


def draw_map(context: Context, open_unit: Callable[[str], None]) -> None:
    """Draw the map with its filters; a click on a unit calls `open_unit` with its id."""
    asked = st.session_state.get("law_map")
    if not isinstance(asked, _Asked) or asked.project != context.project:
        asked = st.session_state["law_map"] = _Asked(context.project)
    query = _choice(context, asked)
    if query is None:
        return
    with st.spinner(context.say("law_map.drawing")):
        drawn = law_map(*context.here, query, context.by)
    if not drawn.nodes:
        st.info(context.say("law_map.none"), icon=":material/filter_alt_off:")
        return
    st.markdown(summary(drawn, context.language))
    named = "place" if asked.scope == "statute" and query.statute else "title"
    legend(context, drawn)
    pressed = canvas(drawn, named)
    picked = _table(context, drawn, asked)
    files = {"csv": as_csv(drawn), "json": as_json(drawn)}
    download_row(context, "law_map.download_", files, f"{context.project}-map", "law-map")
    # Selections persist across runs: open what was selected in this one.
    before, asked.answers = asked.answers or (None, None), (pressed, picked)
    new = [now for now, then in zip(asked.answers, before, strict=True) if now and now != then]
    if new and drawn.query.nodes is Nodes.UNITS:
        open_unit(new[0])
    elif new:
        asked.show_units_of(new[0])
        st.rerun()


def _choice(context: Context, query_state: _Asked) -> MapQuery | None:
    """Draw the filters; return the query, None if a choice is still missing."""
    fields = Fields(context, "law_map", key := f"law-map-{query_state.turn}")
    about = "law_map.scope", f"{key}-scope", query_state.scope
    query_state.scope = choose(context, "law_map.show", _SCOPES, *about, titled=True)
    query = replace(query_state.query, nodes=Nodes.UNITS, community=0)
    if query_state.scope == "statutes":
        query = replace(query, nodes=Nodes.STATUTES, statute="")
    elif query_state.scope == "statute":
        query = replace(query, statute=_statute(fields, query.statute))
    else:
        found = _community(fields, query_state)
        if not found:
            return None
        query = replace(query, statute="", community=found)
    query_state.query = _with_filters(fields, query)
    return query_state.query


def _statute(fields: Fields, chosen: str) -> str:
    """Draw the choice of a statute; return its id, "" for all."""
    context = fields.context
    snapshot = current_snapshot(*context.here, context.by)
    titles = {line.statute_id: line.title for line in statutes(context.workspace, snapshot.id)}
    every = "law_map.all_statutes"
    return fields.pick("of_statute", titles, titles, chosen, every, key="statute")


def _community(fields: Fields, query_state: _Asked) -> int:
    """Draw the choice of a community; return its number, 0 if none is there or computed yet."""
    context = fields.context
    snapshot = current_snapshot(*context.here, context.by)
    units = sum(line.units for line in statutes(context.workspace, snapshot.id))
    if units > _LARGE and query_state.found_in != snapshot.id:
        st.info(context.say("law_map.large", units=f"{units:,}"), icon=":material/schedule:")
        if not fields.press("find", key="community-find"):
            return 0
        query_state.found_in = snapshot.id
        st.rerun()
    with st.spinner(context.say("law_map.finding")):
        lines = communities_of(*context.here, context.by)
    if not lines:
        st.info(context.say("graph_report.communities_none"))
        return 0
    names = {each.number: context.say("law_map.community", **asdict(each)) for each in lines}
    at = min(query_state.community, len(lines))
    query_state.community = fields.pick("of_community", names, names, at, key="community")
    return query_state.community


def _with_filters(fields: Fields, query: MapQuery) -> MapQuery:
    """Draw further filters; return the query with them. No tier or type chosen means all."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = fields.text("text", query.text, max_chars=200, width=260)
        most = fields.pick("most", _SIZES, first=query.most, width=130)
        with st.popover(fields.context.say("law_map.more"), icon=":material/filter_alt:"):
            tiers = _pills(fields, "tiers", "mapping.tier", tuple(Tier), query.tiers)
            types = _pills(fields, "types", "corpus.edge", TYPES, query.types)
    return replace(query, text=text, most=most, tiers=tiers, types=types)


def _pills(
    fields: Fields, name: str, words: str, options: tuple[_T, ...], chosen: tuple[_T, ...]
) -> tuple[_T, ...]:
    """Draw a multiple choice; none chosen means all."""
    say = fields.context.say
    found = st.pills(
        say(f"law_map.{name}"),
        options,
        selection_mode="multi",
        default=None if chosen == options else chosen,
        format_func=lambda each: say(f"{words}.{each}"),
        key=f"{fields.key}-{name}",
    )
    return tuple(each for each in options if each in found) or options


def _table(context: Context, drawn: LawMap, query_state: _Asked) -> str | None:
    """Draw nodes and edges as tables; return the id of the node whose row is selected."""
    say, names = context.say, {node.id: name_of(node) for node in drawn.nodes}
    st.caption(say(f"law_map.pick.{drawn.query.nodes}"))
    columns = {
        "node": list(names.values()),
        "tier": [say(f"mapping.tier.{int(node.tier)}") for node in drawn.nodes],
        "degree": [node.degree for node in drawn.nodes],
    }
    row = pick_row(context, "law_map.column", columns, f"law-map-{hash(drawn.query)}", wide="node")
    with st.expander(say("law_map.all_edges"), icon=":material/arrow_right_alt:"):
        columns = {
            "source": [names[edge.source] for edge in drawn.edges],
            "type": [say(f"corpus.edge.{edge.type}") for edge in drawn.edges],
            "target": [names[edge.target] for edge in drawn.edges],
            "citations": [edge.count for edge in drawn.edges],
        }
        draw_table(context, "law_map.column", columns)
    return None if row is None else drawn.nodes[row].id
