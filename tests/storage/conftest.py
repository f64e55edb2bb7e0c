"""What tests of storage begin with: a project that has nothing yet."""

from __future__ import annotations

import pytest

from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    """A workspace with the project "lake"."""
    migrate(workspace)
    create_project(workspace, "lake", "Lake law")
    return workspace
