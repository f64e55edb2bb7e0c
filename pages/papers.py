"""Papers screen: a paper's tables from the project's own data, beside the published values."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment
from pages.shell.notices import allowed, draw_head
from pages.shell.reports import draw_report
from pages.shell.task_progress import begin, draw_task
from services.background.tasks import TaskKind
from services.papers.checking import check_report
from services.papers.needs import Needs
from services.papers.recipes import Recipe, paper_names, recipe
from services.papers.report import as_report
from services.papers.running import last_run, start_paper


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "papers")
    if not allowed(context, Act.SEE_SCORES):
        return
    fields = Fields(context, "papers", "papers")
    name = fields.pick("choose", paper_names(), lambda each: recipe(each).title, key="name")
    found = recipe(name)
    if context.may(Act.MAKE_ITEMS) and not _draw_running(context):
        _form(context, found)
    run = last_run(*context.here, found.name, context.by)
    report = as_report(found, run, Needs(*context.here, run.lacked), context.language)
    draw_report(context, report, f"paper-{found.name}")


def _draw_running(context: Context) -> bool:
    """Draw the running paper or its end; return whether one is running."""

    def ended(_: object) -> None:
        """Draw that the paper was run."""
        st.success(context.say("papers.ran"), icon=":material/check_circle:")

    return draw_task(context, TaskKind.PAPER, "papers.progress", ended)


@fragment
def _form(context: Context, found: Recipe) -> None:
    """Draw the button that runs the paper, and on request the check of what it needs."""
    say, fields = context.say, Fields(context, "papers", "papers")
    with st.container(horizontal=True, vertical_alignment="center"):
        run = fields.press("run", type="primary", icon=":material/play_arrow:")
        stand_in = fields.tick("stand_ins", key="stand-in")
    if run:
        begin(context, start_paper, found.name, stand_in)
    with st.expander(say("papers.needs"), icon=":material/checklist:", on_change="rerun") as shut:
        if shut.open:
            checked = check_report(*context.here, found, lambda _: {}, context.language, context.by)
            draw_report(context, checked, f"paper-check-{Path(found.name).name}")
