"""What tests need of retrieval that goes on beside the page."""

from __future__ import annotations

import time

from streamlit.testing.v1 import AppTest

from services.background.tasks import TaskKind, latest
from storage.db.workspace import Workspace


def ended(at: AppTest, workspace: Workspace, project: str, kind: TaskKind) -> AppTest:
    """Return the page as it is once the work that was started is over."""
    task = latest(workspace, project, kind)
    if task is None:  # it was over at once, and the page has said so
        return at
    while task.running:
        time.sleep(0.01)
    return at.run()
