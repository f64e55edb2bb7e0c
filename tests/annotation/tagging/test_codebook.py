"""Which texts the tags of a court case rest on."""

from __future__ import annotations

from annotation.gold.resting import Scope
from annotation.tagging.codebook import RESTS, book_of
from storage.projects import find_project
from storage.tasks import Task
from tests.annotation.tagging.test_disputes import house as house_fixture
from tests.projects.tagged_project import SLUG, TagHouse

house = house_fixture


def test_what_the_codebook_says_of_what_was_answered_counts_once_all_are_in(
    house: TagHouse,
) -> None:
    with house.ws.reading() as session:
        scope = Scope(session, find_project(session, SLUG), None)
        found = list(RESTS.rests(scope, scope.items(Task.FACTOR_TAGGING)))
        via = [sorted({text.via for text in each.texts}) for each in found]
        assert via == [["cited", "codebook"], ["cited", "codebook"], ["cited"]]
        book, _ = book_of(session, house.project_id)
        keys = {text.key for each in found for text in each.texts}
        said = RESTS.texts(session, keys)
        assert said.keys() == keys
        [weapon] = [parts for (kind, _), parts in said.items() if kind.endswith(" weapon")]
        sub = next(s for factor in book.factors for s in factor.sub_factors if s.key == "weapon")
        assert set(sub.label.values()) <= set(weapon)
