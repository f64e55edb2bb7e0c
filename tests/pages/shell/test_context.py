"""The address says what the session chose, also where a link has told the server already."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from pages.shell import context


class Address(dict[str, str]):
    """Query parameters as Streamlit has them: each assignment goes to the browser."""

    def __init__(self, **named: str) -> None:
        super().__init__(named)
        self.sent: list[tuple[str, str]] = []

    def __setitem__(self, name: str, value: str) -> None:
        super().__setitem__(name, value)
        self.sent.append((name, value))


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    streamlit = SimpleNamespace(session_state={}, query_params=Address())
    monkeypatch.setattr(context, "st", streamlit)
    yield streamlit


def test_what_was_chosen_is_sent_once(browser: SimpleNamespace) -> None:
    context.read_address()
    browser.session_state["chosen_person"] = "1"
    for _ in range(3):
        context.write_address()
    assert browser.query_params.sent == [("person", "1")]


def test_a_link_that_broke_the_run_off_does_not_leave_the_browser_behind(
    browser: SimpleNamespace,
) -> None:
    context.read_address()
    browser.session_state["chosen_person"] = "1"
    browser.query_params = Address(person="1")  # of the link that was followed meanwhile
    context.write_address()
    assert browser.query_params.sent == [("person", "1")]


def test_an_address_that_names_everything_stays_as_it_is(browser: SimpleNamespace) -> None:
    browser.query_params = Address(project="sample", person="2", lang="ko")
    context.read_address()
    context.write_address()
    assert browser.query_params.sent == []


def test_what_is_chosen_no_longer_leaves_the_address(browser: SimpleNamespace) -> None:
    browser.query_params = Address(person="2")
    context.read_address()
    browser.session_state["chosen_person"] = None
    context.write_address()
    assert browser.query_params == {}
