"""Cascade screen: layer report, questions, running the layers, their configuration.

Questions with each layer's outcome; restoring rejected ones, and its withdrawal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from annotation.work.versioned_texts import CASCADE_LAYERS
from construction.cascade.layers import TEXT_LIMIT, Layer, parse
from corpus.limits import NOTE
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import allowed, draw_head, redraw_with
from pages.shell.plain_text import plain_text
from pages.shell.reports import draw_report
from pages.shell.task_progress import begin, draw_end, draw_model, draw_task
from pages.shell.version_editor import VersionEditor
from pages.shell.widgets import Views, choose_counted, draw_table, draw_view, pick_row
from pages.task.generated_words import finding_words, role_name
from services.background.tasks import TaskKind
from services.cascade.report import (
    QuestionDetail,
    State,
    as_report,
    cascade_report,
    list_questions,
    read_question,
    restore,
    withdraw,
)
from services.cascade.running import (
    CascadeDone,
    estimate,
    estimate_lines,
    repeated_lines,
    start_cascade,
)
from storage.cascade.results import RESTORE, QuestionState, Result

NOTICE = "cascade-notice"
_ALL = "all"
_ICONS = {
    "passed": ":material/check_circle:",
    "rejected": ":material/cancel:",
    "unjudged": ":material/help:",
}


def draw_questions(context: Context) -> None:
    """Draw the generated questions by state in the cascade, and the selected one."""
    say = context.say
    found = list_questions(*context.here, by=context.by)
    if not found:
        st.info(say("cascade.none"), icon=":material/info:")
        return
    counts = Counter(str(each.state) for each in found)
    states = {_ALL: len(found)} | {str(state): counts[str(state)] for state in State}
    state = choose_counted(context, "cascade.state", states, "cascade-state")
    shown = [each for each in found if state in (_ALL, each.state)]
    if not shown:
        st.info(say("cascade.question.nothing"), icon=":material/info:")
        return
    columns = {
        "text": [" ".join(each.question.text.split()) for each in shown],
        "state": [say(f"cascade.state.{each.state}") for each in shown],
        "layer": [say(f"cascade.layer.{each.layer}") if each.layer else "" for each in shown],
        "target": [each.question.level for each in shown],
        "id": [each.question.external_id for each in shown],
    }
    key, hint = f"cascade-list-{state}", "cascade.question.pick"
    row = pick_row(context, "cascade.question", columns, key, hint, wide="text")
    if row is not None:
        external_id = shown[row].question.external_id
        _detail(context, read_question(*context.here, external_id, context.by))


def _detail(context: Context, found: QuestionDetail) -> None:
    """Draw a question with the results of each layer."""
    say, question = context.say, found.state.question
    key = f"cascade-{question.external_id}"
    with st.container(border=True):
        state = say(f"cascade.state.{found.state.state}")
        st.markdown(
            f"**{md_literal(question.external_id)}** · {state} · {md_literal(question.level)}"
        )
        plain_text(question.text, f"{key}-text", "lead", question.language)
        _draw_outcomes(context, found)
        _draw_actions(context, found)
        with st.expander(say("cascade.question.answer"), icon=":material/notes:"):
            plain_text(question.answer, f"{key}-answer", "body", question.language)
        st.markdown(f"**{say('cascade.question.gold')}**")
        columns = {
            "unit": [each["unit"] for each in found.gold],
            "role": [role_name(each["role"], found.names, context.language) for each in found.gold],
        }
        draw_table(context, "cascade.question", columns, f"{key}-gold", wide="unit")


def _draw_outcomes(context: Context, detail: QuestionDetail) -> None:
    """Draw the outcome of each layer, and the layers that are off or not reached."""
    say, state = context.say, detail.state
    st.markdown(f"**{say('cascade.question.ways')}**")
    said = {result.layer: result for result in state.results}
    rest: dict[str, list[str]] = {"unseen": [], "off": []}
    for step in detail.layers.steps:
        if (result := said.get(str(step.layer))) is not None:
            st.markdown(_outcome_text(context, detail, result))
        elif step.layer is not Layer.PEOPLE:
            rest["unseen" if step.on else "off"].append(say(f"cascade.layer.{step.layer}"))
    lines = [
        say(f"cascade.question.{name}", layers=", ".join(layers))
        for name, layers in rest.items()
        if layers
    ]
    if state.run is not None:
        lines.append(say("cascade.question.version", number=state.run.layers_number))
    st.caption(md_literal(" · ".join(lines)))
    if state.state is State.WAITING:
        st.info(say("cascade.question.waiting"), icon=":material/schedule:")


def _outcome_text(context: Context, found: QuestionDetail, result: Result) -> str:
    """Return a layer's outcome, reasons and overrulings as Markdown."""
    say = context.say
    name = say(f"cascade.layer.{result.layer}")
    outcome = say(f"cascade.outcome.{result.outcome}")
    lines = [f"{_ICONS[result.outcome]} **{name}**: {outcome}", ""]
    lines += [
        f"- {md_literal(finding_words(each, found.names, context.language))}"
        for each in result.reasons
    ]
    for each in found.history:
        if each.layer == result.layer:
            words = "overruled" if each.kind == RESTORE else "withdrawn"
            person = each.person or say("guidelines.operator")
            said = say(f"cascade.question.{words}", person=person, reason=each.reason)
            lines.append(f"- :material/undo: {md_literal(said)}")
    return "\n".join(lines)


def _draw_actions(context: Context, found: QuestionDetail) -> None:
    """Draw, for makers of items, the buttons that restore a question or withdraw that."""
    say, state = context.say, found.state
    if not context.may(Act.MAKE_ITEMS) or not (state.layer or state.overruled):
        return
    key = f"cascade-{state.question.external_id}-{len(found.history)}"
    fields = Fields(context, "cascade.question", key)
    reason = fields.text("reason", max_chars=NOTE)
    row = fields.within(st.container(horizontal=True))
    if state.layer:
        layer = say(f"cascade.layer.{state.layer}")
        help_ = say("cascade.question.restore_help", layer=layer)
        if row.press("restore", type="primary", help=help_):
            _carry_out(context, restore, found, reason, "restored")
    if state.overruled and row.press("withdraw"):
        _carry_out(context, withdraw, found, reason, "taken_back")


def _carry_out(
    context: Context,
    act: Callable[..., QuestionState],
    found: QuestionDetail,
    reason: str,
    words: str,
) -> None:
    """Carry out an act on a question and redraw, with a notice of its new state."""
    with guarded(context.language):
        external_id = found.state.question.external_id
        now = act(*context.here, external_id, reason, by=context.by)
        state = context.say(f"cascade.state.{now.state}")
        redraw_with(NOTICE, context.say(f"cascade.question.{words}", id=external_id, state=state))


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "cascade", NOTICE)
    if allowed(context, Act.READ_OTHERS_LABELS):
        run = {"run": _run} if context.may(Act.MAKE_ITEMS) else {}
        layers = partial(_EDITOR.draw, notice_key=NOTICE)
        views: Views = {"report": _report, "questions": draw_questions, **run, "layers": layers}
        draw_view(context, "cascade.tab", "cascade-tab", views)


def _report(context: Context) -> None:
    """Draw the report over questions that went through the current layers."""
    found = cascade_report(*context.here, context.by)
    if found.questions:
        draw_report(context, as_report(found, context.language), "cascade")
    else:
        st.info(context.say("cascade.none"), icon=":material/info:")


def _run(context: Context) -> None:
    """Draw the running task, or the form that starts it."""
    ended = partial(_draw_outcome, context)
    if not draw_task(context, TaskKind.CASCADE, "cascade.run.progress", ended):
        _form(context)


def _draw_outcome(context: Context, done: CascadeDone) -> None:
    """Draw the outcome of the run."""
    words = context.say(
        "cascade.run.done",
        questions=done.questions,
        through=done.through,
        rejected=sum(done.rejected.values()),
        unjudged=done.unjudged,
        unanswered=done.unanswered,
    )
    said = " ".join([words, *repeated_lines(done.repeated, context.language)])
    draw_end(context, said, done.end, done.reason)


@fragment
def _form(context: Context) -> None:
    """Draw the form that starts a run, with its estimate."""
    say, fields = context.say, Fields(context, "cascade.run", "cascade")
    again = fields.tick("again")
    text = parse(CASCADE_LAYERS.editions(*context.here, context.by)[0].text)
    judged = any(step.layer == "judge" for step in text.asked)
    if judged and not draw_model(context, Role.JUDGE):
        return
    found = estimate(*context.here, again, context.by)
    if not found.questions:
        st.info(say("cascade.run.nothing"), icon=":material/check:")
        return
    words = " ".join(estimate_lines(found, context.language))
    st.info(md_literal(words), icon=":material/calculate:")
    if fields.press("start", type="primary", icon=":material/filter_alt:", key="run"):
        begin(context, start_cascade, again)


def _preview(context: Context, text: str) -> None:
    """Draw the order of layers in a changed text; raises UserError if it is invalid."""
    say = context.say
    named = []
    for step in parse(text).steps:
        name = say(f"cascade.layer.{step.layer}")
        named.append(name if step.on else say("cascade.text.switched_off", layer=name))
    st.caption(md_literal(say("cascade.text.order", layers=" → ".join(named))))


_EDITOR = VersionEditor(
    words="cascade.text",
    place="cascade-layers",
    saved="cascade.text.saved",
    no_text="cascade_file",
    limit=TEXT_LIMIT,
    source=CASCADE_LAYERS,
    preview=_preview,
)
