"""Verifying the corrected text of a page: by anybody but those who corrected it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from annotation.ocr.blocks import FIELD, Block
from annotation.ocr.correction import CORRECTION, PageForm
from annotation.people.roles import ProjectMember, annotator
from annotation.work.submissions import stands
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Annotation, AnnotationAnswer, Item
from storage.tasks import Task, of_task


class OcrVerification(PageForm):
    """The text as it goes into the corpus."""

    task: ClassVar[Task] = Task.OCR_VERIFICATION
    shown_last: ClassVar[bool] = True  # of a correction that another has replaced says nothing

    def hidden(self, session: Session, who: ProjectMember) -> frozenset[int]:
        """Return pages that the person ever submitted as corrected, and those no longer corrected.

        A correction that was taken back is not to be verified until somebody submits one again.
        """
        pages = aliased(Item)
        query = (
            select(Item.id, Annotation.person_id, stands())
            .join(pages, col(pages.subject_id) == col(Item.subject_id))
            .join(Annotation, col(Annotation.item_id) == col(pages.id))
            .where(of_task(who.project_id, Task.OCR_VERIFICATION))
            .where(col(pages.task) == Task.OCR_CORRECTION)
            .where(Annotation.kind == "submit")
        )
        own, standing, every = set[int](), set[int](), set[int]()
        for item, person, holds in session.exec(query):
            every.add(item or 0)
            if person == who.person_id:
                own.add(item or 0)
            if holds:
                standing.add(item or 0)
        return frozenset(own | (every - standing))


@dataclass(frozen=True, slots=True)
class Corrected:
    """A page as somebody corrected it."""

    annotation_id: int
    blocks: tuple[Block, ...]


def correction_shown(ws: Workspace, person_id: int, shown: Mapping[str, Any]) -> Corrected:
    """Return the correction that an open verification shows to the person.

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
    return Corrected(number, tuple(blocks))


FORM = OcrVerification()
