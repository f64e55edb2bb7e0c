"""The viewer of multiple-choice questions: provisions, options and the steps."""

from __future__ import annotations

from pages.shell.bundle import STATUTE_TEXT
from pages.task.viewer import FORM_SCRIPTS, Viewer

_SCRIPTS = ("provisions", "options", "ask", "steps", "fix", "votes", "keys", "viewer", "mount")

MCQ = Viewer(
    name="mcq",
    scripts=(*FORM_SCRIPTS, STATUTE_TEXT, *(f"mcq/frontend/{name}" for name in _SCRIPTS)),
    styles=("mcq/frontend/mcq", "mcq/frontend/steps"),
)
