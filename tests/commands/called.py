"""The command line in this process, for the tests of single commands.

That ``touchstone.py`` works as a program is held by `test_touchstone.py` and by the tests that
drive a browser; starting it takes as long as dozens of commands.
"""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import touchstone


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


def command_line(workspace: Path, *arguments: str) -> Done:
    """Run a command on `workspace` as ``touchstone.py`` does."""
    out, err = io.StringIO(), io.StringIO()
    words = ["touchstone.py", "--workspace", str(workspace), *arguments]
    with patch("sys.argv", words), redirect_stdout(out), redirect_stderr(err):
        try:
            code = touchstone.main()
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Done(code, out.getvalue(), err.getvalue())


def printed(workspace: Path, *arguments: str) -> tuple[int, str, str]:
    """Run a command on `workspace`; return its exit code, what it printed, and its errors."""
    done = command_line(workspace, *arguments)
    return done.returncode, done.stdout, done.stderr


def told(workspace: Path, *arguments: str, typed: str = "") -> tuple[int, Any]:
    """Run a command with ``--json`` and what is `typed`; return its exit code and its answer."""
    with patch("sys.stdin", io.StringIO(typed)):
        done = command_line(workspace, *arguments, "--json")
    return done.returncode, json.loads(done.stdout)
