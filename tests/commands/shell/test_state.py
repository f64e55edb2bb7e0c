from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands.shell.state import (
    EXIT_USER_ERROR,
    common_options_first,
    print_json,
    report_user_error,
)
from errors import UserError, Where


def test_common_options_may_stand_after_the_command() -> None:
    typed = ["import", "statutes", "law", "--json", "--workspace", "w", "--project=p"]
    assert common_options_first(typed) == [
        "--json", "--workspace", "w", "--project=p", "import", "statutes", "law",
    ]  # fmt: skip


def test_nothing_moves_from_behind_two_dashes() -> None:
    assert common_options_first(["person", "--", "--json"]) == ["person", "--", "--json"]


@given(st.lists(st.sampled_from(["--json", "--project", "--workspace", "x", "init", "--", "-h"])))
def test_no_word_is_lost_or_made(words: list[str]) -> None:
    assert sorted(common_options_first(words)) == sorted(words)


def test_a_mendable_error_says_place_fault_and_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    error = UserError("workspace_missing", Where(file="here", line=3, field="name"))
    assert report_user_error(error, as_json=False) == EXIT_USER_ERROR
    printed = capsys.readouterr().err
    assert 'here, line 3, field "name"' in printed
    assert "Remedy: Create one with" in printed


def test_a_mendable_error_is_one_object_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    report_user_error(UserError("workspace_missing", Where(file="here")), as_json=True)
    printed = json.loads(capsys.readouterr().out)
    assert printed["error"] == "workspace_missing"
    assert printed["file"] == "here"
    assert printed["remedy"]


def test_json_is_whole_where_the_terminal_lacks_a_character(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii", write_through=True))
    print_json({"name": "법 \udcff 🙂"})
    assert json.loads(raw.getvalue()) == {"name": "법 \udcff 🙂"}
