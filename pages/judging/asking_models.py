"""LLM runs of the judge report: verdicts and answers, with progress."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import streamlit as st

from annotation.judging.state import systems_of
from construction.answers import ContextSpec, Kind
from llm.batch import Progress
from llm.reply import Status
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.draft_state import kept_choice
from pages.shell.fields import Fields
from pages.shell.guard import md_literal
from pages.shell.task_progress import begin, draw_end, draw_task
from services.answers.asking import AnswersDone, start_answers
from services.answers.planning import AnswerOptions
from services.background.tasks import TaskKind
from services.judging.model_judging import JudgeTask, JudgingPlan, start_judging
from services.models.workspace_models import roles

_SAID = (Status.ANSWERED, Status.REFUSED, Status.FAILED)
_KINDS = {"closed": Kind.NONE, "context": Kind.GOLD}  # the context that a model gets, by option


def draw_run(context: Context) -> None:
    """Draw the forms, or the running task."""
    kind, words = TaskKind.JUDGE, "judge_report.page.running"
    if draw_task(context, kind, words, partial(_draw_verdicts_outcome, context)):
        return
    models = {role.role: role.endpoint.model for role in roles(context.workspace) if role.endpoint}
    _judge_form(context, models.get(Role.JUDGE))
    _answer_form(context, models.get(Role.SOLVE))


def _fields(context: Context) -> Fields:
    """Return the fields of the forms, whose input is kept to continue a run later."""
    return Fields(context, "judge_report.page", "judge", f"judge-run-{context.project}")


def _draw_kind(context: Context, name: str, options: Iterable[str], first: str) -> str:
    """Draw the choice of what is asked for; return it."""
    fields, there = _fields(context), list(options)
    chosen = st.segmented_control(
        context.say(f"{fields.words}.{name}"),
        there,
        required=True,
        format_func=lambda each: context.say(f"{fields.words}.{each}"),
        **kept_choice(fields.case, f"{fields.key}-{name}", there, first),
    )
    return str(chosen)


def _answer_form(context: Context, model: str | None) -> None:
    """Draw the form that requests answers."""
    say = context.say
    st.header(say("judge_report.page.answers"), anchor=False)

    def ended(done: AnswersDone) -> None:
        """Draw the outcome of requesting answers."""
        draw_end(context, done.in_words(context.language), done.end, done.reason)

    if draw_task(context, TaskKind.ANSWER, "answers.running", ended):
        return
    if model is None:
        st.info(say("judge_report.page.answers_unset"), icon=":material/info:")
        return
    st.caption(md_literal(say("judge_report.page.answers_help", model=model)))
    fields = _fields(context)
    chosen = ContextSpec(_KINDS[_draw_kind(context, "setting", _KINDS, "closed")])
    name = fields.text("called", placeholder=f"{model} ({chosen.label})")
    if fields.press("ask", icon=":material/forum:"):
        begin(context, start_answers, AnswerOptions(contexts=(chosen,), system=name.strip()))


def _judge_form(context: Context, model: str | None) -> None:
    """Draw the form that requests verdicts of a judge."""
    say = context.say
    st.header(say("judge_report.page.run"), anchor=False)
    if model is None:
        st.info(say("judge_report.page.unset"), icon=":material/info:")
        return
    st.caption(md_literal(say("judge_report.page.run_help", model=model)))
    fields, systems = _fields(context), systems_of(*context.here, context.by)
    kind = _draw_kind(context, "kind", JudgeTask, JudgeTask.BINARY)
    against = ""
    if kind == JudgeTask.PAIRWISE:
        against = fields.pick("against", systems, none="judge_report.page.official")
    name = fields.text("name", placeholder=model)
    if fields.press("start", type="primary", icon=":material/play_arrow:", disabled=not systems):
        plan = JudgingPlan(JudgeTask(kind), name.strip(), against=against or None)
        begin(context, start_judging, plan)


def _draw_verdicts_outcome(context: Context, done: Progress) -> None:
    """Draw the outcome of a judging run."""
    counts = {str(each): done.statuses[each] for each in _SAID}
    words = context.say("judge_report.page.came", **counts, recalled=done.recalled)
    draw_end(context, words, done.end, done.last_reason)
