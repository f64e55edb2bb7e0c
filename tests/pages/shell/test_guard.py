"""What is shown when something fails."""

from __future__ import annotations

import logging
import re
import string
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from messages import say
from pages.shell.guard import md_literal
from serving import runtime


@given(st.text(alphabet=string.printable + "가「"))
def test_plain_escapes_every_sign_of_markdown_and_loses_nothing(text: str):
    escaped = md_literal(text)
    assert re.sub(r"\\(.)", r"\1", escaped) == text
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_\[\]<>$~:#|=&@\"'^%]", escaped)


def broken() -> None:
    from pages.shell.guard import crashed

    try:
        raise KeyError("<b>person-picker</b>")
    except KeyError as error:
        assert crashed(error, "en") is True, "Streamlit draws nothing of its own"


def test_what_nothing_else_caught_shows_its_id_and_a_way_to_reload(
    caplog: pytest.LogCaptureFixture,
):
    with caplog.at_level(logging.ERROR, logger="touchstone"):
        at = AppTest.from_function(broken, default_timeout=100).run()
    identity = caplog.records[0].getMessage().removeprefix("defect ")
    assert [each.value for each in at.error] == [say("app.defect", id=identity)]
    (link,) = at.get("html")
    assert 'href=""' in link.proto.body and f">{say('app.reload')}</a>" in link.proto.body
    assert "person-picker" not in at.error[0].value + link.proto.body


def test_the_server_has_our_page_drawn_where_a_callback_fails(monkeypatch: pytest.MonkeyPatch):
    asked: list[Any] = []

    def made(config: object) -> object:
        asked.append(config)
        return SimpleNamespace()

    monkeypatch.setattr(runtime, "Runtime", made)
    drawn = lambda error: True  # noqa: E731
    runtime.ServedApp(Path("app.py"), drawn)._create_runtime()
    assert asked[0].on_script_error is drawn
