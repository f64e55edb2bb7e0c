"""The provisions that a curated question rests on: those listed, and those that people named.

The gold of an admitted question is watched as gold is (`annotation.gold.validity`); this tells
whoever curates, or has curated, what of the law that they were shown has changed since.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlmodel import Session, col, select

from annotation.curation.form import gold_of
from annotation.forms.submissions import form_submissions
from annotation.gold.resting import Rests, Scope, TextKey, Via
from storage.curation.questions import listed_units
from storage.tables.augmentation import AugmentedQuestion
from storage.tables.core import Item
from storage.tasks import Task


class CurationResting:
    """The reading of `annotation.gold.resting` for curated questions."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> list[Rests]:
        """Return the provisions of each question, as they stood in the law that it was shown on.

        Who annotates is told of those that it came with alone.
        """
        laws = scope.decided_on(items)
        query = select(AugmentedQuestion).where(
            col(AugmentedQuestion.project_id) == scope.project_id
        )
        listed = listed_units(scope.session, scope.session.exec(query).all())
        named = {} if scope.blind else _named(scope)
        found = []
        for each in items:
            number, law = each.id or 0, laws.get(each.id or 0, 0)
            via: dict[str, Via] = dict.fromkeys(listed[each.subject_id or 0], "source")
            via |= dict.fromkeys(named.get(number, ()), "gold")
            found.append(Rests(number, places=tuple((unit, law, how) for unit, how in via.items())))
        return found

    def texts(self, session: Session, keys: Collection[TextKey]) -> Mapping[TextKey, Sequence[str]]:
        """Return nothing: a question in a practitioner's words cites no law."""
        return {}


def _named(scope: Scope) -> dict[int, tuple[str, ...]]:
    """Return the provisions that submissions take for gold, by item."""
    made = form_submissions(scope.session, scope.project_id, Task.CURATION)
    return {
        item: tuple(sorted({unit for each in said for unit in gold_of(each.answers)}))
        for item, said in made.items()
    }


RESTS = CurationResting()
