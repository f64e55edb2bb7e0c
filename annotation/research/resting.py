"""The provisions that a researched question rests on: those with gold passages."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.forms.submissions import answers_in
from annotation.gold.resting import Resting, Rests, Scope, Via
from annotation.research.authorities import STATUTES
from annotation.research.form import PASSAGES
from annotation.work.submissions import stands
from storage.tables.core import Item
from storage.tasks import Task, of_task


class ResearchResting(Resting):
    """The reader of `annotation.gold.resting` for researched questions."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> list[Rests]:
        """Return the provisions of each question's passages, in the law they were marked in."""
        marked = _passage_places(scope)
        return [Rests(each.id or 0, places=tuple(marked.get(each.id or 0, ()))) for each in items]


def _passage_places(scope: Scope) -> dict[int, list[tuple[str, int, Via]]]:
    """Return [unit, snapshot, how] of the passages that the reader may see, by item."""
    rows = scope.current_submissions(Task.RESEARCH)
    here = of_task(scope.project_id, Task.RESEARCH)
    found: dict[int, set[tuple[str, int, Via]]] = {}
    for number, said in answers_in(scope.session, here, stands()).items():
        if number not in rows:
            continue
        item, snapshot = rows[number]
        for each in said.get(PASSAGES, ()):
            if each["collection"] == STATUTES:
                found.setdefault(item, set()).add((each["id"], snapshot, "gold"))
    return {item: sorted(places) for item, places in found.items()}


RESTS = ResearchResting()
