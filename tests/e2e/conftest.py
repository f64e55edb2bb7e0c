"""One Chromium for all end-to-end tests, and an app of its own for each test."""

from __future__ import annotations

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


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Return a workspace folder that holds the sample project."""
    folder = tmp_path / "workspace"
    done = command_line(folder, "init", "--sample")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def address(workspace: Path) -> Iterator[str]:
    """Serve the app for the workspace and yield its address."""
    with running_app(workspace) as served:
        yield served
