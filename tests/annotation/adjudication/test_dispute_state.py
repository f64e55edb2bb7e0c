"""The versions that the answers of a case were given under, and what they say."""

from __future__ import annotations

from annotation.adjudication.dispute_state import judged_under
from annotation.guidelines.documents import read_document, text_of, text_under
from annotation.guidelines.editing import new_version
from annotation.mapping.commands import set_no_provision
from annotation.work.commands import submit
from annotation.work.queue_service import open_item
from storage.tasks import Task
from tests.annotation.house import SLUG, House

TASK = Task.CITATION_MAPPING


def none_of(house: House, person: int, item: int) -> None:
    open_item(house.ws, person, item)
    set_no_provision(house.ws, person, item, True)
    submit(house.ws, person, item)


def amended(house: House) -> str:
    old = read_document(house.ws, SLUG, "guideline", TASK, "en")
    texts = {
        each: read_document(house.ws, SLUG, "guideline", TASK, each).text for each in ("en", "ko")
    }
    texts["en"] += "\n\n99. A point of the second version.\n"
    return new_version(house.ws, SLUG, "guideline", TASK, texts, "Why", old.number)


def test_it_is_the_newest_that_somebody_judged_under(house: House) -> None:
    item, _, other = house.items
    first = text_of(house.ws, house.judge, "guideline", TASK, "en").version
    none_of(house, house.ann, item)
    none_of(house, house.ann, other)
    assert judged_under(house.ws, house.judge, item)["guideline"] == (first,)
    second = amended(house)
    none_of(house, house.ben, item)
    assert judged_under(house.ws, house.judge, item)["guideline"] == (second, first)
    assert judged_under(house.ws, house.judge, other)["guideline"] == (first,)
    assert judged_under(house.ws, house.judge, house.items[1])["guideline"] == ()


def test_a_version_says_what_it_said(house: House) -> None:
    where = house.ws, house.judge, "guideline", TASK, "en"
    first = text_of(*where)
    second = amended(house)
    assert text_under(*where, first.version).text == first.text
    assert text_under(*where, second).text == text_of(*where).text != first.text
    unknown = text_under(*where, "1-000000000000")
    assert unknown.version == second, "of a text that nobody has kept there is today's"
