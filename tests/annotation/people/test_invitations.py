from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import select

from annotation.people import accounts, invitations, members
from annotation.people.invitations import (
    Newcomer,
    invite,
    open_invitation,
    take_as,
    take_as_newcomer,
)
from annotation.people.sign_in import sign_in
from storage.projects import create_project
from storage.tables.core import Account
from storage.tables.people import AccountEvent, Invitation, PersonEvent
from tests.annotation.house import SLUG, House
from tests.annotation.people.test_accounts import PHRASE
from tests.conftest import FakeClock
from tests.support.refusals import code_of

DORA = Newcomer("dora", "Dora", PHRASE)


@pytest.fixture
def admin(house: House) -> int:
    return members.add_person(house.ws, SLUG, "Admin", "administrator").id


def test_a_newcomer_takes_a_place_once(house: House, admin: int) -> None:
    made, secret = invite(house.ws, SLUG, "lawyer", " for  Dora ", by=admin)
    assert (made.state, made.note, made.by, made.project) == (
        "open",
        "for Dora",
        "Admin",
        "Lake law",
    )
    assert open_invitation(house.ws, secret) == made
    account = take_as_newcomer(house.ws, secret, DORA)
    (place,) = accounts.places(house.ws, account.id)
    assert (place.person.name, place.person.role) == ("Dora", "lawyer")
    assert sign_in(house.ws, "dora", PHRASE, "10.0.0.1") == account
    for again in (
        lambda: open_invitation(house.ws, secret),
        lambda: take_as_newcomer(house.ws, secret, Newcomer("eve", "Eve", PHRASE)),
        lambda: take_as(house.ws, secret, account.id),
        lambda: invitations.revoke(house.ws, made.id, admin),
    ):
        assert code_of(again) == "invitation_unusable"
    (listed,) = invitations.list_invitations(house.ws, SLUG, admin)
    assert (listed.state, listed.person) == ("taken", "Dora")
    assert members.history(house.ws, SLUG, admin)[-1].by == "Admin"


def test_an_account_takes_a_place_in_a_second_project(house: House, admin: int) -> None:
    _, first = invite(house.ws, SLUG, "annotator", by=admin)
    dora = take_as_newcomer(house.ws, first, DORA).id
    create_project(house.ws, "other", "Other")
    _, second = invite(house.ws, "other", "researcher")
    take_as(house.ws, second, dora)
    assert [p.person.role for p in accounts.places(house.ws, dora)] == ["annotator", "researcher"]
    _, third = invite(house.ws, "other", "administrator")
    assert code_of(take_as, house.ws, third, dora) == "invitation_here_already"
    members.deactivate(house.ws, accounts.places(house.ws, dora)[1].person.id)
    assert code_of(take_as, house.ws, third, dora) == "invitation_here_already"
    assert open_invitation(house.ws, third).state == "open"


def test_void_invitations_are_refused(house: House, admin: int, clock: FakeClock) -> None:
    revoked, secret = invite(house.ws, SLUG, "annotator", by=admin)
    invitations.revoke(house.ws, revoked.id, admin)
    assert code_of(take_as_newcomer, house.ws, secret, DORA) == "invitation_unusable"
    _, secret = invite(house.ws, SLUG, "annotator", days=1, by=admin)
    clock.now += timedelta(days=1)
    assert code_of(take_as_newcomer, house.ws, secret, DORA) == "invitation_unusable"
    for guess in ("", "x", secret[:-1], secret + "=", "\ud800"):
        assert code_of(open_invitation, house.ws, guess) == "invitation_unusable"
    states = [each.state for each in invitations.list_invitations(house.ws, SLUG)]
    assert states == ["expired", "revoked"]


def test_an_invitation_dies_with_the_right_of_who_made_it(house: House, admin: int) -> None:
    _, secret = invite(house.ws, SLUG, "administrator", by=admin)
    members.change_role(house.ws, admin, "annotator")
    assert code_of(take_as_newcomer, house.ws, secret, DORA) == "invitation_unusable"
    members.change_role(house.ws, admin, "administrator")
    assert open_invitation(house.ws, secret).state == "open"


def test_several_are_invited_at_once_and_a_bad_line_alone_is_refused(
    house: House, admin: int
) -> None:
    lines = "Dora\n\n  dora@example.org \r\n" + "x" * 201 + "\nDora\nEve\u0007"
    outcomes = invitations.invite_each(house.ws, SLUG, "lawyer", lines, 3, admin)
    told = [(each.note[:16], each.error and each.error.code) for each in outcomes]
    assert told == [
        ("Dora", None),
        ("dora@example.org", None),
        ("x" * 16, "invitation_note"),
        ("Dora", "invitation_twice"),
        ("Eve\u0007", "invitation_note"),
    ]
    assert [each.error.where.line for each in outcomes if each.error] == [4, 5, 6]
    found = [open_invitation(house.ws, each.secret) for each in outcomes if each.secret]
    assert [each.note for each in found] == ["Dora", "dora@example.org"]
    assert {(each.role, each.by) for each in found} == {("lawyer", "Admin")}
    assert invitations.list_invitations(house.ws, SLUG, admin) == found[::-1]


def test_nobody_is_invited_by_too_many_lines_and_one_by_none(house: House, admin: int) -> None:
    many = "\n".join(str(number) for number in range(invitations.MOST_AT_ONCE + 1))
    for lines, days, refusal in ((many, 7, "invitations_many"), ("a\nb", 0, "invitation_days")):
        act = partial(invitations.invite_each, house.ws, SLUG, "lawyer", lines, days, admin)
        assert code_of(act) == refusal
    assert invitations.list_invitations(house.ws, SLUG, admin) == []
    (only,) = invitations.invite_each(house.ws, SLUG, "lawyer", " \n", by=admin)
    assert open_invitation(house.ws, only.secret).note == only.note == ""


def test_only_administrators_of_the_project_invite(house: House, admin: int) -> None:
    create_project(house.ws, "other", "Other")
    stranger = members.add_person(house.ws, "other", "Zoe", "administrator").id
    made, _ = invite(house.ws, SLUG, "annotator", by=admin)
    for by, said in ((house.ann, "not_allowed"), (stranger, "person_unknown")):
        assert code_of(invite, house.ws, SLUG, "administrator", by=by) == said
        assert code_of(invitations.list_invitations, house.ws, SLUG, by) == said
        assert code_of(invitations.revoke, house.ws, made.id, by) == said
    assert code_of(invite, house.ws, SLUG, "king", by=admin) == "role_unknown"
    assert code_of(invite, house.ws, SLUG, "annotator", days=0, by=admin) == "invitation_days"
    assert code_of(invite, house.ws, SLUG, "annotator", "x" * 201, by=admin) == "invitation_note"


def test_what_is_refused_leaves_the_invitation_open(house: House, admin: int) -> None:
    _, secret = invite(house.ws, SLUG, "annotator", by=admin)
    for who, said in (
        (Newcomer("dora", "Ann", PHRASE), "person_exists"),
        (Newcomer("dora", "Dora", "short"), "password_length"),
        (Newcomer("d o r a", "Dora", PHRASE), "login_bad"),
        (Newcomer("dora", "Dora"), "password_missing"),
    ):
        assert code_of(take_as_newcomer, house.ws, secret, who) == said
    assert accounts.list_accounts(house.ws) == []
    assert open_invitation(house.ws, secret).state == "open"
    by_provider = take_as_newcomer(house.ws, secret, Newcomer("dora", "Dora", subject="issuer|7"))
    assert accounts.account_of_subject(house.ws, "issuer|7", None) == by_provider


def test_no_secret_is_stored(house: House, admin: int) -> None:
    _, secret = invite(house.ws, SLUG, "annotator", by=admin)
    account = accounts.add_account(house.ws, "dora", "Dora", PHRASE)
    renewal = invitations.offer_reset(house.ws, "dora").partition(".")[2]
    with house.ws.engine.connect() as connection:
        tables = (Account, AccountEvent, Invitation, PersonEvent)
        kept = repr([connection.execute(select(table)).all() for table in tables])
    assert account.login in kept
    for hidden in (secret, renewal, PHRASE):
        assert hidden not in kept


def test_a_password_is_renewed_once(house: House, clock: FakeClock) -> None:
    accounts.add_account(house.ws, "dora", "Dora", PHRASE)
    older = invitations.offer_reset(house.ws, "dora")
    secret = invitations.offer_reset(house.ws, "dora")
    assert code_of(invitations.reset, house.ws, older, PHRASE + "2") == "reset_unusable"
    assert invitations.reset_login(house.ws, secret) == "dora"
    assert code_of(invitations.reset, house.ws, secret, "short") == "password_length"
    invitations.reset(house.ws, secret, PHRASE + "2")
    assert sign_in(house.ws, "dora", PHRASE + "2", "10.0.0.1").login == "dora"
    assert code_of(invitations.reset, house.ws, secret, PHRASE + "3") == "reset_unusable"
    late = invitations.offer_reset(house.ws, "dora")
    clock.now += timedelta(days=2)
    for guess in (late, "", "1", "1.", "²." + late, f"{10**30}.x", late + "x", "\ud800.\ud800"):
        assert code_of(invitations.reset_login, house.ws, guess) == "reset_unusable"


def test_only_stewards_offer_a_new_password(house: House) -> None:
    dora = accounts.add_account(house.ws, "dora", "Dora", PHRASE).id
    assert code_of(invitations.offer_reset, house.ws, "dora", dora) == "not_steward"
    assert code_of(invitations.offer_reset, house.ws, "nobody") == "account_unknown"
    secret = invitations.offer_reset(house.ws, "dora")
    accounts.set_active(house.ws, "dora", False)
    assert code_of(invitations.reset, house.ws, secret, PHRASE) == "reset_unusable"
    assert code_of(invitations.offer_reset, house.ws, "dora") == "account_unknown"
