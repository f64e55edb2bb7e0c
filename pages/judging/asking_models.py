"""LLM runs of the judge report: verdicts and answers, with progress."""

from __future__ import annotations

from functools import partial

import streamlit as st

from annotation.judging.state import systems_of
from construction.answers import ContextSpec, Kind
from llm.batch import Progress
from llm.reply import Status
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.draft_state import kept_choice, kept_place, kept_value
from pages.shell.guard import md_literal
from pages.shell.task_progress import begin, draw_end, draw_task
from services.answers.asking import AnswersDone, start_answers
from services.answers.planning import AnswerOptions
from services.background.tasks import TaskKind
from services.judging.model_judging import JudgeTask, JudgingPlan, start_judging
from services.models.workspace_models import roles

_KINDS = {"closed": Kind.NONE, "context": Kind.GOLD}  # the context that a model gets, by option


def draw_run(context: Context) -> None:
    """Draw the forms, or the running task."""
    kind, words = TaskKind.JUDGE, "judge_report.page.running"
    if draw_task(context, kind, words, partial(_draw_verdicts_outcome, context)):
        return
    models = {role.role: role.endpoint.model for role in roles(context.workspace) if role.endpoint}
    _judge_form(context, models.get(Role.JUDGE))
    _answer_form(context, models.get(Role.SOLVE))


def _form_key(context: Context) -> str:
    """Return the key under which the form's input is kept, to continue a run later."""
    return f"judge-run-{context.project}"


def _answer_form(context: Context, model: str | None) -> None:
    """Draw the form that requests answers."""
    say = context.say
    st.header(say("judge_report.page.answers"), anchor=False)
    if draw_task(
        context, TaskKind.ANSWER, "answers.running", partial(_draw_answers_outcome, context)
    ):
        return
    if model is None:
        st.info(say("judge_report.page.answers_unset"), icon=":material/info:")
        return
    st.caption(md_literal(say("judge_report.page.answers_help", model=model)))
    setting = st.segmented_control(
        say("judge_report.page.setting"),
        list(_KINDS),
        required=True,
        format_func=lambda each: say(f"judge_report.page.{each}"),
        **kept_choice(_form_key(context), "judge-setting", _KINDS, "closed"),
    )
    name = st.text_input(
        say("judge_report.page.called"),
        placeholder=f"{model} ({ContextSpec(_KINDS[str(setting)]).label})",
        **kept_value(_form_key(context), "judge-called", ""),
    )
    if not st.button(say("judge_report.page.ask"), icon=":material/forum:", key="judge-ask"):
        return
    chosen = ContextSpec(_KINDS[str(setting)])
    begin(context, start_answers, AnswerOptions(contexts=(chosen,), system=name.strip()))


def _judge_form(context: Context, model: str | None) -> None:
    """Draw the form that requests verdicts of a judge."""
    say = context.say
    st.header(say("judge_report.page.run"), anchor=False)
    if model is None:
        st.info(say("judge_report.page.unset"), icon=":material/info:")
        return
    st.caption(md_literal(say("judge_report.page.run_help", model=model)))
    systems = systems_of(*context.here, context.by)
    kind = st.segmented_control(
        say("judge_report.page.kind"),
        list(JudgeTask),
        required=True,
        format_func=lambda each: say(f"judge_report.page.{each}"),
        **kept_choice(_form_key(context), "judge-kind", JudgeTask, JudgeTask.BINARY),
    )
    against = ""
    if kind == JudgeTask.PAIRWISE:
        official = say("judge_report.page.official")
        against = st.selectbox(
            say("judge_report.page.against"),
            ["", *systems],
            format_func=lambda each: each or official,
            **kept_place(_form_key(context), "judge-against", ["", *systems], ""),
        )
    name = st.text_input(
        say("judge_report.page.name"),
        placeholder=model,
        help=say("judge_report.page.name_help"),
        **kept_value(_form_key(context), "judge-name", ""),
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
    begin(context, start_judging, plan)


def _draw_answers_outcome(context: Context, done: AnswersDone) -> None:
    """Draw the outcome of requesting answers."""
    draw_end(context, done.in_words(context.language), done.end, done.reason)


def _draw_verdicts_outcome(context: Context, done: Progress) -> None:
    """Draw the outcome of a judging run."""
    words = context.say(
        "judge_report.page.came",
        answered=done.statuses[Status.ANSWERED],
        refused=done.statuses[Status.REFUSED],
        failed=done.statuses[Status.FAILED],
        recalled=done.recalled,
    )
    draw_end(context, words, done.end, done.last_reason)
