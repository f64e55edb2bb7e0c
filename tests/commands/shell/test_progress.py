from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import pytest

import commands.shell.progress
from commands.shell.state import new_state


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
