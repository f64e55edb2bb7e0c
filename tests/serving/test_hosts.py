"""Unit tests of serving/hosts.py and settings.py: which names are ours, and who signs in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit import config

from serving import settings
from serving.hosts import LOOPBACK, allowed_names, given_names, host_name
from serving.settings import team_mode
from tests.support.refusals import code_of


def test_an_unknown_mode_opens_no_door(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not team_mode()
    monkeypatch.setenv("TOUCHSTONE_MODE", " Team ")
    assert team_mode()
    monkeypatch.setenv("TOUCHSTONE_MODE", "tea")
    assert code_of(team_mode) == "mode_unknown"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("localhost", "localhost"),
        ("LOCALHOST:8501", "localhost"),
        ("example.org.", "example.org"),
        ("example.org.:443", "example.org"),
        ("xn--9m1b22a.kr:80", "xn--9m1b22a.kr"),
        ("127.0.0.1:1", "127.0.0.1"),
        ("[::1]:8501", "::1"),
        ("[0:0:0:0:0:0:0:1]", "::1"),
        ("[2001:DB8::1]", "2001:db8::1"),
        ("under_score", "under_score"),
        ("example.org:", "example.org"),
    ],
)
def test_a_name_is_compared_without_case_port_brackets_and_last_dot(said: str, name: str) -> None:
    assert host_name(said) == name


@pytest.mark.parametrize(
    "said",
    [
        "", ".", "..", "a..b", "example.org..", ":80", "[]", "[::1", "::1", "[::1]x", "[::1%25lo]",
        "[localhost]", "a:b", "a:80:80", "a:123456", "a b", "a/b", "a@b", "a,b", "http://a", "*",
        "*.example.org", "a?b", "a#b", "a\\b", "a%2eb", "localhost\x00", "localhost\n", "é", "-a",
        "a" * 254,
    ],
)  # fmt: skip
def test_what_is_no_one_name_is_none(said: str) -> None:
    assert host_name(said) is None


@given(st.text(max_size=40))
def test_no_text_is_a_name_by_being_near_one(said: str) -> None:
    name = host_name(said)
    if name in LOOPBACK:
        plain = said.lower().strip("[]").partition("]")[0]
        assert plain.startswith(("localhost", "127.0.0.1")) or ":" in plain


@given(st.sampled_from(sorted(LOOPBACK)), st.text(min_size=1, max_size=9))
def test_a_name_with_more_around_it_is_another(name: str, more: str) -> None:
    port = more.startswith(":") and more[1:].isascii() and more[1:].isdigit() and len(more) < 7
    if not port and more not in (":", ".", ".:"):
        plain = f"[{name}]" if ":" in name else name
        assert host_name(f"{plain}{more}") != name or more.startswith(".:")
        assert host_name(f"{more}{plain}") not in LOOPBACK


def test_names_are_given_in_any_script_and_spelling() -> None:
    given_ones = ["Touchstone.Example.org:443", "::1", "[2001:db8::1]", "2001:db8::2", "터치.kr"]
    assert allowed_names(given_ones) == LOOPBACK | {
        "touchstone.example.org",
        "2001:db8::1",
        "2001:db8::2",
        "xn--v96b15c.kr",
    }


@pytest.mark.parametrize("said", ["*", "*.example.org", "http://a.example", "a b", "", "a/b", "."])
def test_a_name_that_would_let_in_many_or_none_is_refused(said: str) -> None:
    assert code_of(allowed_names, [said]) == "host_name_bad"


@pytest.fixture
def fresh() -> Iterator[None]:
    settings.served_names.cache_clear()
    before = {name: config.get_option(name) for name in ("server.address", "browser.serverAddress")}
    yield
    for name, value in before.items():
        config.set_option(name, value)
    settings.served_names.cache_clear()


def test_every_setting_that_says_a_name_counts(
    fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOUCHSTONE_HOSTS", " one.example , ,two.example:8501")
    back = "https://door.example:{port}/oauth2callback"
    monkeypatch.setattr(settings, "_auth", lambda: {"redirect_uri": back})
    monkeypatch.setattr(config, "is_manually_set", lambda _name: True)
    config.set_option("server.address", "192.0.2.7")
    config.set_option("browser.serverAddress", "https://typed.example/x")
    assert settings.served_names() - LOOPBACK == {
        "one.example", "two.example", "192.0.2.7", "typed.example", "door.example",
    }  # fmt: skip


@pytest.mark.parametrize("address", ["0.0.0.0", "::"])  # noqa: S104
def test_every_address_at_once_is_no_name(
    fresh: None, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.delenv("TOUCHSTONE_HOSTS", raising=False)
    config.set_option("server.address", address)
    assert given_names() == []
    assert settings.served_names() == LOOPBACK
