"""The provisions that a page's text rests on: the unit that it fills, and those it cites."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlmodel import Session, col, select

from annotation.gold.resting import CitingText, Resting, Rests, Scope, TextKey
from annotation.ocr.blocks import FIELD, texts
from annotation.work.submissions import stands
from storage.overlap import for_gold
from storage.tables.core import Annotation, AnnotationAnswer, Item
from storage.tables.ocr import Page, UnitPage

_TOGETHER = 500  # rows per query
_SUBMISSION = "submission"


class PageResting(Resting):
    """The reader of `annotation.gold.resting` for corrected and verified pages."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> list[Rests]:
        """Return the unit of each page, and its text as submitted.

        A page whose text is in the corpus rests on the unit as imported, else on the unit that it
        was added for, as of then. Tables are part of the text.
        """
        laws, said = scope.decided_on(items), _submitted(scope)
        query = select(Page.id, Page.unit, Page.at).where(Page.project_id == scope.project_id)
        pages = {number or 0: (unit, at) for number, unit, at in scope.session.exec(query)}
        came = _units_of_pages(scope)
        found = []
        for each in items:
            number, page = each.id or 0, each.subject_id or 0
            if page not in pages:
                continue
            unit, at = pages[page]
            filled = came.get(page)
            text = ((_SUBMISSION, said[number]),) if number in said else ()
            found.append(
                Rests(
                    number,
                    units=() if filled is None else ((filled, "source"),),
                    places=((unit, scope.law_at(at), "source"),) if unit and not filled else (),
                    texts=tuple(CitingText(key, laws.get(number, 0)) for key in text),
                )
            )
        return found

    def texts(self, session: Session, keys: Collection[TextKey]) -> Mapping[TextKey, Sequence[str]]:
        """Return the texts of each submission's blocks; for a table, its cells."""
        found: dict[TextKey, Sequence[str]] = {}
        wanted = sorted({number for _, number in keys})
        for start in range(0, len(wanted), _TOGETHER):
            some = col(AnnotationAnswer.annotation_id).in_(wanted[start : start + _TOGETHER])
            query = select(AnnotationAnswer.annotation_id, AnnotationAnswer.value)
            for number, blocks in session.exec(query.where(some, AnnotationAnswer.field == FIELD)):
                found[_SUBMISSION, number] = tuple(
                    text for block in blocks for text in texts(block)
                )
        return found


def _submitted(scope: Scope) -> dict[int, int]:
    """Return the current submission on each item; for annotators, their own."""
    query = (
        select(Annotation.item_id, Annotation.id)
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(Item.project_id == scope.project_id, stands(), for_gold())
        .order_by(col(Annotation.id))
    )
    if scope.who is not None and scope.blind:
        query = query.where(Annotation.person_id == scope.who.person_id)
    return {item: number or 0 for item, number in scope.session.exec(query)}


def _units_of_pages(scope: Scope) -> dict[int, int]:
    """Return the unit (database id) that each page's text was last imported into."""
    query = (
        select(UnitPage.page_id, UnitPage.unit_id)
        .join(Page, col(Page.id) == UnitPage.page_id)
        .where(Page.project_id == scope.project_id)
        .order_by(col(UnitPage.id))
    )
    return dict(scope.session.exec(query).all())


RESTS = PageResting()
