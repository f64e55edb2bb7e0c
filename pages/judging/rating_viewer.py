"""The viewer of answer rating: question, provisions, official answer and the answer to rate."""

from __future__ import annotations

from pages.shell.bundle import STATUTE_TEXT
from pages.task.viewer import FORM_SCRIPTS, Viewer

JUDGED_SCRIPTS = (
    STATUTE_TEXT,
    "judging/frontend/judged/case",
    "judging/frontend/judged/provisions",
)
JUDGED_STYLES = ("judging/frontend/judged/judged",)

RATING = Viewer(
    name="rating",
    scripts=(
        *FORM_SCRIPTS,
        *JUDGED_SCRIPTS,
        "judging/frontend/rating/viewer",
        "judging/frontend/rating/mount",
    ),
    styles=(*JUDGED_STYLES, "judging/frontend/rating/rating"),
)
