"""Apps and commands that are up at once: copies of one process that has imported everything.

Starting Python and importing the app takes seconds of a processor, which the browser tests would
spend a hundred times. What runs is the same: `server.py` by Streamlit, and `touchstone.py`. That
both start from nothing is held by the tests of deployments, of teams and of the command line.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from tests.e2e.harness import COMMAND_SECONDS, ROOT, app_words, free_port, wait_until_healthy

_COPIES = get_context("forkserver")
_COPIES.set_forkserver_preload(["tests.e2e.everything", __name__])


def command_line(workspace: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``touchstone.py`` on `workspace` and return what it printed."""
    words = ["touchstone.py", "--workspace", str(workspace), *arguments]
    said = [workspace.parent / f"{workspace.name}-command.{each}" for each in ("out", "err")]
    running = _copy(words, *said)
    running.join(COMMAND_SECONDS)
    if running.exitcode is None:
        running.kill()
        raise subprocess.TimeoutExpired(words, COMMAND_SECONDS)
    told = [file.read_text("utf-8") for file in said]
    for file in said:
        file.unlink()
    return subprocess.CompletedProcess(words, running.exitcode, *told)


@contextmanager
def running_app(workspace: Path, **variables: str) -> Iterator[str]:
    """Serve the app on a free port for `workspace`; yield its address."""
    port = free_port()
    log = workspace.parent / f"{workspace.name}-app.log"
    app = _copy(app_words(port), log, log, TOUCHSTONE_WORKSPACE=str(workspace), **variables)
    try:
        wait_until_healthy(port, app.is_alive, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        app.kill()  # the test has seen all it wanted
        app.join()


def _copy(words: Sequence[str], out: Path, err: Path, **more: str) -> ForkServerProcess:
    """Run a file or module of Python with these words; what it says goes to these files."""
    told = words, (str(out), str(err)), os.environ | more
    process = _COPIES.Process(target=_become, args=told)
    process.start()
    return process


def _become(words: Sequence[str], files: tuple[str, str], variables: dict[str, str]) -> None:
    for stream, file in enumerate(files, 1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), stream)
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(ROOT)
    sys.argv = list(words)
    if words[0].endswith(".py"):
        runpy.run_path(words[0], run_name="__main__")
    else:
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
