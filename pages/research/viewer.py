"""Viewer of research: its files, data and search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.guidelines.codebook_tree import Option
from annotation.research import (
    FORM,
    NONE,
    OUTCOME,
    PASSAGES,
    RULE,
    TERMS,
    TRAIL,
    own_question,
)
from annotation.work.queue_service import ItemView
from errors import UserError
from pages.task.acts import Act, TaskSession
from pages.task.declared import WORDS, declared_viewer, form_data
from pages.task.viewer import ui_words
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

_PANES = ("reader", "search", "finding", "passages")
_WIDTH = 240  # characters shown around the matches of a text
_MARKS = 500  # maximum of marked matches when a text is opened

RESEARCH = declared_viewer(
    "research",
    tuple(f"research/frontend/{name}" for name in _PANES),
    ("research/frontend/research",),
)
RESEARCH_WORDS = (*WORDS, "research")  # here one searches for authorities, not to add a provision


def form_part(
    words: Mapping[str, str], outcomes: Sequence[Option], language: str
) -> dict[str, Any]:
    """Return the form as the viewer's data; digits choose the outcome."""
    (stage,) = FORM.spec.stages
    own: dict[str, dict[str, Any]] = {
        RULE: {"kind": "text", "rows": 3, "clause": [words["clause_rule"]]},
        TERMS: {"kind": "text", "rows": 2, "clause": [words["clause_rule"]], "shown": False}
        | {"action": "terms"},
        PASSAGES: {"kind": "passages"},
        TRAIL: {"kind": "trail", "shown": False},
        stage.key: {"fields": [RULE, TERMS, PASSAGES, OUTCOME]},
    }
    form = form_data(
        FORM.spec, words, outcomes, language, more=own, actions={NONE: "none"}, plain=True
    )
    return {**form, "digits": OUTCOME}


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return the question, its choices and its official answer."""
    asked = own_question(ws, person_id, item)
    words = ui_words("research", language, *RESEARCH_WORDS)

    def text(name: str, said: str, *, quiet: bool = False) -> list[Any]:
        """Return a text as a pane."""
        told = {"name": name, "title": words[name], "text": said, "quiet": quiet}
        return ["texts", [told]]

    chips = {"name": "area", "title": "", "chips": [["", asked.area]]}
    area = [["chips", chips]] if asked.area else []
    choices = [["choices", list(asked.choices)]] if asked.choices else []
    return {
        "language": asked.language,
        "panes": [
            *area,
            text("question", asked.text),
            *choices,
            text("answer", asked.answer, quiet=True),
        ],
        "beside": [["finding", {}]],
    }


def _search(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Search, and send the viewer the hits."""
    item = act["item"]
    done = search_for_item(ws, session.person_id, item, str(act.get("query", "")))
    found = [_collection(each) for each in done.found]
    session.told = {"found": {"item": item, "query": done.query, "collections": found}}


def _open_authority(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Open a found authority, and send its text to the viewer."""
    item = act["item"]
    where = ws, session.person_id, item, _requested_collection(act), str(act.get("id", ""))
    session.told = {"authority": _authority(item, open_for_item(*where))}


def _preview(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Send the viewer the text of an authority."""
    item = act["item"]
    where = ws, session.person_id, item, _requested_collection(act), str(act.get("id", ""))
    session.told = {"authority": _authority(item, look_for_item(*where))}


def _requested_collection(act: Act) -> Collection:
    name = act.get("collection")
    if name not in list(Collection):
        raise UserError("research_authority", id=str(act.get("id", ""))[:80])
    return Collection(str(name))


def _authority(item: int, authority: Authority) -> dict[str, Any]:
    """Return an authority for the viewer."""
    return {
        "item": item,
        "collection": str(authority.collection),
        "id": authority.id,
        "title": authority.title,
        "text": authority.text,
    }


def _collection(collection: CollectionFound) -> dict[str, Any]:
    """Return the hits in a collection for the viewer."""
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
    """Return a hit with its marks for the viewer."""
    title = hit.authority.title
    return {
        "id": hit.authority.id,
        "matches": hit.matches,
        "title": marked(title, merge_overlapping(hit.in_title), 0, len(title)),
        "excerpt": excerpt(hit, _WIDTH),
        "marks": merge_overlapping(hit.in_text)[:_MARKS],
    }


RESEARCH_ACTS = {"search": _search, "read": _open_authority, "look": _preview}
