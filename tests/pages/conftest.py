"""What tests of pages share."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.db.workspace import Workspace
from tests.conftest import FakeClock


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    """Return an empty workspace."""
    return Workspace(tmp_path / "ws", clock)
