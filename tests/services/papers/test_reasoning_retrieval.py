"""The recipe of the paper on reasoning-focused retrieval fills its tables on the sample."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

NOT_REBUILT = {f"Table {number}" for number in (17, 18, 19, 20)}


@pytest.mark.long
def test_every_table_that_can_be_rebuilt_is_filled_with_stand_ins(tmp_path: Path) -> None:
    def run(*words: str) -> str:
        program = [sys.executable, str(ROOT / "touchstone.py"), "--json", "--workspace"]
        return subprocess.run(
            [*program, str(tmp_path), *words], capture_output=True, text=True, check=True
        ).stdout

    run("init", "--sample")
    report = json.loads(run("paper", "run", "reasoning-retrieval", "--stand-in"))
    filled = {each["table"]: each["ours"] + each["stand_in"] for each in report["tables"]}
    assert {table for table, cells in filled.items() if not cells} == NOT_REBUILT
