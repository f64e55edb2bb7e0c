"""The viewer of multiple-choice questions: provisions, options and the steps."""

from __future__ import annotations

from pages.parts.frame_viewer import FORM_SCRIPTS, Viewer

_SCRIPTS = ("provisions", "options", "ask", "steps", "fix", "votes", "keys", "viewer", "mount")

MCQ = Viewer(
    name="mcq",
    scripts=(*FORM_SCRIPTS, "mapping/text", *(f"mcq/{name}" for name in _SCRIPTS)),
    styles=("mcq/mcq", "mcq/steps"),
)
