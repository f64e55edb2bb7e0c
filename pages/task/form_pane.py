"""Dispute over a form: the sides' answers, agreement, and the adjudicator's choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from annotation.adjudication.tasks import disputes_of
from annotation.forms.disputes import FormDispute, FormDisputeView
from annotation.work.submissions import Submission
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.task.decision_bar import Chosen, draw_take, draw_talk, spent
from storage.tasks import Task

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
    _notes(context, side)


def differs(sides: Sequence[Submission], *fields: str) -> bool:
    """Return whether the sides' answers differ in any of the fields."""
    said = [[side.answers.get(field) for field in fields] for side in sides]
    return any(each != said[0] for each in said)


def _label(line: AnswerLine) -> str:
    return line.label if line.label.endswith("?") else f"{line.label}:"


def _notes(context: Context, side: Submission) -> None:
    st.caption(spent(context, side.seconds))
    if side.taken_back:
        words = context.say("adjudication.taken_back", count=side.taken_back)
        st.caption(f":material/undo: {words}")
    for name, words in (("comment", side.comment), ("flag", side.flag)):
        if words:
            icon = "chat" if name == "comment" else "flag"
            st.caption(f":material/{icon}: {context.say(f'adjudication.{name}')}")
            st.text(words)


@dataclass(frozen=True, slots=True)
class FormPane:
    """Adjudication pane of a form whose fields are plain choices.

    `fields` has the options of each field. Their display names are the messages under `words`,
    ``<field>`` and ``<field>_<option>``. `subject` draws what was asked.
    """

    task: Task
    words: str
    fields: Mapping[str, Sequence[str]]
    subject: Callable[[Context, FormDisputeView], None]

    def open_case(self, context: Context, item_id: int, _focus: str = "") -> FormDisputeView:
        """Return the dispute over an item, with all submissions."""
        disputes = disputes_of(self.task)
        found = disputes.open_dispute(context.workspace, context.person.id, item_id)
        assert isinstance(found, FormDisputeView)  # noqa: S101  (a form's are)
        return found

    def cause_words(self, context: Context, cause: str, _entries: Sequence[FormDispute]) -> str:
        """Return the display name of a dispute's cause."""
        return context.say(f"adjudication.form_cause.{cause}")

    def told(self, context: Context, entry: FormDispute) -> tuple[str, str]:
        """Return the title of a decided item and the decision."""
        made = {} if entry.decision is None else entry.decision.answers
        return entry.title, ", ".join(self._option(context, *each) for each in made.items())

    def draw_case(self, context: Context, case: FormDisputeView, name: str) -> Chosen:
        """Draw a dispute; return the adjudicator's choices."""
        head = st.container(horizontal=True, vertical_alignment="center")
        head.header(md_literal(case.external_id), anchor=False, width="content")
        for cause in case.disputes:
            head.badge(context.say(f"adjudication.form_cause.{cause}"), color="orange")
        left, right = st.columns([6, 5], gap="medium")
        with left:
            self.subject(context, case)
        with right:
            lines = [self._line(context, field) for field in self.fields]
            draw_sides(context, case, lines, partial(self._copy_answers, name))
            answers = {field: self._choose(context, case, field, name) for field in self.fields}
        before = partial(draw_side, context, lines=lines, others=case.earlier)
        draw_talk(context, case, before)
        chosen = {field: value for field, value in answers.items() if value}
        return Chosen(
            answers=chosen,
            note=", ".join(self._option(context, *each) for each in chosen.items()),
            reason=case.settled.reason if case.settled else "",
            ready=len(chosen) == len(self.fields) and not case.revising,
            back=case.settled is None,
        )

    def _line(self, context: Context, field: str) -> AnswerLine:
        def words(answers: Answers) -> str:
            return self._option(context, field, answers[field]) if field in answers else ""

        return AnswerLine(context.say(f"{self.words}.{field}"), (field,), words)

    def _option(self, context: Context, field: str, value: str) -> str:
        return context.say(f"{self.words}.{field}_{value}")

    def _copy_answers(self, name: str, answers: Answers) -> None:
        draft_state.enter(name, {f"{name}-{field}": answers.get(field) for field in self.fields})

    def _choose(self, context: Context, case: FormDisputeView, field: str, name: str) -> str | None:
        first = None if case.settled is None else case.settled.answers.get(field)
        with st.container(border=True, key=f"part-{case.item_id}-{field}"):
            chosen: str | None = st.segmented_control(
                context.say(f"{self.words}.{field}"),
                list(self.fields[field]),
                format_func=lambda each: self._option(context, field, each),
                **draft_state.kept_choice(name, f"{name}-{field}", self.fields[field], first),
            )
        return chosen
