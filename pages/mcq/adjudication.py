"""Adjudication pane of MCQ solvability: provisions, options, answers, verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.forms.disputes import FormDispute, FormDisputeView
from annotation.forms.submissions import FormSubmission
from annotation.mcq.solvability import WRITTEN, Fix, Verdict, fix_of
from annotation.mcq.state import DISPUTES, ModelAnswers
from construction.mcq.model import Passage
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.plain_text import Span, plain_text
from pages.task.decision_bar import Chosen, draw_talk
from pages.task.documents import options_of
from pages.task.form_pane import AnswerLine, draw_side, draw_sides
from storage.tasks import Task

_LAW_HEIGHT = 260  # pixels of a long provision before it scrolls
_LONG = 600  # characters of a long provision
_ICONS = {"keep": ":material/check:", "fix": ":material/edit:", "drop": ":material/delete:"}
_BESIDE = 2
_STEPS = ("alone", "both")
SETTINGS = ("zero", "a", "b", "ab")


def open_case(context: Context, item_id: int, _focus: str = "") -> FormDisputeView:
    """Return the dispute over a question, with all submissions."""
    return DISPUTES.open_dispute(context.workspace, context.person.id, item_id)


def cause_words(context: Context, cause: str, _entries: Sequence[FormDispute]) -> str:
    """Return the display name of a dispute's cause."""
    return context.say(f"mcq_settle.dispute.{cause}")


def told(context: Context, entry: FormDispute) -> tuple[str, str]:
    """Return a decided question's title and the verdict."""
    verdict = "" if entry.decision is None else entry.decision.answers["verdict"]
    return entry.title, context.say(f"mcq.ui.verdict_{verdict}")


def draw_case(context: Context, case: FormDisputeView, name: str) -> Chosen:
    """Draw a dispute; return the adjudicator's choices."""
    head = st.container(horizontal=True, vertical_alignment="center")
    head.header(md_literal(case.external_id), anchor=False, width="content")
    for dispute in case.disputes:
        head.badge(context.say(f"mcq_settle.dispute.{dispute}"), color="orange")
    left, right = st.columns(2, gap="medium")
    with left:
        _law(context, case, "a", case.question.a)
        if case.question.b is not None:
            _law(context, case, "b", case.question.b)
    with right:
        _question(context, case)
    causes = _causes(context)
    st.header(context.say("mcq_settle.sides"), anchor=False)
    lines, beside = (
        _answer_lines(context, causes),
        partial(_draw_correction_and_reason, context, case),
    )
    draw_sides(context, case, lines, partial(_copy_answers, name), beside)
    before = partial(draw_side, context, lines=lines, more=beside, others=case.earlier)
    draw_talk(context, case, before)
    return _decision(context, case, name, causes)


def _copy_answers(name: str, answers: Mapping[str, Any]) -> None:
    """Copy a side's verdict, cause and correction."""
    entered = {f"{name}-verdict": answers["verdict"], f"{name}-cause": answers.get("cause")}
    fix = fix_of(answers)
    if fix is not None:
        entered |= {f"{name}-query": fix.query, f"{name}-answer": fix.answer}
        entered |= {f"{name}-option-{at}": words for at, words in enumerate(fix.options)}
    draft_state.enter(name, entered)


def _causes(context: Context) -> dict[str, str]:
    where = context.workspace, context.person.id, Task.MCQ_SOLVABILITY
    found = options_of(*where, context.language)
    return {each.key: each.label[context.language] for each in found}


def _law(context: Context, case: FormDisputeView, name: str, passage: Passage) -> None:
    st.caption(context.say(f"mcq.ui.provision_{name}"))
    spans = [Span(f"{passage.head}\n", ("title",)), Span(passage.text)]
    with st.container(border=True):
        plain_text(
            spans,
            f"mcq-settle-law-{name}-{case.item_id}",
            language=case.question.language,
            height=_LAW_HEIGHT if len(passage.text) > _LONG else None,
        )


def _question(context: Context, case: FormDisputeView) -> None:
    asked, key = case.question, f"mcq-settle-{case.item_id}"
    st.caption(context.say("mcq.ui.question"))
    plain_text(asked.query, f"{key}-query", "lead", asked.language)
    for at, words in enumerate(asked.options):
        row = st.container(horizontal=True, vertical_alignment="center")
        row.markdown(f"**{at + 1}**", width="content")
        with row:
            plain_text(words, f"{key}-option-{at}", language=asked.language)
        if at == asked.stored:
            row.badge(context.say("mcq.ui.picked_stored"), color="green")
    if asked.explanation:
        with st.expander(context.say("mcq_settle.explanation")):
            plain_text(asked.explanation, f"{key}-why", "quiet", asked.language)
    if asked.votes:
        with st.expander(context.say("mcq.ui.votes")):
            st.dataframe([_votes(context, vote) for vote in asked.votes], hide_index=True)


def _votes(context: Context, answers: ModelAnswers) -> dict[str, str]:
    """Return a table row: a model's chosen options per setting, counted from 1."""
    row = {context.say("mcq_settle.model"): answers.model}
    for setting in SETTINGS:
        said = zip(answers.said.get(setting, ()), answers.outcomes.get(setting, ()), strict=True)
        words = ", ".join(
            context.say(f"mcq.ui.vote_{outcome}") if option is None else str(option + 1)
            for option, outcome in said
        )
        row[context.say(f"mcq.ui.setting_{setting}")] = words
    return row


def _answer_lines(context: Context, causes: Mapping[str, str]) -> list[AnswerLine]:
    """Return the rows of a side's answers: steps, stored answer, verdict, cause."""
    say = context.say

    def step(name: str) -> AnswerLine:
        fields = f"{name}_answerable", f"{name}_choice"
        words = partial(_step_words, context, name)
        return AnswerLine(say(f"mcq.ui.step_{name}"), fields, words)

    def cause(answers: Mapping[str, Any]) -> str:
        return causes.get(answers["cause"], answers["cause"]) if answers.get("cause") else ""

    return [
        *map(step, _STEPS),
        AnswerLine(
            say("mcq.ui.ask_stored_right"),
            ("stored_right",),
            lambda said: say(f"mcq.ui.right_{said['stored_right']}"),
        ),
        AnswerLine(
            say("mcq.ui.ask_verdict"),
            ("verdict",),
            lambda said: say(f"mcq.ui.verdict_{said['verdict']}"),
        ),
        AnswerLine(say("mcq.ui.ask_cause"), ("cause",), cause),
    ]


def _draw_correction_and_reason(
    context: Context, case: FormDisputeView, side: FormSubmission
) -> None:
    """Draw a side's correction and reason."""
    fix, reason = fix_of(side.answers), side.answers.get("reason", "")
    if fix is not None:
        _draw_correction(context, case, fix, side.annotation_id)
    if reason:
        st.caption(f":material/notes: {context.say('mcq.ui.ask_reason')}")
        st.text(reason)


def _step_words(context: Context, step: str, answers: Mapping[str, Any]) -> str:
    words = context.say(f"mcq.ui.answerable_{answers[f'{step}_answerable']}")
    option = context.say("declared.ui.option_of", number=answers[f"{step}_choice"] + 1)
    return " · ".join((words, option, context.say(f"frame.ui.sure_{answers[f'{step}_sure']}")))


def _draw_correction(context: Context, case: FormDisputeView, fix: Fix, number: int) -> None:
    """Draw a corrected item, with the right option marked."""
    lines = [Span(f"{fix.query}\n", ("title",))]
    for at, words in enumerate(fix.options):
        mark = " ✓" if at == fix.answer else ""
        lines.append(Span(f"\n{at + 1}. {words}{mark}", ("strong",) if mark else ()))
    plain_text(lines, f"mcq-settle-fix-{number}", language=case.question.language)


def _decision(
    context: Context, case: FormDisputeView, name: str, causes: Mapping[str, str]
) -> Chosen:
    say = context.say
    decided = case.settled.answers if case.settled else {}
    verdicts, answers = [str(each) for each in Verdict], dict[str, Any]()
    st.header(say("mcq_settle.decide_title"), anchor=False)
    first, second, third = st.container(), st.container(), st.container()
    with first.container(border=True, key=f"part-{case.item_id}-verdict"):
        verdict = st.segmented_control(
            say("mcq.ui.ask_verdict"),
            verdicts,
            format_func=lambda each: f"{_ICONS[each]} {say(f'mcq.ui.verdict_{each}')}",
            **draft_state.kept_choice(name, f"{name}-verdict", verdicts, decided.get("verdict")),
        )
    if verdict:
        answers["verdict"] = verdict
    if verdict == Verdict.FIX:
        with second.container(border=True, key=f"part-{case.item_id}-fix"):
            answers["fix"] = _correction_fields(context, case, name)
    if verdict in (Verdict.FIX, Verdict.DROP):
        with third.container(border=True, key=f"part-{case.item_id}-cause"):
            cause = st.pills(
                say("mcq.ui.ask_cause"),
                list(causes),
                format_func=lambda each: causes.get(each, each),
                **draft_state.kept_choice(name, f"{name}-cause", causes, decided.get("cause")),
            )
        answers |= {"cause": cause} if cause else {}
    return Chosen(
        answers=answers,
        note=say(f"mcq.ui.verdict_{verdict}") if verdict else "",
        reason=case.settled.reason if case.settled else "",
        ready=bool(verdict) and not case.revising,
        back=case.settled is None,
    )


def _correction_fields(context: Context, case: FormDisputeView, name: str) -> dict[str, Any]:
    """Draw the fields of a corrected item, prefilled with an existing correction."""
    say, first = context.say, _prefilled_fix(case)

    def text(field: str, label: str, begun: str, tall: bool = False) -> str:
        draw = st.text_area if tall else st.text_input
        return str(draw(label, **draft_state.kept_value(name, f"{name}-{field}", begun)))

    query = text("query", say("mcq.ui.fix_query"), first.query, tall=True)
    options = []
    for at, words in enumerate(first.options):
        if at % _BESIDE == 0:  # pairs in a row of their own, in order on a phone as well
            columns = st.columns(_BESIDE)
        with columns[at % _BESIDE]:
            options.append(text(f"option-{at}", say("mcq_settle.option", number=at + 1), words))
    answer = st.radio(
        say("mcq_settle.right_option"),
        range(WRITTEN),
        format_func=lambda at: str(at + 1),
        horizontal=True,
        **draft_state.kept_place(name, f"{name}-answer", range(WRITTEN), first.answer),
    )
    return {"query": query, "options": options, "answer": answer}


def _prefilled_fix(case: FormDisputeView) -> Fix:
    said: Sequence[Mapping[str, Any]] = [side.answers for side in case.sides]
    settled = [] if case.settled is None else [case.settled.answers]
    for answers in (*settled, *said):
        fix = fix_of(answers)
        if fix is not None:
            return fix
    asked = case.question
    return Fix(asked.query, asked.options[:WRITTEN], asked.stored or 0)
