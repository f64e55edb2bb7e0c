"""An item of a task with a form, as the person at work sees it: their own draft and place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation.forms.registry import FORMS
from annotation.guidelines.documents import held_versions
from annotation.work import threads
from annotation.work.draft import Status
from annotation.work.open_item import (
    Opened,
    begun_under,
    given_back,
    opened,
    own_state,
    place_in,
    said_confidence,
)
from storage.db.workspace import Workspace
from storage.mapping.candidates import newest_set_id, shown_set
from storage.subjects import shown_of
from storage.tables.core import Item


@dataclass(frozen=True, slots=True)
class AnswersView:
    """An item with the person's own answers; `shown` is what the draft was begun on.

    `outrun` says that the item shows something newer to whoever begins it now.
    All else is as in :class:`annotation.mapping.views.ItemView`.
    """

    item_id: int
    task: str
    subject_id: int
    external_id: str
    title: str
    position: int
    total: int
    done: int
    answers: Mapping[str, Any]
    shown: Mapping[str, Any]
    comment: str
    flag: str
    skip_reason: str
    can_undo: bool
    can_take_back: bool
    status: Status
    snapshot_id: int
    candidate_set_id: int
    guideline_version: str
    codebook_version: str
    begun_under: tuple[str, str] = ("", "")
    again: tuple[str, int, str] | None = None
    outrun: bool = False
    confidence: int | None = None
    messages: int = 0
    revision: str = ""
    locked: bool = False
    asked: bool = False
    declined: tuple[datetime, str, str] | None = None
    sent_back: tuple[str, str, bool] | None = None


def open_item(ws: Workspace, person_id: int, item_id: int) -> AnswersView:
    """Return the item with the person's own draft, and note that they have it open.

    Does and refuses what :func:`annotation.work.queue_service.open_item` does.
    """
    with opened(ws, person_id, item_id, FORMS) as at:
        return _view(at)


def _view(at: Opened) -> AnswersView:
    session, draft, item = at.session, at.draft, at.session.get_one(Item, at.room.item_id)
    versions = held_versions(session, at.who.project_id, item.task)
    candidates = shown_set(session, draft.candidate_set_id or 0)
    number = item.id or 0
    position, total, done = place_in(at)
    return AnswersView(
        item_id=number,
        task=item.task,
        subject_id=item.subject_id or 0,
        external_id=item.external_id or "",
        title=item.title or "",
        position=position,
        total=total,
        done=done,
        answers=dict(draft.answers),
        shown=shown_of(session, candidates.id),
        comment=draft.comment,
        flag=draft.flag,
        skip_reason=draft.skip_reason,
        **own_state(session, at.who, at.room, draft),
        status=draft.status,
        snapshot_id=candidates.snapshot_id,
        candidate_set_id=candidates.id,
        guideline_version=versions["guideline"],
        codebook_version=versions["codebook"],
        begun_under=begun_under(draft, versions),
        again=given_back(draft),
        outrun=draft.status != "submitted" and newest_set_id(session, number) != candidates.id,
        confidence=said_confidence(session, at.who, number, draft),
        messages=threads.counts(session, at.who, number).get(number, 0),
        revision=draft.revision,
    )
