"""The judge report: how far judges can be trusted, asking one, and the answers behind it."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.judging.answer_list import draw_cases
from pages.judging.asking_models import draw_run
from pages.judging.figures import (
    draw_accuracy,
    draw_categories,
    draw_drift,
    draw_judges,
    draw_matrix,
    draw_people,
    draw_positions,
    judge_words,
)
from pages.judging.files import bring_form, draw_files
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.notices import allowed, show_remembered
from services.judging.report import JudgeLine, JudgeReport, report, revision
from storage.db.workspace import Workspace

NOTICE = "judge-notice"
_TABS = ("tab_report", "tab_run", "tab_cases")


def render(context: Context) -> None:
    """Draw the screen."""
    say = context.say
    st.title(say("judge_report.title"), anchor=False)
    st.markdown(say("judge_report.lead"))
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    show_remembered(NOTICE)
    names = [say(f"judge_report.page.{each}") for each in _TABS]
    figures, run, cases = st.tabs(names, on_change="rerun", key="judge-tab")
    if figures.open:
        with figures:
            _report(context)
    if run.open:
        with run:
            _bring_and_run(context)
    if cases.open:
        with cases:
            draw_cases(context)


@st.cache_data(max_entries=8, show_spinner=False)
def _found(
    place: str, project: str, version: str, system: str | None, _ws: Workspace
) -> JudgeReport:
    # Whoever asks has been let through by `revision`, and rows are only added.
    return report(_ws, project, system=system)


def _report(context: Context) -> None:
    found = _of_system(context)
    if not found.progress.cases:
        st.info(context.say("judge_report.page.no_cases"), icon=":material/info:")
        return
    _progress(context, found)
    if not found.judges:
        st.info(context.say("judge_report.page.no_verdicts"), icon=":material/info:")
    else:
        _judge(context, found)
    draw_people(context, found)
    draw_positions(context, found)
    draw_categories(context, found)
    draw_files(context, found)


def _judge(context: Context, found: JudgeReport) -> None:
    line = _chosen(context, found)
    if line.matrix.n:
        draw_matrix(context, line)
    else:
        st.info(context.say("judge_report.page.no_ratings"), icon=":material/hourglass_empty:")
    draw_judges(context, found)
    draw_accuracy(context, line)
    draw_drift(context, line)


def _of_system(context: Context) -> JudgeReport:
    """Return the report on the system that is chosen; on all of them before."""
    version = revision(context.workspace, context.project, context.person.id)
    asked = context.workspace.place, context.project, version
    found = _found(*asked, None, context.workspace)
    if len(found.systems) < 2:
        return found
    everything = context.say("judge_report.page.all_systems")
    chosen = st.selectbox(
        context.say("judge_report.page.system"),
        ["", *found.systems],
        format_func=lambda each: each or everything,
        key="judge-system",
        width=360,
    )
    return _found(*asked, chosen, context.workspace) if chosen else found


def _chosen(context: Context, found: JudgeReport) -> JudgeLine:
    """Return the judge that is chosen; the majority, or the only one, until another is."""
    if len(found.judges) == 1:
        return found.judges[0]
    names = [each.judge for each in found.judges]
    chosen = st.segmented_control(
        context.say("judge_report.page.judge"),
        names,
        default=names[-1],
        required=True,
        format_func=lambda each: plain(judge_words(context, each)),
        key="judge-judge",
    )
    return next((each for each in found.judges if each.judge == chosen), found.judges[-1])


def _progress(context: Context, found: JudgeReport) -> None:
    progress = found.progress
    figures = {
        "cases": progress.cases,
        "rated": progress.rated,
        "differ": progress.differ,
        "reviewed": progress.reviewed,
    }
    for column, (name, count) in zip(st.columns(len(figures)), figures.items(), strict=True):
        column.metric(context.say(f"judge_report.page.{name}"), f"{count:,}", border=True)


def _bring_and_run(context: Context) -> None:
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        if allowed(context, Act.MAKE_ITEMS):
            bring_form(context, NOTICE)
    with right, st.container(border=True, height="stretch"):
        if allowed(context, Act.MAKE_ITEMS):
            draw_run(context)
