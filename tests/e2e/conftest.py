"""One Chromium for all end-to-end tests, and an app of its own for each test."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
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

# Less of a processor, by a tenth: nothing is compiled for speed that is open for seconds.
THRIFTY = ("--js-flags=--no-opt",)


class _Contexts:
    """Browser contexts, used again by later tests: each has loaded and compiled the app's scripts.

    What a test leaves in one is emptied out.
    """

    def __init__(self, new: Callable[..., BrowserContext]) -> None:
        self._new = new
        self._idle: dict[str, list[BrowserContext]] = {}  # by their options
        self.used: list[tuple[str, BrowserContext]] = []

    def take(self, **options: Any) -> BrowserContext:
        kind = repr(sorted(options.items()))
        idle = self._idle.get(kind)
        context = idle.pop() if idle else self._fresh(options)
        self.used.append((kind, context))
        return context

    def _fresh(self, options: dict[str, Any]) -> BrowserContext:
        """Return a context in which nothing takes time to unfold."""
        context = self._new(**options)
        context.add_init_script(STILL + WATCH)
        context.set_default_timeout(SLOW)
        return context

    def give_back(self, before: int) -> None:
        """Close the pages of all contexts but the first `before`, and keep those for later."""
        for kind, context in self.used[before:]:
            if context.is_closed():
                continue
            for page in context.pages:
                page.close()
            context.set_storage_state({"cookies": [], "origins": []})
            self._idle.setdefault(kind, []).append(context)
        del self.used[before:]


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Iterator[_Contexts]:
    """Have every window of the browser be one of the contexts that are used again."""
    with pytest.MonkeyPatch.context() as patch:
        found = _Contexts(browser.new_context)
        patch.setattr(browser, "new_context", found.take)
        patch.setattr(browser, "new_page", lambda **options: found.take(**options).new_page())
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield one headless Chromium for the whole run."""
    with chromium(*THRIFTY) as started:
        yield started


@pytest.fixture(autouse=True)
def pages_closed(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close the pages that a test leaves open: each would look for its stopped app for ever."""
    if "browser" not in request.fixturenames:
        yield
        return
    contexts: _Contexts = request.getfixturevalue("contexts")
    before = len(contexts.used)
    yield
    contexts.give_back(before)


@pytest.fixture
def page(browser: Browser) -> Page:
    """Return a page of a window of the usual size."""
    return browser.new_context(viewport={"width": 1440, "height": 900}).new_page()


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace folder that holds the sample project, to copy and never to use."""
    return _made_once(tmp_path_factory, "fresh", "--fresh")


@pytest.fixture(scope="session")
def worked_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the sample in the middle of its life, to copy and never to use."""
    return _made_once(tmp_path_factory, "worked")


def _made_once(factory: pytest.TempPathFactory, name: str, *options: str) -> Path:
    """Make the sample in one of the processes that run tests; the others wait for that."""
    own = factory.getbasetemp()
    folder = (own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own) / f"sample-{name}"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            done = command_line(folder / "workspace", "init", "--sample", *options)
            assert done.returncode == 0, done.stderr
            (folder / "made").touch()
    return folder / "workspace"


@pytest.fixture
def workspace(tmp_path: Path, sample: Path) -> Path:
    """Return a workspace folder that holds the sample project."""
    return Path(shutil.copytree(sample, tmp_path / "workspace"))


@pytest.fixture
def lived_in(tmp_path: Path, worked_sample: Path) -> Path:
    """Return a workspace folder that holds the sample in the middle of its life."""
    return Path(shutil.copytree(worked_sample, tmp_path / "lived-in"))


@pytest.fixture
def address(workspace: Path) -> Iterator[str]:
    """Serve the app for the workspace and yield its address."""
    with running_app(workspace) as served:
        yield served
