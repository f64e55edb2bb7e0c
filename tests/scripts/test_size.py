"""What counts as a line of code, and what the script prints."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from scripts.size import code_lines, suite_seconds, tracked
from tests.conftest import ROOT

MODULE = '''"""A module.

Of several lines.
"""

from pathlib import (
    Path,
)

# why
VALUE = """text

of three lines"""


def name(path: Path) -> str:
    """Return the name."""
    import os
    return os.fspath(path)  # here
'''
LOG = """===== 3 passed, 1 skipped in 12.50s =====
gw1 in 90.0s
===== 1 failed, 200 passed in 731.04s (0:12:11) =====
"""


def test_docstrings_blanks_comments_and_imports_are_no_lines_of_code() -> None:
    assert code_lines(MODULE) == 3 + 2


def test_the_suite_took_as_long_as_its_longest_run() -> None:
    assert suite_seconds(LOG) == 731.04
    assert suite_seconds("interrupted") is None


def test_only_files_of_the_repository_are_counted() -> None:
    product = tracked("*.py", ":!tests/")
    assert ROOT / "app.py" in product
    assert not [file for file in product if ".venv" in file.parts or "tests" in file.parts]


def test_every_figure_is_printed_as_json(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(LOG, encoding="utf-8")
    command = [sys.executable, "scripts/size.py", "--json", "--log", str(log)]
    told = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    assert list(told) == [
        *("code_lines", "modules", "test_lines", "js_lines", "strings", "suite_seconds"),
    ]
    assert told["code_lines"] > told["modules"] > 1
