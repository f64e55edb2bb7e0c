from __future__ import annotations

import pytest

from annotation.people import PersonView, add_person, list_people
from errors import UserError
from storage.projects import create_project
from tests.annotation.house import SLUG, House


def _code(house: House, name: str, role: str = "annotator") -> str:
    with pytest.raises(UserError) as caught:
        add_person(house.ws, SLUG, name, role)
    return caught.value.code


def test_people_are_listed_in_the_order_they_came(house: House) -> None:
    added = add_person(house.ws, SLUG, "  Dora   Lee ", "annotator")
    assert added == PersonView(5, "Dora Lee", "annotator")
    names = [person.name for person in list_people(house.ws, SLUG)]
    assert names == ["Ann", "Ben", "Cho", "Judge", "Dora Lee"]


def test_names_are_unique_within_a_project(house: House) -> None:
    assert _code(house, "Ann") == "person_exists"
    assert _code(house, " Ann ", "adjudicator") == "person_exists"
    create_project(house.ws, "other", "Other")
    assert add_person(house.ws, "other", "Ann", "annotator").id == 5


def test_bad_names_and_roles_are_refused(house: House) -> None:
    assert _code(house, "  ") == "person_name"
    assert _code(house, "x" * 81) == "person_name"
    assert _code(house, "a\u202eb") == "person_name"
    assert _code(house, "Eve", "admin") == "role_unknown"
    assert len(list_people(house.ws, SLUG)) == 4
