"""What people say that pages say: the corrections and verifications that stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from annotation.forms.submissions import FormSubmission, form_submissions
from annotation.ocr.blocks import FIELD
from annotation.work.submissions import made_as
from corpus.ocr.blocks import Block, of_json
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
    return {each[0].subject_id: _one(session, each[0], made) for each in items.values() if each}


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
