from __future__ import annotations

from datetime import timedelta

import pytest
from argon2 import PasswordHasher
from sqlmodel import col, select

from annotation import accounts, sign_in
from annotation.passwords import is_outdated
from annotation.sign_in import Door, wait_after
from errors import UserError
from storage.account_table import Account
from storage.people_tables import AccountEvent
from tests.annotation.house import House
from tests.conftest import FakeClock

PHRASE = "four plain words here"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in, "REFUSAL_SECONDS", 0.0)


@pytest.fixture
def ara(house: House) -> int:
    return accounts.add_account(house.ws, "ara", "Kim Ara", PHRASE).id


def knock(house: House, door: Door, login: str, password: str, address: str = "10.0.0.1") -> str:
    try:
        return sign_in.sign_in(house.ws, login, password, address, door).login
    except UserError as error:
        return error.code


def test_the_right_password_signs_in(house: House, ara: int) -> None:
    assert sign_in.sign_in(house.ws, " ARA ", PHRASE, "10.0.0.1", Door()).id == ara


def test_every_refusal_is_alike(house: House, ara: int) -> None:
    accounts.add_account(house.ws, "provider", "Only Provider", None)
    accounts.add_account(house.ws, "gone", "Gone", PHRASE)
    accounts.set_active(house.ws, "gone", False)
    for login, password in (
        ("ara", PHRASE + "x"),
        ("ara", ""),
        ("nobody", PHRASE),
        ("provider", ""),
        ("gone", PHRASE),
        ("", ""),
        ("x" * 100_000, "y" * 100_000),
    ):
        assert knock(house, Door(), login, password) == "sign_in_refused"


def test_waits_grow_and_end() -> None:
    waits = [wait_after(n).total_seconds() for n in range(20)]
    assert waits[:7] == [0, 0, 0, 0, 2, 4, 8]
    assert waits == sorted(waits)
    assert waits[-1] == wait_after(10**9).total_seconds() == 900


@pytest.mark.parametrize("login", ["ara", "nobody"])
def test_guesses_are_slowed_down_whether_the_login_exists_or_not(
    house: House, ara: int, clock: FakeClock, login: str
) -> None:
    door = Door()
    said = [knock(house, door, login, f"guess number {n}", f"10.0.0.{n}") for n in range(12)]
    assert said[:4] == ["sign_in_refused"] * 4
    assert "sign_in_wait" in said
    assert knock(house, door, login, PHRASE, "10.9.9.9") == "sign_in_wait"
    clock.now += timedelta(hours=1)
    expected = "ara" if login == "ara" else "sign_in_refused"
    assert knock(house, door, login, PHRASE, "10.9.9.9") == expected


def test_an_address_that_guesses_at_many_logins_is_slowed_down(
    house: House, ara: int, clock: FakeClock
) -> None:
    door = Door()
    said = []
    for n in range(10):
        said.append(knock(house, door, f"login{n}", PHRASE))
        said.append(knock(house, door, "ara", PHRASE, "10.0.0.1"))  # covers nothing up
    assert "sign_in_wait" in said
    assert knock(house, door, "ara", PHRASE, "10.0.0.2") == "ara"


def test_a_login_that_succeeds_begins_anew(house: House, ara: int) -> None:
    door = Door()
    for _ in range(4):
        assert [knock(house, door, "ara", "wrong", "a") for _ in range(2)] == [
            "sign_in_refused"
        ] * 2
        assert knock(house, door, "ara", PHRASE, "b") == "ara"
        door.succeed("login:x", "address:a", house.ws.clock())
        door.succeed("login:x", "address:a", house.ws.clock())


def test_the_door_remembers_only_so_much(
    house: House, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in, "_REMEMBERED", 10)
    door = Door()
    for n in range(100):
        door.fail((f"login:{n}", "address:same"), clock())
    assert len(door._failures) == 10
    assert "address:same" in door._failures


def test_attempts_are_on_the_accounts_record(house: House, ara: int) -> None:
    knock(house, Door(), "ara", "wrong password here", "10.0.0.7")
    knock(house, Door(), "ara", PHRASE)
    with house.ws.reading() as session:
        query = select(AccountEvent).order_by(col(AccountEvent.id))
        rows = [(row.kind, row.payload) for row in session.exec(query)]
    assert rows[1:] == [
        ("refused", {"address": "10.0.0.7"}),
        ("signed_in", {"address": "10.0.0.1"}),
    ]
    assert "wrong" not in repr(rows)


def test_a_hash_of_older_parameters_is_renewed_at_the_next_sign_in(house: House, ara: int) -> None:
    def stored() -> str:
        with house.ws.reading() as session:
            return session.get_one(Account, ara).password_hash or ""

    with house.ws.writing() as session:
        row = session.get_one(Account, ara)
        row.password_hash = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PHRASE)
        session.add(row)
    assert is_outdated(stored())
    assert knock(house, Door(), "ara", "wrong password here") == "sign_in_refused"
    assert is_outdated(stored())
    assert knock(house, Door(), "ara", PHRASE) == "ara"
    assert not is_outdated(stored())
    assert knock(house, Door(), "ara", PHRASE) == "ara"
