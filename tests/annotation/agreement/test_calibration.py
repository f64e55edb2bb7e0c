from __future__ import annotations

import pytest

from annotation.agreement.calibration import Known, accuracy, known_from_gold, set_known_answers
from annotation.mapping import commands as mapping_commands
from annotation.work import commands
from tests.annotation.crew import batch, know, submit
from tests.annotation.house import SLUG, House
from tests.support.refusals import code_of


def test_exactly_the_known_units_are_right(house: House) -> None:
    know(house)
    made = batch(house, calibration=1 / 3)
    submit(house, house.ann, house.items[2], 1)
    submit(house, house.ben, house.items[2], 1, 2)
    mapping_commands.label(house.ws, house.cho, house.items[2], house.units[1], "unsure")
    commands.submit(house.ws, house.cho, house.items[2])
    found = accuracy(house.ws, SLUG, house.judge, made)
    assert [(each.person, each.right, each.wrong) for each in found] == [
        ("Ann", 1, ()),
        ("Ben", 0, ("q3",)),
        ("Cho", 0, ("q3",)),
    ]
    assert found[0].share.value == 1.0
    assert found[0].share.low is found[0].share.high is None, "one question says nothing of others"


def test_no_provision_can_be_the_right_answer(house: House) -> None:
    know(house, Known("q3", (), no_provision=True))
    batch(house, calibration=1 / 3)
    submit(house, house.ann, house.items[2])
    submit(house, house.ben, house.items[2], 1)
    assert [each.right for each in accuracy(house.ws, SLUG)] == [1, 0]


def test_a_newer_answer_supersedes_and_an_equal_one_is_not_kept(house: House) -> None:
    first = Known("q1", ("lake-act_article-1",))
    assert set_known_answers(house.ws, SLUG, [first]) == 1
    assert set_known_answers(house.ws, SLUG, [first]) == 0
    second = Known("q1", ("lake-act_article-2", "lake-act_article-1"))
    assert set_known_answers(house.ws, SLUG, [second, second]) == 1


@pytest.mark.parametrize(
    ("known", "code"),
    [
        (Known("q9", ("lake-act_article-1",)), "questions_unknown"),
        (Known("q1", ("sea-act_article-1",)), "known_unit_unknown"),
        (Known("q1", ()), "known_answer_unfit"),
        (Known("q1", ("lake-act_article-1",), no_provision=True), "known_answer_unfit"),
        (Known("q1", ("lake-act_article-1",), explanation="x" * 5001), "text_too_long"),
    ],
)
def test_one_bad_answer_refuses_all(house: House, known: Known, code: str) -> None:
    good = Known("q2", ("lake-act_article-1",))
    assert code_of(set_known_answers, house.ws, SLUG, [good, known]) == code
    assert set_known_answers(house.ws, SLUG, [good]) == 1


def test_settled_gold_can_be_taken(house: House) -> None:
    submit(house, house.ann, house.items[0], 1)
    assert known_from_gold(house.ws, SLUG) == []
    submit(house, house.ben, house.items[0], 1)
    assert known_from_gold(house.ws, SLUG) == [Known("q1", ("lake-act_article-1",))]
    assert code_of(known_from_gold, house.ws, SLUG, ["q2"]) == "gold_unsettled"
