"""Dispute over a form: the sides' answers, agreement, and the adjudicator's choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from annotation.adjudication.decisions import SideView
from annotation.forms.disputes import FormDisputeView
from annotation.work.submissions import Submission
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.task.decision_bar import draw_take, spent

Answers = Mapping[str, Any]
_BESIDE = 2


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A row of a side's answers: its label, its fields, and their text."""

    label: str
    fields: tuple[str, ...]
    words: Callable[[Answers], str]


def draw_sides(
    context: Context,
    case: FormDisputeView,
    lines: Sequence[AnswerLine],
    take: Callable[[Answers], None],
    more: Callable[[Submission], None] = lambda _side: None,
) -> None:
    """Draw the rows in which the sides differ side by side, the others folded.

    Nothing is folded if they agree by now. `more` draws further content of a side; `take` copies
    its answers.
    """
    alike = [line for line in lines if not differs(case.sides, *line.fields)]
    for at, side in enumerate(case.sides):
        if at % _BESIDE == 0:
            columns = st.columns(min(_BESIDE, len(case.sides)))
        with columns[at % _BESIDE], st.container(border=True, height="stretch", gap="xsmall"):
            draw_side(context, side, [line for line in lines if line not in alike], more)
            draw_take(context, at, take, side.answers)
    if not alike:
        return
    label = context.say("adjudication.agreed_parts", count=len(alike))
    whole = case.state == "agreed" or len(alike) == len(lines)
    with st.expander(label, expanded=whole, key=f"case-agreed-{case.item_id}"):
        for line in alike:
            said = dict.fromkeys(line.words(side.answers) for side in case.sides)
            st.markdown(f"{_label(line)} {md_literal(' / '.join(filter(None, said)) or '–')}")


def draw_side(
    context: Context,
    side: Submission,
    lines: Sequence[AnswerLine],
    more: Callable[[Submission], None] = lambda _side: None,
    others: Sequence[Submission] = (),
) -> None:
    """Draw one side's answers in these rows, and its further content.

    Highlights the rows in which `others`, the sides beside it, differ; all rows without any.
    """
    st.markdown(f"**{md_literal(side.person)}**")
    for line in lines:
        words = md_literal(line.words(side.answers))
        if words and (not others or differs(others, *line.fields)):
            words = f":orange-background[**{words}**]"
        if words:
            st.markdown(f"{_label(line)} {words}")
    more(side)
    st.caption(spent(context, side.seconds))
    draw_notes(context, side)


def differs(sides: Sequence[Submission], *fields: str) -> bool:
    """Return whether the sides' answers differ in any of the fields."""
    said = [[side.answers.get(field) for field in fields] for side in sides]
    return any(each != said[0] for each in said)


def _label(line: AnswerLine) -> str:
    """Return the label of a row, with a colon."""
    return line.label if line.label.endswith("?") else f"{line.label}:"


def draw_notes(context: Context, side: Submission | SideView) -> None:
    """Draw how often a side was withdrawn, its comment and its flag."""
    if side.taken_back:
        words = context.say("adjudication.taken_back", count=side.taken_back)
        st.caption(f":material/undo: {words}")
    for name, words, icon in (("comment", side.comment, "chat"), ("flag", side.flag, "flag")):
        if words:
            st.caption(f":material/{icon}: {context.say(f'adjudication.{name}')}")
            st.text(words)
