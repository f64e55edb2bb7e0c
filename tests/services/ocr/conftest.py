"""The project of pages that the tests of OCR share."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.services.ocr.pages_project import PagesProject, pages_project


@pytest.fixture
def here(tmp_path: Path, clock: FakeClock) -> PagesProject:
    """Return an empty project of pages."""
    return pages_project(Workspace(tmp_path / "ws", clock), tmp_path / "files")
