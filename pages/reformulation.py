"""Reformulation of MCQ options as yes/no questions, approved beside the original."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.people.roles import Act
from annotation.reformulation import approve, refuse
from corpus.limits import NOTE, QUESTION
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import allowed, draw_head, redraw_with
from pages.shell.plain_text import plain_text
from pages.shell.task_progress import begin, draw_end, draw_model, draw_task
from pages.shell.widgets import choose_counted, draw_table
from services.background.tasks import TaskKind
from services.reformulation.wording import (
    ModelWorded,
    OptionLine,
    Outline,
    QuestionPlan,
    outline,
    propose,
    start_wording,
)
from storage.reformulation import Said, Worded

NOTICE = "reformulation-notice"
STATES = ("open", "approved", "refused")
_PAGE = 10  # questions per page


def render(context: Context) -> None:
    """Draw the page."""
    draw_head(context, "reformulation", NOTICE)
    if not allowed(context, Act.MAKE_ITEMS):
        return
    found = outline(*context.here, context.by)
    _fates(context, found)
    options = [line for each in found.questions for line in each.options]
    if not options:
        st.info(context.say("reformulation.nothing"), icon=":material/info:")
        return
    _propose(context, sum(line.worded is None for line in options))
    if any(line.worded is not None for line in options):
        _cards(context, found)
    _model(context)


def _fates(context: Context, outline: Outline) -> None:
    """Draw how many questions and options are reworded."""
    fates, refused = outline.fates(), [each for each in outline.questions if each.refusal]
    options = sum(outline.states().values())
    counts = {"questions": len(outline.questions), "options": options} | fates
    words = {name: f"{count:,}" for name, count in counts.items()}
    st.markdown(md_literal(context.say("reformulation.fates", **words)))
    if not refused:
        return
    title = context.say("reformulation.refused_title", count=f"{len(refused):,}")
    with st.expander(title, icon=":material/block:"):
        columns = {
            "question_id": [each.question.external_id for each in refused],
            "why": [context.say(f"reformulation.refusal.{each.refusal}") for each in refused],
            "question": [each.question.text for each in refused],
        }
        draw_table(context, "reformulation", columns, "reformulation-refused", wide="question")


def _propose(context: Context, lacking: int) -> None:
    """Draw the button that proposes wordings by rules."""
    if not lacking:
        return
    words = context.say("reformulation.propose", count=f"{lacking:,}")
    if st.button(words, type="primary", icon=":material/call_split:", key="reformulation-propose"):
        with guarded(context.language):
            count = propose(*context.here, context.by)
            redraw_with(NOTICE, context.say("reformulation.proposed", count=count))


def _cards(context: Context, outline: Outline) -> None:
    """Draw the options to reword, by state."""
    found = outline.states()
    counts = {state: found[state] for state in STATES}
    state = choose_counted(context, "reformulation.state", counts, "reformulation-state")
    shown = [each for each in outline.questions if any(o.state == state for o in each.options)]
    if not shown:
        st.info(context.say("reformulation.none_in_state"), icon=":material/info:")
        return
    if len(shown) > _PAGE:
        st.caption(context.say("reformulation.first", count=_PAGE, total=f"{len(shown):,}"))
    for each in shown[:_PAGE]:
        _card(context, each, [line for line in each.options if line.state == state])


def _card(context: Context, each: QuestionPlan, lines: Sequence[OptionLine]) -> None:
    """Draw the original on the left, and its options in the chosen state on the right."""
    say = context.say
    with st.container(border=True):
        left, right = st.columns([2, 3], gap="medium")
        with left:
            name = md_literal(each.question.external_id)
            st.markdown(f"**{say('reformulation.parent')} · {name}**")
            plain_text(each.question.text, f"reformulation-{each.row_id}", "lead")
            st.caption(say("reformulation.options"))
            for choice in each.question.choices:
                mark = f" · {say('reformulation.correct')}" if choice.correct else ""
                st.text(f"{choice.label}. {choice.text}{mark}")
        with right:
            st.markdown(f"**{say('reformulation.becomes')}**")
            for line in lines:
                if line.worded is not None:
                    _option(context, line, line.worded)


def _option(context: Context, line: OptionLine, worded: Worded) -> None:
    """Draw a wording with the field to edit it."""
    if worded.said is not None:
        _draw_decision(context, worded, worded.said)
    if worded.state == "approved":
        return
    say, fields = context.say, Fields(context, "reformulation", f"reformulation-{worded.id}")
    label = say("reformulation.wording", label=md_literal(worded.label))
    shown = {"label": label, "max_chars": QUESTION, "height": 96}
    text = fields.lines("wording", worded.wording, **shown)
    how = say(f"reformulation.by_{worded.worded_by}", model=worded.model)
    st.caption(md_literal(how))
    if line.statement.of_others:
        st.warning(say("reformulation.of_others"), icon=":material/link_off:")
    row = fields.within(st.container(horizontal=True, vertical_alignment="bottom"))
    yes = row.press("approve", icon=":material/check:")
    no = row.press("refuse", icon=":material/close:")
    reason = row.text("reason", max_chars=NOTE)
    with guarded(context.language):
        if yes:
            made = approve(*context.here, worded.id, text, context.by)
            redraw_with(NOTICE, say("reformulation.approved", question=made))
        elif no:
            refuse(*context.here, worded.id, reason, context.by)
            redraw_with(NOTICE, say("reformulation.refused", label=worded.label))


def _draw_decision(context: Context, worded: Worded, said: Said) -> None:
    """Draw the decision on an option, with the approved wording."""
    if said.wording:
        plain_text(said.wording, f"reformulation-said-{worded.id}")
    words = context.say(
        f"reformulation.said_{said.kind}",
        question=said.made,
        person=said.person or context.say("reformulation.operator"),
        at=f"{said.at:%Y-%m-%d %H:%M}",
        reason=said.reason,
    )
    st.caption(md_literal(words))


def _model(context: Context) -> None:
    """Draw the form that has a model reword options."""

    def ended(done: ModelWorded) -> None:
        """Draw how many wordings the task kept."""
        counts = {name: getattr(done, name) for name in ("kept", "asked", "already", "unanswered")}
        counts |= {"bad": sum(done.outcomes.values())}
        said = {name: f"{count:,}" for name, count in counts.items()}
        words = context.say("reformulation.model_done", **said)
        draw_end(context, words, done.end, done.reason)

    with st.expander(context.say("reformulation.model_title"), icon=":material/smart_toy:"):
        st.caption(context.say("reformulation.model_help"))
        kind, progress = TaskKind.REFORMULATE, "reformulation.model_progress"
        if draw_model(context, Role.GENERATE) and not draw_task(context, kind, progress, ended):
            fields = Fields(context, "reformulation", "reformulation")
            if fields.press("model_run", icon=":material/edit_note:", key="model"):
                begin(context, start_wording)
