"""Views of pages: image, draft blocks, current texts, and pages of a unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from annotation.forms.submissions import FormSubmission, form_submissions
from annotation.ocr.blocks import FIELD
from annotation.people.roles import Act, reading_as
from annotation.work.submissions import made_as
from corpus.ocr.blocks import Block, of_json
from storage.db.workspace import Workspace
from storage.ocr.pages import (
    PageOfUnit,
    draft_by_id,
    image_content,
    page_by_id,
    page_of_project,
    pages_of_unit,
)
from storage.subjects import shown_of
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class PageSubmission:
    """A person's submission on a page, with active seconds.

    For one carried over to another document version, `annotation_id` is the original submission.
    """

    annotation_id: int
    person: str
    blocks: tuple[Block, ...]
    seconds: float
    at: datetime
    draft_id: int | None


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's correction, and its verification if newer than the correction."""

    correction: PageSubmission
    verification: PageSubmission | None

    @property
    def best(self) -> tuple[Block, ...]:
        """The verified text, else the corrected one."""
        return (self.verification or self.correction).blocks


def page_texts(session: Session, project_id: int) -> dict[int, PageText]:
    """Return the current text of each corrected page, by page id.

    A verification counts until the page is corrected again, as nobody has verified the change.
    """
    corrected = _submissions(session, project_id, Task.OCR_CORRECTION)
    verified = _submissions(session, project_id, Task.OCR_VERIFICATION)
    found = {}
    for page_id, correction in corrected.items():
        check = verified.get(page_id)
        fits = check is not None and check.annotation_id > correction.annotation_id
        found[page_id] = PageText(correction, check if fits else None)
    return found


def _submissions(session: Session, project_id: int, task: Task) -> dict[int, PageSubmission]:
    items, made = form_submissions(session, project_id, task), made_as(session, project_id, task)
    return {
        item[0].subject_id: _page_submission(session, item[0], made)
        for item in items.values()
        if item
    }


def _page_submission(
    session: Session, each: FormSubmission, made: Mapping[int, int]
) -> PageSubmission:
    shown = shown_of(session, each.candidate_set_id)
    return PageSubmission(
        made.get(each.annotation_id, each.annotation_id),
        each.person,
        of_json(each.answers.get(FIELD, [])),
        each.seconds,
        each.at,
        shown.get("draft"),
    )


@dataclass(frozen=True, slots=True)
class PageView:
    """A page with one draft; `width` and `height` of its image are in pixels.

    `words` is a list of [text, left, top, right, bottom, confidence in percent or None].
    """

    page_id: int
    external_id: str
    width: int
    height: int
    blocks: tuple[dict[str, Any], ...]
    words: tuple[list[Any], ...]


def page_view(ws: Workspace, page_id: int, draft_id: int | None) -> PageView:
    """Return the page with that draft, without text where `draft_id` is None.

    The caller checks access by the item. Raises UserError for an unknown page, and KeyError for a
    draft of another page.
    """
    with ws.reading() as session:
        page = page_by_id(session, page_id)
        about = (page.id, page.external_id, page.width, page.height)
        if draft_id is None:
            return PageView(*about, blocks=(), words=())
        draft = draft_by_id(session, draft_id)
        if draft.page_id != page.id:
            raise KeyError(draft_id)
        return PageView(*about, blocks=draft.blocks, words=draft.words)


def image_of(
    ws: Workspace, project_slug: str, page_id: int, by: int | None = None
) -> tuple[str, bytes]:
    """Return the media type and content of a page's upright image.

    `by` is the requester, None for the operator. Raises UserError for `by` outside the project, and
    for an unknown page.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        page = page_of_project(session, project.id, page_id)
        return image_content(session, page.image_id)


def unit_sources(
    ws: Workspace, project_slug: str, snapshot_id: int, unit_id: str, by: int | None = None
) -> list[PageOfUnit]:
    """Return the pages that the unit's text was read from, in order; empty for most units.

    `by` is the reader, None for the operator. Raises UserError for `by` outside the project.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, _, _):
        return pages_of_unit(session, snapshot_id, unit_id)
