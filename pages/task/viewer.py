"""Front-end component of a task's viewer: the common frame plus the task's own files.

A component's scripts and styles are small files without imports that are joined here, in an order
in which each uses only what precedes it: the frame's, then the task's. The end of
``task/frontend/frame.js`` lists what a task may define.

Data common to every task's viewer: messages, queue position, notes, thread.

Viewer data about an item's open discussion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from annotation.adjudication.discussion_views import DiscussionView, Voice, open_discussion
from annotation.work.queue_service import ItemView, QueueEntry
from annotation.work.threads import Message
from messages import catalogue, say
from pages.shell.bundle import ELEMENTS, FOLD_SCRIPTS, FOLD_STYLE, KEY_SCRIPTS, THEME, joined
from storage.db.workspace import Workspace

RERUN_KEY = "viewer-rerun"
_SCRIPTS = (
    *("address", "unsent_text", "outbox", "missed", "dialogs", "guide", "thread", "confidence"),
    *("typed", "notes", "head", "finished", "take_back", "discuss", "saying", "conflict"),
    *("keyboard", "roving", "more", "frame", "mount"),
)
_STYLES = ("frame", "missed", "more", "dialogs", "thread", "guide", "discuss")
FRAME_SCRIPTS = (
    ELEMENTS,
    *KEY_SCRIPTS,
    *FOLD_SCRIPTS,
    *(f"task/frontend/{name}" for name in _SCRIPTS),
)
FORM_SCRIPTS = ("task/frontend/form",)  # before the files of a task with a form
ASK_SCRIPT = "task/frontend/ask"  # questions of a step, answered by digits
SEARCH = "task/frontend/search"  # the search box for provisions: script and style
STEP_STYLES = ("task/frontend/beside", "task/frontend/steps")  # statutes beside steps of questions
FRAME_STYLES = (THEME, *(f"task/frontend/{name}" for name in _STYLES), FOLD_STYLE)


@dataclass(frozen=True, slots=True)
class Viewer:
    """A task's viewer: its name, and the task's own files (under `pages/`)."""

    name: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...]

    @property
    def key(self) -> str:
        """Session key of its state."""
        return f"{self.name}-viewer"

    def mount(self, data: dict[str, Any], on_acts: Callable[[], None]) -> None:
        """Draw it; `on_acts` is called before the rerun in which :meth:`sent` has acts."""
        told = {**data, "rerun": RERUN_KEY, "screen": self.name}
        _component(self)(key=self.key, data=told, on_acts_change=on_acts)

    def sent(self) -> Any:
        """Return the browser's acts in this run, or None. Untrusted: check them."""
        return (st.session_state.get(self.key) or {}).get("acts")


def rerun_button(label: str) -> None:
    """Draw the hidden button by which the viewer requests a run of the whole page.

    What the viewer sends reruns a fragment, which a restarted server does not know until the page
    has run once. Draw it outside the viewer's fragment.
    """
    st.html(f"<style>.st-key-{RERUN_KEY} {{ display: none; }}</style>")
    st.button(label, key=RERUN_KEY)


@cache
def _component(viewer: Viewer) -> ComponentRenderer:
    """Register the component of a viewer."""
    return st.components.v2.component(
        f"touchstone_{viewer.name}_viewer",
        css=joined(FRAME_STYLES + viewer.styles, "css"),
        js=joined(FRAME_SCRIPTS + viewer.scripts, "js"),
    )


def frame_part(item: ItemView) -> dict[str, Any]:
    """Return the person's state on the item as a whole, and the queue's progress."""
    gone = item.declined
    return {
        "item": item.item_id,
        "position": item.position,
        "total": item.total,
        "done": item.done,
        "status": item.status,
        "comment": item.comment,
        "flag": item.flag,
        "skipReason": item.skip_reason if item.status == "skipped" else None,
        "canUndo": item.can_undo,
        "canTakeBack": item.can_take_back,
        "locked": item.locked,
        "asked": item.asked,
        "declined": None if gone is None else [gone[0].isoformat(), *gone[1:]],
        "sentBack": None if item.sent_back is None else list(item.sent_back),
        "outrun": item.outrun,
        "begunUnder": list(item.begun_under),
        "again": None if item.again is None else list(item.again),
        "confidence": item.confidence,
        "messages": item.messages,
        "revision": item.revision,
    }


def status_shown(entry: QueueEntry) -> str:
    """Return the status of a queue entry, ``discuss`` if a discussion is open."""
    return "discuss" if entry.discuss else entry.status


def thread_part(
    item_id: int, messages: Iterable[Message], person_id: int, language: str
) -> dict[str, Any]:
    """Return the item's thread for this reader, oldest message first."""
    rows = [
        {
            "id": message.id,
            "mine": message.person_id == person_id,
            "person": message.person,
            "role": say(f"roles.role.{message.role}", language),
            "text": message.text,
            "replyTo": message.reply_to,
            "kind": message.kind,
            "at": message.at.isoformat(),
        }
        for message in messages
    ]
    return {"item": item_id, "messages": rows}


@cache
def ui_words(task: str, language: str, *more: str) -> dict[str, str]:
    """Return the messages of the frame and of a task's viewer: key → template.

    Later sections override earlier ones: frame, task, then `more`.
    """
    return {
        key.removeprefix(prefix): entry[language]
        for prefix in ("frame.ui.", *(f"{part}.ui." for part in (task, *more)))
        for key, entry in catalogue().items()
        if key.startswith(prefix)
    }


def discussion_part(
    ws: Workspace, person_id: int, item: ItemView, language: str
) -> dict[str, Any] | None:
    """Return the item's discussion as the person may see it, None if there is none.

    An item reopened for them alone is covered by `pages.task.viewer.frame_part`.
    """
    found = open_discussion(ws, person_id, item.item_id) if item.discussed else None
    if found is None:
        return None
    return {
        "person": found.person,
        "reason": found.reason,
        "answered": found.answered,
        "canKeep": found.can_keep,
        "voices": [_voice(voice, found, language) for voice in found.voices],
    }


def _voice(voice: Voice, discussion: DiscussionView, language: str) -> dict[str, Any]:
    """Return a discussant's decisions for the viewer."""
    named = {each.semantic_id: each for each in discussion.beyond}
    units = [
        {
            "unit": named[each].unit_id if each in named else None,
            "name": named[each].label if each in named else each,
            "decision": decision,
        }
        for each, decision in sorted(voice.decisions.items())
        if decision != "reject"
    ]
    sure = voice.confidence
    return {
        "person": voice.person,
        "answered": voice.answered,
        "confidence": say("cases.confidence", language, value=sure) if sure else "",
        "noProvision": voice.no_provision,
        "decisions": voice.decisions,
        "units": units,
        "answers": dict(voice.answers),
        "comment": voice.comment,
        "flag": voice.flag,
    }
