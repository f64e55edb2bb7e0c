"""The viewer of judge review: the case, the matrix, what was said, and what is settled."""

from __future__ import annotations

from pages.judging.rating_viewer import JUDGED_SCRIPTS, JUDGED_STYLES
from pages.task.viewer import FORM_SCRIPTS, Viewer

_SCRIPTS = ("matrix", "voices", "rationale", "decision", "viewer", "mount")

REVIEW = Viewer(
    name="review",
    scripts=(
        *FORM_SCRIPTS,
        *JUDGED_SCRIPTS,
        *(f"judging/frontend/review/{name}" for name in _SCRIPTS),
    ),
    styles=(*JUDGED_STYLES, "judging/frontend/review/review"),
)
