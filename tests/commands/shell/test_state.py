from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands.shell.state import (
    EXIT_USER_ERROR,
    common_options_first,
    new_state,
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


def test_long_work_is_told_of_line_by_line_where_there_is_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("commands.shell.state.SECONDS_BETWEEN_LINES", 0.0)
    with new_state(tmp_path, None, False).progress("Embedding") as report:
        report(1_000, 6_000)
        report(3, 7, "line 1 of 2 (a [b])")
    told = "Embedding: 1,000 of 6,000\nEmbedding line 1 of 2 (a [b]): 3 of 7\n"
    assert capsys.readouterr().err == told
    with new_state(tmp_path, None, True).progress("Embedding") as report:
        report(1_000, 6_000)
    assert capsys.readouterr().err == ""
