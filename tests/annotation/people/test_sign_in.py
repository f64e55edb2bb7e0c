from __future__ import annotations

import hashlib
import stat
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest
from argon2 import PasswordHasher, extract_parameters
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from annotation.people import accounts, sign_in
from annotation.people import accounts as people_accounts
from annotation.people import sign_in as people_sign_in
from annotation.people.accounts import is_outdated
from annotation.people.sign_in import (
    FORGOTTEN_AFTER,
    FREE_FAILURES,
    account_in,
    token_for,
    wait_after,
)
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Account, SignInFailure
from storage.tables.people import AccountEvent
from tests.annotation.house import House
from tests.conftest import FakeClock
from tests.support.examples import scaled
from tests.support.refusals import code_of

PHRASE = "four plain words here"


@pytest.fixture
def ara(house: House) -> int:
    return accounts.add_account(house.ws, "ara", "Kim Ara", PHRASE).id


def test_a_token_stands_for_its_account_until_it_expires(
    house: House, ara: int, clock: FakeClock
) -> None:
    token = token_for(house.ws, ara)
    assert account_in(house.ws, token) == ara
    clock.now += people_sign_in.LASTS - timedelta(minutes=1)
    assert account_in(house.ws, token) == ara
    clock.now += timedelta(minutes=2)
    assert account_in(house.ws, token) is None


def test_a_ticket_is_short_lived_and_no_session(house: House, ara: int, clock: FakeClock) -> None:
    ticket = token_for(house.ws, ara, "ticket")
    assert account_in(house.ws, ticket, "ticket") == ara
    assert account_in(house.ws, ticket) is None
    assert account_in(house.ws, token_for(house.ws, ara), "ticket") is None
    clock.now += people_sign_in.TICKET_LASTS
    assert account_in(house.ws, ticket, "ticket") is None


def test_what_voids_a_token(house: House, ara: int) -> None:
    other = accounts.add_account(house.ws, "jun", "Park Jun", PHRASE).id
    kept = token_for(house.ws, other)
    for void in (
        lambda: accounts.set_password(house.ws, "ara", PHRASE + "!"),
        lambda: people_sign_in.sign_out(house.ws, ara),
        lambda: accounts.set_active(house.ws, "ara", False),
    ):
        token = token_for(house.ws, ara)
        assert account_in(house.ws, token) == ara
        void()
        assert account_in(house.ws, token) is None
    accounts.set_active(house.ws, "ara", True)
    assert account_in(house.ws, token) is None  # coming back does not bring old sessions back
    assert account_in(house.ws, kept) == other


@settings(
    max_examples=scaled(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_no_other_text_is_a_token(house: House, data: st.DataObject) -> None:
    people = accounts.list_accounts(house.ws) or [
        accounts.add_account(house.ws, "ara", "Kim Ara", PHRASE)
    ]
    token = token_for(house.ws, people[0].id)
    cut = data.draw(st.integers(0, len(token)))
    forged = (
        token[:cut] + data.draw(st.text(max_size=5)) + token[cut + data.draw(st.integers(0, 3)) :]
    )
    assert forged == token or account_in(house.ws, forged) is None


def test_no_token_is_nobody(house: House, ara: int) -> None:
    for nothing in (None, "", "...", f"{ara}.99999999999.0.", "²." * 3, "1.1.1." + "0" * 64):
        assert account_in(house.ws, nothing) is None


def test_the_key_is_its_owners_and_another_workspace_has_another(
    house: House, ara: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = token_for(house.ws, ara)
    file = house.ws.folder / "session.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(house.ws.folder.glob("session.key.*")) == []
    file.write_bytes(b"another key")
    assert account_in(house.ws, token) is None
    monkeypatch.setenv("TOUCHSTONE_SECRET", "x" * 32)
    token = token_for(house.ws, ara)
    assert account_in(Workspace(house.ws.folder, house.ws.clock), token) == ara
    monkeypatch.setenv("TOUCHSTONE_SECRET", "y" * 32)
    assert account_in(house.ws, token) is None
    monkeypatch.setenv("TOUCHSTONE_SECRET", "short")
    assert code_of(token_for, house.ws, ara) == "secret_short"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in, "REFUSAL_SECONDS", 0.0)


def knock(house: House, login: str, password: str, address: str = "10.0.0.1") -> str:
    try:
        return sign_in.sign_in(house.ws, login, password, address).login
    except UserError as error:
        return error.code


def test_every_refusal_is_alike(house: House, ara: int) -> None:
    accounts.add_account(house.ws, "provider", "Only Provider", None)
    accounts.add_account(house.ws, "gone", "Gone", PHRASE)
    accounts.set_active(house.ws, "gone", False)
    refused = (
        ("ara", PHRASE + "x"),
        ("ara", ""),
        ("nobody", PHRASE),
        ("provider", ""),
        ("gone", PHRASE),
        ("", ""),
        ("x" * 100_000, "y" * 100_000),
    )
    for number, (login, password) in enumerate(refused):
        assert knock(house, login, password, f"10.0.0.{number}") == "sign_in_refused"


def test_waits_grow_and_end() -> None:
    waits = [wait_after(n).total_seconds() for n in range(20)]
    assert waits[:7] == [0, 0, 0, 0, 2, 4, 8]
    assert waits == sorted(waits)
    assert waits[-1] == wait_after(10**9).total_seconds() == 900


@pytest.mark.parametrize("login", ["ara", "nobody"])
def test_guesses_are_slowed_down_whether_the_login_exists_or_not(
    house: House, ara: int, clock: FakeClock, login: str
) -> None:
    said = [knock(house, login, f"guess number {n}", f"10.0.0.{n}") for n in range(12)]
    assert said[:4] == ["sign_in_refused"] * 4
    assert "sign_in_wait" in said
    assert knock(house, login, PHRASE, "10.9.9.9") == "sign_in_wait"
    clock.now += timedelta(hours=1)
    expected = "ara" if login == "ara" else "sign_in_refused"
    assert knock(house, login, PHRASE, "10.9.9.9") == expected


def test_an_address_that_guesses_at_many_logins_is_slowed_down(
    house: House, ara: int, clock: FakeClock
) -> None:
    said = []
    for n in range(10):
        said.append(knock(house, f"login{n}", PHRASE))
        said.append(knock(house, "ara", PHRASE, "10.0.0.1"))  # covers nothing up
    assert "sign_in_wait" in said
    assert knock(house, "ara", PHRASE, "10.0.0.2") == "ara"


def test_a_login_that_succeeds_begins_anew(house: House, ara: int) -> None:
    for turn in range(4):
        for number in range(2):
            assert knock(house, "ara", "wrong", f"10.0.{turn}.{number}") == "sign_in_refused"
        assert knock(house, " ARA ", PHRASE, "b") == "ara"


def test_who_signs_in_makes_nobody_of_their_address_wait(
    house: House, ara: int, clock: FakeClock
) -> None:
    for number in range(FREE_FAILURES + 6):
        assert knock(house, f"nobody{number}", "wrong") == "sign_in_refused"
        clock.now += wait_after(number + 1)
    for _ in range(3):  # an office comes in, one after the other, behind one address
        assert knock(house, "ara", PHRASE) == "ara"
    assert knock(house, "another", "wrong") == "sign_in_refused"
    assert knock(house, "another", "wrong") == "sign_in_wait", "earlier guesses still count"


def failures(house: House) -> list[SignInFailure]:
    with house.ws.reading() as session:
        rows = list(session.exec(select(SignInFailure)))
        session.expunge_all()
        return rows


def test_only_the_last_hour_is_kept_and_nobody_is_named(house: House, clock: FakeClock) -> None:
    for number in range(5):
        knock(house, f"login{number}", PHRASE, f"10.0.0.{number}")
    kept = failures(house)
    assert len(kept) == 10
    plain = {hashlib.sha256(f"login:login{n}".encode()).hexdigest() for n in range(5)}
    assert not plain & {row.key_hash for row in kept}
    assert "login" not in repr([row.key_hash for row in kept])
    clock.now += FORGOTTEN_AFTER
    knock(house, "later", PHRASE, "10.0.0.9")
    assert sorted(row.failures for row in failures(house)) == [1, 1]


@pytest.mark.usefixtures("costly_passwords")
def test_guesses_at_once_at_two_servers_are_all_counted(house: House, ara: int) -> None:
    now = house.ws.clock()

    def guess(number: int) -> str:
        there = replace(house, ws=Workspace(house.ws.folder, lambda: now))
        return knock(there, "ara", "wrong", f"10.0.0.{number}")

    with ThreadPoolExecutor(8) as pool:
        said = Counter(pool.map(guess, range(12)))
    assert said == {"sign_in_refused": FREE_FAILURES + 1, "sign_in_wait": 12 - FREE_FAILURES - 1}
    assert max(row.failures for row in failures(house)) == FREE_FAILURES + 1


def test_as_much_is_worked_out_for_a_login_that_nobody_has(
    house: House, ara: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts.add_account(house.ws, "provider", "Only Provider", None)
    parameters = []

    class Counting(PasswordHasher):
        def verify(self, stored: str | bytes, password: str | bytes) -> Literal[True]:
            parameters.append(repr(extract_parameters(str(stored))))
            return super().verify(stored, password)

    monkeypatch.setattr(people_accounts, "HASHER", Counting(1, 8, 1))
    for number, login in enumerate(("ara", "nobody", "provider", "")):
        assert knock(house, login, "wrong", f"10.0.0.{number}") == "sign_in_refused"
    assert len(parameters) == 4
    assert len(set(parameters)) == 1


def test_a_password_replaced_while_it_was_looked_at_lets_nobody_in(
    house: House, ara: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(stored: str | None, password: str) -> bool:
        accounts.set_password(house.ws, "ara", "another four words")
        return people_accounts.verify(stored, password)

    monkeypatch.setattr(sign_in, "verify", slow)
    assert knock(house, "ara", PHRASE) == "sign_in_refused"


def test_attempts_are_on_the_accounts_record(house: House, ara: int) -> None:
    knock(house, "ara", "wrong password here", "10.0.0.7")
    knock(house, "ara", PHRASE)
    with house.ws.reading() as session:
        query = select(AccountEvent).order_by(col(AccountEvent.id))
        rows = [(row.kind, row.payload) for row in session.exec(query)]
    assert rows[1:] == [
        ("refused", {"address": "10.0.0.7"}),
        ("signed_in", {"address": "10.0.0.1"}),
    ]
    assert "wrong" not in repr(rows)


@pytest.mark.usefixtures("costly_passwords")
def test_a_hash_of_older_parameters_is_renewed_at_the_next_sign_in(house: House, ara: int) -> None:
    def stored() -> str:
        with house.ws.reading() as session:
            return session.get_one(Account, ara).password_hash or ""

    with house.ws.writing() as session:
        row = session.get_one(Account, ara)
        row.password_hash = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PHRASE)
        session.add(row)
    assert is_outdated(stored())
    assert knock(house, "ara", "wrong password here") == "sign_in_refused"
    assert is_outdated(stored())
    assert knock(house, "ara", PHRASE) == "ara"
    assert not is_outdated(stored())
    assert knock(house, "ara", PHRASE) == "ara"
