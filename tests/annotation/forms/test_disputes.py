"""A task without a rule of its own for what is in dispute: sent back where its people differ."""

from __future__ import annotations

import pytest

from annotation.adjudication.discussion_views import keep, open_discussion
from annotation.adjudication.dispute_state import ItemCase, item_cases
from annotation.adjudication.tasks import recall, refer, to_send
from annotation.forms import form as form_commands
from annotation.work import commands
from errors import UserError
from storage.projects import find_project
from storage.tasks import Task
from tests.annotation.forms.letters import letters
from tests.annotation.house import SLUG, House


@pytest.fixture
def item(house: House) -> int:
    """Return an item that Ann calls a vowel, and Ben does not."""
    number = letters(house, "y")[0]
    say(house, house.ann, number, True)
    say(house, house.ben, number, False)
    return number


def say(house: House, who: int, item: int, vowel: bool) -> None:
    form_commands.answer(house.ws, who, item, "vowel", vowel)
    commands.submit(house.ws, who, item)


def case(house: House, item: int) -> ItemCase:
    with house.ws.reading() as session:
        project_id = find_project(session, SLUG).id
        return item_cases(session, project_id, Task.ANSWER_RATING, item)[item]


def send(house: House, item: int) -> None:
    refer(house.ws, house.judge, item, "Which?", list(to_send(house.ws, house.judge, item)))


def test_people_who_differ_talk_it_over(house: House, item: int) -> None:
    assert list(to_send(house.ws, house.judge, item).values()) == ["Ann", "Ben"]
    send(house, item)
    assert (case(house, item).unsaid, case(house, item).waiting) == (True, ("Ann", "Ben"))
    seen = open_discussion(house.ws, house.ben, item)
    assert seen is not None
    assert seen.voices[0].answers == {"vowel": True}
    keep(house.ws, house.ann, item)
    commands.take_back(house.ws, house.ben, item)
    say(house, house.ben, item, True)
    found = case(house, item)
    assert (found.unsaid, found.unconfirmed) == (False, False)
    assert [each.answers["vowel"] for each in found.submissions] == [True, True]
    assert [each.answers["vowel"] for each in found.independent] == [True, False]
    with pytest.raises(UserError, match="is not waiting"):
        to_send(house.ws, house.judge, item)


def test_what_was_recalled_may_be_sent_again(house: House, item: int) -> None:
    send(house, item)
    commands.take_back(house.ws, house.ben, item)
    say(house, house.ben, item, True)
    recall(house.ws, house.judge, item)
    assert case(house, item).unconfirmed
    send(house, item)
    assert case(house, item).waiting == ("Ann", "Ben")
