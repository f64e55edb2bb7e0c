"""Attribution report screen: systems compared, and runs of the judge of their claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from llm.roles import Role
from pages.attribution.corrected_part import draw_corrected
from pages.shell.context import Context
from pages.shell.draft_state import kept_choices, kept_place, kept_value
from pages.shell.guard import guarded
from pages.shell.notices import allowed, draw_head
from pages.shell.plain_text import plain_text
from pages.shell.reports import cached, draw_report, draw_section
from pages.shell.task_progress import begin, draw_end, draw_model, draw_task
from services.attribution.answer_claims import answered, citations_of_answers, claims_of_answer
from services.attribution.claims import (
    STATES,
    TEMPERATURE,
    TOP_P,
    AskingDone,
    AttributionOptions,
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

_TABS = ("tab_report", "tab_run")
_WORDS = "attribution_report"


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, _WORDS)
    if not allowed(context, Act.SEE_SCORES):
        return
    names = [context.say(f"{_WORDS}.{tab}") for tab in _TABS]
    figures, run = st.tabs(names, on_change="rerun", key="attribution-tab")
    if figures.open:
        with figures:
            _report(context)
    if run.open:
        with run:
            _run(context)


def _report(context: Context) -> None:
    """Draw the report with its choices."""
    found = _chosen_report(context)
    if not found.lines:
        st.info(context.say(f"{_WORDS}.no_systems"), icon=":material/info:")
        return
    every = st.toggle(context.say(f"{_WORDS}.tests_all"), key="attribution-every-pair")
    draw_report(context, as_report(found, context.language, every), "attribution")
    _citations(context, found)
    _answer(context, found)
    draw_corrected(context)


def _chosen_report(context: Context) -> AttributionReport:
    """Return the report for the chosen judge and split column, by default first and none."""
    found = _current_report(context)
    judge, split = None, ""
    left, right = st.columns(2)
    if len(found.judges) > 1:
        label = context.say(f"{_WORDS}.judge")
        judge = left.selectbox(label, found.judges, key="attribution-judge")
    if found.columns:
        split = right.selectbox(
            context.say(f"{_WORDS}.split"),
            ["", *found.columns],
            format_func=lambda each: each or context.say(f"{_WORDS}.split_none"),
            key="attribution-split",
        )
    return _current_report(context, judge, split) if judge or split else found


def _citations(context: Context, found: AttributionReport) -> None:
    """Draw a system's false, missing and unresolved citations."""
    label, icon = context.say(f"{_WORDS}.citations_title"), ":material/fact_check:"
    shown = st.expander(label, icon=icon, on_change="rerun", key="attribution-citations")
    if not shown.open:
        return
    with shown, guarded(context.language):
        names = [each.system for each in found.lines if each.answers.get(ANSWERED)]
        left, right = st.columns(2, vertical_alignment="bottom")
        system = left.selectbox(context.say(f"{_WORDS}.system"), names, key="attribution-cited-by")
        wrong = right.toggle(
            context.say(f"{_WORDS}.citations_wrong"), value=True, key="attribution-wrong"
        )
        answers = citations_of_answers(*context.here, (str(system),), context.by)
        chosen = [each for each in answers if each.wrong or not wrong]
        if chosen:
            draw_section(context, citation_section(chosen, context.language), "attribution")
        else:
            st.info(context.say(f"{_WORDS}.citations_none"), icon=":material/info:")


def _answer(context: Context, found: AttributionReport) -> None:
    """Draw an answer's claims beside those of the official answer."""
    label, icon = context.say(f"{_WORDS}.answer_title"), ":material/format_list_bulleted:"
    shown = st.expander(label, icon=icon, on_change="rerun", key="attribution-answer")
    if not shown.open:
        return
    with shown, guarded(context.language):
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
    left, right = st.columns(2)
    system = left.selectbox(say(f"{_WORDS}.system"), list(systems), key="attribution-of")
    questions = systems[str(system)]
    question = right.selectbox(say(f"{_WORDS}.question"), questions, key="attribution-question")
    view = claims_of_answer(*context.here, str(question), str(system), found.judge, context.by)
    plain_text(view.case.question, "attribution-asked", "lead")
    if view.state != SAID:
        state = f"labels_{view.state}" if view.state else "not_labelled"
        st.info(say(f"{_WORDS}.state.{state}"), icon=":material/info:")
    cited = citations_of_answers(*context.here, (str(system),), context.by)
    own = [each for each in cited if each.question == question]
    sections = *claim_sections(view, context.language), citation_section(own, context.language)
    for section in sections:
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
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        _split(context, options)
    with right, st.container(border=True, height="stretch"):
        _label(context, options)


def _options(context: Context) -> AttributionOptions:
    """Draw the settings of splitting and labelling; return them."""
    say, form = context.say, f"attribution-run-{context.project}"
    systems = [each.system for each in _current_report(context).lines]
    chosen = st.multiselect(
        say(f"{_WORDS}.systems"),
        systems,
        placeholder=say(f"{_WORDS}.systems_all"),
        **kept_choices(form, "attribution-systems", systems, []),
    )
    left, middle, right = st.columns(3)
    heat = left.number_input(
        say(f"{_WORDS}.temperature"),
        min_value=0.0,
        max_value=2.0,
        step=0.1,
        **kept_value(form, "attribution-temperature", TEMPERATURE),
    )
    top = middle.number_input(
        say(f"{_WORDS}.top_p"),
        min_value=0.01,
        max_value=1.0,
        step=0.05,
        **kept_value(form, "attribution-top-p", TOP_P),
    )
    repeat = right.number_input(
        say(f"{_WORDS}.repeat"),
        min_value=0,
        step=1,
        help=say(f"{_WORDS}.repeat_help"),
        **kept_value(form, "attribution-repeat", 0),
    )
    splitter = _splitter(context, form)
    again = st.checkbox(say(f"{_WORDS}.again"), **kept_value(form, "attribution-again", False))
    cut_all = st.checkbox(
        say(f"{_WORDS}.cut_all"), **kept_value(form, "attribution-cut-all", False)
    )
    numbers = float(heat), float(top), int(repeat)
    return AttributionOptions(tuple(chosen), *numbers, splitter, again, cut_all)


def _splitter(context: Context, form: str) -> str:
    """Draw the choice of the model whose claims are labelled; "" for the judge's own.

    The choice is drawn only if others have split answers.
    """
    judge = next(each for each in roles(context.workspace) if each.role is Role.JUDGE)
    own = judge.endpoint.model if judge.endpoint else ""
    others = [each for each in splitters(*context.here, context.by) if each != own]
    if not others:
        return ""
    words, options = context.say(f"{_WORDS}.splitter_own", model=own), ["", *others]
    return str(
        st.selectbox(
            context.say(f"{_WORDS}.splitter"),
            options,
            format_func=lambda each: each or words,
            **kept_place(form, "attribution-splitter", options, ""),
        )
    )


def _current_report(
    context: Context, judge: str | None = None, split: str = ""
) -> AttributionReport:
    version = revision(*context.here, context.by)
    return cached(context, version, report, judge, split=split)


def _split(context: Context, options: AttributionOptions) -> None:
    """Draw the form that splits answers into claims."""
    say = context.say
    st.header(say(f"{_WORDS}.split_title"), anchor=False)
    st.caption(say(f"{_WORDS}.split_help"))
    with guarded(context.language):
        plan = plan_splits(*context.here, options, context.by)
        counts = {"calls": plan.calls, "listed": len(plan.free), "already": plan.already}
        st.text(say(f"{_WORDS}.split_planned", **counts))
        _draw_missing_count(context, plan.unsaid)
        if _start(context, "split", not (plan.asked or plan.free)):
            begin(context, start_splitting, options)


def _label(context: Context, options: AttributionOptions) -> None:
    """Draw the form that labels claims."""
    say = context.say
    st.header(say(f"{_WORDS}.label_title"), anchor=False)
    st.caption(say(f"{_WORDS}.label_help"))
    with guarded(context.language):
        plan = plan_labels(*context.here, options, context.by)
        counts = {"calls": plan.calls, "already": plan.already, "waiting": plan.not_cut}
        st.text(say(f"{_WORDS}.label_planned", **counts))
        _draw_missing_count(context, plan.unsaid)
        if plan.no_claims:
            st.text(say(f"{_WORDS}.no_claims", count=plan.no_claims))
        if _start(context, "label", not (plan.asked or plan.free)):
            begin(context, start_labelling, options)


def _draw_missing_count(context: Context, count: int) -> None:
    """Draw how many answers have no claims."""
    if count:
        st.text(context.say(f"{_WORDS}.unsaid", count=count))


def _start(context: Context, what: str, disabled: bool) -> bool:
    """Draw the button that starts splitting or labelling; return whether it was pressed."""
    return st.button(
        context.say(f"{_WORDS}.{what}_start"),
        type="primary",
        icon=":material/play_arrow:",
        disabled=disabled,
        key=f"attribution-{what}",
    )


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
