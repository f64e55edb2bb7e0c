"""A small run of `benchmarks/startup.py`."""

from __future__ import annotations

import json

import pytest

from benchmarks import startup
from tests.conftest import ROOT


@pytest.mark.long
def test_starts_are_measured_in_turn_with_another_checkout(capsys) -> None:
    arguments = ["--rounds", "1", "--only", "help", "--before", str(ROOT), "--json"]
    assert startup.main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["cli_help_seconds", "cli_help_seconds_before", "cli_help_ratio"]
    assert all(each["n"] == 1 and each["value"] > 0 for each in told.values())


def test_a_folder_that_is_no_checkout_is_said(tmp_path, capsys) -> None:
    assert startup.main(["--before", str(tmp_path)]) == 2
    assert "no checkout" in capsys.readouterr().err


def test_only_known_starts_can_be_named() -> None:
    assert startup.starts_of("app, help") == ("app", "help")
    with pytest.raises(ValueError, match="status"):
        startup.starts_of("stop")
