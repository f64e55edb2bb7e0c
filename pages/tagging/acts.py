"""What the viewer of factor tagging sends beside the acts of every form."""

from __future__ import annotations

from annotation.tagging import case_views
from messages import LANGUAGES
from pages.shell.context import DEFAULT_LANGUAGE
from pages.tagging.viewer_data import progress_part, suggested_part
from pages.task.acts import ACTS, Act, TaskSession, tell
from storage.db.workspace import Workspace


def answer(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Answer a sub-factor, and tell what models suggest of whatever is answered by now."""
    ACTS["answer"](ws, session, act)
    tell_suggestions(ws, session, act)


def undo(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Take the last act back, and with it what may be seen since."""
    ACTS["undo"](ws, session, act)
    tell_suggestions(ws, session, act)


def take_back(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Take the submission back, and tell what may be seen of the open draft."""
    ACTS["take_back"](ws, session, act)
    tell_suggestions(ws, session, act)


def tell_suggestions(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Tell what models suggest of an item, as far as its person may see it now."""
    item = act["item"]
    told = case_views.suggestions_after(ws, session.person_id, item)
    if told is not None:
        session.told = {"suggested": {"item": item, "by": suggested_part(told)}}


def along(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Go on with one sub-factor in the next case that asks it, or say that there is none."""
    by = -1 if act.get("by") == -1 else 1
    field = str(act.get("field", ""))
    found = case_views.next_along(ws, session.person_id, act["item"], field, by)
    if found is None:
        tell(session, act, "along_none")
    else:
        session.item_id = found


def tell_progress(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Tell how far the person's cases are, sub-factor by sub-factor."""
    language = act.get("language")
    named = language if language in LANGUAGES else DEFAULT_LANGUAGE
    rows = case_views.progress(ws, session.person_id)
    session.told = {"progress": progress_part(rows, named)}


TAGGING_ACTS = {
    "answer": answer,
    "undo": undo,
    "take_back": take_back,
    "along": along,
    "progress": tell_progress,
}
