"""More statistics: one part at a time, worked out when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from annotation.people.roles import Act
from pages.agreement.calibration import draw_calibration
from pages.agreement.categories import draw_categories
from pages.agreement.coefficients import draw_statistics
from pages.agreement.drift import draw_drift
from pages.agreement.durations import draw_times
from pages.agreement.export import draw_files
from pages.agreement.method_notes import draw_methods
from pages.agreement.pairs import draw_pairs
from pages.shell.context import Context
from pages.shell.guard import guarded

PARTS: dict[str, Callable[[Context], None]] = {
    "statistics": draw_statistics,
    "pairs": draw_pairs,
    "drift": draw_drift,
    "categories": draw_categories,
    "calibration": draw_calibration,
    "times": draw_times,
    "files": draw_files,
}
_FOR_ALL = ("statistics", "files")  # the rest is for who reads others' labels


@st.fragment
def draw_more(context: Context) -> None:
    """Draw what is chosen, nothing at first; choosing draws nothing else anew."""
    with guarded(context.language):  # the app's guard is not around a fragment's own rerun
        _chosen(context)


def _chosen(context: Context) -> None:
    st.subheader(context.say("agreement.more.title"), anchor=False)
    sighted = context.may(Act.READ_OTHERS_LABELS)
    chosen = st.segmented_control(
        context.say("agreement.more.pick"),
        [name for name in PARTS if sighted or name in _FOR_ALL],
        format_func=lambda name: context.say(f"agreement.part.{name}"),
        key="agreement-part",
        label_visibility="collapsed",
    )
    if chosen is not None:
        PARTS[chosen](context)
    draw_methods(context)
