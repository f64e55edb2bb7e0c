"""What is to be checked again since the law was amended, told on several pages with a way there."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from annotation.people.roles import Act
from errors import UserError
from pages.shell.context import Context
from pages.shell.guard import plain, show
from pages.shell.notices import progress_bar, remember
from services.law.activation import use_snapshot
from services.law.overview import overview
from services.law.recheck_list import ToCheckCounts, to_check


def draw_to_check(context: Context, notice: str) -> None:
    """Draw how many decisions there are, where there are any, with a way to all of them."""
    counts = to_check(context.workspace, context.project, context.person.id).counts
    if not counts.questions:
        return
    with st.container(border=True, key="to-check"):
        draw_counts(context, counts, notice)
        st.markdown(link_to_all(context))


def draw_counts(context: Context, counts: ToCheckCounts, notice: str) -> None:
    """Draw the counts and, where candidates are lacking, the button that makes them."""
    own = not context.may(Act.READ_OTHERS_LABELS)
    for line in counts.lines(context.language, own):
        st.markdown(f":material/history: {plain(line)}")
    if counts.lacking and context.may(Act.IMPORT_LAW):
        _finish(context, notice)


def link_to_all(context: Context) -> str:
    """Return a link to the page that lists what is to be checked again, as Markdown."""
    asked = {"project": context.project, "person": context.person.id, "lang": context.language}
    return f"[{context.say('to_check.open')}](./compare?{urlencode(asked)})"


def _finish(context: Context, notice: str) -> None:
    words = context.say("to_check.finish")
    if not st.button(words, key="to-check-finish", icon=":material/manage_search:"):
        return
    where = (context.workspace, context.project)
    in_use = overview(*where, context.person.id).snapshot_id
    try:
        with progress_bar(context, "to_check.finishing") as report:
            done = use_snapshot(*where, in_use or 0, context.person.id, report)
    except UserError as error:
        show(error, context.language)
        return
    remember(notice, *done.lines(context.language))
    st.rerun()
