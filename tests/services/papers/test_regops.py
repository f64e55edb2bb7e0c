"""RegOps-Bench runs on the sample with stand-ins: what can be made is filled, and marked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.long
UNFILLED = {"Table 5", "Table 14", "Figures 8–10"}  # other law, or never published


def _said(workspace: Path, *words: str) -> dict[str, object]:
    command = [sys.executable, "touchstone.py", "--workspace", str(workspace), "--json", *words]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, object] = json.loads(ran.stdout)
    return found


def test_its_tables_are_filled_or_say_why_not(tmp_path: Path) -> None:
    _said(tmp_path, "init", "--sample")
    tables = _said(tmp_path, "paper", "run", "regops", "--stand-in")["tables"]
    assert isinstance(tables, list)
    empty = {each["table"] for each in tables if not each["ours"] + each["stand_in"]}
    assert empty == UNFILLED
    assert all(each["why"] for each in tables if each["missing"])
    played = {each["table"]: each["ours"] for each in tables if each["stand_in"]}
    assert played["Table 4"] == played["Table 9"] == 0
