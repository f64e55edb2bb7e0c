"""Unit tests of commands/shell/workspace.py: what is started ends with who started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from commands.shell.workspace import run_until_stopped
from storage.db.workspace import Workspace
from tests.commands.called import command_line
from tests.e2e.harness import ROOT
from tests.pages.small_project import leader, small_project

SERVER = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
STARTER = f"""
import os, sys
from pathlib import Path
from commands.shell.workspace import run_until_stopped
sys.exit(max(run_until_stopped([sys.executable, "-c", {SERVER!r}], os.environ, Path.cwd()), 0))
"""

# Asked to end at the very moment at which the server has started and nothing is known of it yet.
AT_ONCE = f"""
import os, signal, subprocess, sys
from pathlib import Path
from commands.shell.workspace import run_until_stopped
start = subprocess.Popen
def started(*args, **named):
    server = start(*args, **named)
    os.kill(os.getpid(), signal.SIGTERM)
    return server
subprocess.Popen = started
sys.exit(-run_until_stopped([sys.executable, "-c", {SERVER!r}], os.environ, Path.cwd()))
"""


def test_its_exit_code_is_told(tmp_path: Path):
    command = [sys.executable, "-c", "import os, sys; sys.exit(os.environ['CODE'] + os.getcwd())"]
    assert run_until_stopped([sys.executable, "-c", "raise SystemExit(7)"], {}, tmp_path) == 7
    assert run_until_stopped(command, {"CODE": "x"}, tmp_path) == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM to pass on")
@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_with_who_started_it(asked: signal.Signals):
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert starter.stdout is not None
    server = int(starter.stdout.readline())
    # A terminal sends Ctrl+C to both, a service manager SIGTERM to the one it started.
    (os.killpg if asked == signal.SIGINT else os.kill)(starter.pid, asked)
    assert starter.wait(timeout=100) is not None
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM to pass on")
def test_the_server_ends_also_where_it_was_only_just_started():
    ended = subprocess.run(
        [sys.executable, "-c", AT_ONCE], cwd=ROOT, stdout=subprocess.DEVNULL, timeout=100
    )
    assert ended.returncode == signal.SIGTERM  # what the server ended with, not its starter


def test_modules_are_listed_and_switched(tmp_path: Path):
    workspace = Workspace(tmp_path / "workspace")
    small_project(workspace)
    who = leader(workspace).name
    done = command_line(workspace.folder, "modules", "--on", "research", "--by", who)
    assert done.returncode == 0 and "research     on" in done.stdout
    assert "mcq          off" in done.stdout
    done = command_line(workspace.folder, "modules", "--off", "research", "--by", who)
    assert "research     off" in done.stdout
    assert command_line(workspace.folder, "modules", "--on", "research").returncode != 0
