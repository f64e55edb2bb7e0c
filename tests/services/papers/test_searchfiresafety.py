"""SearchFireSafety runs on the sample with stand-ins; what is missing has its true reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.called import command_line


@pytest.mark.long
def test_its_tables_are_filled_but_where_something_is_missing(tmp_path: Path) -> None:
    command_line(tmp_path, "init", "--sample")
    ran = command_line(tmp_path, "--json", "paper", "run", "searchfiresafety", "--stand-in")
    tables = {each["table"]: each for each in json.loads(ran.stdout)["tables"]}
    reasons = {name: each["why"] for name, each in tables.items() if each["missing"]}
    assert reasons == {
        "Text of section 3": "the report has no such row",  # nobody dropped one as unanswerable
        "Table 6": "Not run: no embedding model BAAI/bge-m3",
        "Figure 3": "Not run: no trained model models/qwen3-8b-law",
        "Figure 4": "Not run: no column inquiry in the questions' file",
    }
    played = {name for name, each in tables.items() if each["stand_in"] and not each["ours"]}
    assert played == {"Table 5", "Table 6", "Table 7", "Figure 3"}
