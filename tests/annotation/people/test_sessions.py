from __future__ import annotations

import stat
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.people import accounts, sessions
from annotation.people.sessions import account_in, token_for
from errors import UserError
from storage.db.workspace import Workspace
from tests.annotation.house import House
from tests.conftest import FakeClock

PHRASE = "four plain words here"


@pytest.fixture
def ara(house: House) -> int:
    return accounts.add_account(house.ws, "ara", "Kim Ara", PHRASE).id


def test_a_token_stands_for_its_account_until_it_expires(
    house: House, ara: int, clock: FakeClock
) -> None:
    token = token_for(house.ws, ara)
    assert account_in(house.ws, token) == ara
    clock.now += sessions.LASTS - timedelta(minutes=1)
    assert account_in(house.ws, token) == ara
    clock.now += timedelta(minutes=2)
    assert account_in(house.ws, token) is None


def test_a_ticket_is_short_lived_and_no_session(house: House, ara: int, clock: FakeClock) -> None:
    ticket = token_for(house.ws, ara, "ticket")
    assert account_in(house.ws, ticket, "ticket") == ara
    assert account_in(house.ws, ticket) is None
    assert account_in(house.ws, token_for(house.ws, ara), "ticket") is None
    clock.now += sessions.TICKET_LASTS
    assert account_in(house.ws, ticket, "ticket") is None


def test_what_voids_a_token(house: House, ara: int) -> None:
    other = accounts.add_account(house.ws, "jun", "Park Jun", PHRASE).id
    kept = token_for(house.ws, other)
    for void in (
        lambda: accounts.set_password(house.ws, "ara", PHRASE + "!"),
        lambda: sessions.sign_out(house.ws, ara),
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
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
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
    with pytest.raises(UserError) as caught:
        token_for(house.ws, ara)
    assert caught.value.code == "secret_short"
