"""One Chromium for all end-to-end tests, and an app of its own for each test."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.harness import chromium
from tests.e2e.people import SLOW
from tests.e2e.ready import command_line, running_app
from tests.e2e.reruns import WATCH

expect.set_options(timeout=SLOW)

# What Streamlit unfolds moves all below it for half a second, and on a busy machine a press meant
# for a button lands where the button was.
STILL = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, how) {
  return animate.call(this, frames, typeof how === 'number' ? 0 : { ...how, duration: 0 });
};
"""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield one headless Chromium for the whole run, in which nothing takes time to unfold."""
    with chromium() as started, pytest.MonkeyPatch.context() as patch:
        new_context = started.new_context

        def still_context(**options: Any) -> BrowserContext:
            context = new_context(**options)
            context.add_init_script(STILL + WATCH)
            context.set_default_timeout(SLOW)
            return context

        patch.setattr(started, "new_context", still_context)
        patch.setattr(started, "new_page", lambda **options: still_context(**options).new_page())
        yield started


@pytest.fixture(autouse=True)
def pages_closed(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close the pages that a test leaves open: each would look for its stopped app for ever."""
    used = "browser" in request.fixturenames
    started: Browser | None = request.getfixturevalue("browser") if used else None
    before = list(started.contexts) if started else []
    yield
    for context in started.contexts if started else []:
        if context not in before:
            context.close()


@pytest.fixture
def page(browser: Browser) -> Page:
    """Return a page of a window of the usual size."""
    return browser.new_context(viewport={"width": 1440, "height": 900}).new_page()


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace folder that holds the sample project, to copy and never to use.

    One of the processes that run tests makes it, and the others wait for that.
    """
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own) / "sample"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            done = command_line(folder / "workspace", "init", "--sample")
            assert done.returncode == 0, done.stderr
            (folder / "made").touch()
    return folder / "workspace"


@pytest.fixture
def workspace(tmp_path: Path, sample: Path) -> Path:
    """Return a workspace folder that holds the sample project."""
    return Path(shutil.copytree(sample, tmp_path / "workspace"))


@pytest.fixture
def address(workspace: Path) -> Iterator[str]:
    """Serve the app for the workspace and yield its address."""
    with running_app(workspace) as served:
        yield served
