"""What counts as a line of code, and what the script prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.size import code_lines, main, suite_seconds, tracked
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


def test_every_figure_is_printed_as_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log, module = tmp_path / "log", tmp_path / "module.py"
    log.write_text(LOG, encoding="utf-8")
    module.write_text(MODULE, encoding="utf-8")
    monkeypatch.setattr("scripts.size.tracked", lambda *_: [module])
    monkeypatch.setattr("sys.argv", ["size.py", "--json", "--log", str(log)])
    main()
    told = json.loads(capsys.readouterr().out)
    lines = MODULE.count("\n")
    assert told.pop("strings") > 1_000
    assert told == {
        **{"code_lines": 5, "modules": 1, "test_lines": lines, "js_lines": lines},
        "suite_seconds": 731.04,
    }
