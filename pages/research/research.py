"""Page of research: which passage of a statute or case states the rule that answers this?

Annotators search and mark passages; leads create items and export the passages.
"""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from annotation.research import FORM
from pages.research.viewer import (
    RESEARCH,
    RESEARCH_ACTS,
    RESEARCH_WORDS,
    fixed_part,
    form_part,
)
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.task.declared import stage_of
from pages.task.page import TaskPage, draw_link
from services.research.search import make_research_items, research_counts
from storage.tasks import Task

PAGE = TaskPage(
    Task.RESEARCH,
    RESEARCH,
    fixed_part,
    stage_of(FORM.spec),
    acts=RESEARCH_ACTS,
    words=RESEARCH_WORDS,
    form=form_part,
)


def render(context: Context) -> None:
    """Draw the page, with links to the disputes and, for leads, the form to create items."""
    PAGE.render(context)
    draw_link(context, Task.RESEARCH)
    if context.may(Act.MAKE_ITEMS):
        _making(context)


def _making(context: Context) -> None:
    """Draw the form that makes research items."""
    counts = research_counts(*context.here, by=context.by)
    st.header(context.say("research.making.title"), anchor=False)
    st.markdown(context.say("research.making.counts", items=counts.items, waiting=counts.waiting))
    if not counts.waiting:
        return
    with st.form("research-making", width="content"):
        limit = st.number_input(
            context.say("research.making.limit"), 1, counts.waiting, counts.waiting
        )
        seed = st.number_input(context.say("research.making.seed"), 0, value=0)
        if st.form_submit_button(context.say("research.making.make"), type="primary"):
            with guarded(context.language):
                make_research_items(*context.here, int(limit), int(seed), by=context.by)
            st.rerun()
