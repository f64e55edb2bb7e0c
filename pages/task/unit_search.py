"""Search for a provision in the law that an item shows, as an act of a task's viewer."""

from __future__ import annotations

from annotation.work import queue_service
from annotation.work.submissions import beginning
from messages import say
from pages.task.acts import Act, Handlers, TaskSession
from storage.db.workspace import Workspace

SEARCH_HITS = 12
QUERY_LIMIT = 200
_SNIPPET = 140


def tell_found(ws: Workspace, session: TaskSession, act: Act, *, identity: str = "unit_id") -> None:
    """Search provisions and send the viewer the hits, each by its attribute `identity`."""
    # Imported here because it loads the search engine, which opening an item can do without.
    from services.runs.methods.unit_search import search_units

    query = str(act["query"])[:QUERY_LIMIT]
    item = queue_service.open_item(ws, session.person_id, act["item"], session.task)
    rows = [
        {
            "unit": getattr(unit, identity),
            "statute": unit.statute,
            "label": unit.label,
            "heading": unit.heading,
            "tierName": say(f"mapping.tier.{int(unit.tier)}", session.language),
            "snippet": beginning(" ".join(unit.text[: 2 * _SNIPPET].split()), _SNIPPET),
        }
        for hit in search_units(ws, item.snapshot_id, query, SEARCH_HITS)
        for unit in (hit.passage,)
    ]
    session.told["found"] = {"query": query, "hits": rows}


SEARCH_ACTS: Handlers = {"search": tell_found}
