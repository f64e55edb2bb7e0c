"""The provisions that a curated question rests on: listed ones, and those that people named.

The gold of an admitted question is checked like other gold (`annotation.gold.validity`); this shows
curators the amendments of the law that they saw.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import col, select

from annotation.curation.form import gold_of
from annotation.forms.submissions import form_submissions
from annotation.gold.resting import Resting, Rests, Scope, Via
from storage.curation.questions import listed_units
from storage.tables.augmentation import AugmentedQuestion
from storage.tables.core import Item
from storage.tasks import Task


class CurationResting(Resting):
    """The reader of `annotation.gold.resting` for curated questions."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> list[Rests]:
        """Return the provisions of each question, in the law that it was shown with.

        Annotators get only the listed ones.
        """
        laws = scope.decided_on(items)
        query = select(AugmentedQuestion).where(
            col(AugmentedQuestion.project_id) == scope.project_id
        )
        listed = listed_units(scope.session, scope.session.exec(query).all())
        named = {} if scope.blind else _gold_by_item(scope)
        found = []
        for each in items:
            number, law = each.id or 0, laws.get(each.id or 0, 0)
            via: dict[str, Via] = dict.fromkeys(listed[each.subject_id or 0], "source")
            via |= dict.fromkeys(named.get(number, ()), "gold")
            found.append(Rests(number, places=tuple((unit, law, how) for unit, how in via.items())))
        return found


def _gold_by_item(scope: Scope) -> dict[int, tuple[str, ...]]:
    """Return the provisions that submissions consider gold, by item."""
    made = form_submissions(scope.session, scope.project_id, Task.CURATION)
    return {
        item: tuple(sorted({unit for each in said for unit in gold_of(each.answers)}))
        for item, said in made.items()
    }


RESTS = CurationResting()
