"""The viewer of judge review: the case, the matrix, what was said, and what is settled."""

from __future__ import annotations

from pages.parts.frame_viewer import FORM_SCRIPTS, Viewer
from pages.parts.rating_viewer import JUDGED_SCRIPTS, JUDGED_STYLES

_SCRIPTS = ("matrix", "voices", "rationale", "decision", "viewer", "mount")

REVIEW = Viewer(
    name="review",
    scripts=(*FORM_SCRIPTS, *JUDGED_SCRIPTS, *(f"review/{name}" for name in _SCRIPTS)),
    styles=(*JUDGED_STYLES, "review/review"),
)
