"""The acts that only citation mapping has, and carrying out all that its viewer sends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotation.mapping import commands
from annotation.work import queue_service
from pages.task import acts
from pages.task.acts import FRAME_ACTS, Act, basis, expected, leave, stepping
from storage.db.workspace import Workspace

if TYPE_CHECKING:
    from pages.mapping.graph import Seen
    from services.runs.methods.unit_search import UnitHit

SEARCH_HITS = 12
QUERY_LIMIT = 200


@dataclass(slots=True)
class MappingSession(acts.TaskSession):
    """A sitting over citation mapping; `found` and `graph` answer the newest batch, once."""

    found: tuple[str, list[UnitHit]] | None = None
    graph: Seen | None = None

    def forget(self) -> None:
        """Drop what answered an earlier batch."""
        acts.TaskSession.forget(self)  # a class with slots is made anew: super() cannot find it
        self.found = self.graph = None


def carry_out(ws: Workspace, sitting: MappingSession, message: Any, language: str) -> None:
    """Carry out the acts of `message` that are new; failures are noted in the sitting."""
    acts.carry_out(ws, sitting, message, language, _ACTS)


def _label(ws: Workspace, sitting: MappingSession, act: Act) -> None:
    with stepping(ws, sitting, act["item"]):
        commands.label(
            ws, sitting.person_id, act["item"], act["unit"], act["decision"], basis(sitting, act)
        )


def _add(ws: Workspace, sitting: MappingSession, act: Act) -> None:
    with stepping(ws, sitting, act["item"]):
        commands.add_unit(ws, sitting.person_id, act["item"], act["unit"], basis(sitting, act))


def _no_provision(ws: Workspace, sitting: MappingSession, act: Act) -> None:
    with stepping(ws, sitting, act["item"]):
        said = bool(act["value"]), basis(sitting, act)
        commands.set_no_provision(ws, sitting.person_id, act["item"], *said)


def _submit(ws: Workspace, sitting: MappingSession, act: Act) -> None:
    where = ws, sitting.person_id, act["item"]
    commands.submit(*where, act.get("confidence"), expected(sitting, act))
    leave(ws, sitting, act, "submitted")


def _search(ws: Workspace, sitting: MappingSession, act: Act) -> None:
    # Here, because it loads the search engine, which opening an item can do without.
    from services.runs.methods.unit_search import search_units

    query = str(act["query"])[:QUERY_LIMIT]
    snapshot = queue_service.open_item(ws, sitting.person_id, act["item"]).snapshot_id
    sitting.found = (query, search_units(ws, snapshot, query, SEARCH_HITS))


def _graph(ws: Workspace, sitting: MappingSession, act: Act) -> None:
    # Here, because it loads arrays, which opening an item can do without.
    from pages.mapping.graph import look

    snapshot = queue_service.open_item(ws, sitting.person_id, act["item"]).snapshot_id
    sitting.graph = look(ws, snapshot, act)


_ACTS: Mapping[str, Callable[[Workspace, MappingSession, Act], None]] = {
    **FRAME_ACTS,
    "label": _label,
    "add": _add,
    "no_provision": _no_provision,
    "submit": _submit,
    "search": _search,
    "graph": _graph,
}
