"""Attribution report screen: systems compared, and runs of the judge of their claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.people.roles import Act
from llm.roles import Role
from pages.attribution.corrected_part import draw_corrected
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded
from pages.shell.notices import allowed, draw_head
from pages.shell.plain_text import plain_text
from pages.shell.reports import cached, draw_report, draw_section
from pages.shell.task_progress import begin, draw_end, draw_model, draw_task
from pages.shell.widgets import draw_parts
from services.attribution.answer_claims import answered, citations_of_answers, claims_of_answer
from services.attribution.claims import (
    STATES,
    TEMPERATURE,
    TOP_P,
    AskingDone,
    AttributionOptions,
    JudgePlan,
    plan_splits,
    start_splitting,
)
from services.attribution.labelling import plan_labels, splitters, start_labelling
from services.attribution.report import AttributionReport, report, revision
from services.attribution.report_tables import as_report, citation_section, claim_sections
from services.attribution.scored_answers import ANSWERED
from services.background.tasks import TaskKind
from services.models.workspace_models import roles
from storage.attribution.claims import SAID

_STEPS: Mapping[str, tuple[Callable[..., JudgePlan[Any]], Callable[..., Any]]] = {
    "split": (plan_splits, start_splitting),
    "label": (plan_labels, start_labelling),
}
"""What plans and what starts each step of asking the judge."""
_WORDS = "attribution_report"


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, _WORDS)
    if not allowed(context, Act.SEE_SCORES):
        return
    draw_parts(context, f"{_WORDS}.tab_", {"report": _report, "run": _run}, "attribution-tab")


def _report(context: Context) -> None:
    """Draw the report with its choices."""
    found = _chosen_report(context)
    if not found.lines:
        st.info(context.say(f"{_WORDS}.no_systems"), icon=":material/info:")
        return
    every = st.toggle(context.say(f"{_WORDS}.tests_all"), key="attribution-every-pair")
    draw_report(context, as_report(found, context.language, every), "attribution")
    for name, icon, draw in (
        ("citations", ":material/fact_check:", _citations),
        ("answer", ":material/format_list_bulleted:", _answer),
    ):
        label, key = context.say(f"{_WORDS}.{name}_title"), f"attribution-{name}"
        shown = st.expander(label, icon=icon, on_change="rerun", key=key)
        if shown.open:
            with shown, guarded(context.language):
                draw(context, found)
    draw_corrected(context)


def _chosen_report(context: Context) -> AttributionReport:
    """Draw the choices of judge and split column, if any; return the report for them."""
    found = _current_report(context)
    judge, split = None, ""
    left, right = Fields(context, _WORDS, "attribution").row(2)
    if len(found.judges) > 1:
        judge = left.pick("judge", found.judges)
    if found.columns:
        split = right.pick("split", found.columns, none=f"{_WORDS}.split_none", help=None)
    return _current_report(context, judge, split) if judge or split else found


def _citations(context: Context, found: AttributionReport) -> None:
    """Draw a chosen system's citations by answer, by a switch only of answers with wrong ones."""
    names = [each.system for each in found.lines if each.answers.get(ANSWERED)]
    left, right = Fields(context, _WORDS, "attribution").row(2, vertical_alignment="bottom")
    system = left.pick("system", names, key="cited-by")
    wrong = right.switch("citations_wrong", True, key="wrong")
    answers = citations_of_answers(*context.here, (str(system),), context.by)
    chosen = [each for each in answers if each.wrong or not wrong]
    if chosen:
        draw_section(context, citation_section(chosen, context.language), "attribution")
    else:
        st.info(context.say(f"{_WORDS}.citations_none"), icon=":material/info:")


def _answer(context: Context, found: AttributionReport) -> None:
    """Draw an answer's claims beside those of the official answer."""
    systems = answered(*context.here, context.by)
    if systems:
        _claims(context, found, systems)
    else:
        st.info(context.say(f"{_WORDS}.no_answers"), icon=":material/info:")


def _claims(
    context: Context, found: AttributionReport, systems: Mapping[str, Sequence[str]]
) -> None:
    """Draw the claims of one answer."""
    say = context.say
    left, right = Fields(context, _WORDS, "attribution").row(2)
    system = left.pick("system", systems, key="of")
    question = right.pick("question", systems[system])
    view = claims_of_answer(*context.here, question, system, found.judge, context.by)
    plain_text(view.case.question, "attribution-asked", "lead")
    if view.state != SAID:
        state = f"labels_{view.state}" if view.state else "not_labelled"
        st.info(say(f"{_WORDS}.state.{state}"), icon=":material/info:")
    cited = citations_of_answers(*context.here, (system,), context.by)
    own = [each for each in cited if each.question == question]
    for section in (
        *claim_sections(view, context.language),
        citation_section(own, context.language),
    ):
        draw_section(context, section, "attribution-answer")


def _run(context: Context) -> None:
    """Draw the forms that run the judge, or the progress of a run."""
    if not allowed(context, Act.MAKE_ITEMS):
        return
    kind, words = TaskKind.ATTRIBUTE, f"{_WORDS}.running"
    if draw_task(context, kind, words, partial(_draw_outcome, context)):
        return
    if not draw_model(context, Role.JUDGE):
        return
    options = _options(context)
    for what, place in zip(_STEPS, st.columns(2, gap="medium"), strict=True):
        with place, st.container(border=True, height="stretch"):
            _draw_step(context, what, options)


def _options(context: Context) -> AttributionOptions:
    """Draw the settings of splitting and labelling; return them."""
    say = context.say
    fields = Fields(context, _WORDS, "attribution", f"attribution-run-{context.project}")
    systems = [each.system for each in _current_report(context).lines]
    chosen = fields.several("systems", systems, placeholder=say(f"{_WORDS}.systems_all"))
    left, middle, right = fields.row(3)
    heat = left.number("temperature", 0.0, 2.0, TEMPERATURE, step=0.1)
    top = middle.number("top_p", 0.01, 1.0, TOP_P, step=0.05)
    repeat = right.number("repeat", 0, None, 0, step=1)
    splitter = _splitter(context, fields)
    again, cut_all = fields.tick("again"), fields.tick("cut_all")
    return AttributionOptions(tuple(chosen), heat, top, repeat, splitter, again, cut_all)


def _splitter(context: Context, fields: Fields) -> str:
    """Draw the choice of the model whose claims are labelled; "" for the judge's own.

    The choice is drawn only if others have split answers.
    """
    judge = next(each for each in roles(context.workspace) if each.role is Role.JUDGE)
    own = judge.endpoint.model if judge.endpoint else ""
    others = [each for each in splitters(*context.here, context.by) if each != own]
    if not others:
        return ""
    words = context.say(f"{_WORDS}.splitter_own", model=own)
    return fields.pick("splitter", ["", *others], lambda each: each or words, "")


def _current_report(
    context: Context, judge: str | None = None, split: str = ""
) -> AttributionReport:
    """Return the report for a judge and split column, cached by the state of the database."""
    version = revision(*context.here, context.by)
    return cached(context, version, report, judge, split=split)


def _draw_step(context: Context, what: str, options: AttributionOptions) -> None:
    """Draw what a run of the judge would do, and the button that starts it."""
    plan_of, start = _STEPS[what]
    st.header(context.say(f"{_WORDS}.{what}_title"), anchor=False)
    st.caption(context.say(f"{_WORDS}.{what}_help"))
    with guarded(context.language):
        plan = plan_of(*context.here, options, context.by)
        counts = {"calls": plan.calls, "listed": len(plan.free), "already": plan.already}
        st.text(context.say(f"{_WORDS}.{what}_planned", **counts, waiting=plan.not_cut))
        for name, count in (("unsaid", plan.unsaid), ("no_claims", plan.no_claims)):
            if count:
                st.text(context.say(f"{_WORDS}.{name}", count=count))
        shown = {"type": "primary", "icon": ":material/play_arrow:"}
        idle = not (plan.asked or plan.free)
        fields = Fields(context, _WORDS, "attribution")
        if fields.press(f"{what}_start", key=what, disabled=idle, **shown):
            begin(context, start, options)


def _draw_outcome(context: Context, done: AskingDone) -> None:
    """Draw the outcome of a judge run."""
    words = context.say(
        f"{_WORDS}.came",
        asked=done.asked,
        listed=done.without_call,
        already=done.already,
        unanswered=done.unanswered,
        **{state: done.states.get(state, 0) for state in STATES},
    )
    draw_end(context, words, done.end, done.reason)
