"""A workspace with one project that holds nothing yet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project


def bare_project(
    folder: Path, slug: str = "p", clock: Callable[[], Any] | None = None
) -> Workspace:
    """Return a new workspace in this folder, with an empty project."""
    made = Workspace(folder) if clock is None else Workspace(folder, clock)
    migrate(made)
    create_project(made, slug, slug.capitalize())
    return made
