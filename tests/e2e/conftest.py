"""One Chromium for all end-to-end tests, and an app of its own for each test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e.harness import chromium, command_line, running_app


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield one headless Chromium for the whole run."""
    with chromium() as started:
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


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace folder that holds the sample project, to copy and never to use."""
    folder = tmp_path_factory.mktemp("sample") / "workspace"
    done = command_line(folder, "init", "--sample")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def workspace(tmp_path: Path, sample: Path) -> Path:
    """Return a workspace folder that holds the sample project."""
    return Path(shutil.copytree(sample, tmp_path / "workspace"))


@pytest.fixture
def address(workspace: Path) -> Iterator[str]:
    """Serve the app for the workspace and yield its address."""
    with running_app(workspace) as served:
        yield served
