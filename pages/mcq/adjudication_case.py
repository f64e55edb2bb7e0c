"""One disputed question: the provisions, the options, what each person said, and the decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from annotation.forms.submissions import FormSubmission
from annotation.mcq.disputes import DisputeView
from annotation.mcq.solvability import WRITTEN, Fix, Verdict, fix_of
from annotation.mcq.views import ModelAnswers
from construction.mcq.model import Passage
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.plain_text import Span, plain_text
from pages.task.documents import options_of
from storage.tasks import Task

_LAW_HEIGHT = 260  # pixels in which a long provision scrolls
_LONG = 600  # characters of a provision that does
_ICONS = {"keep": ":material/check:", "fix": ":material/edit:", "drop": ":material/delete:"}
_STEPS = ("alone", "both")
SETTINGS = ("zero", "a", "b", "ab")


def case_name(context: Context, item_id: int) -> str:
    """Return the name under which what is entered on a case is kept."""
    return f"mcq-settle-{context.person.id}-{item_id}"


def draw_case(context: Context, case: DisputeView) -> tuple[dict[str, Any], str] | None:
    """Draw it; return the answers and the reason in the run in which they are sent."""
    head = st.container(horizontal=True, vertical_alignment="center")
    head.subheader(plain(case.external_id), anchor=False, width="content")
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
    st.subheader(context.say("mcq_settle.sides"), anchor=False)
    for column, side in zip(st.columns(len(case.sides)), case.sides, strict=True):
        with column, st.container(border=True, height="stretch", gap="xsmall"):
            _side(context, case, side, causes)
    return _decision(context, case, causes)


def _causes(context: Context) -> dict[str, str]:
    where = context.workspace, context.person.id, Task.MCQ_SOLVABILITY
    found = options_of(*where, context.language)
    return {each.key: each.label[context.language] for each in found}


def _law(context: Context, case: DisputeView, name: str, passage: Passage) -> None:
    st.caption(context.say(f"mcq.ui.provision_{name}"))
    spans = [Span(f"{passage.head}\n", ("title",)), Span(passage.text)]
    with st.container(border=True):
        plain_text(
            spans,
            f"mcq-settle-law-{name}-{case.item_id}",
            language=case.question.language,
            height=_LAW_HEIGHT if len(passage.text) > _LONG else None,
        )


def _question(context: Context, case: DisputeView) -> None:
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
            st.dataframe([_votes(context, each) for each in asked.votes], hide_index=True)


def _votes(context: Context, answers: ModelAnswers) -> dict[str, str]:
    """Return a row of a table: the options of a model under each setting, counted from 1."""
    row = {context.say("mcq_settle.model"): answers.model}
    for setting in SETTINGS:
        said = zip(answers.said.get(setting, ()), answers.outcomes.get(setting, ()), strict=True)
        words = ", ".join(
            context.say(f"mcq.ui.vote_{outcome}") if option is None else str(option + 1)
            for option, outcome in said
        )
        row[context.say(f"mcq.ui.setting_{setting}")] = words
    return row


def _side(
    context: Context, case: DisputeView, side: FormSubmission, causes: Mapping[str, str]
) -> None:
    """Draw what one person said: each step in a line, then what is to become of the item."""
    say, said = context.say, side.answers
    st.markdown(f"**{plain(side.person)}**")
    for step in _STEPS:
        st.caption(f"{say(f'mcq.ui.step_{step}')}: {_step_words(context, step, said)}")
    right = say(f"mcq.ui.right_{said['stored_right']}")
    st.caption(f"{say('mcq.ui.ask_stored_right')} {right}")
    verdict = str(said["verdict"])
    st.badge(say(f"mcq.ui.verdict_{verdict}"), icon=_ICONS[verdict])
    if verdict != Verdict.KEEP:
        st.text(causes.get(said["cause"], said["cause"]))
    fix = fix_of(said)
    if fix is not None:
        _fixed(context, case, fix, side.annotation_id)
    minutes, seconds = divmod(round(side.seconds), 60)
    st.caption(say("adjudication.spent", minutes=minutes, seconds=seconds))
    if side.taken_back:  # they had seen what models answered
        st.caption(f":material/undo: {say('adjudication.taken_back', count=side.taken_back)}")
    notes = (
        ("mcq.ui.ask_reason", said.get("reason", ""), ":material/notes:"),
        ("adjudication.comment", side.comment, ":material/chat:"),
        ("adjudication.flag", side.flag, ":material/flag:"),
    )
    for name, words, icon in notes:
        if words:
            st.caption(f"{icon} {say(name)}")
            st.text(words)


def _step_words(context: Context, step: str, said: Mapping[str, Any]) -> str:
    words = context.say(f"mcq.ui.answerable_{said[f'{step}_answerable']}")
    option = context.say("mcq.ui.option_of", number=said[f"{step}_choice"] + 1)
    return " · ".join((words, option, context.say(f"frame.ui.sure_{said[f'{step}_sure']}")))


def _fixed(context: Context, case: DisputeView, fix: Fix, number: int) -> None:
    """Draw the item as somebody put it right, the right option marked."""
    lines = [Span(f"{fix.query}\n", ("title",))]
    for at, words in enumerate(fix.options):
        mark = " ✓" if at == fix.answer else ""
        lines.append(Span(f"\n{at + 1}. {words}{mark}", ("strong",) if mark else ()))
    plain_text(lines, f"mcq-settle-fix-{number}", language=case.question.language)


def _decision(
    context: Context, case: DisputeView, causes: Mapping[str, str]
) -> tuple[dict[str, Any], str] | None:
    say, name = context.say, case_name(context, case.item_id)
    decided = case.settled.answers if case.settled else {}
    answers: dict[str, Any] = {}
    with st.container(border=True):
        st.subheader(say("mcq_settle.decide_title"), anchor=False)
        keys = [f"{name}-{field}" for field in ("verdict", "cause", "reason")]
        draft_state.restore(name, keys[0], decided.get("verdict"))
        draft_state.restore(name, keys[1], decided.get("cause"))
        draft_state.restore(name, keys[2], case.settled.reason if case.settled else "")
        verdict = st.segmented_control(
            say("mcq.ui.ask_verdict"),
            [str(each) for each in Verdict],
            format_func=lambda each: f"{_ICONS[each]} {say(f'mcq.ui.verdict_{each}')}",
            key=keys[0],
            on_change=draft_state.note,
            args=(name, keys[0]),
        )
        if verdict:
            answers["verdict"] = verdict
        if verdict == Verdict.FIX:
            answers["fix"] = _fix(context, case, name)
        if verdict in (Verdict.FIX, Verdict.DROP):
            cause = st.pills(
                say("mcq.ui.ask_cause"),
                list(causes),
                format_func=lambda each: causes.get(each, each),
                key=keys[1],
                on_change=draft_state.note,
                args=(name, keys[1]),
            )
            answers |= {"cause": cause} if cause else {}
        reason = st.text_area(
            say("adjudication.reason"),
            key=keys[2],
            height=80,
            on_change=draft_state.note,
            args=(name, keys[2]),
        ).strip()
        words = say("adjudication.redecide" if case.settled else "adjudication.decide")
        sent = st.button(words, key="mcq-settle", type="primary", shortcut="Ctrl+Enter")
    if not sent:
        return None
    return answers | ({"reason": reason} if reason else {}), reason


def _fix(context: Context, case: DisputeView, name: str) -> dict[str, Any]:
    """Draw the fields of a corrected item, begun with what somebody corrected."""
    say, first = context.say, _first_fix(case)

    def text(field: str, label: str, begun: str, tall: bool = False) -> str:
        key = f"{name}-{field}"
        draft_state.restore(name, key, begun)
        draw = st.text_area if tall else st.text_input
        return str(draw(label, key=key, on_change=draft_state.note, args=(name, key)))

    query = text("query", say("mcq.ui.fix_query"), first.query, tall=True)
    options = []
    columns = st.columns(2)
    for at, words in enumerate(first.options):
        with columns[at % 2]:
            options.append(text(f"option-{at}", say("mcq.ui.option_of", number=at + 1), words))
    key = f"{name}-answer"
    draft_state.restore(name, key, first.answer)
    answer = st.radio(
        say("mcq_settle.right_option"),
        range(WRITTEN),
        format_func=lambda at: str(at + 1),
        horizontal=True,
        key=key,
        on_change=draft_state.note,
        args=(name, key),
    )
    return {"query": query, "options": options, "answer": answer}


def _first_fix(case: DisputeView) -> Fix:
    said: Sequence[Mapping[str, Any]] = [each.answers for each in case.sides]
    settled = [] if case.settled is None else [case.settled.answers]
    for answers in (*settled, *said):
        fix = fix_of(answers)
        if fix is not None:
            return fix
    asked = case.question
    return Fix(asked.query, asked.options[:WRITTEN], asked.stored or 0)
