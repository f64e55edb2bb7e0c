"""What the viewer of factor tagging sends beside the acts of every form."""

from __future__ import annotations

from annotation.tagging import case_views
from messages import LANGUAGES
from pages.shell.context import DEFAULT_LANGUAGE
from pages.tagging.viewer_data import progress_part, suggested_part
from pages.task.acts import ACTS, Act, TaskSession, tell
from storage.db.workspace import Workspace


def answer(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    """Answer a sub-factor, and tell what models suggest of whatever is answered by now."""
    ACTS["answer"](ws, sitting, act)
    tell_suggestions(ws, sitting, act)


def undo(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    """Take the last act back, and with it what may be seen since."""
    ACTS["undo"](ws, sitting, act)
    tell_suggestions(ws, sitting, act)


def take_back(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    """Take the submission back, and tell what may be seen of the open draft."""
    ACTS["take_back"](ws, sitting, act)
    tell_suggestions(ws, sitting, act)


def tell_suggestions(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    """Tell what models suggest of an item, as far as its person may see it now."""
    item = act["item"]
    told = case_views.suggestions_after(ws, sitting.person_id, item)
    if told is not None:
        sitting.told = {"suggested": {"item": item, "by": suggested_part(told)}}


def along(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    """Go on with one sub-factor in the next case that asks it, or say that there is none."""
    by = -1 if act.get("by") == -1 else 1
    field = str(act.get("field", ""))
    found = case_views.next_along(ws, sitting.person_id, act["item"], field, by)
    if found is None:
        tell(sitting, act, "along_none")
    else:
        sitting.item_id = found


def tell_progress(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    """Tell how far the person's cases are, sub-factor by sub-factor."""
    language = act.get("language")
    named = language if language in LANGUAGES else DEFAULT_LANGUAGE
    rows = case_views.progress(ws, sitting.person_id)
    sitting.told = {"progress": progress_part(rows, named)}


TAGGING_ACTS = {
    "answer": answer,
    "undo": undo,
    "take_back": take_back,
    "along": along,
    "progress": tell_progress,
}
