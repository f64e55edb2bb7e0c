from __future__ import annotations

import unicodedata

import pytest
from argon2 import PasswordHasher, Type, extract_parameters
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlmodel import select

from annotation.check.project import check
from annotation.mapping import commands as mapping_commands
from annotation.people import accounts
from annotation.people.accounts import (
    LONGEST,
    SHORTEST,
    checked_password,
    hashed,
    is_outdated,
    make_administrator,
    take_charge,
    untended,
    verify,
)
from annotation.people.members import add_person, deactivate, history, list_people
from annotation.people.roles import Act, allow
from annotation.work import commands
from errors import UserError
from storage.projects import create_project
from storage.tables.core import Person
from storage.tables.people import AccountEvent
from tests.annotation.house import SLUG, House
from tests.support.examples import scaled
from tests.support.refusals import code_of, refused

PHRASE = "four plain words here"


@pytest.mark.usefixtures("costly_passwords")
def test_hashes_have_the_second_recommended_parameters_of_rfc_9106() -> None:
    kept = extract_parameters(hashed(PHRASE))
    assert (kept.type, kept.time_cost, kept.memory_cost, kept.parallelism) == (
        Type.ID,
        3,
        2**16,
        4,
    )
    assert (kept.salt_len, kept.hash_len) == (16, 32)


def test_only_the_password_fits_its_hash() -> None:
    kept = hashed(PHRASE)
    assert kept != hashed(PHRASE)
    assert verify(kept, PHRASE)
    assert not verify(kept, PHRASE + " ")
    assert not verify(kept, "")
    assert not verify("no hash", PHRASE)
    assert not verify(None, "the password of nobody")


def test_a_password_is_the_same_in_another_encoding() -> None:
    composed = "비밀번호를 길게 짓는다"
    decomposed = unicodedata.normalize("NFD", composed)
    assert composed != decomposed
    assert verify(hashed(checked_password(decomposed, "ara")), composed)


@pytest.mark.usefixtures("costly_passwords")
def test_a_hash_of_weaker_parameters_is_outdated() -> None:
    assert is_outdated(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PHRASE))
    assert not is_outdated(hashed(PHRASE))


@settings(max_examples=scaled(50), deadline=None)
@given(st.text(max_size=LONGEST + 5))
def test_only_length_and_the_login_are_asked_for(text: str) -> None:
    try:
        kept = checked_password(text, "somebody@example.org")
    except UserError as error:
        assert error.code == "password_length"
    else:
        assert SHORTEST <= len(kept) <= LONGEST


def test_the_login_is_no_password() -> None:
    with refused("password_login"):
        checked_password("Somebody@Example.org", "somebody@example.org")


def seat(house: House, person_id: int, account_id: int) -> None:
    """Say that the account is this person."""
    with house.ws.writing() as session:
        row = session.get_one(Person, person_id)
        row.account_id = account_id
        session.add(row)


def kinds(house: House, account_id: int) -> list[str]:
    with house.ws.reading() as session:
        query = select(AccountEvent.kind).where(AccountEvent.account_id == account_id)
        return list(session.exec(query))


def test_an_account_is_made_once_and_listed_without_secrets(house: House) -> None:
    made = accounts.add_account(house.ws, " Ara@Example.org ", "Kim Ara", PHRASE)
    assert made.login == "ara@example.org"
    assert (made.has_password, made.has_provider, made.steward) == (True, False, False)
    assert accounts.list_accounts(house.ws) == [made]
    assert PHRASE not in repr(made)
    again = (house.ws, "ARA@example.org", "Other", PHRASE)
    assert code_of(accounts.add_account, *again) == "login_taken"
    assert code_of(accounts.add_account, house.ws, "a b", "X", PHRASE) == "login_bad"
    assert code_of(accounts.add_account, house.ws, "", "X", PHRASE) == "login_bad"
    assert code_of(accounts.add_account, house.ws, "x", " ", PHRASE) == "person_name"
    assert code_of(accounts.add_account, house.ws, "x", "X", "short") == "password_length"
    assert len(accounts.list_accounts(house.ws)) == 1


def test_only_stewards_tend_accounts(house: House) -> None:
    plain = accounts.add_account(house.ws, "plain", "Plain", PHRASE).id
    steward = accounts.add_account(house.ws, "steward", "Steward", PHRASE, steward=True).id
    for by in (plain, 99):
        assert code_of(accounts.add_account, house.ws, "x", "X", PHRASE, by=by) == "not_steward"
        assert code_of(accounts.set_password, house.ws, "plain", PHRASE, by) == "not_steward"
        assert code_of(accounts.set_active, house.ws, "steward", False, by) == "not_steward"
        assert code_of(accounts.list_accounts, house.ws, by) == "not_steward"
        assert code_of(accounts.start_project, house.ws, "new", "New", 2, by) == "not_steward"
    assert code_of(accounts.set_active, house.ws, "steward", False, steward) == "account_own"
    assert not accounts.set_active(house.ws, "plain", False, steward).active
    assert code_of(accounts.set_password, house.ws, "nobody", PHRASE, steward) == "account_unknown"


def test_a_steward_is_administrator_of_the_project_they_start(house: House) -> None:
    steward = accounts.add_account(house.ws, "steward", "Steward", PHRASE, steward=True).id
    accounts.start_project(house.ws, "new", "New", 1, steward)
    (place,) = accounts.places(house.ws, steward)
    assert (place.slug, place.person.name, place.person.role) == ("new", "Steward", "administrator")
    assert code_of(accounts.start_project, house.ws, "new", "Again", 1, steward) == "project_exists"


def test_a_deactivated_account_may_do_nothing_and_what_it_did_stays(house: House) -> None:
    account = accounts.add_account(house.ws, "ann", "Ann", PHRASE).id
    seat(house, house.ann, account)
    mapping_commands.set_no_provision(house.ws, house.ann, house.items[0], True)
    accounts.set_active(house.ws, "ann", False)
    accounts.set_active(house.ws, "ann", False)
    assert code_of(commands.submit, house.ws, house.ann, house.items[0]) == "person_inactive"
    assert accounts.places(house.ws, account) == []
    assert accounts.find_account(house.ws, account) is None
    accounts.set_active(house.ws, "ann", True)
    commands.submit(house.ws, house.ann, house.items[0])
    assert kinds(house, account) == ["made", "deactivated", "reactivated"]


def test_a_place_is_lost_with_the_person_and_only_there(house: House) -> None:
    account = accounts.add_account(house.ws, "ann", "Ann", PHRASE, steward=True).id
    seat(house, house.ann, account)
    accounts.start_project(house.ws, "own", "Own", 1, account)
    assert [place.slug for place in accounts.places(house.ws, account)] == [SLUG, "own"]
    deactivate(house.ws, house.ann)
    assert [place.slug for place in accounts.places(house.ws, account)] == ["own"]


def test_a_providers_subject_finds_its_account_and_no_other(house: House) -> None:
    waiting = accounts.add_account(house.ws, "ara@example.org", "Kim Ara", None)
    accounts.add_account(house.ws, "jun@example.org", "Park Jun", PHRASE)
    find = accounts.account_of_subject
    assert find(house.ws, "issuer|1", None) is None
    assert find(house.ws, "issuer|1", "nobody@example.org") is None
    # An account with a password belongs to who knows it, whatever address a provider has verified.
    assert find(house.ws, "issuer|1", "jun@example.org") is None
    bound = find(house.ws, "issuer|1", "ARA@example.org")
    assert bound is not None
    assert (bound.id, bound.has_provider) == (waiting.id, True)
    assert find(house.ws, "issuer|1", None) == bound
    assert find(house.ws, "issuer|2", "ara@example.org") is None
    accounts.set_active(house.ws, "ara@example.org", False)
    assert find(house.ws, "issuer|1", "ara@example.org") is None


NEW = "pond"


def account(house: House, login: str, name: str, steward: bool = True) -> int:
    return accounts.add_account(house.ws, login, name, PHRASE, steward).id


def test_a_steward_takes_charge_of_a_project_made_on_the_command_line(house: House) -> None:
    create_project(house.ws, NEW, "Lake", 2)
    dora = account(house, "dora", "Dora")
    assert NEW in [each.slug for each in untended(house.ws, dora)]
    take_charge(house.ws, NEW, dora)
    fay = account(house, "fay", "Fay", steward=False)
    assert code_of(take_charge, house.ws, NEW, fay) == code_of(untended, house.ws, fay)
    assert code_of(untended, house.ws, fay) == "not_steward"
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
    assert code_of(take_charge, house.ws, NEW, eve) == "project_tended"
    accounts.set_active(house.ws, "dora", False)
    assert NEW in [each.slug for each in untended(house.ws, eve)]
    take_charge(house.ws, NEW, eve)


def test_the_administrator_of_that_name_becomes_theirs(house: House) -> None:
    create_project(house.ws, NEW, "Lake", 2)
    add_person(house.ws, NEW, "Dora", "administrator")
    dora = account(house, "dora", "Dora")
    take_charge(house.ws, NEW, dora)
    assert [each.name for each in list_people(house.ws, NEW)] == ["Dora"]
    assert [each.kind for each in history(house.ws, NEW)] == ["added", "account"]
    assert check(house.ws, NEW) == []


def test_the_operator_names_any_account(house: House) -> None:
    create_project(house.ws, NEW, "Lake", 2)
    fay = account(house, "fay", "Fay", steward=False)
    make_administrator(house.ws, NEW, "FAY ")
    assert [each.slug for each in accounts.places(house.ws, fay)] == [NEW]
    assert code_of(make_administrator, house.ws, NEW, "fay") == "account_has_place"
    assert code_of(make_administrator, house.ws, NEW, "nobody") == "account_unknown"
    assert code_of(make_administrator, house.ws, "none", "fay") == "project_unknown"
