"""The two tasks on a page's text: correction, and verification of another person's correction.

A submitted correction makes, in its transaction, the page an item of `ocr_verification` that shows
it. When it is withdrawn and corrected again, the same item shows the newer one. Anybody may verify
a page but those who corrected it: they approve its text, or send it back with a reason. An approved
text has no block and no doubtful word that the verifier did not look at. A block's mark goes when
it was in view beside the page's image for some seconds; a doubtful word's when the verifier moves
on from it or changes it.

Sending a page back to its corrector with a reason, instead of approving its text.

It is a `Referral` that names the correction, as when a submission is given back
(`annotation.adjudication.giving_back`): the corrector is told by whom and why, and keeps the
correction or withdraws it and submits again. Until then nobody verifies the page; after that it
waits to be verified again. Nothing is overwritten.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from annotation.adjudication.giving_back import add_referral, refuse_unanswerable
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
from annotation.work.commands import drafting, refuse_revision
from annotation.work.discussions import open_discussions
from annotation.work.rules import Opened
from annotation.work.slots import release_slot
from annotation.work.submissions import checked_reason, is_current
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.mapping import newest_set_id
from storage.overlap import for_gold
from storage.subjects import Subject, add_candidate_set, add_items, item_of, shown_of
from storage.tables.core import Annotation, AnnotationAnswer, Item
from storage.tasks import Task, of_task

CORRECTION = "correction"  # key of a verification's material: the annotation it is about


class PageForm(Form):
    """The single field of both page tasks: the blocks of the page's text."""

    coded: str = FIELD
    looked_through: frozenset[str] = frozenset({FIELD})

    def check(self, field: str, value: Any, answers: Answers) -> Any:
        """Return the blocks in their stored form. Raises UserError, which names the block."""
        if field != FIELD:
            raise UserError("ocr_field_unknown", field=field)
        return checked_blocks(value)

    def fit(self, answers: Answers) -> None:
        """Raise UserError if the text is missing, or a block is empty."""
        if FIELD not in answers:
            raise UserError("ocr_not_confirmed")
        refuse_unfinished(answers[FIELD])

    def graded(self, answers: Answers) -> dict[str, Any]:
        """Return kind and texts of the blocks, without their position on the page."""
        if FIELD not in answers:
            return {}
        return {FIELD: [[each["kind"], *texts(each)] for each in answers[FIELD]]}

    def options_named(self, field: str, value: Any) -> tuple[str, ...]:
        """Return the kinds of blocks on the page."""
        return tuple(sorted({each["kind"] for each in value}))

    def options_in(self, codebook: str) -> Mapping[str, tuple[str, ...]]:
        """Return no options: a block of another kind is another text."""
        return {}


class OcrCorrection(PageForm):
    """The form for correcting an engine's draft, or typing a page without one."""

    task: Task = Task.OCR_CORRECTION

    def withdrawn(self, session: Session, item_id: int) -> None:
        """Raise UserError for a correction with a current verification, which has to go first."""
        page = session.get_one(Item, item_id).subject_id or 0
        verification = item_of(session, Task.OCR_VERIFICATION, page)
        query = select(Annotation.id).where(Annotation.item_id == verification, is_current())
        if session.exec(query).first() is not None:
            raise UserError("ocr_verified")

    def submitted(self, writer: Opened, annotation_id: int) -> None:
        """Make the verification item, or renew what it shows; not in practice or calibration."""
        session = writer.session
        counts = select(Annotation.id).where(Annotation.id == annotation_id, for_gold())
        if session.exec(counts).first() is None:
            return
        item = session.get_one(Item, writer.room.item_id)
        shown = {**shown_of(session, writer.set_id), CORRECTION: annotation_id}
        page = item.subject_id or 0
        there = item_of(session, Task.OCR_VERIFICATION, page)
        if there is not None:
            add_candidate_set(session, there, shown, writer.at)
            return
        subject = Subject(page, item.external_id or "", item.title or "", shown)
        add_items(session, item.project_id, Task.OCR_VERIFICATION, [subject], writer.at)


CORRECTION_FORM = OcrCorrection()


class OcrVerification(PageForm):
    """The form for verifying a page's text for the corpus."""

    task: Task = Task.OCR_VERIFICATION
    shown_last: bool = True  # a verification of a replaced correction is void

    def refuse_unfinished(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError if a block or a doubtful word was neither looked at nor changed."""
        unseen = [n for n, each in enumerate(answers[FIELD], 1) if each.get("unseen")]
        if unseen:
            where = Where(field=FIELD)
            raise UserError("ocr_block_unseen", where, count=len(unseen), block=unseen[0])
        count, block = first_doubt(answers[FIELD])
        if count:
            raise UserError("ocr_doubt_unseen", Where(field=FIELD), count=count, block=block)

    def hidden(self, session: Session, who: ProjectMember) -> frozenset[int]:
        """Return the ids of verifications of pages that the person corrected or that are not ready.

        A correction that was withdrawn or sent back is not ready until somebody submits one again,
        or its corrector keeps it.
        """
        pages = aliased(Item)
        talks = open_discussions(session, who.project_id, task=Task.OCR_CORRECTION)
        sent = {number for talk in talks.values() for number in talk.row.annotation_ids}
        query = (
            select(Item.id, Annotation.id, Annotation.person_id, is_current())
            .join(pages, col(pages.subject_id) == col(Item.subject_id))
            .join(Annotation)
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


def correction_shown(ws: Workspace, person_id: int, material: Mapping[str, Any]) -> list[Block]:
    """Return the blocks of the correction that an open verification shows, all marked unseen.

    Raises UserError for a person who does not annotate, and for a correction of another project.
    """
    with ws.reading() as session:
        who = annotator(session, person_id)
        number = int(material[CORRECTION])
        query = (
            select(AnnotationAnswer.value)
            .join(Annotation)
            .join(Item)
            .where(of_task(who.project_id, Task.OCR_CORRECTION), Annotation.id == number)
            .where(AnnotationAnswer.field == FIELD)
        )
        blocks = session.exec(query).first()
    if blocks is None:
        raise UserError("ocr_correction_unknown", correction=number)
    return [{**block, "unseen": True} for block in blocks]


VERIFICATION_FORM = OcrVerification()


_VERIFICATION = frozenset({Task.OCR_VERIFICATION})


def send_back(
    ws: Workspace, person_id: int, item_id: int, reason: str, revision: str | None = None
) -> int:
    """Send the page of an open verification back to its corrector; return the row's id.

    The verifier's draft is kept. `revision` is as in `annotation.work.commands.submit`. Raises
    UserError for all that an act on a draft is refused for, a missing reason, a page that was
    corrected again since the verification was begun, and a corrector who could not submit again.
    """
    why = checked_reason(reason, "ocr_send_back_reason")
    with drafting(ws, person_id, item_id, _VERIFICATION) as writer:
        session = writer.session
        refuse_revision(writer, revision)
        if newest_set_id(session, item_id) != writer.set_id:
            raise UserError("shown_anew")
        made = _current_correction(session, session.get_one(Item, item_id).subject_id or 0)
        refuse_unanswerable(session, made.item_id, [made.person_id])
        release_slot(session, writer.who, writer.room)
        number = made.id or 0
        return add_referral(session, writer.who, made.item_id, why, [number], writer.at)


def _current_correction(session: Session, page_id: int) -> Annotation:
    """Return the page's current correction; without one its verification is hidden."""
    item = item_of(session, Task.OCR_CORRECTION, page_id)
    query = select(Annotation).where(Annotation.item_id == item, is_current(), for_gold())
    return session.exec(query.order_by(col(Annotation.id))).one()
