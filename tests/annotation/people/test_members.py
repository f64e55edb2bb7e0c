from __future__ import annotations

import pytest

from annotation.people import accounts
from annotation.people.invitations import invite, take_as
from annotation.people.members import PersonView, add_person, change_role, deactivate, list_people
from errors import UserError
from storage.projects import create_project
from tests.annotation.house import SLUG, House
from tests.support.refusals import code_of


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


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("lead", "researcher"),
        ("Lead", "researcher"),
        ("admin", "administrator"),
        ("annotater", "annotator"),
        ("법률가", "lawyer"),
    ],
)
def test_a_role_by_another_word_is_told_with_the_one_that_was_meant(
    house: House, said: str, meant: str
) -> None:
    with pytest.raises(UserError) as caught:
        add_person(house.ws, SLUG, "Eve", said)
    told = caught.value.remedy()
    assert told.startswith(f'Did you mean "{meant}"?')
    assert "researcher (imports data, assigns work" in told
    assert "연구자의 일에 더해" in caught.value.remedy("ko")


def test_a_role_like_no_other_is_told_with_all_there_are(house: House) -> None:
    with pytest.raises(UserError) as caught:
        add_person(house.ws, SLUG, "Eve", "king")
    assert caught.value.remedy().startswith("Use one of: annotator (labels items")


def test_an_administrator_who_can_sign_in_stays(house: House) -> None:
    lead = add_person(house.ws, SLUG, "Lead", "administrator").id
    account = accounts.add_account(house.ws, "other", "Other", "four plain words here").id
    take_as(house.ws, invite(house.ws, SLUG, "administrator")[1], account)
    accounts.set_active(house.ws, "other", False)
    for leave in (
        lambda: change_role(house.ws, lead, "annotator", by=lead),
        lambda: deactivate(house.ws, lead, by=lead),
    ):
        assert code_of(leave) == "last_administrator"
    accounts.set_active(house.ws, "other", True)
    assert change_role(house.ws, lead, "annotator", by=lead).role == "annotator"
