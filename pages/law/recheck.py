"""Notice of decisions to recheck after an amendment, with a link to the queue."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.guard import guarded, plain
from pages.shell.notices import progress_bar, remember
from services.law.activation import ToCheckCounts, to_check, use_snapshot
from services.law.overview import overview


def draw_to_check(context: Context, notice: str) -> None:
    """Draw the number of decisions to recheck, if any, with a link to all of them."""
    counts = to_check(*context.here, context.by).counts
    if not counts.any:
        return
    with st.container(border=True, key="to-check"):
        draw_counts(context, counts, notice)
        st.markdown(link_to_all(context))


def draw_counts(context: Context, counts: ToCheckCounts, notice: str) -> None:
    """Draw the counts and, if candidates are missing, the button that creates them."""
    own = not context.may(Act.READ_OTHERS_LABELS)
    for line in counts.lines(context.language, own):
        st.markdown(f":material/history: {plain(line)}")
    if counts.lacking and context.may(Act.IMPORT_LAW):
        _create_candidates(context, notice)


def link_to_all(context: Context) -> str:
    """Return a link to the page of decisions to recheck, as Markdown."""
    return f"[{context.say('to_check.open')}](./{context.link('compare')})"


def _create_candidates(context: Context, notice: str) -> None:
    words = context.say("to_check.finish")
    if not st.button(words, key="to-check-finish", icon=":material/manage_search:"):
        return
    in_use = overview(*context.here, context.by).snapshot_id
    with guarded(context.language):
        with progress_bar(context, "to_check.finishing") as report:
            done = use_snapshot(*context.here, in_use or 0, context.by, report)
        remember(notice, *done.lines(context.language))
        st.rerun()
