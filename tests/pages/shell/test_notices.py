from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.pages.small_project import HOSTILE


def script(line: str) -> None:
    import streamlit as st

    from pages.shell.notices import remember, show_remembered

    show_remembered("notice")
    if st.button("act"):
        remember("notice", line, "")
        st.rerun()


def test_what_came_of_an_action_is_shown_once_and_as_text():
    at = AppTest.from_function(script, kwargs={"line": HOSTILE}).run()
    at.button[0].click().run()
    assert len(at.success) == 1
    assert "**bold**" not in at.success[0].value
    assert not at.run().success


def test_a_line_of_a_list_stays_one():
    at = AppTest.from_function(script, kwargs={"line": "- 3 *not* resolved"}).run()
    at.button[0].click().run()
    assert at.success[0].value.startswith("- 3 \\*not\\* resolved")


def test_what_follows_keeps_its_place_when_the_words_go():
    at = AppTest.from_function(script, kwargs={"line": "done"}).run()
    before = list(at.main.children)
    at.button[0].click().run()
    assert at.success and list(at.main.children) == before
