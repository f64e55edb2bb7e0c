"""Tables, choices, notices, plain texts, uploads and what reports keep."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from annotation.people.members import PersonView
from corpus.compare.diff import DiffKind
from messages import say
from pages.shell import widgets
from pages.shell.bundle import joined
from pages.shell.context import Context
from pages.shell.plain_text import Span, split_by_marks, text_pieces
from pages.shell.reports import cached
from pages.shell.uploads import PLAIN_MB, archive_help, megabytes
from services.archives import MIB, Limits
from storage.db.workspace import Workspace
from tests.conftest import ROOT
from tests.pages.small_project import HOSTILE


def script(language: str) -> None:
    from types import SimpleNamespace

    from messages import say
    from pages.shell.widgets import draw_table

    context: Any = SimpleNamespace(say=lambda key: say(key, language))
    columns = {"question": ["a"], "compare.became": ["b"], "nDCG@10": [0.5]}
    draw_table(context, "gold", columns, wide="question")


def test_the_catalogue_names_the_columns_of_a_table():
    at = AppTest.from_function(script, kwargs={"language": "ko"}, default_timeout=30).run()
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


def script_notice(line: str) -> None:
    import streamlit as st

    from pages.shell.notices import redraw_with, show_remembered

    show_remembered("notice")
    if st.button("act"):
        redraw_with("notice", line, "")


def act(line: str) -> AppTest:
    at = AppTest.from_function(script_notice, kwargs={"line": line}).run()
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


def test_every_upload_says_how_large_a_file_may_be():
    asked, widgets = 0, ("file_uploader", "file")  # the latter of `Fields`
    for file in sorted((ROOT / "pages").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            called = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in widgets
            if isinstance(node, ast.Call) and called and file.name != "fields.py":
                asked += 1
                said = {each.arg: ast.unparse(each.value) for each in node.keywords}
                archives = said.get("help", "").startswith(("archive_help(", "bounds"))
                assert archives != ("max_upload_size" in said), f"{file.name}:{node.lineno}"
    assert asked > 10


def test_what_takes_archives_tells_all_three_bounds():
    who = PersonView(1, "Lee Sora", "researcher", True, None)
    context = Context(Workspace(Path("nowhere")), "fire", who, "en")
    said = archive_help(context, "An archive.")
    assert said.startswith("An archive.\n\n")
    assert all(f"{each} MB" in said for each in (200, Limits().total_bytes // MIB, PLAIN_MB))


def test_bounds_are_whole_megabytes():
    assert [megabytes(size, False) for size in (1, MIB, MIB + 1)] == [1, 1, 2]
    assert [megabytes(size, True) for size in (100_000, 600_000)] == [1, 3]


def test_what_is_derived_is_kept_until_version_or_arguments_change() -> None:
    context: Any = SimpleNamespace(here=("ws", "p"), project="p")
    context.workspace = SimpleNamespace(place="test_what_is_derived")
    calls: list[tuple[object, ...]] = []

    def derive(*args: object, **options: object) -> int:
        calls.append((*args, *options.items()))
        return len(calls)

    assert cached(context, "1", derive, "a", split="x") == 1
    assert cached(context, "1", derive, "a", split="x") == 1
    assert cached(context, "1", derive, "a", split="y") == 2
    assert cached(context, "2", derive, "a", split="x") == 3
    assert calls[0] == ("ws", "p", "a", ("split", "x"))


spans = st.lists(st.tuples(st.integers(-2, 30), st.integers(-2, 30)), max_size=6)


@given(st.text(max_size=25), spans, spans)
def test_pieces_are_the_text_and_carry_exactly_their_marks(
    text: str, marks: list[tuple[int, int]], cited: list[tuple[int, int]]
):
    pieces = text_pieces(text, marks, cited)
    assert "".join(piece for piece, _ in pieces) == text
    assert all(piece for piece, _ in pieces)
    bits = [bit for piece, bit in pieces for _ in piece]
    for place, bit in enumerate(bits):
        assert bool(bit & 1) == any(start <= place < end for start, end in marks)
        assert bool(bit & 2) == any(start <= place < end for start, end in cited)


def test_overlapping_marks_are_cut_where_they_start_and_end():
    assert split_by_marks("abcdef", {"match": [(1, 4)], "pinpoint": [(2, 6)]}) == [
        Span("a"),
        Span("b", ("match",)),
        Span("cd", ("match", "pinpoint")),
        Span("ef", ("pinpoint",)),
    ]


def test_the_text_reaches_the_browser_as_data():
    def script():
        from pages.shell.plain_text import plain_text

        plain_text("<img src=x onerror=alert(1)>\n**b**", "key", "lead", "ko", 100)

    at = AppTest.from_function(script).run()
    assert "<img src=x onerror=alert(1)>" in str(at.main.children[0].proto)


def test_every_mark_of_a_comparison_has_a_look():
    style = joined(("shell/frontend/plain_text",), "css")
    for kind in (DiffKind.REMOVED, DiffKind.INSERTED):
        assert f".{kind} {{" in style
