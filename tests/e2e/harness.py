"""A running app and a real Chromium, for end-to-end tests and for the latency benchmark."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from scripts.bootstrap import find_browser

ROOT = Path(__file__).resolve().parents[2]
# An address bar is made with every window, though nobody sees it: two pages of Chromium's own,
# which take as much of a processor as one of ours. Of two such flags the last counts, so that what
# Playwright leaves out stands here too.
LEFT_OUT = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(LEFT_OUT)}",
]
START_SECONDS = 180
COMMAND_SECONDS = 300


def command_line(workspace: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``touchstone.py`` on `workspace` and return what it printed."""
    command = [sys.executable, str(ROOT / "touchstone.py"), "--workspace", str(workspace)]
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, cwd=ROOT, timeout=COMMAND_SECONDS
    )


@contextmanager
def running_app(
    workspace: Path, environment: dict[str, str] | None = None, entry: str = "server.py"
) -> Iterator[str]:
    """Serve the app on a free port for `workspace`; yield its address."""
    port = free_port()
    command = [sys.executable, "-m", *app_words(port, entry)]
    variables = os.environ | {"TOUCHSTONE_WORKSPACE": str(workspace)} | (environment or {})
    log = workspace.parent / f"{workspace.name}-app.log"
    with log.open("w") as output:
        app = subprocess.Popen(command, cwd=ROOT, env=variables, stdout=output, stderr=output)
        try:
            wait_until_healthy(port, lambda: app.poll() is None, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            app.terminate()
            try:
                app.wait(timeout=20)
            except subprocess.TimeoutExpired:  # on a busy machine; the test has seen all it wanted
                app.kill()
                app.wait()


def app_words(port: int, entry: str = "server.py") -> list[str]:
    """Return the words that have Python serve the app on this port."""
    served = ["streamlit", "run", str(ROOT / entry), "--server.port", str(port)]
    return [*served, "--server.fileWatcherType", "none"]


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_healthy(port: int, runs: Callable[[], bool], log: Path) -> None:
    """Wait until the app at this port answers. Raises RuntimeError with its log if it does not."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and runs():
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the app did not start:\n{log.read_text()}")


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """Yield a headless Chromium with these flags besides the usual ones."""
    with sync_playwright() as playwright:
        words = [*CHROMIUM_FLAGS, *flags]
        browser = playwright.chromium.launch(executable_path=find_browser(), args=words)
        yield browser
        browser.close()
