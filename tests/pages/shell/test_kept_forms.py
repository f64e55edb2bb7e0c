"""A form keeps what was entered between two presses, whichever drawings a busy browser misses.

The browser is sent the newest drawing of each place: one that is overtaken is never sent. So a
value that goes with one drawing alone may never come, and the widget is drawn empty and says so to
the server. Here the browser sees the last drawing only, as it does under load.

What is entered repeats itself after six turns: ``TOUCHSTONE_FORM_REPEATS=200`` asks for more.
"""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from tests.support.examples import repeats

REPEATS = repeats(6)
EDGES = ["cites", "defines", "delegates"]


def _form() -> None:
    import streamlit as st

    from pages.shell.draft_state import kept_choice, kept_choices, kept_place, kept_value

    def draw() -> None:
        edges = ["cites", "defines", "delegates"]
        st.multiselect("edges", edges, **kept_choices("form", "edges", edges, ["delegates"]))
        st.number_input("number", 1, 1000, **kept_value("form", "number", 100))
        st.text_input("models", **kept_value("form", "models", ""))
        st.checkbox("again", **kept_value("form", "again", False))
        st.selectbox("filters", edges, **kept_place("form", "filters", edges, "defines"))
        st.segmented_control("kind", edges, **kept_choice("form", "kind", edges, "cites"))

    if not st.session_state.get("busy"):  # while something is under way the form is away
        draw()


def browser(at: AppTest) -> dict[str, Any]:
    """What widgets hold that a browser draws for the first time from the last drawing alone."""
    edges, number = at.multiselect[0].proto, at.number_input[0].proto
    models, again = at.text_input[0].proto, at.checkbox[0].proto
    filters, kind = at.selectbox[0].proto, at.segmented_control[0].proto
    one = list(kind.raw_values) if kind.set_value else [EDGES[place] for place in kind.default]
    chosen = edges.raw_values if edges.set_value else [EDGES[place] for place in edges.default]
    return {
        "edges": list(chosen),
        "number": number.value if number.set_value else number.default,
        "models": models.value if models.set_value else models.default,
        "again": again.value if again.set_value else again.default,
        "filters": filters.raw_value if filters.set_value else EDGES[filters.default],
        "kind": one[0],
    }


def test_first_values_and_what_was_entered_come_with_every_drawing() -> None:
    at = AppTest.from_function(_form).run()
    first = {"edges": ["delegates"], "number": 100, "models": "", "again": False}
    first |= {"filters": "defines", "kind": "cites"}
    assert browser(at) == first
    assert browser(at.run()) == first  # the one before was overtaken
    for turn in range(REPEATS):
        said: dict[str, Any] = {
            "edges": EDGES[: 1 + turn % 3],
            "number": 1 + turn,
            "models": f"model {turn}",
            "again": turn % 2 == 0,
            "filters": EDGES[turn % 3],
            "kind": EDGES[(turn + 1) % 3],
        }
        at.multiselect[0].set_value(said["edges"])
        at.number_input[0].set_value(said["number"])
        at.text_input[0].set_value(said["models"])
        at.checkbox[0].set_value(said["again"])
        at.selectbox[0].set_value(said["filters"])
        at.segmented_control[0].set_value(said["kind"])
        at.run()  # the first press
        at.session_state["busy"] = True
        at.run()
        assert not at.number_input
        at.session_state["busy"] = False
        at.run()  # overtaken before it was sent
        at.run()
        assert browser(at) == said, f"turn {turn}"
        fields = at.number_input, at.text_input, at.selectbox, at.segmented_control
        names = "number", "models", "filters", "kind"
        assert [each[0].value for each in fields] == [said[name] for name in names]
        assert not at.warning


def test_a_choice_that_is_gone_is_left_out() -> None:
    def form() -> None:
        import streamlit as st

        from pages.shell.draft_state import kept_choices, kept_place

        edges = st.session_state.get("edges-there", ["a", "b"])
        if not st.session_state.get("busy"):
            st.multiselect("edges", edges, **kept_choices("form", "edges", edges, ["a", "b"]))
            st.selectbox("one", edges, **kept_place("form", "one", edges, "a"))

    at = AppTest.from_function(form).run()
    at.multiselect[0].set_value(["b"])
    at.selectbox[0].set_value("b").run()
    at.session_state["busy"] = True
    at.run()
    at.session_state["busy"], at.session_state["edges-there"] = False, ["a"]
    at.run()
    assert at.multiselect[0].value == []
    assert at.selectbox[0].value == "a"
