"""The sample project with work of people and of a model in every task: data, kept in `FILE`.

``python -m tests.projects.worked_project`` brings the file up to the newest tables; every use of an
older one migrates it first.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from storage.db.migrate import migrate
from storage.db.workspace import DATABASE_FILE, Workspace, utc_now
from tests.conftest import ROOT

FILE = ROOT / "tests" / "fixtures" / "worked_project.zip"
SLUG = "sample"
ALONE = (("alone_answerable", "no"), ("alone_choice", 4), ("alone_sure", 4), ("revealed", True))
BOTH = (("both_answerable", "yes"), ("both_choice", 1), ("both_sure", 5), ("compared", True))


def worked_project(folder: Path, clock: Callable[[], datetime] = utc_now) -> Workspace:
    """Put the project of `FILE` into a new folder; return its workspace."""
    with zipfile.ZipFile(FILE) as archive:
        archive.extractall(folder)
    ws = Workspace(folder, clock)
    migrate(ws)
    return ws


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        migrated = worked_project(Path(name))
        migrated.engine.dispose()
        with zipfile.ZipFile(FILE, "w", zipfile.ZIP_LZMA) as archive:
            archive.write(migrated.database, DATABASE_FILE)
