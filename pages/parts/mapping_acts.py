"""Carrying out what the mapping viewer sends: numbered acts, each exactly once.

The viewer sends every act again until it is acknowledged, because a newer message may replace an
older one on the way. Acts up to the last number carried out are therefore skipped. The first act
that fails stops the batch, so that a submission can never overtake a decision that was not kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from annotation import commands, desk
from errors import UserError
from pages.guard import defect
from storage.workspace import Workspace

if TYPE_CHECKING:
    from jobs.index import UnitHit
    from pages.parts.mapping_graph import Seen

SEARCH_HITS = 12
QUERY_LIMIT = 200
Act = dict[str, Any]


@dataclass(slots=True)
class Sitting:
    """One person at the desk in one browser session: the open item and what was acknowledged.

    `client` names the viewer in the browser that numbers its acts, `seq` the last one carried out.
    `held` is the key of the item whose fixed part that viewer has said to hold.
    `found`, `queue`, `graph` and `notice` answer the newest batch and are told once.
    """

    project: str
    person_id: int
    item_id: int | None = None
    client: str = ""
    seq: int = 0
    held: str = ""
    failed: list[dict[str, Any]] = field(default_factory=list)
    found: tuple[str, list[UnitHit]] | None = None
    queue: list[list[Any]] | None = None
    graph: Seen | None = None
    notice: dict[str, Any] | None = None

    def answer(self) -> dict[str, Any]:
        """Return the acknowledgement: whose acts, up to which number, and which of them failed."""
        return {"client": self.client, "seq": self.seq, "failed": self.failed}


def carry_out(ws: Workspace, sitting: Sitting, message: Any, language: str) -> None:
    """Carry out the acts of `message` that are new; failures are noted in the sitting."""
    if not isinstance(message, dict) or not isinstance(message.get("acts"), list):
        return
    if message.get("person") != sitting.person_id:  # sent before somebody else sat down
        return
    if message.get("client") != sitting.client:
        sitting.client, sitting.seq = str(message.get("client")), 0
    sitting.held = str(message.get("have", ""))
    fresh = [act for act in message["acts"] if _is_act(act) and act["seq"] > sitting.seq]
    if not fresh:  # a repeated message: what the last one led to is still to be told
        return
    sitting.failed, sitting.found, sitting.queue, sitting.notice = [], None, None, None
    sitting.graph = None
    failure = ""
    for act in sorted(fresh, key=lambda each: each["seq"]):
        if act["seq"] == sitting.seq:
            continue
        sitting.seq = act["seq"]
        failure = failure or _try(ws, sitting, act, language)
        if failure:
            sitting.failed.append({"seq": act["seq"], "message": failure})


def _is_act(value: object) -> bool:
    return (
        isinstance(value, dict) and type(value.get("seq")) is int and value.get("kind") in _HANDLERS
    )


def _try(ws: Workspace, sitting: Sitting, act: Act, language: str) -> str:
    """Carry out one act; return why it failed, or nothing."""
    try:
        _HANDLERS[act["kind"]](ws, sitting, act)
    except UserError as error:
        return f"{error.what(language)} {error.remedy(language)}"
    except Exception:
        return defect(language)
    return ""


def _label(ws: Workspace, sitting: Sitting, act: Act) -> None:
    commands.label(ws, sitting.person_id, act["item"], act["unit"], act["decision"])


def _add(ws: Workspace, sitting: Sitting, act: Act) -> None:
    commands.add_unit(ws, sitting.person_id, act["item"], act["unit"])


def _no_provision(ws: Workspace, sitting: Sitting, act: Act) -> None:
    commands.set_no_provision(ws, sitting.person_id, act["item"], bool(act["value"]))


def _comment(ws: Workspace, sitting: Sitting, act: Act) -> None:
    commands.set_comment(ws, sitting.person_id, act["item"], str(act["text"]))


def _flag(ws: Workspace, sitting: Sitting, act: Act) -> None:
    commands.set_flag(ws, sitting.person_id, act["item"], str(act["reason"]))


def _skip(ws: Workspace, sitting: Sitting, act: Act) -> None:
    commands.skip(ws, sitting.person_id, act["item"], str(act["reason"]))
    _leave(ws, sitting, act, "skipped")


def _submit(ws: Workspace, sitting: Sitting, act: Act) -> None:
    commands.submit(ws, sitting.person_id, act["item"])
    _leave(ws, sitting, act, "submitted")


def _leave(ws: Workspace, sitting: Sitting, act: Act, what: str) -> None:
    sitting.notice = {"what": what, "externalId": str(act.get("externalId", ""))}
    sitting.item_id = desk.next_item(ws, sitting.person_id, after=act["item"])


def _next(ws: Workspace, sitting: Sitting, act: Act) -> None:
    sitting.item_id = desk.next_item(ws, sitting.person_id, after=act["item"])


def _undo(ws: Workspace, sitting: Sitting, act: Act) -> None:
    commands.undo(ws, sitting.person_id, act["item"])
    sitting.item_id = act["item"]


def _recheck(ws: Workspace, sitting: Sitting, act: Act) -> None:
    commands.recheck(ws, sitting.person_id, act["item"])
    sitting.item_id = act["item"]
    sitting.notice = {"what": "rechecked", "externalId": str(act.get("externalId", ""))}


def _open(_ws: Workspace, sitting: Sitting, act: Act) -> None:
    sitting.item_id = act["item"]


def _search(ws: Workspace, sitting: Sitting, act: Act) -> None:
    # Here, because it loads the search engine, which opening an item can do without.
    from jobs.index import search_units

    query = str(act["query"])[:QUERY_LIMIT]
    snapshot = desk.open_item(ws, sitting.person_id, act["item"]).snapshot_id
    sitting.found = (query, search_units(ws, snapshot, query, SEARCH_HITS))


def _queue(ws: Workspace, sitting: Sitting, _act: Act) -> None:
    sitting.queue = [
        [each.item_id, each.position, each.external_id, each.question, each.status]
        for each in desk.queue(ws, sitting.person_id)
    ]


def _graph(ws: Workspace, sitting: Sitting, act: Act) -> None:
    # Here, because it loads arrays, which opening an item can do without.
    from pages.parts.mapping_graph import look

    snapshot = desk.open_item(ws, sitting.person_id, act["item"]).snapshot_id
    sitting.graph = look(ws, snapshot, act)


def _refresh(_ws: Workspace, sitting: Sitting, _act: Act) -> None:
    sitting.held = ""


_HANDLERS: dict[str, Callable[[Workspace, Sitting, Act], None]] = {
    "label": _label,
    "add": _add,
    "no_provision": _no_provision,
    "comment": _comment,
    "flag": _flag,
    "skip": _skip,
    "submit": _submit,
    "next": _next,
    "undo": _undo,
    "recheck": _recheck,
    "open": _open,
    "search": _search,
    "queue": _queue,
    "graph": _graph,
    "refresh": _refresh,
}
