"""Cascade screen: layer report, questions, running the layers, their configuration."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from annotation.work.versioned_texts import CASCADE_LAYERS
from construction.cascade.layers import TEXT_LIMIT, parse
from llm.roles import Role
from pages.cascade.questions import draw_questions
from pages.shell.context import Context
from pages.shell.guard import fragment, plain
from pages.shell.notices import allowed, draw_head, show_remembered
from pages.shell.reports import draw_report
from pages.shell.task_progress import begin, draw_end, draw_model, draw_task
from pages.shell.version_editor import VersionEditor
from pages.shell.widgets import choose
from services.background.tasks import TaskKind
from services.cascade.report import as_report, cascade_report
from services.cascade.running import CascadeDone, estimate, start_cascade

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
    if draw_task(
        context, TaskKind.CASCADE, "cascade.run.progress", lambda d: _draw_outcome(context, d)
    ):
        return
    _form(context)


def _draw_outcome(context: Context, done: CascadeDone) -> None:
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
    st.info(plain(words), icon=":material/calculate:")
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
    st.caption(plain(say("cascade.text.order", layers=" → ".join(named))))


_EDITOR = VersionEditor(
    words="cascade.text",
    place="cascade-layers",
    saved="cascade.text.saved",
    no_text="cascade_file",
    limit=TEXT_LIMIT,
    source=CASCADE_LAYERS,
    preview=_preview,
)
