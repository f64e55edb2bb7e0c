"""Which provisions count as judged non-relevant, and on which law."""

from __future__ import annotations

from annotation.adjudication.disputes import decide
from annotation.gold.derivation import GoldItem, derive
from annotation.gold.negatives import rejections_for
from annotation.mapping import commands as mapping_commands
from storage.law.imports import keep_statutes
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, House, statute


def _reject(house: House, person: int, item: int, *numbers: int) -> None:
    for number in numbers:
        mapping_commands.label(house.ws, person, item, house.units[number], "reject")


def _unit(number: int) -> str:
    return f"lake-act_article-{number}"


def _first(house: House) -> GoldItem:
    return derive(house.ws, SLUG)[0]


def test_only_what_everybody_rejected_by_name_is_a_negative(house: House) -> None:
    item = house.items[0]
    _reject(house, house.ann, item, 2, 3)
    submit(house, house.ann, item, (1,))
    assert _first(house).rejected == ()  # the question is not settled
    _reject(house, house.ben, item, 3)
    submit(house, house.ben, item, (1,))
    assert (_first(house).units, _first(house).rejected) == ((_unit(1),), (_unit(3),))


def test_of_no_provision_it_is_what_was_looked_at(house: House) -> None:
    item = house.items[0]
    for person in (house.ann, house.ben):
        _reject(house, person, item, 2)
        submit(house, person, item)
    found = _first(house)
    assert (found.no_provision, found.units, found.rejected) == (True, (), (_unit(2),))


def test_what_was_in_dispute_is_settled_by_the_adjudicator(house: House) -> None:
    item = house.items[0]
    _reject(house, house.ann, item, 3)
    submit(house, house.ann, item, (1,))
    submit(house, house.ben, item, (2,))
    assert _first(house).rejected == ()
    decide(house.ws, house.judge, item, [house.units[1]], False, "cited", 2.0)
    assert _first(house).rejected == (_unit(2),)  # 3 was passed over by Ben and not disputed
    decide(house.ws, house.judge, item, [house.units[1], house.units[2]], False, "both", 2.0)
    assert _first(house).rejected == ()


def test_a_provision_that_was_amended_since_is_no_negative_there(house: House) -> None:
    item = house.items[0]
    for person in (house.ann, house.ben):
        _reject(house, person, item, 1, 3)
        submit(house, person, item, (2,))
    law = keep_statutes(house.ws, SLUG, [statute(" Bright ones.")], "second").snapshot_id
    found = derive(house.ws, SLUG)
    with house.ws.reading() as session:
        assert rejections_for(session, found, 1) == {"q1": (_unit(1), _unit(3))}
        assert rejections_for(session, found, law) == {"q1": (_unit(3),)}
