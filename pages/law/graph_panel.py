"""The neighbourhood graph of a unit as a front-end part: drawn in the browser, walked by asking.

The part draws up to `LIMIT` nodes as boxes and asks, through its trigger ``act``, for what the
reader wants: ``{"kind": "go", "unit"}``, ``{"kind": "types", "types"}`` or ``{"kind": "hops",
"hops"}``. That is the browser's word: :meth:`Walk.after` checks it.
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
from pages.shell.bundle import ELEMENTS, GRAPH_SCRIPTS, GRAPH_STYLE, joined
from services.law.graph.citation_graph import Neighbourhood, NodeView

LIMIT = 60  # boxes; more cannot be read
HOPS = (1, 2)
# The drawing's order; PART_OF joins every unit to its statute, which its box names already.
TYPES = tuple(kind for kind in EdgeType if kind is not EdgeType.PART_OF)


@dataclass(frozen=True, slots=True)
class Walk:
    """Where a reader stands in the graph and what is drawn around it."""

    unit_id: str
    types: tuple[EdgeType, ...] = WALKED
    hops: int = 1

    def after(self, wish: object) -> Walk:
        """Return the walk after what the part asked for; the same where it asked nothing known."""
        if not isinstance(wish, dict):
            return self
        if wish.get("kind") == "go" and isinstance(wish.get("unit"), str):
            return replace(self, unit_id=wish["unit"])
        if wish.get("kind") == "hops" and wish.get("hops") in HOPS:
            return replace(self, hops=wish["hops"])
        if wish.get("kind") == "types" and isinstance(wish.get("types"), list):
            return replace(self, types=tuple(kind for kind in TYPES if kind in wish["types"]))
        return self


def graph_panel(told: dict[str, Any], key: str, height: str, on_act: Callable[[], None]) -> None:
    """Draw the panel, `height` as in CSS.

    `on_act` is called before the rerun in which :func:`asked` has a wish.
    """
    _component()(key=key, data={"told": told, "height": height}, on_act_change=on_act)


def asked(key: str) -> Any:
    """Return what the part asked for in this run, or None."""
    return (st.session_state.get(key) or {}).get("act")


def told(walk: Walk, found: Neighbourhood, language: str) -> dict[str, Any]:
    """Return what the part is told of a neighbourhood, as plain JSON values."""
    edges = Counter((edge.source, edge.target, edge.type) for edge in found.edges)
    counts = Counter(str(kind) for _, _, kind in edges)
    drawn = {node.unit_id for node in found.nodes}
    return {
        "centre": walk.unit_id,
        "nodes": [_node(node, language) for node in found.nodes],
        "edges": [
            {"source": source, "target": target, "type": str(kind), "count": count}
            for (source, target, kind), count in edges.items()
            if source in drawn and target in drawn
        ],
        "types": [_type(kind, walk, counts, language) for kind in TYPES],
        "tiers": tier_names(sorted({node.tier for node in found.nodes}), language),
        "hops": walk.hops,
        "capped": found.capped,
        "note": _note(found, sum(counts.values()), language),
        "words": words_under("corpus.graph.", language),
    }


def tier_names(tiers: list[Tier], language: str) -> list[dict[str, Any]]:
    """Return the names of tiers for a legend."""
    return [{"tier": int(t), "name": say(f"mapping.tier.{int(t)}", language)} for t in tiers]


@cache
def words_under(prefix: str, language: str) -> dict[str, str]:
    """Return the catalogue's words right under `prefix`, last part of the key → template."""
    return {
        key.removeprefix(prefix): entry[language]
        for key, entry in catalogue().items()
        if key.startswith(prefix)
    }


SCRIPTS = (ELEMENTS, *GRAPH_SCRIPTS, "law/frontend/graph/mount")


@cache
def _component() -> ComponentRenderer:
    return st.components.v2.component(
        "touchstone_graph_panel",
        css=joined((GRAPH_STYLE,), "css"),
        js=joined(SCRIPTS, "js"),
    )


def _node(node: NodeView, language: str) -> dict[str, Any]:
    return {
        "id": node.unit_id,
        "statute": node.statute,
        "place": node.label or say("corpus.whole", language),
        "heading": node.heading,
        "tier": int(node.tier),
        "tierName": say(f"mapping.tier.{int(node.tier)}", language),
        "deleted": node.deleted,
    }


def _type(kind: EdgeType, walk: Walk, counts: Counter[str], language: str) -> dict[str, Any]:
    name = say(f"corpus.edge.{kind}", language)
    return {"type": str(kind), "name": name, "on": kind in walk.types, "count": counts[str(kind)]}


def _note(found: Neighbourhood, edges: int, language: str) -> str:
    if found.capped:
        return say("corpus.graph_note.capped", language, nodes=len(found.nodes))
    name = "shown" if len(found.nodes) > 1 else "alone"
    return say(f"corpus.graph_note.{name}", language, nodes=len(found.nodes), edges=edges)
