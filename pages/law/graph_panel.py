"""Neighbourhood graph of a unit as a front-end component.

It draws up to `LIMIT` nodes as boxes and sends, through its trigger ``act``, the reader's requests:
``{"kind": "go", "unit"}``, ``{"kind": "types", "types"}`` or ``{"kind": "hops", "hops"}``. They are
browser input: :meth:`Walk.after` validates them.
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
from pages.shell.bundle import ELEMENTS, GRAPH_SCRIPTS, GRAPH_STYLE, MOUNT, THEME, joined
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


def graph_panel(data: dict[str, Any], key: str, height: str, on_act: Callable[[], None]) -> None:
    """Draw the panel, `height` as in CSS.

    `on_act` is called before the rerun in which :func:`panel_request` has a request.
    """
    _component()(key=key, data={"told": data, "height": height}, on_act_change=on_act)


def panel_request(key: str) -> Any:
    """Return the component's request in this run, or None."""
    return (st.session_state.get(key) or {}).get("act")


def panel_data(walk: Walk, neighbourhood: Neighbourhood, language: str) -> dict[str, Any]:
    """Return the component's data for a neighbourhood, as plain JSON values."""
    edges = Counter((edge.source, edge.target, edge.type) for edge in neighbourhood.edges)
    counts = Counter(str(kind) for _, _, kind in edges)
    drawn = {node.unit_id for node in neighbourhood.nodes}
    return {
        "centre": walk.unit_id,
        "nodes": [_node(node, language) for node in neighbourhood.nodes],
        "edges": [
            {"source": source, "target": target, "type": str(kind), "count": count}
            for (source, target, kind), count in edges.items()
            if source in drawn and target in drawn
        ],
        "types": [_edge_type(kind, walk, counts, language) for kind in TYPES],
        "tiers": tier_names(sorted({node.tier for node in neighbourhood.nodes}), language),
        "hops": walk.hops,
        "capped": neighbourhood.capped,
        "note": _note(neighbourhood, sum(counts.values()), language),
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


SCRIPTS = (ELEMENTS, MOUNT, *GRAPH_SCRIPTS, "law/frontend/graph/mount")


@cache
def _component() -> ComponentRenderer:
    """Register the component that draws the graph."""
    return st.components.v2.component(
        "touchstone_graph_panel",
        css=joined((THEME, GRAPH_STYLE), "css"),
        js=joined(SCRIPTS, "js"),
    )


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


def _edge_type(kind: EdgeType, walk: Walk, counts: Counter[str], language: str) -> dict[str, Any]:
    name = say(f"corpus.edge.{kind}", language)
    return {"type": str(kind), "name": name, "on": kind in walk.types, "count": counts[str(kind)]}


def _note(neighbourhood: Neighbourhood, edges: int, language: str) -> str:
    """Return the note under the graph: capped, alone, or the number of edges."""
    if neighbourhood.capped:
        return say("corpus.graph_note.capped", language, nodes=len(neighbourhood.nodes))
    name = "shown" if len(neighbourhood.nodes) > 1 else "alone"
    return say(f"corpus.graph_note.{name}", language, nodes=len(neighbourhood.nodes), edges=edges)
