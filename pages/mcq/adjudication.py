"""One disputed question: the provisions, the options, what each person said, and its verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from annotation.forms.submissions import FormSubmission
from annotation.mcq.disputes import DisputeEntry, DisputeView, open_dispute
from annotation.mcq.solvability import WRITTEN, Fix, Verdict, fix_of
from annotation.mcq.state import ModelAnswers
from construction.mcq.model import Passage
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.plain_text import Span, plain_text
from pages.task.decision_bar import Chosen, draw_take, enter
from pages.task.documents import options_of
from storage.tasks import Task

_LAW_HEIGHT = 260  # pixels in which a long provision scrolls
_LONG = 600  # characters of a provision that does
_ICONS = {"keep": ":material/check:", "fix": ":material/edit:", "drop": ":material/delete:"}
_BESIDE = 2
_STEPS = ("alone", "both")
SETTINGS = ("zero", "a", "b", "ab")


def open_case(context: Context, item_id: int, _focus: str = "") -> DisputeView:
    """Return the question with all that was said of it."""
    return open_dispute(context.workspace, context.person.id, item_id)


def cause_words(context: Context, cause: str, _entries: Sequence[DisputeEntry]) -> str:
    """Return what a cause is called."""
    return context.say(f"mcq_settle.dispute.{cause}")


def told(context: Context, entry: DisputeEntry) -> tuple[str, str]:
    """Return what a decided question asks, and what was decided."""
    verdict = "" if entry.decision is None else entry.decision.answers["verdict"]
    return entry.title, context.say(f"mcq.ui.verdict_{verdict}")


def draw_case(context: Context, case: DisputeView, name: str) -> Chosen:
    """Draw it; return what is chosen."""
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
    for at, side in enumerate(case.sides):
        if at % _BESIDE == 0:
            columns = st.columns(min(_BESIDE, len(case.sides)))
        with columns[at % _BESIDE], st.container(border=True, height="stretch", gap="xsmall"):
            _side(context, case, side, causes)
            draw_take(context, at, _take, name, side.answers)
    return _decision(context, case, name, causes)


def _take(name: str, said: Mapping[str, Any]) -> None:
    """Enter the verdict of a side, with what goes with it."""
    enter(name, f"{name}-verdict", said["verdict"])
    enter(name, f"{name}-cause", said.get("cause"))
    fix = fix_of(said)
    if fix is not None:
        enter(name, f"{name}-query", fix.query)
        for at, words in enumerate(fix.options):
            enter(name, f"{name}-option-{at}", words)
        enter(name, f"{name}-answer", fix.answer)


def _differs(case: DisputeView, *fields: str) -> bool:
    """Return whether the sides say different things in the fields."""
    said = [[each.answers.get(field) for field in fields] for each in case.sides]
    return any(each != said[0] for each in said)


def _marked(words: str, differs: bool) -> str:
    return f":orange-background[{words}]" if differs else words


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
        differs = _differs(case, f"{step}_answerable", f"{step}_choice")
        words = _marked(_step_words(context, step, said), differs)
        st.caption(f"{say(f'mcq.ui.step_{step}')}: {words}")
    right = _marked(say(f"mcq.ui.right_{said['stored_right']}"), _differs(case, "stored_right"))
    st.caption(f"{say('mcq.ui.ask_stored_right')} {right}")
    verdict = str(said["verdict"])
    colour = "orange" if _differs(case, "verdict", "fix") else "blue"
    st.badge(say(f"mcq.ui.verdict_{verdict}"), icon=_ICONS[verdict], color=colour)  # type: ignore[arg-type]
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


def _decision(context: Context, case: DisputeView, name: str, causes: Mapping[str, str]) -> Chosen:
    say = context.say
    decided = case.settled.answers if case.settled else {}
    answers: dict[str, Any] = {}
    st.subheader(say("mcq_settle.decide_title"), anchor=False)
    verdict = st.segmented_control(
        say("mcq.ui.ask_verdict"),
        [str(each) for each in Verdict],
        format_func=lambda each: f"{_ICONS[each]} {say(f'mcq.ui.verdict_{each}')}",
        **draft_state.kept(name, f"{name}-verdict", decided.get("verdict")),
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
            **draft_state.kept(name, f"{name}-cause", decided.get("cause")),
        )
        answers |= {"cause": cause} if cause else {}
    return Chosen(
        answers=answers,
        note=say(f"mcq.ui.verdict_{verdict}") if verdict else "",
        reason=case.settled.reason if case.settled else "",
        ready=bool(verdict),
    )


def _fix(context: Context, case: DisputeView, name: str) -> dict[str, Any]:
    """Draw the fields of a corrected item, begun with what somebody corrected."""
    say, first = context.say, _first_fix(case)

    def text(field: str, label: str, begun: str, tall: bool = False) -> str:
        draw = st.text_area if tall else st.text_input
        return str(draw(label, **draft_state.kept(name, f"{name}-{field}", begun)))

    query = text("query", say("mcq.ui.fix_query"), first.query, tall=True)
    options = []
    columns = st.columns(2)
    for at, words in enumerate(first.options):
        with columns[at % 2]:
            options.append(text(f"option-{at}", say("mcq.ui.option_of", number=at + 1), words))
    answer = st.radio(
        say("mcq_settle.right_option"),
        range(WRITTEN),
        format_func=lambda at: str(at + 1),
        horizontal=True,
        **draft_state.kept(name, f"{name}-answer", first.answer),
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
