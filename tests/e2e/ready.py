"""Apps and commands that are up at once: copies of one process that has imported everything.

Starting Python and importing the app takes seconds of a processor, which the browser tests would
spend a hundred times. What runs is the same: `server.py` by Streamlit, and `touchstone.py`. That
both start from nothing is held by the tests of deployments, of a provider, of the gate (in
`tests/serving`) and of the command line.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from tests.e2e.harness import COMMAND_SECONDS, ROOT, app_words, free_port, wait_until_healthy

_COPIES = get_context("forkserver")
_COPIES.set_forkserver_preload(["tests.e2e.everything", __name__])


def command_line(
    workspace: Path, *arguments: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run ``touchstone.py`` on `workspace` and return what it printed."""
    words = ["touchstone.py", "--workspace", str(workspace), *arguments]
    said = [workspace.parent / f"{workspace.name}-command.{each}" for each in ("out", "err")]
    running = _copy(words, variables, *said)
    running.join(COMMAND_SECONDS)
    if running.exitcode is None:
        running.kill()
        raise subprocess.TimeoutExpired(words, COMMAND_SECONDS)
    told = [file.read_text("utf-8") for file in said]
    for file in said:
        file.unlink()
    return subprocess.CompletedProcess(words, running.exitcode, *told)


class _SharedApp:
    """The app that a process of tests starts once: it serves whichever workspace a link leads to.

    What the app keeps in memory is keyed by where a workspace is, and each test has its own folder.
    """

    def __init__(self) -> None:
        self.taken = False
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: ForkServerProcess | None = None
        self._port = 0

    @contextmanager
    def serving(self, workspace: Path) -> Iterator[str]:
        """Lead the link to `workspace` until the end of the block; yield the app's address."""
        self._folder = self._folder or tempfile.TemporaryDirectory()
        link = Path(self._folder.name) / "current"
        link.unlink(missing_ok=True)
        link.symlink_to(workspace.resolve(), target_is_directory=True)
        self.taken = True
        try:
            self._start(link)
            yield f"http://127.0.0.1:{self._port}"
        finally:
            self.taken = False

    def _start(self, link: Path) -> None:
        if self._process is not None and self._process.is_alive():
            return
        self._port = free_port()
        log = link.with_name("app.log")
        words, variables = app_words(self._port), {"TOUCHSTONE_WORKSPACE": str(link)}
        self._process = _copy(words, variables, log, log, daemon=True)
        wait_until_healthy(self._port, self._process.is_alive, log)


_SHARED = _SharedApp()
_SERVED: dict[str, Path] = {}  # the workspace that is served, by the address of the app


@contextmanager
def running_app(workspace: Path, **variables: str) -> Iterator[str]:
    """Serve the app for `workspace`; yield its address.

    It is the one app of this process of tests, unless that serves another workspace already, or
    the test wants variables of its own.
    """
    if variables or _SHARED.taken:
        app = app_alone(workspace, **variables)
    else:
        app = _SHARED.serving(workspace)
    with app as address:
        _SERVED[address] = workspace
        try:
            yield address
        finally:
            del _SERVED[address]


def served_workspace(address: str) -> Path | None:
    """Return the workspace of the app that runs at this address, None if none of these does."""
    return _SERVED.get("/".join(address.split("/")[:3]))


@contextmanager
def app_alone(workspace: Path, **variables: str) -> Iterator[str]:
    """Serve an app of its own for `workspace`; yield its address."""
    port = free_port()
    log = workspace.parent / f"{workspace.name}-app.log"
    app = _copy(app_words(port), {"TOUCHSTONE_WORKSPACE": str(workspace)} | variables, log, log)
    try:
        wait_until_healthy(port, app.is_alive, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        app.kill()  # the test has seen all it wanted
        app.join()


def _copy(
    words: Sequence[str], variables: dict[str, str], *files: Path, daemon: bool = False
) -> ForkServerProcess:
    """Run a file or module of Python with these words; its stdout and stderr go to these files."""
    told = words, [str(each) for each in files], os.environ | variables
    process = _COPIES.Process(target=_become, args=told, daemon=daemon)
    process.start()
    return process


def _become(words: Sequence[str], files: Sequence[str], variables: dict[str, str]) -> None:
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
