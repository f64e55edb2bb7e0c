"""Threads: blind until submitted, whole afterwards, never edited, and visible to who decides."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.adjudication.disputes import open_case
from annotation.mapping import commands as mapping_commands
from annotation.people import members
from annotation.people.roles import Act, require
from annotation.work import commands, queue_service, threads
from annotation.work.threads import say, thread
from tests.annotation.crew import batch, leader, submit
from tests.annotation.house import House, build, given_back
from tests.conftest import FakeClock
from tests.support.examples import scaled
from tests.support.refusals import code_of, refusal


def texts(house: House, person: int, item: int) -> list[str]:
    return [each.text for each in thread(house.ws, person, item)]


def test_who_withdraws_owes_the_item_again_and_that_they_could_read_stays_visible(
    house: House,
) -> None:
    item = house.items[0]
    submit(house, house.ann, item, 1)
    submit(house, house.ben, item, 2)
    first = say(house.ws, house.ann, item, "Article 1 it is.")
    mine = say(house.ws, house.ben, item, "Why?", first)
    given_back(house, house.ben, item)
    commands.take_back(house.ws, house.ben, item)
    (left,) = thread(house.ws, house.ben, item)
    assert (left.id, left.text, left.reply_to) == (mine, "Why?", None)
    assert code_of(say, house.ws, house.ben, item, "And this?", first) == "message_unknown"
    say(house.ws, house.ann, item, "Said while Ben owes it.")
    assert texts(house, house.ben, item) == ["Why?"]
    mapping_commands.label(house.ws, house.ben, item, house.units[2], "unsure")
    mapping_commands.label(house.ws, house.ben, item, house.units[1], "accept")
    commands.submit(house.ws, house.ben, item)
    sides = {side.person.id: side for side in open_case(house.ws, house.judge, item).sides}
    assert (sides[house.ben].taken_back, sides[house.ben].read_before) == (1, 1)
    assert (sides[house.ann].taken_back, sides[house.ann].read_before) == (0, 0)


def test_a_reply_that_cannot_be_seen_reads_like_one_that_is_not_there(house: House) -> None:
    item, other = house.items[:2]
    submit(house, house.ann, item, 1)
    there = say(house.ws, house.ann, item, "Here.")
    wrong: list[Any] = [there, 999, 0, -1, 2**70, "1", True]
    refused = {str(refusal(say, house.ws, house.ben, item, "Hm", number)) for number in wrong}
    assert len(refused) == 1
    submit(house, house.ann, other, 1)
    assert code_of(say, house.ws, house.ann, other, "Elsewhere", there) == "message_unknown"


def test_who_reads_labels_reads_all_and_may_write(house: House) -> None:
    item, role = house.items[0], "researcher"
    submit(house, house.ann, item, 1)
    first = say(house.ws, house.ann, item, "Article 1.")
    who = leader(house, role)
    say(house.ws, who, item, "Look at Article 2, please.", first)
    told = thread(house.ws, who, item)
    assert [(each.person, each.role, each.reply_to) for each in told] == [
        ("Ann", "annotator", None),
        (role.title(), role, first),
    ]
    assert texts(house, house.ben, item) == []


def test_the_role_told_is_the_one_they_had_then(house: House) -> None:
    item = house.items[0]
    submit(house, house.ann, item, 1)
    say(house.ws, house.ann, item, "As an annotator.")
    members.change_role(house.ws, house.ann, "lawyer")
    say(house.ws, house.ann, item, "As a lawyer.")
    members.change_role(house.ws, house.ann, "adjudicator")
    roles = [each.role for each in thread(house.ws, house.judge, item)]
    assert roles == ["annotator", "lawyer"]


def test_a_message_that_shows_nothing_is_refused(house: House) -> None:
    for text in ("", "  \n", "\0", "\u200b\u200d", "\u202e", "\ufeff \u2066"):
        assert code_of(say, house.ws, house.ann, house.items[0], text) == "message_empty"
    assert texts(house, house.ann, house.items[0]) == []


def test_the_same_words_sent_again_are_the_same_message(house: House) -> None:
    item = house.items[0]
    submit(house, house.ann, item, 1)
    submit(house, house.ben, item, 1)
    first = say(house.ws, house.ann, item, "Agreed?")
    assert say(house.ws, house.ann, item, "Agreed?") == first
    reply = say(house.ws, house.ann, item, "Agreed?", first)
    assert reply != first
    say(house.ws, house.ben, item, "Yes.")
    assert say(house.ws, house.ann, item, "Agreed?", first) not in (first, reply)


def test_repeating_oneself_tells_nothing_of_what_others_wrote(house: House) -> None:
    item = house.items[0]
    mine = say(house.ws, house.ben, item, "Hm.")
    submit(house, house.ann, item, 1)
    say(house.ws, house.ann, item, "Article 1.")
    assert say(house.ws, house.ben, item, "Hm.") == mine


def test_an_item_of_others_is_not_talked_about(house: House) -> None:
    batch(house, house.ann, house.ben)
    item = house.items[0]
    assert code_of(say, house.ws, house.cho, item, "Hello") == "batch_of_others"
    assert texts(house, house.cho, item) == []
    assert code_of(say, house.ws, house.ann, 999, "Hello") == "item_unknown"
    assert code_of(thread, house.ws, house.ann, 999) == "item_unknown"


def test_counts_are_of_what_may_be_read(house: House) -> None:
    one, two = house.items[:2]
    submit(house, house.ann, one, 1)
    say(house.ws, house.ann, one, "First.")
    say(house.ws, house.ann, one, "Second.")
    say(house.ws, house.ben, two, "Mine.")

    def counted(person: int, item: int | None = None) -> dict[int, int]:
        with house.ws.reading() as session:
            return threads.counts(session, require(session, person, Act.COMMENT), item)

    assert counted(house.ann) == {one: 2}
    assert counted(house.ben) == {two: 1}
    assert counted(house.judge) == {one: 2, two: 1}
    assert counted(house.judge, two) == {two: 1}
    assert [each.messages for each in queue_service.queue(house.ws, house.ben)] == [0, 1, 0]
    assert queue_service.open_item(house.ws, house.ann, one).messages == 2
    assert queue_service.open_item(house.ws, house.ben, one).messages == 0


ACTS = st.lists(
    st.tuples(st.sampled_from(["say", "reply", "submit", "undo"]), st.integers(0, 2)), max_size=12
)


@settings(max_examples=scaled(12), deadline=None, suppress_health_check=list(HealthCheck))
@given(acts=ACTS)
def test_nobody_reads_others_before_all_are_in_whatever_happens(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, int]]
) -> None:
    house = build(tmp_path_factory.mktemp("any"), FakeClock(), overlap=3)
    crew, item = (house.ann, house.ben, house.cho), house.items[0]
    written: list[tuple[int, str]] = []
    owes = set(crew)
    for number, (act, at) in enumerate(acts):
        who = crew[at]
        if act in ("say", "reply"):
            seen = thread(house.ws, who, item)
            to = seen[-1].id if act == "reply" and seen else None
            say(house.ws, who, item, f"message {number}", to)
            written.append((who, f"message {number}"))
        elif act == "submit" and who in owes:
            submit(house, who, item, at + 1)
            owes.discard(who)
        elif act == "undo" and not owes:
            assert code_of(commands.take_back, house.ws, who, item) == "answers_all_in"
        elif act == "undo" and who not in owes:
            commands.take_back(house.ws, who, item)
            owes.add(who)
        for each in crew:
            told = thread(house.ws, each, item)
            open_to_them = [text for by, text in written if not owes or by == each]
            assert [message.text for message in told] == open_to_them
            assert {message.reply_to for message in told} <= {*(m.id for m in told), None}
        assert texts(house, house.judge, item) == [text for _, text in written]
    assert queue_service.queue(house.ws, house.ann)
