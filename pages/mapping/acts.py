"""Acts specific to citation mapping."""

from __future__ import annotations

from annotation.mapping import commands as mapping_commands
from annotation.work import queue_service
from pages.mapping.viewer_data import found_part, kept_words
from pages.task.acts import (
    Act,
    Handlers,
    TaskSession,
    basis,
    expected,
    leave,
    stepping,
    taken_up,
)
from storage.db.workspace import Workspace

SEARCH_HITS = 12
QUERY_LIMIT = 200


def _label(ws: Workspace, session: TaskSession, act: Act) -> None:
    with stepping(ws, session, act["item"]):
        mapping_commands.label(
            ws, session.person_id, act["item"], act["unit"], act["decision"], basis(session, act)
        )


def _add(ws: Workspace, session: TaskSession, act: Act) -> None:
    with stepping(ws, session, act["item"]):
        mapping_commands.add_unit(
            ws, session.person_id, act["item"], act["unit"], basis(session, act)
        )


def _no_provision(ws: Workspace, session: TaskSession, act: Act) -> None:
    with stepping(ws, session, act["item"]):
        said = bool(act["value"]), basis(session, act)
        mapping_commands.set_no_provision(ws, session.person_id, act["item"], *said)


def _submit(ws: Workspace, session: TaskSession, act: Act) -> None:
    where, anyway = (ws, session.person_id, act["item"]), bool(act.get("anyway"))
    kept = mapping_commands.submit(*where, act.get("confidence"), expected(session, act), anyway)
    leave(ws, session, act, "submitted", kept=kept_words(kept, session.language))


def _recheck(ws: Workspace, session: TaskSession, act: Act) -> None:
    mapping_commands.recheck(ws, session.person_id, act["item"])
    taken_up(session, act)


def _search(ws: Workspace, session: TaskSession, act: Act) -> None:
    # Imported here because it loads the search engine, which opening an item can do without.
    from services.runs.methods.unit_search import search_units

    query = str(act["query"])[:QUERY_LIMIT]
    hits = search_units(ws, _snapshot(ws, session, act), query, SEARCH_HITS)
    session.told["found"] = found_part(query, hits, session.language)


def _graph(ws: Workspace, session: TaskSession, act: Act) -> None:
    # Imported here because it loads numpy, which opening an item can do without.
    from pages.mapping.graph import graph_part, look

    seen = look(ws, _snapshot(ws, session, act), act)
    session.told["graph"] = graph_part(seen, session.language)


def _snapshot(ws: Workspace, session: TaskSession, act: Act) -> int:
    return queue_service.open_item(ws, session.person_id, act["item"], session.task).snapshot_id


MAPPING_ACTS: Handlers = {
    "label": _label,
    "add": _add,
    "no_provision": _no_provision,
    "submit": _submit,
    "recheck": _recheck,
    "search": _search,
    "graph": _graph,
}
