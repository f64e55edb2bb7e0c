"""Cascade screen: layer report, questions, running the layers, their configuration.

Questions with each layer's outcome; restoring rejected ones, and its withdrawal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from annotation.people.roles import Act
from annotation.work.versioned_texts import CASCADE_LAYERS
from construction.cascade.layers import TEXT_LIMIT, Layer, parse
from corpus.limits import NOTE
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import allowed, draw_head, remember, show_remembered
from pages.shell.plain_text import plain_text
from pages.shell.reports import draw_report
from pages.shell.task_progress import begin, draw_end, draw_model, draw_task
from pages.shell.version_editor import VersionEditor
from pages.shell.widgets import choose, draw_table, pick_row
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
from services.cascade.running import CascadeDone, estimate, start_cascade
from storage.cascade.results import RESTORE, QuestionState, Result

_ALL = "all"
_ICONS = {
    "passed": ":material/check_circle:",
    "rejected": ":material/cancel:",
    "unjudged": ":material/help:",
}


def draw_questions(context: Context, notice: str) -> None:
    """Draw the list and the selected question; outcomes are remembered under `notice`."""
    say = context.say
    found = list_questions(*context.here, by=context.by)
    if not found:
        st.info(say("cascade.none"), icon=":material/info:")
        return

    def words(name: str) -> str:
        """Return a state's name with its number of questions."""
        count = len(found) if name == _ALL else sum(each.state == name for each in found)
        return f"{say(f'cascade.state.{name}')} ({count:,})"

    state = choose(context, "cascade.state.label", [_ALL, *map(str, State)], words, "cascade-state")
    shown = [each for each in found if state in (_ALL, each.state)]
    if not shown:
        st.info(say("cascade.question.nothing"), icon=":material/info:")
        return
    row = _table(context, shown, state)
    if row is None:
        st.caption(say("cascade.question.pick"))
        return
    external_id = shown[row].question.external_id
    _detail(context, read_question(*context.here, external_id, context.by), notice)


def _table(context: Context, shown: Sequence[QuestionState], state: str) -> int | None:
    """Draw the questions as a table; return the number of the picked row."""
    say = context.say
    columns = {
        "text": [" ".join(each.question.text.split()) for each in shown],
        "state": [say(f"cascade.state.{each.state}") for each in shown],
        "layer": [say(f"cascade.layer.{each.layer}") if each.layer else "" for each in shown],
        "target": [each.question.level for each in shown],
        "id": [each.question.external_id for each in shown],
    }
    return pick_row(context, "cascade.question", columns, f"cascade-list-{state}", wide="text")


def _detail(context: Context, found: QuestionDetail, notice: str) -> None:
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
        _draw_actions(context, found, notice)
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
    steps = [step for step in detail.layers.steps if step.layer is not Layer.PEOPLE]
    for step in steps:
        if (result := said.get(str(step.layer))) is not None:
            st.markdown(_outcome_text(context, detail, result))
    rest = [step for step in steps if str(step.layer) not in said]
    lines = []
    for name, some in (
        ("unseen", [step for step in rest if step.on]),
        ("off", [step for step in rest if not step.on]),
    ):
        layers = ", ".join(say(f"cascade.layer.{step.layer}") for step in some)
        lines += [say(f"cascade.question.{name}", layers=layers)] if layers else []
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


def _draw_actions(context: Context, found: QuestionDetail, notice: str) -> None:
    """Draw the reason field and the button that restores, or withdraws a restoration."""
    say, state = context.say, found.state
    if not context.may(Act.MAKE_ITEMS) or not (state.layer or state.overruled):
        return
    key = f"cascade-{state.question.external_id}-{len(found.history)}"
    reason = st.text_input(say("cascade.question.reason"), max_chars=NOTE, key=f"{key}-reason")
    with st.container(horizontal=True):
        if state.layer:
            layer = say(f"cascade.layer.{state.layer}")
            help_ = say("cascade.question.restore_help", layer=layer)
            words = say("cascade.question.restore")
            if st.button(words, key=f"{key}-restore", type="primary", help=help_):
                _carry_out(context, restore, found, reason, notice, "restored")
        words = say("cascade.question.withdraw")
        if state.overruled and st.button(words, key=f"{key}-withdraw"):
            _carry_out(context, withdraw, found, reason, notice, "taken_back")


def _carry_out(
    context: Context,
    act: Callable[..., QuestionState],
    found: QuestionDetail,
    reason: str,
    notice: str,
    words: str,
) -> None:
    """Carry out an act on a question; remember the notice of its new state."""
    with guarded(context.language):
        external_id = found.state.question.external_id
        now = act(*context.here, external_id, reason or "", by=context.by)
        state = context.say(f"cascade.state.{now.state}")
        remember(notice, context.say(f"cascade.question.{words}", id=external_id, state=state))
        st.rerun()


NOTICE = "cascade-notice"
TABS = ("report", "questions", "run", "layers")


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "cascade")
    show_remembered(NOTICE)
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    shown = [name for name in TABS if name != "run" or context.may(Act.MAKE_ITEMS)]
    tab = choose(context, "cascade.tab.label", shown, "cascade.tab", "cascade-tab")
    if tab == "questions":
        draw_questions(context, NOTICE)
    elif tab == "run":
        _run(context)
    elif tab == "layers":
        _EDITOR.draw(context, NOTICE)
    else:
        _report(context)


def _report(context: Context) -> None:
    """Draw the report over questions that went through the current layers."""
    found = cascade_report(*context.here, context.by)
    if found.questions:
        draw_report(context, as_report(found, context.language), "cascade")
    else:
        st.info(context.say("cascade.none"), icon=":material/info:")


def _run(context: Context) -> None:
    """Draw the running task, or the form that starts it."""
    if draw_task(
        context, TaskKind.CASCADE, "cascade.run.progress", lambda d: _draw_outcome(context, d)
    ):
        return
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
    draw_end(context, f"{words}{_repeated_note(context, done.repeated)}", done.end, done.reason)


def _repeated_note(context: Context, count: int) -> str:
    """Return the note on repeated questions, "" if there are none."""
    return f" {context.say('cascade.run.repeated', count=count)}" if count else ""


@fragment
def _form(context: Context) -> None:
    """Draw the form that starts a run, with its estimate."""
    say = context.say
    again = st.checkbox(say("cascade.run.again"), key="cascade-again")
    text = parse(CASCADE_LAYERS.editions(*context.here, context.by)[0].text)
    judged = any(step.layer == "judge" for step in text.asked)
    if judged and not draw_model(context, Role.JUDGE):
        return
    found = estimate(*context.here, again, context.by)
    if not found.questions:
        st.info(say("cascade.run.nothing"), icon=":material/check:")
        return
    cost = "–" if found.cost is None else f"{found.cost:,.4f}"
    words = say(
        "cascade.run.estimate" if found.model else "cascade.run.estimate_unasked",
        questions=f"{found.questions:,}",
        settled=f"{found.settled:,}",
        calls=f"{found.calls:,}",
        known=f"{found.known:,}",
        tokens=f"{found.tokens:,}",
        cost=cost,
        model=found.model,
    )
    words = f"{words}{_repeated_note(context, found.repeated)}"
    st.info(md_literal(words), icon=":material/calculate:")
    start = say("cascade.run.start")
    if st.button(start, type="primary", icon=":material/filter_alt:", key="cascade-run"):
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
