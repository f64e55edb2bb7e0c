"""Kept indexes on the command line."""

from __future__ import annotations

import json

from services.runs.methods.unit_search import search_units
from tests.commands.called import command_line
from tests.projects.small_law import small_workspace


def test_indexes_are_listed_and_cleared(tmp_path, clock):
    ws = small_workspace(tmp_path / "w", clock)
    search_units(ws, 1, "구명조끼")
    ws.engine.dispose()
    told = json.loads(command_line(tmp_path / "w", "--json", "index", "list").stdout)
    [index] = told["indexes"]
    assert told["bytes"] == index["bytes"] > 0 and told["cache_bytes"] == 0
    lines = command_line(tmp_path / "w", "index", "list").stdout.splitlines()
    assert index["name"] in lines[0] and lines[1].startswith("1 indexes, ")
    assert command_line(tmp_path / "w", "index", "clear", "--unused-days", "-1").returncode == 2
    assert "Removed 1 indexes" in command_line(tmp_path / "w", "index", "clear").stdout
    missing = command_line(tmp_path / "none", "index", "clear")
    assert missing.returncode == 3 and "Remedy" in missing.stderr
