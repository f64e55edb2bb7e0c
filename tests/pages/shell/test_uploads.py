from __future__ import annotations

import ast
from pathlib import Path

from annotation.people.members import PersonView
from pages.shell.context import Context
from pages.shell.uploads import PLAIN_MB, archive_help, megabytes
from services.archives import MIB, Limits
from storage.db.workspace import Workspace
from tests.conftest import ROOT


def test_every_upload_says_how_large_a_file_may_be():
    asked = 0
    for file in sorted((ROOT / "pages").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "file_uploader":
                asked += 1
                said = {each.arg: ast.unparse(each.value) for each in node.keywords}
                archives = said.get("help", "").startswith(("archive_help(", "bounds"))
                assert archives != ("max_upload_size" in said), f"{file.name}:{node.lineno}"
    assert asked > 10


def test_what_takes_archives_tells_all_three_bounds():
    who = PersonView(1, "Lee Sora", "researcher", True, None)
    context = Context(Workspace(Path("nowhere")), "fire", who, "en")
    said = archive_help(context, "An archive.")
    assert said.startswith("An archive.\n\n")
    assert all(f"{each} MB" in said for each in (200, Limits().total_bytes // MIB, PLAIN_MB))


def test_bounds_are_whole_megabytes():
    assert [megabytes(size, False) for size in (1, MIB, MIB + 1)] == [1, 1, 2]
    assert [megabytes(size, True) for size in (100_000, 600_000)] == [1, 3]
