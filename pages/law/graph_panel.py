"""Components of the corpus browser, and the neighbourhood graph of a unit.

The graph draws up to `LIMIT` nodes as boxes. Each component sends the reader's requests through its
trigger ``act``: all ``{"kind": "go", "unit"}``, the graph ``{"kind": "types", "types"}`` and
``{"kind": "hops", "hops"}``, the tree of statutes ``{"kind": "open", "statute"}``, ``{"kind":
"close", "statute"}`` and ``{"kind": "filter", "text"}``. They are browser input, which
:meth:`Walk.after` validates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from corpus.graph.model import WALKED, EdgeType
from corpus.model import Tier
from messages import catalogue, say
from pages.shell.bundle import (
    ELEMENTS,
    FOLD_SCRIPTS,
    FOLD_STYLE,
    GRAPH_SCRIPTS,
    GRAPH_STYLE,
    MOUNT,
    STATUTE_TEXT,
    THEME,
    joined,
)
from services.law.graph.citation_graph import Neighbourhood, NodeView

LIMIT = 60  # boxes; more are unreadable
HOPS = (1, 2)
# In drawing order; without PART_OF, which joins every unit to the statute that its box names.
TYPES = tuple(kind for kind in EdgeType if kind is not EdgeType.PART_OF)


@dataclass(frozen=True, slots=True)
class Walk:
    """The reader's position in the graph, with the edge types and hops drawn."""

    unit_id: str
    types: tuple[EdgeType, ...] = WALKED
    hops: int = 1

    def after(self, wish: object) -> Walk:
        """Return the walk after a component's request; unchanged if the request is invalid."""
        if not isinstance(wish, dict):
            return self
        if wish.get("kind") == "go" and isinstance(wish.get("unit"), str):
            return replace(self, unit_id=wish["unit"])
        if wish.get("kind") == "hops" and wish.get("hops") in HOPS:
            return replace(self, hops=wish["hops"])
        if wish.get("kind") == "types" and isinstance(wish.get("types"), list):
            return replace(self, types=tuple(kind for kind in TYPES if kind in wish["types"]))
        return self


def draw_panel(
    kind: str, data: dict[str, Any], key: str, height: str, on_act: Callable[[], None]
) -> None:
    """Draw the component of that name, `height` as in CSS.

    `on_act` is called before the rerun in which :func:`panel_request` has a request.
    """
    _component(kind)(key=key, data={"told": data, "height": height}, on_act_change=on_act)


def panel_request(key: str) -> Any:
    """Return the component's request in this run, or None."""
    return (st.session_state.get(key) or {}).get("act")


def panel_data(walk: Walk, neighbourhood: Neighbourhood, language: str) -> dict[str, Any]:
    """Return the component's data for a neighbourhood, as plain JSON values."""
    edges = Counter((edge.source, edge.target, edge.type) for edge in neighbourhood.edges)
    counts = Counter(str(kind) for _, _, kind in edges)
    drawn = {node.unit_id for node in neighbourhood.nodes}
    capped = neighbourhood.capped
    name = "capped" if capped else "shown" if len(neighbourhood.nodes) > 1 else "alone"
    told = {"nodes": len(neighbourhood.nodes), "edges": sum(counts.values())}
    note = say(f"corpus.graph_note.{name}", language, **told)
    return {
        "centre": walk.unit_id,
        "nodes": [_node(node, language) for node in neighbourhood.nodes],
        "edges": [
            {"source": source, "target": target, "type": str(kind), "count": count}
            for (source, target, kind), count in edges.items()
            if source in drawn and target in drawn
        ],
        "types": [
            {
                "type": str(kind),
                "name": say(f"corpus.edge.{kind}", language),
                "on": kind in walk.types,
                "count": counts[str(kind)],
            }
            for kind in TYPES
        ],
        "tiers": tier_names(sorted({node.tier for node in neighbourhood.nodes}), language),
        "hops": walk.hops,
        "capped": capped,
        "note": note,
        "words": words_under("corpus.graph.", language),
    }


def tier_names(tiers: list[Tier], language: str) -> list[dict[str, Any]]:
    """Return the tiers' display names for a legend."""
    return [{"tier": int(t), "name": say(f"mapping.tier.{int(t)}", language)} for t in tiers]


@cache
def words_under(prefix: str, language: str) -> dict[str, str]:
    """Return the messages directly under `prefix`: last part of the key → template."""
    return {
        key.removeprefix(prefix): entry[language]
        for key, entry in catalogue().items()
        if key.startswith(prefix)
    }


_SHARED = (ELEMENTS, MOUNT, "law/frontend/graph/shapes")
SCRIPTS = (ELEMENTS, MOUNT, *GRAPH_SCRIPTS, "law/frontend/graph/mount")
TREE = (*_SHARED, "law/frontend/tree")
UNIT = (*_SHARED, *FOLD_SCRIPTS, STATUTE_TEXT, "law/frontend/unit")
_COMPONENTS = {  # of the corpus browser: styles and scripts
    "graph_panel": ((THEME, GRAPH_STYLE), SCRIPTS),
    "statute_tree": ((THEME, "law/frontend/corpus"), TREE),
    "unit_view": ((THEME, FOLD_STYLE, "law/frontend/corpus"), UNIT),
}


@cache
def _component(kind: str) -> ComponentRenderer:
    """Register a component of the corpus browser."""
    styles, scripts = _COMPONENTS[kind]
    css, js = joined(styles, "css"), joined(scripts, "js")
    return st.components.v2.component(f"touchstone_{kind}", css=css, js=js)


def _node(node: NodeView, language: str) -> dict[str, Any]:
    """Return a node for the viewer."""
    return {
        "id": node.unit_id,
        "statute": node.statute,
        "place": node.label or say("corpus.whole", language),
        "heading": node.heading,
        "tier": int(node.tier),
        "tierName": say(f"mapping.tier.{int(node.tier)}", language),
        "deleted": node.deleted,
    }
