"""Viewer of research: its files, data and search."""

from __future__ import annotations

from typing import Any

from annotation.research.form import own_question
from annotation.work.queue_service import ItemView
from errors import UserError
from pages.task.acts import Act, TaskSession
from pages.task.viewer import FORM_SCRIPTS, Viewer
from services.research.search import (
    Authority,
    AuthorityHit,
    Collection,
    CollectionFound,
    excerpt,
    look_for_item,
    marked,
    merge_overlapping,
    open_for_item,
    search_for_item,
)
from storage.db.workspace import Workspace

_SHARED = ("offsets", "marks", "selection")  # shared with the tagging of court cases
_SCRIPTS = ("words_field", "reader", "search", "keys", "viewer", "mount")
_WIDTH = 240  # characters shown around the matches of a text
_MARKS = 500  # maximum of marked matches when a text is opened

RESEARCH = Viewer(
    name="research",
    scripts=(
        *FORM_SCRIPTS,
        *(f"tagging/frontend/{name}" for name in _SHARED),
        *(f"research/frontend/{name}" for name in _SCRIPTS),
    ),
    styles=("research/frontend/research",),
)


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return the question, its choices and its official answer."""
    asked = own_question(ws, person_id, item)
    return {
        "question": asked.text,
        "choices": list(asked.choices),
        "answer": asked.answer,
        "area": asked.area,
        "language": asked.language,
    }


def _search(ws: Workspace, session: TaskSession, act: Act) -> None:
    item = act["item"]
    done = search_for_item(ws, session.person_id, item, str(act.get("query", "")))
    found = [_collection(each) for each in done.found]
    session.told = {"found": {"item": item, "query": done.query, "collections": found}}


def _open_authority(ws: Workspace, session: TaskSession, act: Act) -> None:
    item = act["item"]
    where = ws, session.person_id, item, _requested_collection(act), str(act.get("id", ""))
    session.told = {"authority": _authority(item, open_for_item(*where))}


def _preview(ws: Workspace, session: TaskSession, act: Act) -> None:
    item = act["item"]
    where = ws, session.person_id, item, _requested_collection(act), str(act.get("id", ""))
    session.told = {"authority": _authority(item, look_for_item(*where))}


def _requested_collection(act: Act) -> Collection:
    name = act.get("collection")
    if name not in list(Collection):
        raise UserError("research_authority", id=str(act.get("id", ""))[:80])
    return Collection(str(name))


def _authority(item: int, authority: Authority) -> dict[str, Any]:
    return {
        "item": item,
        "collection": str(authority.collection),
        "id": authority.id,
        "title": authority.title,
        "text": authority.text,
    }


def _collection(collection: CollectionFound) -> dict[str, Any]:
    parts = ("text", "depth", "matches", "texts")
    return {
        "collection": str(collection.collection),
        "searched": collection.searched,
        "texts": collection.texts,
        "matches": collection.matches,
        "parts": [{name: getattr(each, name) for name in parts} for each in collection.counts],
        "hits": [_hit(each) for each in collection.hits],
    }


def _hit(hit: AuthorityHit) -> dict[str, Any]:
    title = hit.authority.title
    return {
        "id": hit.authority.id,
        "matches": hit.matches,
        "title": marked(title, merge_overlapping(hit.in_title), 0, len(title)),
        "excerpt": excerpt(hit, _WIDTH),
        "marks": merge_overlapping(hit.in_text)[:_MARKS],
    }


RESEARCH_ACTS = {"search": _search, "read": _open_authority, "look": _preview}
