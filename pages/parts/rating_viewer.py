"""The viewer of answer rating: question, provisions, official answer and the answer to rate."""

from __future__ import annotations

from pages.parts.frame_viewer import FORM_SCRIPTS, Viewer

JUDGED_SCRIPTS = ("mapping/text", "judged/case", "judged/provisions")
JUDGED_STYLES = ("judged/judged",)

RATING = Viewer(
    name="rating",
    scripts=(*FORM_SCRIPTS, *JUDGED_SCRIPTS, "rating/viewer", "rating/mount"),
    styles=(*JUDGED_STYLES, "rating/rating"),
)
