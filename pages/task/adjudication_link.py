"""Link from a task's page to its disputes."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context, address
from storage.tasks import Task


def draw_link(context: Context, task: Task) -> None:
    """Draw a link to the task's tab on the adjudication screen, for adjudicators."""
    if context.may(Act.ADJUDICATE):
        there = urlencode({"task": str(task), **address()})
        words = context.say("adjudication.lead_there")
        st.markdown(f":material/gavel: [{words}](adjudication?{there})")
