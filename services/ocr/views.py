"""What is shown of pages: image, a draft's blocks, the texts that stand, the pages of a unit."""

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
    """What one person submitted on a page, in how many active seconds.

    Of one that was taken over to another version of a document, `annotation_id` is the submission
    as it was made.
    """

    annotation_id: int
    person: str
    blocks: tuple[Block, ...]
    seconds: float
    at: datetime
    draft_id: int | None


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's correction, and its verification if it came after that correction."""

    correction: PageSubmission
    verification: PageSubmission | None

    @property
    def best(self) -> tuple[Block, ...]:
        """The text as it was verified, or else as it was corrected."""
        return (self.verification or self.correction).blocks


def page_texts(session: Session, project_id: int) -> dict[int, PageText]:
    """Return what stands on each page that somebody corrected, by the page's id.

    A verification counts until somebody corrects the page again: what was changed since, nobody
    else has seen.
    """
    corrected = _said(session, project_id, Task.OCR_CORRECTION)
    verified = _said(session, project_id, Task.OCR_VERIFICATION)
    found = {}
    for page_id, correction in corrected.items():
        check = verified.get(page_id)
        fits = check is not None and check.annotation_id > correction.annotation_id
        found[page_id] = PageText(correction, check if fits else None)
    return found


def _said(session: Session, project_id: int, task: Task) -> dict[int, PageSubmission]:
    items, made = form_submissions(session, project_id, task), made_as(session, project_id, task)
    return {item[0].subject_id: _one(session, item[0], made) for item in items.values() if item}


def _one(session: Session, each: FormSubmission, made: Mapping[int, int]) -> PageSubmission:
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
    """A page with one draft. `width` and `height` are those of its image, in pixels.

    `words` is a list of [text, left, top, right, bottom, confidence in percent or None].
    """

    page_id: int
    external_id: str
    width: int
    height: int
    blocks: tuple[dict[str, Any], ...]
    words: tuple[list[Any], ...]


def page_view(ws: Workspace, page_id: int, draft_id: int | None) -> PageView:
    """Return the page with that draft, without any text where `draft_id` is None.

    Whether somebody may see it, their item says. Raises UserError for an unknown page, and
    KeyError for a draft that is not of the page.
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
    """Return the media type of a page's upright image, and the image.

    `by` is who asks, None for the operator. Raises UserError for who takes no part in the project,
    and for a page that it does not have.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        page = page_of_project(session, project.id, page_id)
        return image_content(session, page.image_id)


def unit_sources(
    ws: Workspace, project_slug: str, snapshot_id: int, unit_id: str, by: int | None = None
) -> list[PageOfUnit]:
    """Return the pages that the unit's text was read from, in order; none for most units.

    `by` is who reads it, None for the operator. Raises UserError for who takes no part in the
    project.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, _, _):
        return pages_of_unit(session, snapshot_id, unit_id)
