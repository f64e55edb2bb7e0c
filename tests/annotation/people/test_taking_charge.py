from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from annotation.check.project import check
from annotation.people import accounts
from annotation.people.members import add_person, history, list_people
from annotation.people.roles import Act, allow
from annotation.people.taking_charge import put_in_charge, take_charge, untended
from errors import UserError
from storage.projects import create_project
from tests.annotation.house import House

PHRASE = "four plain words here"
NEW = "pond"


def code(call: Callable[..., Any], *given: Any) -> str:
    with pytest.raises(UserError) as caught:
        call(*given)
    assert caught.value.render("ko")
    return caught.value.code


def account(house: House, login: str, name: str, steward: bool = True) -> int:
    return accounts.add_account(house.ws, login, name, PHRASE, steward).id


def test_a_steward_takes_charge_of_a_project_made_on_the_command_line(house: House) -> None:
    create_project(house.ws, NEW, "Lake", 2)
    dora = account(house, "dora", "Dora")
    assert NEW in [each.slug for each in untended(house.ws, dora)]
    take_charge(house.ws, NEW, dora)
    (place,) = accounts.places(house.ws, dora)
    assert (place.slug, place.person.role) == (NEW, "administrator")
    allow(house.ws, NEW, place.person.id, Act.MANAGE_PEOPLE)
    assert NEW not in [each.slug for each in untended(house.ws, dora)]
    assert [each.kind for each in history(house.ws, NEW)] == ["added"]
    assert check(house.ws, NEW) == []


def test_what_somebody_manages_is_not_taken_from_them(house: House) -> None:
    create_project(house.ws, NEW, "Lake", 2)
    dora, eve = account(house, "dora", "Dora"), account(house, "eve", "Eve")
    take_charge(house.ws, NEW, dora)
    assert code(take_charge, house.ws, NEW, eve) == "project_tended"
    accounts.set_active(house.ws, "dora", False)
    assert NEW in [each.slug for each in untended(house.ws, eve)]
    take_charge(house.ws, NEW, eve)


def test_only_a_steward_takes_charge_and_sees_what_there_is(house: House) -> None:
    create_project(house.ws, NEW, "Lake", 2)
    fay = account(house, "fay", "Fay", steward=False)
    assert code(take_charge, house.ws, NEW, fay) == "not_steward"
    assert code(untended, house.ws, fay) == "not_steward"


def test_the_administrator_of_that_name_becomes_theirs(house: House) -> None:
    create_project(house.ws, NEW, "Lake", 2)
    add_person(house.ws, NEW, "Dora", "administrator")
    dora = account(house, "dora", "Dora")
    take_charge(house.ws, NEW, dora)
    assert [each.name for each in list_people(house.ws, NEW)] == ["Dora"]
    assert [each.kind for each in history(house.ws, NEW)] == ["added", "account"]
    assert check(house.ws, NEW) == []


def test_another_of_that_name_stays_who_they_are(house: House) -> None:
    create_project(house.ws, NEW, "Lake", 2)
    add_person(house.ws, NEW, "Dora", "annotator")
    dora = account(house, "dora", "Dora")
    take_charge(house.ws, NEW, dora)
    assert [each.name for each in list_people(house.ws, NEW)] == ["Dora", "Dora (dora)"]


def test_the_operator_names_any_account(house: House) -> None:
    create_project(house.ws, NEW, "Lake", 2)
    fay = account(house, "fay", "Fay", steward=False)
    put_in_charge(house.ws, NEW, "FAY ")
    assert [each.slug for each in accounts.places(house.ws, fay)] == [NEW]
    assert code(put_in_charge, house.ws, NEW, "fay") == "account_has_place"
    assert code(put_in_charge, house.ws, NEW, "nobody") == "account_unknown"
    assert code(put_in_charge, house.ws, "none", "fay") == "project_unknown"
