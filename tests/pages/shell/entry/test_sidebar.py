"""Every screen has a room; what is chosen has the words of the screen's language, and stays."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest

from app import PAGES
from pages.shell.entry import screens
from pages.shell.entry.sidebar import follow_language


def test_a_screen_is_drawn_by_its_module() -> None:
    for name in sorted(PAGES):
        assert callable(screens.screen(name).render), name


def screen() -> None:
    import streamlit as st

    korean = st.checkbox("Korean")
    words = {"": "모두", "a": "사과"} if korean else {"": "All", "a": "Apple"}
    st.selectbox("list", list(words), 1, words.__getitem__, key="list")
    st.selectbox("first", list(words), 0, words.__getitem__, key="first")
    st.radio("radio", list(words), 1, words.__getitem__, key="radio")
    st.multiselect("several", list(words), ["a"], words.__getitem__, key="several")
    st.text_input("text", "Apple", key="text")


def told(at: AppTest) -> list[Any]:
    """Return what the browser is told to show as chosen, None where it goes on as it is."""
    one = [each.proto for each in (*at.selectbox, *at.radio)]
    found: list[Any] = [each.raw_value if each.set_value else None for each in one]
    several, text = at.multiselect[0].proto, at.text_input[0].proto
    found.append(list(several.raw_values) if several.set_value else None)
    return [*found, text.value if text.set_value else None]


@pytest.fixture
def following(monkeypatch: pytest.MonkeyPatch) -> None:
    """Follow the language as the app does, for one test."""
    monkeypatch.setattr(SessionState, "register_widget", SessionState.register_widget)
    follow_language()


@pytest.mark.usefixtures("following")
def test_the_browser_is_told_the_words_when_they_change_and_only_then() -> None:
    at = AppTest.from_function(screen).run()
    assert told(at) == [None] * 5
    at.checkbox[0].check().run()
    assert told(at) == ["사과", "모두", "사과", ["사과"], None]
    assert [each.value for each in at.selectbox] == ["a", ""]
    assert (at.radio[0].value, at.multiselect[0].value) == ("a", ["a"])
    at.run()
    assert told(at) == [None] * 5
