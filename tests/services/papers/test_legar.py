"""The recipe of LEGAR BENCH fills its tables on the sample, and says what a model's tags made."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.mark.long
def test_every_table_is_filled_or_says_why_not(tmp_path: Path) -> None:
    def run(*words: str) -> str:
        program = [sys.executable, str(ROOT / "touchstone.py"), "--json", "--workspace"]
        return subprocess.run(
            [*program, str(tmp_path), *words], capture_output=True, text=True, check=True
        ).stdout

    run("init", "--sample")
    report = json.loads(run("paper", "run", "legar", "--stand-in"))
    assert all(each["ours"] for each in report["tables"])
    assert all(each["why"] for each in report["tables"] if each["missing"])
    played = {each["table"] for each in report["tables"] if each["stand_in"]}
    assert played == {"Table 1", "Table 2 (Standard)", "Table 2 (Stricter)", "Table 3", "Table 5"}
    asked = {each["row"]: each["Options"] for each in report["table_17"]}
    assert (asked["Factors"], asked["Claims"]) == (102, 39)
