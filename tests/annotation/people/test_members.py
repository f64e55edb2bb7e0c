from __future__ import annotations

from annotation.people import accounts
from annotation.people.invitations import invite, take_as
from annotation.people.members import PersonView, add_person, change_role, deactivate, list_people
from storage.projects import create_project
from tests.annotation.house import SLUG, House
from tests.support.refusals import code_of, refused


def test_people_are_listed_in_the_order_they_came(house: House) -> None:
    added = add_person(house.ws, SLUG, "  Dora   Lee ", "annotator")
    assert added == PersonView(5, "Dora Lee", "annotator")
    names = [person.name for person in list_people(house.ws, SLUG)]
    assert names == ["Ann", "Ben", "Cho", "Judge", "Dora Lee"]


def test_names_are_unique_within_a_project(house: House) -> None:
    assert code_of(add_person, house.ws, SLUG, "Ann", "annotator") == "person_exists"
    assert code_of(add_person, house.ws, SLUG, " Ann ", "adjudicator") == "person_exists"
    create_project(house.ws, "other", "Other")
    assert add_person(house.ws, "other", "Ann", "annotator").id == 5


def test_bad_names_and_roles_are_refused(house: House) -> None:
    assert code_of(add_person, house.ws, SLUG, "  ", "annotator") == "person_name"
    assert code_of(add_person, house.ws, SLUG, "x" * 81, "annotator") == "person_name"
    assert code_of(add_person, house.ws, SLUG, "a\u202eb", "annotator") == "person_name"
    assert code_of(add_person, house.ws, SLUG, "Eve", "admin") == "role_unknown"
    assert len(list_people(house.ws, SLUG)) == 4


def test_a_role_by_another_word_is_told_with_the_one_that_was_meant(house: House) -> None:
    for said, meant in (
        *(("Lead", "researcher"), ("admin", "administrator"), ("annotater", "annotator")),
        ("법률가", "lawyer"),
    ):
        with refused("role_unknown") as caught:
            add_person(house.ws, SLUG, "Eve", said)
        assert caught.value.remedy().startswith(f'Did you mean "{meant}"?')
        assert "researcher (imports data, assigns work" in caught.value.remedy()
    with refused("role_unknown") as caught:
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
