"""The two tasks on the text of a page: correcting it, and verifying what somebody else corrected.

With a correction, in its transaction, the page becomes an item of `ocr_verification` that shows it.
Corrected again after it was taken back, the same item shows the newer one. Anybody may verify a
page but those who corrected it: they approve its text, or send it back with a reason
(`annotation.ocr.sending_back`). What is approved has no block and no doubtful word that the
verifier did not look at. A block is shown with a mark that goes when it lay in view beside the
page's image for some seconds; going on from a doubtful word takes its mark away, as changing it
does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from annotation.forms.form import Answers, Form
from annotation.ocr.blocks import (
    FIELD,
    Block,
    checked_blocks,
    first_doubt,
    refuse_unfinished,
    texts,
)
from annotation.people.roles import ProjectMember, annotator
from annotation.work.discussions import open_discussions
from annotation.work.rules import ItemContext
from annotation.work.submissions import stands
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.overlap import for_gold
from storage.subjects import Subject, add_items, item_of, show_anew, shown_of
from storage.tables.core import Annotation, AnnotationAnswer, Item
from storage.tasks import Task, of_task

CORRECTION = "correction"  # in what a verification shows: the annotation that it is of


class PageForm(Form):
    """The one field of both tasks on a page: the blocks of its text as they are to be."""

    coded: ClassVar[str] = FIELD
    looked_through: ClassVar[frozenset[str]] = frozenset({FIELD})

    def check(self, field: str, value: Any, answers: Answers) -> Any:
        """Return the blocks as they are kept. Raises UserError, which names the block."""
        if field != FIELD:
            raise UserError("ocr_field_unknown", field=field)
        return checked_blocks(value)

    def fit(self, answers: Answers) -> None:
        """Raise UserError where the text was not given, or a block says nothing."""
        if FIELD not in answers:
            raise UserError("ocr_not_confirmed")
        refuse_unfinished(answers[FIELD])

    def graded(self, answers: Answers) -> dict[str, Any]:
        """Return what the page says, block by block; where on the page is not asked."""
        if FIELD not in answers:
            return {}
        return {FIELD: [[each["kind"], *texts(each)] for each in answers[FIELD]]}

    def options_said(self, field: str, value: Any) -> tuple[str, ...]:
        """Return the kinds of blocks on the page."""
        return tuple(sorted({each["kind"] for each in value}))

    def options_in(self, codebook: str) -> Mapping[str, tuple[str, ...]]:
        """Return nothing: a block of another kind is another text."""
        return {}


class OcrCorrection(PageForm):
    """What somebody makes of an engine's draft, or writes where there is none."""

    task: ClassVar[Task] = Task.OCR_CORRECTION

    def withdrawn(self, session: Session, item_id: int) -> None:
        """Raise UserError for a correction whose verification stands: that one goes first."""
        page = session.get_one(Item, item_id).subject_id or 0
        verification = item_of(session, Task.OCR_VERIFICATION, page)
        query = select(Annotation.id).where(Annotation.item_id == verification, stands())
        if session.exec(query).first() is not None:
            raise UserError("ocr_verified")

    def submitted(self, writer: ItemContext, annotation_id: int) -> None:
        """Give the page to somebody else to verify; not one for practice or calibration."""
        session = writer.session
        counts = select(Annotation.id).where(Annotation.id == annotation_id, for_gold())
        if session.exec(counts).first() is None:
            return
        item = session.get_one(Item, writer.item_id)
        shown = {**shown_of(session, writer.set_id), CORRECTION: annotation_id}
        page = item.subject_id or 0
        there = item_of(session, Task.OCR_VERIFICATION, page)
        if there is not None:
            show_anew(session, there, shown, writer.at)
            return
        subject = Subject(page, item.external_id or "", item.title or "", shown)
        add_items(session, item.project_id, Task.OCR_VERIFICATION, [subject], writer.at)


CORRECTION_FORM = OcrCorrection()


class OcrVerification(PageForm):
    """The text as it goes into the corpus."""

    task: ClassVar[Task] = Task.OCR_VERIFICATION
    shown_last: ClassVar[bool] = True  # of a correction that another has replaced says nothing

    def refuse_unfinished(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError where a block or a doubtful word was neither looked at nor changed."""
        unseen = [n for n, each in enumerate(answers[FIELD], 1) if each.get("unseen")]
        if unseen:
            where = Where(field=FIELD)
            raise UserError("ocr_block_unseen", where, count=len(unseen), block=unseen[0])
        count, block = first_doubt(answers[FIELD])
        if count:
            raise UserError("ocr_doubt_unseen", Where(field=FIELD), count=count, block=block)

    def hidden(self, session: Session, who: ProjectMember) -> frozenset[int]:
        """Return pages that the person ever submitted as corrected, and those not to be verified.

        A correction that was taken back or sent back is not to be verified until somebody submits
        one again, or its corrector keeps it.
        """
        pages = aliased(Item)
        talks = open_discussions(session, who.project_id, task=Task.OCR_CORRECTION)
        sent = {number for talk in talks.values() for number in talk.row.annotation_ids}
        query = (
            select(Item.id, Annotation.id, Annotation.person_id, stands())
            .join(pages, col(pages.subject_id) == col(Item.subject_id))
            .join(Annotation, col(Annotation.item_id) == col(pages.id))
            .where(of_task(who.project_id, Task.OCR_VERIFICATION))
            .where(col(pages.task) == Task.OCR_CORRECTION)
            .where(Annotation.kind == "submit")
        )
        own, standing, every = set[int](), set[int](), set[int]()
        for item, made, person, holds in session.exec(query):
            every.add(item or 0)
            if person == who.person_id:
                own.add(item or 0)
            if holds and made not in sent:
                standing.add(item or 0)
        return frozenset(own | (every - standing))


@dataclass(frozen=True, slots=True)
class Corrected:
    """A page as somebody corrected it."""

    annotation_id: int
    blocks: tuple[Block, ...]


def correction_shown(ws: Workspace, person_id: int, shown: Mapping[str, Any]) -> Corrected:
    """Return the correction that an open verification shows to the person, as yet unseen.

    Raises UserError for somebody who does not annotate, and for a correction of another project.
    """
    with ws.reading() as session:
        who = annotator(session, person_id)
        number = int(shown[CORRECTION])
        query = (
            select(AnnotationAnswer.value)
            .join(Annotation, col(Annotation.id) == AnnotationAnswer.annotation_id)
            .join(Item, col(Item.id) == Annotation.item_id)
            .where(of_task(who.project_id, Task.OCR_CORRECTION), Annotation.id == number)
            .where(AnnotationAnswer.field == FIELD)
        )
        blocks = session.exec(query).first()
    if blocks is None:
        raise UserError("ocr_correction_unknown", correction=number)
    return Corrected(number, tuple({**block, "unseen": True} for block in blocks))


VERIFICATION_FORM = OcrVerification()
