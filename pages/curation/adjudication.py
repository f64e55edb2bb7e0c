"""Adjudication pane of curation: question, provisions, submissions, decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.curation.form import (
    CRITERIA,
    DIFFICULTY,
    GOLD,
    LEVELS,
    Edited,
    Verdict,
    edited_of,
    gold_of,
)
from annotation.curation.state import DISPUTES, names_shown
from annotation.forms.disputes import FormDispute, FormDisputeView
from annotation.forms.submissions import FormSubmission
from pages.curation.curation import layer_part
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.plain_text import Span, plain_text, split_by_marks
from pages.task.decision_bar import Chosen, draw_talk
from pages.task.documents import options_of
from pages.task.form_pane import AnswerLine, draw_side, draw_sides
from pages.task.generated_words import axes_named
from storage.curation.questions import Provision
from storage.tasks import Task

_LAW_HEIGHT = 220  # pixels of a long provision before it folds
_LONG = 500  # characters of a long provision
_ICONS = {"keep": ":material/check:", "edit": ":material/edit:", "reject": ":material/delete:"}


def open_case(context: Context, item_id: int, _focus: str = "") -> FormDisputeView:
    """Return the dispute over a question, with all submissions."""
    return DISPUTES.open_dispute(context.workspace, context.person.id, item_id)


def cause_words(context: Context, cause: str, _entries: Sequence[FormDispute]) -> str:
    """Return the display name of a dispute's cause."""
    return context.say(f"curation_settle.dispute.{cause}")


def told(context: Context, entry: FormDispute) -> tuple[str, str]:
    """Return a decided question's title and the verdict."""
    verdict = "" if entry.decision is None else entry.decision.answers["verdict"]
    return entry.title, context.say(f"curation.ui.verdict_{verdict}")


def draw_case(context: Context, case: FormDisputeView, name: str) -> Chosen:
    """Draw a dispute; return the adjudicator's choices."""
    head = st.container(horizontal=True, vertical_alignment="center")
    head.header(md_literal(case.external_id), anchor=False, width="content")
    for dispute in case.disputes:
        head.badge(context.say(f"curation_settle.dispute.{dispute}"), color="orange")
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption(context.say("curation.ui.provisions"))
        for provision in case.question.provisions:
            _law(context, case, provision)
    with right:
        _question(context, case)
    causes = _causes(context)
    st.header(context.say("curation_settle.sides"), anchor=False)
    lines, beside = (
        _answer_lines(context, case, causes),
        partial(_draw_correction_and_reason, context, case),
    )
    draw_sides(context, case, lines, partial(_copy_answers, case, name), beside)
    before = partial(draw_side, context, lines=lines, more=beside, others=case.earlier)
    draw_talk(context, case, before)
    return _decision(context, case, name, causes)


def _copy_answers(case: FormDisputeView, name: str, answers: Mapping[str, Any]) -> None:
    """Copy all of a side's answers."""
    entered: dict[str, Any] = {
        f"{name}-verdict": answers["verdict"],
        f"{name}-cause": answers.get("cause"),
        f"{name}-difficulty": answers.get(DIFFICULTY),
        f"{name}-criteria": [each for each in CRITERIA if answers.get(each) == "yes"],
        f"{name}-gold": _shown_units(case, gold_of(answers)),
    }
    edited = edited_of(answers)
    if edited is not None:
        entered |= {f"{name}-question": edited.question, f"{name}-answer": edited.answer}
    draft_state.enter(name, entered)


def _shown_units(case: FormDisputeView, units: Sequence[str]) -> list[str]:
    shown = [each.unit for each in case.question.provisions]
    return [unit for unit in shown if unit in units]


def _causes(context: Context) -> dict[str, str]:
    found = options_of(context.workspace, context.person.id, Task.CURATION, context.language)
    return {each.key: each.label[context.language] for each in found}


def _law(context: Context, case: FormDisputeView, provision: Provision) -> None:
    spans = [Span(f"{provision.head}\n", ("title",))]
    spans += split_by_marks(provision.text, {"pinpoint": provision.spans})
    with st.container(border=True):
        if provision.added:
            st.badge(context.say("curation.ui.added_any"), color="blue")
        if provision.number is None:
            st.caption(context.say("declared.ui.not_there"))
        plain_text(
            spans,
            f"curation-law-{provision.unit}-{case.item_id}",
            language=provision.language,
            height=_LAW_HEIGHT if len(provision.text) > _LONG else None,
        )


def _question(context: Context, case: FormDisputeView) -> None:
    asked, key, say = case.question, f"curation-{case.item_id}", context.say
    st.caption(say("curation.ui.question"))
    plain_text(asked.text, f"{key}-text", "lead", asked.language)
    st.caption(say("curation.ui.answer"))
    plain_text(asked.answer, f"{key}-answer", language=asked.language)
    names = names_shown(context.workspace, context.person.id)
    named = axes_named(asked.axes, names, context.language)
    axes = " · ".join(f"{name} {value}" for name, value in named)
    if axes:
        st.caption(f"{say('curation.ui.axes')}: {md_literal(axes)}")
    with st.expander(say("curation.ui.layers")):
        if not asked.layers:
            st.caption(say("curation.ui.layers_none"))
        for line in asked.layers or ():
            part = layer_part(line, names, context.language)
            words = say(f"curation.ui.layer_{part['outcome']}")
            why = "; ".join(part["reasons"])
            st.markdown(md_literal(f"{part['name']}: {words}{f' ({why})' if why else ''}"))
            if part["restored"] is not None:
                st.caption(md_literal(say("curation.ui.restored", reason=part["restored"])))


def _answer_lines(
    context: Context, case: FormDisputeView, causes: Mapping[str, str]
) -> list[AnswerLine]:
    """Return the rows of a side's answers: criteria, difficulty, gold, verdict, cause."""
    say = context.say

    def asked(field: str, stem: str) -> AnswerLine:
        def words(answers: Mapping[str, Any]) -> str:
            return say(f"curation.ui.{stem}_{answers[field]}") if answers.get(field) else ""

        return AnswerLine(say(f"curation.ui.ask_{field}"), (field,), words)

    def cause(answers: Mapping[str, Any]) -> str:
        return causes.get(answers["cause"], answers["cause"]) if answers.get("cause") else ""

    return [
        *(asked(each, "says") for each in CRITERIA),
        asked(DIFFICULTY, "difficulty"),
        AnswerLine(say("curation.ui.ask_gold"), (GOLD,), partial(_gold_words, case)),
        asked("verdict", "verdict"),
        AnswerLine(say("curation.ui.ask_cause"), ("cause",), cause),
    ]


def _gold_words(case: FormDisputeView, answers: Mapping[str, Any]) -> str:
    heads = {each.unit: each.head for each in case.question.provisions}
    return "; ".join(heads.get(unit, unit) for unit in gold_of(answers))


def _draw_correction_and_reason(
    context: Context, case: FormDisputeView, side: FormSubmission
) -> None:
    """Draw a side's correction and reason."""
    edited, reason = edited_of(side.answers), side.answers.get("reason", "")
    if edited is not None:
        st.caption(context.say("curation_settle.edited"))
        lines = [Span(f"{edited.question}\n", ("title",)), Span(edited.answer)]
        key = f"curation-edit-{side.annotation_id}"
        plain_text(lines, key, language=case.question.language)
    if reason:
        st.caption(f":material/notes: {context.say('curation.ui.ask_reason')}")
        st.text(reason)


def _decision(
    context: Context, case: FormDisputeView, name: str, causes: Mapping[str, str]
) -> Chosen:
    say = context.say
    begun = _initial_answers(case)
    verdicts, answers = [str(each) for each in Verdict], dict[str, Any]()
    st.header(say("curation_settle.decide_title"), anchor=False)
    first, edited, judged, last = (st.container() for _ in range(4))
    with first.container(border=True, key=f"part-{case.item_id}-verdict"):
        verdict = st.segmented_control(
            say("curation.ui.ask_verdict"),
            verdicts,
            format_func=lambda each: f"{_ICONS[each]} {say(f'curation.ui.verdict_{each}')}",
            **draft_state.kept_choice(name, f"{name}-verdict", verdicts, begun.get("verdict")),
        )
    if verdict:
        answers["verdict"] = verdict
    if verdict == Verdict.EDIT:
        with edited.container(border=True, key=f"part-{case.item_id}-edit"):
            answers["edit"] = _correction_fields(context, case, name)
    if verdict and verdict != Verdict.REJECT:
        with judged:
            answers |= _judgment_fields(context, case, name, begun)
    if verdict in (Verdict.EDIT, Verdict.REJECT):
        with last.container(border=True, key=f"part-{case.item_id}-cause"):
            cause = st.pills(
                say("curation.ui.ask_cause"),
                list(causes),
                format_func=lambda each: causes.get(each, each),
                **draft_state.kept_choice(name, f"{name}-cause", causes, begun.get("cause")),
            )
        answers |= {"cause": cause} if cause else {}
    return Chosen(
        answers=answers,
        note=say(f"curation.ui.verdict_{verdict}") if verdict else "",
        reason=case.settled.reason if case.settled else "",
        ready=bool(verdict) and not case.revising,
        back=case.settled is None,
    )


def _initial_answers(case: FormDisputeView) -> dict[str, Any]:
    """Return a decision's initial answers: the earlier decision, else what all sides share."""
    if case.settled is not None:
        return dict(case.settled.answers)
    first = dict(case.sides[0].answers) if case.sides else {}
    return {
        field: value
        for field, value in first.items()
        if all(side.answers.get(field) == value for side in case.sides)
    }


def _judgment_fields(
    context: Context, case: FormDisputeView, name: str, begun: Mapping[str, Any]
) -> dict[str, Any]:
    """Draw the choices of criteria, difficulty and gold; return the chosen values."""
    say, answers = context.say, dict[str, Any]()
    with st.container(border=True, key=f"part-{case.item_id}-criteria"):
        met = st.pills(
            say("curation_settle.criteria"),
            list(CRITERIA),
            selection_mode="multi",
            format_func=lambda each: say(f"forms.field.{each}"),
            **draft_state.kept_choices(
                name, f"{name}-criteria", CRITERIA, _initial_criteria(case, begun)
            ),
        )
    answers |= {each: "yes" if each in met else "no" for each in CRITERIA}
    with st.container(border=True, key=f"part-{case.item_id}-difficulty"):
        level = st.segmented_control(
            say("forms.field.difficulty"),
            list(LEVELS),
            **draft_state.kept_choice(name, f"{name}-difficulty", LEVELS, begun.get(DIFFICULTY)),
        )
    answers |= {DIFFICULTY: level} if level else {}
    heads = {each.unit: each.head for each in case.question.provisions}
    with st.container(border=True, key=f"part-{case.item_id}-gold"):
        chosen = st.pills(
            say("curation.ui.ask_gold"),
            list(heads),
            selection_mode="multi",
            format_func=lambda each: md_literal(heads.get(str(each), str(each))),
            help=say("curation_settle.gold_help"),
            **draft_state.kept_choices(name, f"{name}-gold", heads, _initial_gold(case, begun)),
        )
        more = st.text_area(
            say("curation_settle.more_gold"),
            height=68,
            help=say("curation_settle.more_gold_help"),
            **draft_state.kept_value(name, f"{name}-more", ""),
        )
    listed = {each.unit for each in case.question.provisions if not each.added}
    named = [line.strip() for line in str(more).splitlines() if line.strip()]
    gold = dict.fromkeys(listed, "no") | dict.fromkeys([*chosen, *named], "yes")
    return answers | {GOLD: dict(sorted(gold.items()))}


def _initial_criteria(case: FormDisputeView, begun: Mapping[str, Any]) -> list[str]:
    """Return the initially ticked criteria: those that all sides affirm."""
    if begun.get(CRITERIA[0]) and case.settled is not None:
        return [each for each in CRITERIA if begun.get(each) == "yes"]
    return [
        each for each in CRITERIA if all(side.answers.get(each) == "yes" for side in case.sides)
    ]


def _initial_gold(case: FormDisputeView, begun: Mapping[str, Any]) -> list[str]:
    """Return the initial gold: as decided, else what all sides that state gold share."""
    if case.settled is not None and GOLD in begun:
        return _shown_units(case, gold_of(begun))
    sides = [set(gold_of(side.answers)) for side in case.sides if gold_of(side.answers)]
    return _shown_units(case, sorted(set.intersection(*sides))) if sides else []


def _correction_fields(context: Context, case: FormDisputeView, name: str) -> dict[str, str]:
    """Draw the fields of a corrected question, prefilled with an existing correction."""
    first = _first_edit(case)
    question = st.text_area(
        context.say("curation.ui.question"),
        **draft_state.kept_value(name, f"{name}-question", first.question),
    )
    answer = st.text_area(
        context.say("curation.ui.answer"),
        **draft_state.kept_value(name, f"{name}-answer", first.answer),
    )
    return {"question": str(question), "answer": str(answer)}


def _first_edit(case: FormDisputeView) -> Edited:
    settled = [] if case.settled is None else [case.settled.answers]
    for answers in (*settled, *(side.answers for side in case.sides)):
        edited = edited_of(answers)
        if edited is not None:
            return edited
    return Edited(case.question.text, case.question.answer)
