"""What every command shares: options, errors, JSON, progress, and text files by their ending."""

from __future__ import annotations

import io
import json
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import commands.shell.progress
from commands.shell.state import (
    EXIT_USER_ERROR,
    common_options_first,
    new_state,
    print_json,
    report_user_error,
)
from commands.shell.tables import check_ending, read_text, write_table
from errors import UserError, Where
from tests.support.refusals import code_of


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


WRITERS = {".csv": "a,{}".format, ".md": "| {} |".format, ".tex": r"\cell{{{}}}".format}


@pytest.mark.parametrize(
    ("name", "text"), [("t.csv", "a,1"), ("t.MD", "| 1 |"), ("t.tex", r"\cell{1}")]
)
def test_a_value_is_written_as_the_ending_says(tmp_path: Path, name: str, text: str) -> None:
    write_table(tmp_path / name, 1, WRITERS)
    assert (tmp_path / name).read_text("utf-8") == text
    write_table(None, 1, WRITERS)
    assert len(list(tmp_path.iterdir())) == 1


def test_an_ending_that_nobody_writes_is_refused(tmp_path: Path) -> None:
    check_ending(None, ".csv")
    check_ending(tmp_path / "x.CSV", ".csv")
    with pytest.raises(UserError) as refused:
        check_ending(tmp_path / "x.pdf", ".csv", ".json", error="map_ending")
    assert (refused.value.code, refused.value.where.file) == ("map_ending", str(tmp_path / "x.pdf"))


def test_a_folder_that_is_not_there_is_the_users_to_mend(tmp_path: Path) -> None:
    assert code_of(write_table, tmp_path / "no" / "t.csv", 1, WRITERS) == "report_unwritable"


def test_a_text_is_read_without_its_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "text.yaml"
    file.write_bytes(b"\xef\xbb\xbfkey: 1\n")
    assert read_text(file) == "key: 1\n"
    file.write_bytes(b"\xb0\xa1")
    for path, code in ((file, "guideline_file"), (tmp_path / "none", "typology_file")):
        assert code_of(read_text, path, code) == code


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def heard(said: str) -> list[str]:
    """The lines without their seconds."""
    return [line.rpartition(" (")[0] for line in said.splitlines()]


@pytest.mark.parametrize("as_json", [False, True])
def test_long_work_is_told_of_line_by_line_where_there_is_no_terminal(
    as_json: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(commands.shell.progress, "SECONDS_BETWEEN_LINES", 0.0)
    monkeypatch.setattr(commands.shell.progress, "_POLL_SECONDS", 60.0)
    with new_state(tmp_path, None, as_json).progress("Embedding") as report:
        report(1_000, 6_000)
        report(3, 7, "line 1 of 2 (a [b])")
    said = capsys.readouterr()
    assert heard(said.err) == [
        "Embedding: 1,000 of 6,000",
        "Embedding line 1 of 2 (a [b]): 3 of 7",
    ]
    assert said.out == ""


def test_work_that_says_nothing_for_long_is_told_of_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commands.shell.progress, "SECONDS_BETWEEN_LINES", 0.02)
    monkeypatch.setattr(commands.shell.progress, "_POLL_SECONDS", 0.01)
    with new_state(tmp_path, None, False).progress("Fitting") as report:
        time.sleep(0.2)
        report(1, 9)
        time.sleep(0.2)
    told = heard(capsys.readouterr().err)
    assert told[0] == "Fitting"
    assert told[-1] == "Fitting: 1 of 9"


def test_work_of_a_moment_writes_nothing_into_a_pipe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with new_state(tmp_path, None, False).progress("Fitting") as report:
        report(9, 9)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_gets_a_bar_unless_an_object_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for as_json in (False, True):
        drawn = Terminal()
        monkeypatch.setattr(sys, "stderr", drawn)
        with new_state(tmp_path, None, as_json).progress("Fitting") as report:
            report(9, 9)
        assert ("9/9" in drawn.getvalue()) is not as_json
