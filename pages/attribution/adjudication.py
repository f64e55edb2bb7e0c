"""Adjudication pane of attribution: the disputed claims of an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.attribution.form import (
    DISPUTES,
    GOLD,
    LABEL,
    LABELS,
    NONE,
    SUPPORT,
    SUPPORTED,
    ReviewCase,
    ReviewedClaim,
    completed,
    differing,
    field_of,
    fields_asked,
    place_of,
)
from annotation.forms.disputes import FormDispute, FormDisputeView
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.plain_text import Span, plain_text
from pages.task.decision_bar import Chosen, draw_talk
from pages.task.documents import options_of
from pages.task.form_pane import AnswerLine, draw_side, draw_sides
from storage.tasks import Task

Answers = Mapping[str, Any]
_HEIGHT = 320  # pixels of a long text before it scrolls
_LONG = 500  # characters of a long text


def open_case(context: Context, item_id: int, _focus: str = "") -> FormDisputeView:
    """Return the dispute over an answer's claims, with all submissions."""
    return DISPUTES.open_dispute(context.workspace, context.person.id, item_id)


def cause_words(context: Context, cause: str, _entries: Sequence[FormDispute]) -> str:
    """Return the display name of a dispute's cause."""
    return context.say(f"attribution_settle.cause_{cause}")


def told(context: Context, entry: FormDispute) -> tuple[str, str]:
    """Return a decided answer's question, and the number of matching claims."""
    made = {} if entry.decision is None else entry.decision.answers
    return entry.title, _label_counts(context, made)


def draw_case(context: Context, case: FormDisputeView, name: str) -> Chosen:
    """Draw a dispute; return the adjudicator's choices."""
    shown: ReviewCase = case.question
    head = st.container(horizontal=True, vertical_alignment="center")
    head.header(md_literal(case.external_id), anchor=False, width="content")
    for cause in case.disputes:
        head.badge(context.say(f"attribution_settle.cause_{cause}"), color="orange")
    labels = {
        each.key: each.label[context.language]
        for each in options_of(
            context.workspace, context.person.id, Task.ATTRIBUTION, context.language
        )
    }
    left, right = st.columns([6, 5], gap="medium")
    with left:
        _draw_reviewed_answer(context, case, _claims_at_issue(case))
    with right:
        lines = _answer_lines(context, case, labels)
        draw_sides(context, case, lines, partial(_copy_answers, name, len(shown.claims)))
        answers = _choose_all(context, case, labels, name)
    draw_talk(context, case, partial(draw_side, context, lines=lines, others=case.earlier))
    whole = completed(answers, case.sides)
    missing = [each for each in fields_asked(whole, len(shown.claims)) if each not in whole]
    return Chosen(
        answers=answers,
        note="" if missing else _label_counts(context, whole),
        reason=case.settled.reason if case.settled else "",
        ready=not missing and not case.revising,
        back=case.settled is None,
    )


def _claims_at_issue(case: FormDisputeView) -> list[int]:
    """Return the numbers of claims to decide: all if no claim is disputed."""
    found = sorted({place_of(field)[1] for field in differing(case.sides)})
    return found or list(range(1, len(case.question.claims) + 1))


def _draw_reviewed_answer(context: Context, case: FormDisputeView, numbers: Sequence[int]) -> None:
    """Draw what the reviewers saw, disputed claims with their provisions first."""
    shown, key = case.question, f"attribution-settle-{case.item_id}"
    st.caption(context.say("attribution_review.ui.question"))
    plain_text(shown.question, f"{key}-question", "lead", shown.language)
    st.caption(context.say("attribution_settle.gold_claims"))
    gold = [Span(f"{at}. {text}\n") for at, text in enumerate(shown.gold, 1)]
    with st.container(border=True):
        plain_text(gold, f"{key}-gold", language=shown.language)
    for number in numbers:
        _claim(context, shown, number, f"{key}-claim-{number}")
    rest = [each for each in range(1, len(shown.claims) + 1) if each not in numbers]
    if rest:
        with st.expander(context.say("attribution_settle.claims", count=len(rest))):
            for number in rest:
                _claim(context, shown, number, f"{key}-claim-{number}")
    with st.expander(context.say("attribution_review.ui.reference")):
        plain_text(shown.reference, f"{key}-reference", language=shown.language)
    with st.expander(context.say("attribution_review.ui.answer")):
        plain_text(shown.answer, f"{key}-answer", language=shown.language)


def _claim(context: Context, case: ReviewCase, number: int, key: str) -> None:
    claim: ReviewedClaim = case.claims[number - 1]
    with st.container(border=True, gap="xsmall"):
        st.caption(context.say("attribution_settle.claim", number=number))
        plain_text(claim.text, key, language=case.language)
        if not claim.cited:
            st.caption(context.say("attribution_review.ui.cites_nothing"))
        elif not claim.own:
            st.caption(context.say("attribution_review.ui.cites_by_answer"))
        for at, each in enumerate(claim.cited):
            if not each.text:
                st.caption(
                    context.say("attribution_settle.missing", written=md_literal(each.written))
                )
                continue
            with st.expander(md_literal(each.head), expanded=len(each.text) <= _LONG):
                height = _HEIGHT if len(each.text) > _LONG else None
                plain_text(each.text, f"{key}-{at}", language=case.language, height=height)


def _answer_lines(
    context: Context, case: FormDisputeView, labels: Mapping[str, str]
) -> list[AnswerLine]:
    """Return a row per claim and criterion that anybody answered."""
    return [
        AnswerLine(
            _line_label(context, number, criterion),
            (field_of(criterion, number),),
            partial(_label_text, labels, field_of(criterion, number)),
        )
        for number in range(1, len(case.question.claims) + 1)
        for criterion in (LABEL, GOLD, SUPPORTED)
        if any(field_of(criterion, number) in side.answers for side in (*case.sides, *case.earlier))
    ]


def _line_label(context: Context, number: int, criterion: str) -> str:
    what = context.say(f"attribution_settle.{criterion}")
    return context.say("attribution_settle.line", number=number, what=what)


def _label_text(labels: Mapping[str, str], field: str, answers: Answers) -> str:
    value = answers.get(field)
    return "" if value is None else labels.get(value, str(value))


def _copy_answers(name: str, claims: int, answers: Answers) -> None:
    fields = [field_of(each, at + 1) for at in range(claims) for each in (LABEL, GOLD, SUPPORTED)]
    draft_state.enter(name, {f"{name}-{field}": answers.get(field) for field in fields})


def _choose_all(
    context: Context, case: FormDisputeView, labels: Mapping[str, str], name: str
) -> dict[str, Any]:
    """Draw the choices of each disputed claim; return the chosen values by field."""
    chosen: dict[str, Any] = {}
    for number in _claims_at_issue(case):
        with st.container(border=True, key=f"part-{case.item_id}-{number}"):
            st.markdown(f"**{context.say('attribution_settle.claim', number=number)}**")
            label = _pick(context, case, field_of(LABEL, number), LABELS, labels, name)
            if label is not None and label != NONE:
                gold = list(range(1, len(case.question.gold) + 1))
                chosen[field_of(GOLD, number)] = _pick(
                    context, case, field_of(GOLD, number), gold, labels, name
                )
            chosen[field_of(LABEL, number)] = label
            chosen[field_of(SUPPORTED, number)] = _pick(
                context, case, field_of(SUPPORTED, number), SUPPORT, labels, name
            )
    return {field: value for field, value in chosen.items() if value is not None}


def _pick(
    context: Context,
    case: FormDisputeView,
    field: str,
    options: Sequence[Any],
    labels: Mapping[str, str],
    name: str,
) -> Any:
    """Draw one choice, preset to the earlier decision or what all sides share."""
    said = {each.answers.get(field) for each in case.sides}
    alike = next(iter(said)) if len(said) == 1 else None
    first = alike if case.settled is None else case.settled.answers.get(field)
    return st.segmented_control(
        context.say(f"attribution_settle.ask_{place_of(field)[0]}"),
        list(options),
        format_func=lambda each: labels.get(each, str(each)),
        **draft_state.kept_choice(name, f"{name}-{field}", options, first),
    )


def _label_counts(context: Context, answers: Answers) -> str:
    counts = Counter(value for field, value in answers.items() if place_of(field)[0] == LABEL)
    if not counts:
        return ""
    return context.say("attribution_settle.decided", **{each: counts[each] for each in LABELS})
