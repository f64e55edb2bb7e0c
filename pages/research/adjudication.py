"""Adjudication pane of research: each researcher's passages, and the gold choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.forms.disputes import Dispute, FormDisputeView
from annotation.research import DISPUTES, OUTCOME, PASSAGES, RULE, TRAIL
from annotation.work.submissions import Submission
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.plain_text import plain_text
from pages.task.decision_bar import Chosen, draw_talk
from pages.task.form_pane import AnswerLine, draw_side, draw_sides


def open_case(context: Context, item_id: int, _focus: str = "") -> FormDisputeView:
    """Return the dispute over a question, with all submissions."""
    found: FormDisputeView = DISPUTES.open_dispute(context.workspace, context.person.id, item_id)
    return found


def cause_words(context: Context, cause: str, _entries: Sequence[Dispute]) -> str:
    """Return the display name of a dispute's cause."""
    return context.say(f"adjudication.form_cause.{cause}")


def decided_line(context: Context, entry: Dispute) -> tuple[str, str]:
    """Return a decided question's title and the decision."""
    made = {} if entry.decision is None else entry.decision.answers
    return entry.title, _authority_ids(made) or _outcome_text(context, made)


def draw_case(context: Context, case: FormDisputeView, name: str) -> Chosen:
    """Draw a dispute; return the adjudicator's choice, one side's answers."""
    st.header(md_literal(case.external_id), anchor=False)
    asked = case.question
    plain_text(asked.text, f"research-settle-{case.item_id}-question", "lead", asked.language)
    for at, choice in enumerate(asked.choices):
        st.text(f"{at + 1}. {choice}")
    with st.expander(context.say("research.ui.answer")):
        plain_text(asked.answer, f"research-settle-{case.item_id}-answer", language=asked.language)
    lines = _answer_lines(context)
    draw_sides(
        context, case, lines, partial(_choose_side, name, case), partial(_draw_trail, context)
    )
    draw_talk(context, case, partial(draw_side, context, lines=lines, others=case.earlier))
    return _decision(context, case, name)


def _answer_lines(context: Context) -> list[AnswerLine]:
    """Return the rows that compare the sides: outcome, rule, passages."""
    say = context.say
    return [
        AnswerLine(say("research.ui.outcome"), (OUTCOME,), partial(_outcome_text, context)),
        AnswerLine(say("research.ui.rule"), (RULE,), lambda said: str(said.get(RULE, ""))),
        AnswerLine(say("research.ui.passages"), (PASSAGES,), _passages_text),
    ]


def _outcome_text(context: Context, answers: Mapping[str, Any]) -> str:
    value = answers.get(OUTCOME)
    return context.say(f"research.outcome.{value}") if value else ""


def _passages_text(answers: Mapping[str, Any]) -> str:
    return " / ".join(f"{each['id']}: “{each['quote']}”" for each in answers.get(PASSAGES, ()))


def _authority_ids(answers: Mapping[str, Any]) -> str:
    return ", ".join(dict.fromkeys(each["id"] for each in answers.get(PASSAGES, ())))


def _draw_trail(context: Context, side: Submission) -> None:
    """Draw the steps of a side's search."""
    steps = side.answers.get(TRAIL, ())
    if not steps:
        return
    with st.expander(context.say("research.ui.history", count=len(steps))):
        for step in steps:
            counts = ", ".join(
                f"{context.say(f'research.ui.short_{name}')} {texts}"
                for name, (texts, _) in step.get("found", {}).items()
            )
            opened = f"{context.say('research.ui.read')} {step.get('id', '')}"
            st.text(f"{step['query']}  ({counts})" if step["step"] == "query" else opened)


def _choose_side(name: str, case: FormDisputeView, answers: Mapping[str, Any]) -> None:
    """Choose the side that gave these answers."""
    chosen = next(each.annotation_id for each in case.sides if each.answers == answers)
    draft_state.enter(name, {f"{name}-side": chosen})


def _decision(context: Context, case: FormDisputeView, name: str) -> Chosen:
    """Draw the choice of the side whose passages hold; return it."""
    people = {each.annotation_id: each.person for each in case.sides}
    with st.container(border=True, key=f"part-{case.item_id}"):
        chosen = st.segmented_control(
            context.say("research.whose"),
            list(people),
            format_func=lambda each: md_literal(people[each]),
            **draft_state.kept_choice(name, f"{name}-side", people),
        )
    side = next((each for each in case.sides if each.annotation_id == chosen), None)
    answers = {} if side is None else {k: v for k, v in side.answers.items() if k != TRAIL}
    note = _authority_ids(answers) or _outcome_text(context, answers)
    return Chosen(
        answers=answers,
        note=note,
        reason=case.settled.reason if case.settled else "",
        ready=side is not None and not case.revising,
        back=case.settled is None,
    )
