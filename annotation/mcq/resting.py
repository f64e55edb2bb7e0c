"""The provisions that a multiple-choice question rests on: the two it was made of."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import select

from annotation.gold.resting import Resting, Rests, Scope
from storage.tables.core import Item
from storage.tables.mcq import Mcq


class McqResting(Resting):
    """The reader of `annotation.gold.resting` for multiple-choice questions."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> list[Rests]:
        """Return the two provisions of each question, in the law that it was made on."""
        query = select(Mcq.id, Mcq.a_unit_id, Mcq.b_unit_id)
        rows = scope.session.exec(query.where(Mcq.project_id == scope.project_id))
        pairs = {number: (a, b) for number, a, b in rows}
        return [
            Rests(each.id or 0, tuple((unit, "source") for unit in pairs[each.subject_id or 0]))
            for each in items
        ]


RESTS = McqResting()
