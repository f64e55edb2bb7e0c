"""Adjudication pane of a declared form: what is asked, the sides' answers, and the decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from annotation.adjudication.tasks import disputes_of
from annotation.forms.disputes import Dispute, FormDisputeView
from annotation.tasks.form import chosen_units
from annotation.tasks.spec import FieldSpec, Kind, TaskSpec
from annotation.work.submissions import Submission, beginning
from messages import catalogue
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.plain_text import Span, plain_text
from pages.task.decision_bar import Chosen, draw_talk
from pages.task.declared_decision import Decision, deciders
from pages.task.declared_subject import draw_subject
from pages.task.documents import options_of
from pages.task.form_pane import AnswerLine, draw_side, draw_sides
from pages.task.page import TaskPage
from pages.task.viewer import ui_words
from storage.tasks import Task

_MARK_LENGTH = 120  # characters of a marked stretch

Answers = Mapping[str, Any]
Part = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DeclaredPane:
    """Adjudication pane of a task with a declared form.

    `form` returns the form as the viewer draws it, `shown` the panes of a case, for a subject in
    parts with their form. Messages are those of the section `words`, or else of
    ``declared_settle``.
    """

    task: Task
    spec: TaskSpec
    words: str
    form: Callable[[Context], Part]
    shown: Callable[[Context, FormDisputeView], Part]

    def open_case(self, context: Context, item_id: int, _focus: str = "") -> FormDisputeView:
        """Return the dispute over an item, with all submissions."""
        who = context.workspace, context.person.id
        found: FormDisputeView = disputes_of(self.task).open_dispute(*who, item_id)
        return found

    def cause_words(self, context: Context, cause: str, _entries: Sequence[Dispute]) -> str:
        """Return the display name of a dispute's cause."""
        field = self.spec.fields.get(cause)
        shared = f"adjudication.form_cause.{cause}"
        usual = context.say(shared) if shared in catalogue() else cause
        otherwise = field.label if field and field.label else usual
        return self.message(context, f"dispute.{cause}", otherwise)

    def decided_line(self, context: Context, entry: Dispute) -> tuple[str, str]:
        """Return the title of a decided item and the decision."""
        made = {} if entry.decision is None else entry.decision.answers
        return entry.title, self.summary(context, self.form(context), made)

    def message(self, context: Context, key: str, otherwise: str = "", **params: Any) -> str:
        """Return a message of the task, or else the one that declared forms share."""
        for section in (self.words, "declared_settle"):
            if f"{section}.{key}" in catalogue():
                return context.say(f"{section}.{key}", **params)
        return otherwise

    def summary(self, _context: Context, form: Part, answers: Answers) -> str:
        """Return the deciding answers of a form in words; without any, its chosen options."""
        told = form["fields"]
        fields = [name for name in deciders(self.spec) if name in answers] or [
            name for name in self.spec.fields if name in answers and told[name]["options"]
        ]
        return ", ".join(value_words(told[name], answers[name]) for name in fields)

    def draw_case(self, context: Context, case: FormDisputeView, name: str) -> Chosen:
        """Draw a dispute; return the adjudicator's choices."""
        shown = self.shown(context, case)
        form, parts = shown.get("form") or self.form(context), shown.get("parts", ())
        pane = replace(self, spec=self.spec.repeated(len(parts)))
        decision = Decision(pane.spec, form, shown, case, name, partial(self.message, context))
        head = st.container(horizontal=True, vertical_alignment="center")
        head.header(md_literal(case.external_id), anchor=False, width="content")
        for dispute in case.disputes:
            head.badge(md_literal(self.cause_words(context, dispute, ())), color="orange")
        left, right = st.columns([6, 5], gap="medium") if parts else (st.container(),) * 2
        with left:
            draw_subject(context, shown, f"{self.words}-{case.item_id}", decision.parts)
        with right:
            answers = pane._draw_answers(context, case, decision)
        whole = decision.whole(answers)
        return Chosen(
            answers=answers,
            note=self.summary(context, form, whole),
            reason=case.settled.reason if case.settled else "",
            ready=decision.is_ready(answers) and not case.revising,
            back=case.settled is None,
        )

    def _draw_answers(
        self, context: Context, case: FormDisputeView, decision: Decision
    ) -> dict[str, Any]:
        """Draw the sides' answers and the discussion; draw the decision and return it."""
        st.header(self.message(context, "sides"), anchor=False)
        lines = [*self._lines(decision.form, decision.shown)]
        beside = partial(self._draw_texts, context, decision.form, decision.shown)
        draw_sides(context, case, lines, decision.copy, beside)
        before = partial(draw_side, context, lines=lines, more=beside, others=case.earlier)
        draw_talk(context, case, before)
        st.header(self.message(context, "decide_title"), anchor=False)
        return decision.draw()

    def _lines(self, form: Part, shown: Part) -> Iterator[AnswerLine]:
        """Yield the rows of a side's answers: a row for a stage that nobody decides on."""
        heads = {each["unit"]: each["head"] for each in (shown.get("law") or {}).get("units", ())}
        heads |= marked_texts(shown)
        for stage, told in zip(self.spec.stages, form["stages"], strict=True):
            drawn = [each for each in stage.fields if each.kind not in (Kind.EDIT, Kind.TEXT)]
            if stage.seal and not any(each.decided for each in drawn):
                yield self._line(told["title"], [each.key for each in drawn], form, heads)
                continue
            for each in drawn:
                yield self._line(_label(each, form), [each.key], form, heads)

    def _line(
        self, label: str, names: Sequence[str], form: Part, heads: Mapping[str, str]
    ) -> AnswerLine:
        """Return the row of a field's answers."""

        def words(answers: Answers) -> str:
            """Return a side's answer in words."""
            seen = self.spec.visible(answers)
            said = (value_words(form["fields"][name], seen.get(name), heads) for name in names)
            return " · ".join(filter(None, said))

        differing = tuple(n for n in names if form["fields"][n].get("shown", True))
        return AnswerLine(label, differing, words)

    def _draw_texts(self, context: Context, form: Part, shown: Part, side: Submission) -> None:
        """Draw a side's corrections and texts."""
        for name, value in self.spec.visible(side.answers).items():
            spec, field = self.spec.fields[name], form["fields"][name]
            if spec.kind is Kind.EDIT:
                st.caption(self.message(context, "edited", field["label"]))
                key = f"{self.words}-{name}-{side.annotation_id}"
                plain_text(corrected(field, value), key, language=shown["language"])
            elif spec.kind is Kind.TEXT:
                st.caption(f":material/notes: {md_literal(_label(spec, form))}")
                st.text(value)


def _label(field: FieldSpec, form: Part) -> str:
    """Return the label of a field; of one that is asked of a part, with its number."""
    told = form["fields"][field.key]
    return str(told["name"] if field.part else told["label"])


def form_of(page: TaskPage) -> Callable[[Context], Part]:
    """Return a function that returns a page's form in a context, as the viewer draws it."""

    def form(context: Context) -> Part:
        """Return the form in the reader's language."""
        assert page.form is not None  # noqa: S101  (a declared form's page has one)
        language = context.language
        words = ui_words(page.viewer.name, language, *page.words)
        options = options_of(context.workspace, context.person.id, page.task, language)
        return page.form(words, options, language)

    return form


def marked_texts(shown: Part) -> dict[str, str]:
    """Return the texts in which stretches are marked, by column."""
    panes = (texts for kind, texts in shown["panes"] if kind == "marked")
    return {each["name"]: each["text"] for texts in panes for each in texts}


def value_words(field: Part, value: Any, heads: Mapping[str, str] | None = None) -> str:
    """Return an answer as text; of provisions, those that belong, of stretches, their words.

    `heads` are the titles of provisions by id, and the marked texts by column.
    """
    if value is None:
        return ""
    if field["kind"] == "units":
        named = heads or {}
        return "; ".join(named.get(unit, unit) for unit in chosen_units(value))
    if field["kind"] == "spans":
        return "; ".join(_mark_words(field, each, heads or {}) for each in value)
    known = {value: (more or [None])[0] or name for value, name, _, *more in field["options"]}
    said = value if isinstance(value, list) else [value]
    return ", ".join(str(known.get(each, each)) for each in said)


def _mark_words(field: Part, mark: Part, texts: Mapping[str, str]) -> str:
    """Return a marked stretch as its label with its words, or with its place without the text."""
    start, end = mark["start"], mark["end"]
    label = next((name for value, name, *_ in field["options"] if value == mark["label"]), "")
    words = texts.get(mark["column"], "")[start:end] or f"{start}–{end}"
    return f"{label or mark['label']}: {beginning(words, _MARK_LENGTH)}"


def corrected(field: Part, value: Part) -> list[Span]:
    """Return a corrected version as text, with the right text of a list marked."""
    spans: list[Span] = []
    for at, part in enumerate(field["parts"]):
        if part["kind"] == "list":
            for number, text in enumerate(value[part["name"]]):
                right = part["right"] is not None and number == value[part["right"]]
                mark = " ✓" if right else ""
                spans.append(Span(f"\n{number + 1}. {text}{mark}", ("strong",) if right else ()))
        else:
            spans.append(Span(f"{value[part['name']]}\n", ("title",) if at == 0 else ()))
    return spans
