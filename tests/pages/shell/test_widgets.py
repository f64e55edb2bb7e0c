from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from messages import say
from pages.shell import widgets


def script(language: str) -> None:
    from types import SimpleNamespace
    from typing import Any

    from messages import say
    from pages.shell.widgets import draw_table

    context: Any = SimpleNamespace(say=lambda key: say(key, language))
    columns = {"question": ["a"], "compare.became": ["b"], "nDCG@10": [0.5]}
    draw_table(context, "gold", columns, wide="question")


def test_the_catalogue_names_the_columns_of_a_table():
    at = AppTest.from_function(script, kwargs={"language": "ko"}).run()
    named = [say("gold.question", "ko"), say("compare.became", "ko"), "nDCG@10"]
    assert list(at.dataframe[0].value.columns) == named


def test_a_choice_that_is_forgotten_or_the_same_does_nothing(monkeypatch: pytest.MonkeyPatch):
    held: list[tuple[dict[str, object], list[object]]] = [({}, []), ({"picker": 3}, [])]
    held += [({"picker": 5}, [5]), ({"picker": None}, [None])]
    for state, acts in held:
        monkeypatch.setattr("pages.shell.widgets.st.session_state", state)
        done: list[object] = []
        widgets.picked("picker", 3, done.append)
        assert done == acts


def test_no_callback_reads_a_widget_that_may_be_gone():
    """`on_change=lambda: act(st.session_state[key])` failed where Streamlit had forgotten it."""
    risky = re.compile(r"on_(?:change|click|select)=lambda[^\n]*(?:\n[^\n]*)?st\.session_state\[")
    files = [Path("app.py"), *Path("pages").rglob("*.py")]
    assert [str(file) for file in files if risky.search(file.read_text("utf-8"))] == []
