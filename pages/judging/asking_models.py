"""Asking models from the screen: for verdicts, for answers, and how far the run is."""

from __future__ import annotations

import streamlit as st

from annotation.judging.state import systems_of
from errors import UserError
from llm.reply import Status
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.draft_state import kept
from pages.shell.guard import guarded, plain, show
from services.judging.answering import Answering, Setting
from services.judging.background import JudgeRun, newest, start, start_answers
from services.judging.model_judging import JudgeTask, JudgingPlan
from services.models.workspace_models import roles

_EVERY = 1.0  # seconds between two looks at a run


def draw_run(context: Context) -> None:
    """Draw the forms, or the run that is under way."""
    run = newest(context.workspace, context.project)
    if run is not None and run.running:
        st.fragment(_watch, run_every=_EVERY)(context)
        return
    if run is not None:
        _ended(context, run)
    models = {each.role: each.endpoint.model for each in roles(context.workspace) if each.endpoint}
    _form(context, models.get(Role.JUDGE))
    _answers(context, models.get(Role.SOLVE))


def _entered(context: Context) -> str:
    """Return the name under which what is entered is kept: it is wanted again to go on."""
    return f"judge-run-{context.project}"


def _answers(context: Context, model: str | None) -> None:
    """Draw the form that asks for answers."""
    say = context.say
    st.subheader(say("judge_report.page.answers"), anchor=False)
    if model is None:
        st.info(say("judge_report.page.answers_unset"), icon=":material/info:")
        return
    st.caption(plain(say("judge_report.page.answers_help", model=model)))
    setting = st.segmented_control(
        say("judge_report.page.setting"),
        list(Setting),
        required=True,
        format_func=lambda each: say(f"judge_report.page.{each}"),
        **kept(_entered(context), "judge-setting", Setting.CLOSED),
    )
    name = st.text_input(
        say("judge_report.page.called"),
        placeholder=f"{model} ({setting})",
        **kept(_entered(context), "judge-called", ""),
    )
    if not st.button(say("judge_report.page.ask"), icon=":material/forum:", key="judge-ask"):
        return
    plan = Answering(Setting(str(setting)), name.strip())
    with guarded(context.language):
        start_answers(context.workspace, context.project, plan, context.person.id)
        st.rerun()


def _form(context: Context, model: str | None) -> None:
    """Draw the form that asks a judge."""
    say = context.say
    st.subheader(say("judge_report.page.run"), anchor=False)
    if model is None:
        st.info(say("judge_report.page.unset"), icon=":material/info:")
        return
    st.caption(plain(say("judge_report.page.run_help", model=model)))
    systems = systems_of(context.workspace, context.project, context.person.id)
    kind = st.segmented_control(
        say("judge_report.page.kind"),
        list(JudgeTask),
        required=True,
        format_func=lambda each: say(f"judge_report.page.{each}"),
        **kept(_entered(context), "judge-kind", JudgeTask.BINARY),
    )
    against = ""
    if kind == JudgeTask.PAIRWISE:
        official = say("judge_report.page.official")
        against = st.selectbox(
            say("judge_report.page.against"),
            ["", *systems],
            format_func=lambda each: each or official,
            **kept(_entered(context), "judge-against", ""),
        )
    name = st.text_input(
        say("judge_report.page.name"),
        placeholder=model,
        help=say("judge_report.page.name_help"),
        **kept(_entered(context), "judge-name", ""),
    )
    pressed = st.button(
        say("judge_report.page.start"),
        type="primary",
        icon=":material/play_arrow:",
        disabled=not systems,
        key="judge-start",
    )
    if not pressed:
        return
    plan = JudgingPlan(JudgeTask(str(kind)), name.strip(), against=against or None)
    with guarded(context.language):
        start(context.workspace, context.project, plan, context.person.id)
        st.rerun()


def _watch(context: Context) -> None:
    """Draw how far the run is. A fragment: it alone is drawn anew every second."""
    with guarded(context.language):
        run = newest(context.workspace, context.project)
        if run is None or not run.running:
            st.rerun()
            return
        done, total = run.progress.done, run.progress.total
        words = context.say("judge_report.page.running", judge=run.name, done=done, total=total)
        st.progress(min(done / total, 1.0) if total else 0.0, plain(words))
        if run.stopping:
            st.caption(context.say("judge_report.page.stopping"))
            return
        words = context.say("judge_report.page.stop")
        st.button(words, icon=":material/stop:", key="judge-stop", on_click=run.stop)


def _ended(context: Context, run: JudgeRun) -> None:
    """Say what came of the run that ended last."""
    if isinstance(run.error, UserError):
        show(run.error, context.language)
    elif run.error is not None:
        st.error(context.say("judge_report.page.broke"), icon=":material/bug_report:")
    elif run.progress.end is not None:
        st.caption(plain(f"{run.name}: {_end_words(context, run)}"))


def _end_words(context: Context, run: JudgeRun) -> str:
    progress = run.progress
    if run.error is not None or progress.end is None:
        return ""
    came = context.say(
        "judge_report.page.came",
        answered=progress.statuses[Status.ANSWERED],
        refused=progress.statuses[Status.REFUSED],
        failed=progress.statuses[Status.FAILED],
        recalled=progress.recalled,
    )
    ended = context.say(f"judge_report.end.{progress.end}", reason=progress.last_reason)
    return f"{ended} {came}"
