"""The acts that only citation mapping has."""

from __future__ import annotations

from annotation.mapping import commands as mapping_commands
from annotation.work import queue_service
from pages.mapping.viewer_data import found_part
from pages.task.acts import Act, Handlers, TaskSession, basis, stepping, taken_up
from storage.db.workspace import Workspace

SEARCH_HITS = 12
QUERY_LIMIT = 200


def _label(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    with stepping(ws, sitting, act["item"]):
        mapping_commands.label(
            ws, sitting.person_id, act["item"], act["unit"], act["decision"], basis(sitting, act)
        )


def _add(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    with stepping(ws, sitting, act["item"]):
        mapping_commands.add_unit(
            ws, sitting.person_id, act["item"], act["unit"], basis(sitting, act)
        )


def _no_provision(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    with stepping(ws, sitting, act["item"]):
        said = bool(act["value"]), basis(sitting, act)
        mapping_commands.set_no_provision(ws, sitting.person_id, act["item"], *said)


def _recheck(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    mapping_commands.recheck(ws, sitting.person_id, act["item"])
    taken_up(sitting, act)


def _search(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    # Here, because it loads the search engine, which opening an item can do without.
    from services.runs.methods.unit_search import search_units

    query = str(act["query"])[:QUERY_LIMIT]
    hits = search_units(ws, _snapshot(ws, sitting, act), query, SEARCH_HITS)
    sitting.told["found"] = found_part(query, hits, sitting.language)


def _graph(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    # Here, because it loads arrays, which opening an item can do without.
    from pages.mapping.graph import graph_part, look

    seen = look(ws, _snapshot(ws, sitting, act), act)
    sitting.told["graph"] = graph_part(seen, sitting.language)


def _snapshot(ws: Workspace, sitting: TaskSession, act: Act) -> int:
    return queue_service.open_item(ws, sitting.person_id, act["item"], sitting.task).snapshot_id


MAPPING_ACTS: Handlers = {
    "label": _label,
    "add": _add,
    "no_provision": _no_provision,
    "recheck": _recheck,
    "search": _search,
    "graph": _graph,
}
