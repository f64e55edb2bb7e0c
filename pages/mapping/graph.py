"""The neighbourhood graph that opens beside a candidate in Citation mapping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from errors import UserError
from pages.law.graph_panel import LIMIT, Walk, told
from services.law.graph.citation_graph import Neighbourhood, neighbourhood, unit_page
from storage.db.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Seen:
    """What was found around a unit, or why nothing could be."""

    walk: Walk
    found: Neighbourhood | None = None
    text: str = ""
    error: UserError | None = None


def look(ws: Workspace, snapshot_id: int, act: dict[str, Any]) -> Seen:
    """Return what is around the unit that the viewer's act names; never raises a user's error.

    A graph that cannot be shown must not hold up the decisions that came along with the wish.
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


def graph_part(seen: Seen, language: str) -> dict[str, Any]:
    """Return what the viewer is told, as plain JSON values."""
    if seen.found is None:
        error = seen.error
        said = "" if error is None else f"{error.what(language)} {error.remedy(language)}"
        return {"node": seen.walk.unit_id, "error": said}
    node = seen.walk.unit_id
    return {"node": node, "told": told(seen.walk, seen.found, language), "text": seen.text}
