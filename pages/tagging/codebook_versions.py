"""The versions of the codebook of factors: who saved each, why, and what it changed."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.guidelines.versions import VersionView, list_versions
from pages.shell.context import Context
from pages.tagging.codebook_changes import draw_changes
from services.tagging.codebook import Held, outlook
from services.tagging.codebook import held as read
from storage.tasks import Task


def draw_versions(context: Context, held: Held) -> None:
    """Draw the list and what the chosen version changed in the one before."""
    where = context.workspace, context.project
    views = [
        each
        for each in list_versions(*where, "codebook", Task.FACTOR_TAGGING, context.person.id)
        if each.known
    ]
    chosen = _picked(context, views)
    earlier = [each.number for each in views if each.number < views[chosen].number]
    if not earlier:
        st.caption(context.say("factor_book.first_version"))
        return
    text = held.text
    if views[chosen].number != held.current:
        text = read(*where, views[chosen].number, context.person.id).text
    seen = outlook(*where, text.text, max(earlier), context.person.id)
    draw_changes(context, held.labels, seen)


def _picked(context: Context, views: Sequence[VersionView]) -> int:
    say = context.say
    state = st.dataframe(
        {
            say("guidelines.number"): [each.number for each in views],
            say("guidelines.who"): [_who(context, each) for each in views],
            say("guidelines.when"): [
                "" if each.at is None or each.packaged else f"{each.at:%Y-%m-%d %H:%M}"
                for each in views
            ],
            say("guidelines.note"): [each.note for each in views],
            say("guidelines.submissions"): [each.submissions for each in views],
        },
        column_config={say("guidelines.note"): st.column_config.TextColumn(width="large")},
        hide_index=True,
        key="factor-book-versions",
        on_select="rerun",
        selection_mode="single-row",
    )
    rows = state["selection"]["rows"]
    return rows[0] if rows and rows[0] < len(views) else 0


def _who(context: Context, view: VersionView) -> str:
    if view.packaged:
        return context.say("guidelines.packaged")
    return view.person or context.say("guidelines.operator")
