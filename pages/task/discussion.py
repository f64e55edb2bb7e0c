"""Viewer data about an item's open discussion."""

from __future__ import annotations

from typing import Any

from annotation.adjudication.discussion_views import DiscussionView, Voice, open_discussion
from annotation.work.queue_service import ItemView
from messages import say
from storage.db.workspace import Workspace


def discussion_part(
    ws: Workspace, person_id: int, item: ItemView, language: str
) -> dict[str, Any] | None:
    """Return the item's discussion as the person may see it, None if there is none.

    An item reopened for them alone is covered by `pages.task.viewer_data.frame_part`.
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


def _voice(voice: Voice, found: DiscussionView, language: str) -> dict[str, Any]:
    named = {each.semantic_id: each for each in found.beyond}
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
