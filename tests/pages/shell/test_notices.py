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


def act(line: str) -> AppTest:
    at = AppTest.from_function(script, kwargs={"line": line}).run()
    before = list(at.main.children)
    at.button[0].click().run()
    assert list(at.main.children) == before, "what follows keeps its place"
    return at


def test_what_came_of_an_action_is_shown_once_and_as_text():
    at = act(HOSTILE)
    assert len(at.success) == 1
    assert "**bold**" not in at.success[0].value
    assert not at.run().success
    at = act("- 3 *not* resolved")
    assert at.success[0].value.startswith("- 3 \\*not\\* resolved"), "a line of a list stays one"
