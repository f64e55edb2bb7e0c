"""Running the server as a process of its own that ends when this one is told to."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path


def run_until_stopped(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> int:
    """Run `command` in `folder` until it ends; return its exit code.

    A service manager, or `kill`, ends this process alone: what it asks (SIGTERM) is passed on, or
    the server would go on unseen and keep its port. Ctrl+C reaches both by itself.
    """
    server = subprocess.Popen(command, env=dict(environment), cwd=folder)  # noqa: S603
    before = signal.signal(signal.SIGTERM, lambda _number, _frame: server.terminate())
    try:
        while True:
            with suppress(KeyboardInterrupt):
                return server.wait()
    finally:
        signal.signal(signal.SIGTERM, before)
