"""Neighbourhood graph beside a candidate in citation mapping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from errors import UserError
from pages.law.graph_panel import LIMIT, Walk, panel_data
from services.law.graph.citation_graph import Neighbourhood, neighbourhood, unit_page
from storage.db.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Seen:
    """The neighbourhood of a unit, or the error why it cannot be shown."""

    walk: Walk
    found: Neighbourhood | None = None
    text: str = ""
    error: UserError | None = None


def look(ws: Workspace, snapshot_id: int, act: dict[str, Any]) -> Seen:
    """Return the neighbourhood of the unit that the act names; never raises UserError.

    A graph that cannot be shown must not block the decisions sent with the request.
    """
    walk = Walk(str(act["node"]))
    for kind in ("types", "hops"):
        walk = walk.after({"kind": kind, kind: act.get(kind)})
    try:
        found = neighbourhood(ws, snapshot_id, walk.unit_id, walk.types, walk.hops, LIMIT)
        text = unit_page(ws, snapshot_id, walk.unit_id).unit.text
    except UserError as error:
        return Seen(walk, error=error)
    return Seen(walk, found, text)


def graph_part(neighbourhood: Seen, language: str) -> dict[str, Any]:
    """Return the viewer data of a neighbourhood, as plain JSON values."""
    if neighbourhood.found is None:
        error = neighbourhood.error
        said = "" if error is None else f"{error.what(language)} {error.remedy(language)}"
        return {"node": neighbourhood.walk.unit_id, "error": said}
    node = neighbourhood.walk.unit_id
    return {
        "node": node,
        "told": panel_data(neighbourhood.walk, neighbourhood.found, language),
        "text": neighbourhood.text,
    }
