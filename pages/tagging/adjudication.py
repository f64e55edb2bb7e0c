"""Adjudication pane of factor tagging: judgment with evidence, disputed sub-factors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from annotation.forms.disputes import Dispute
from annotation.tagging.disputes import DisputeView, Part, open_dispute
from annotation.tagging.tags import options_of
from annotation.work.submissions import Submission, beginning
from construction.tagging.codebook import NOT_STATED, SubFactor
from corpus.cases.model import Judgment
from normalization.grouping import grouped
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.plain_text import Span, plain_text, split_by_marks
from pages.task.decision_bar import Chosen, draw_take, draw_talk
from pages.task.form_pane import AnswerLine, draw_side, draw_sides

Answers = Mapping[str, Any]
_HEIGHT = 620  # pixels in which a judgment scrolls
_STYLE = """<style>
*:has(> .st-key-case-judgment) { position: sticky; top: 3.75rem; }
</style>"""  # the judgment stays in sight beside a long list of sub-factors
_BESIDE = 2
_QUOTED = 160  # characters of a passage beside an answer; the judgment has all of it
_BOTH = ("strong",)  # mark of words that more than one person selected
_LOOKS = (("resolved", "green"), ("ambiguous", "orange"), ("pinpoint", "blue"))
"""Per side: mark of its passages in the judgment, and colour of its answers."""


def open_case(context: Context, item_id: int, focus: str = "") -> DisputeView:
    """Return the dispute over a case, restricted to sub-factor `focus` if given."""
    return open_dispute(context.workspace, context.person.id, item_id, focus)


def cause_words(context: Context, cause: str, entries: Sequence[Dispute]) -> str:
    """Return the display name of a disputed sub-factor, with its factor."""
    factor, sub = entries[0].places[cause]
    return f"{factor.label[context.language]} · {sub.label[context.language]}"


def decided_line(context: Context, entry: Dispute) -> tuple[str, str]:
    """Return ("", the decision per decided sub-factor)."""
    answers = {} if entry.decision is None else entry.decision.answers
    subs = [(entry.places[key][1], answers[key]) for key in entry.decided if key in answers]
    decided = (
        f"{sub.label[context.language]}: "
        + ", ".join(_words(context, sub, each) for each in options_of(value))
        for sub, value in subs
    )
    return "", "; ".join(decided)


def draw_case(context: Context, case: DisputeView, name: str) -> Chosen:
    """Draw a dispute; return the adjudicator's choices."""
    left, right = st.columns([6, 5], gap="medium")
    st.html(_STYLE)
    with left, st.container(key="case-judgment"):
        _judgment(context, case)
    with right:
        draw_sides(context, case, (), partial(_copy_answers, case.parts, name))
        answers = {part.sub.key: _part(context, case, part, name) for part in case.parts}
        _agreed(context, case)
    lines = [_line(context, part.sub) for part in case.parts]
    quotes = partial(_draw_quotes, case.parts)
    draw_talk(context, case, partial(draw_side, context, lines=lines, more=quotes))
    open_ = [part for part in case.parts if not part.decided]
    answers = {key: options for key, options in answers.items() if options}
    chosen = {
        part.sub.key: answers[part.sub.key]
        for part in case.parts
        if part.sub.key in answers
        and (part in open_ or not open_ or sorted(answers[part.sub.key]) != list(part.decided))
    }
    words = context.say("factor_settle.chosen", count=len(chosen), of=len(open_ or case.parts))
    if case.left:
        words += f" {context.say('factor_settle.left', count=case.left)}"
    return Chosen(
        answers=chosen,
        note=words,
        reason="" if open_ else case.reason,
        alike="+".join(part.sub.key for part in case.parts),
        ready=bool(chosen) and not case.revising,
        back=case.settled is None,
    )


def _line(context: Context, sub: SubFactor) -> AnswerLine:
    """Return the row of a sub-factor's answers."""

    def words(answers: Answers) -> str:
        """Return a side's answer in words."""
        said = answers.get(sub.key)
        options = [] if said is None else [_words(context, sub, each) for each in said["options"]]
        return ", ".join(options) or context.say("factor_settle.not_asked")

    return AnswerLine(md_literal(sub.label[context.language]), (sub.key,), words)


def _draw_quotes(parts: Sequence[Part], side: Submission) -> None:
    """Draw the passages that a side marked."""
    said = [side.answers[part.sub.key] for part in parts if part.sub.key in side.answers]
    for each in (passage for answer in said for passage in answer["evidence"]):
        st.caption(f":material/format_quote: {_brief(each['quote'])}")


def _copy_answers(parts: Sequence[Part], name: str, answers: Answers) -> None:
    """Copy a side's answers to these sub-factors, if it was asked them."""
    entered: dict[str, object] = {}
    for part in parts:
        said = answers.get(part.sub.key, {"options": ()})["options"]
        options = [each for each in said if each in part.sub.givable]
        if options:
            value = options[0] if part.sub.exclusive else options
            entered[f"{name}-{part.sub.key}-options"] = value
    draft_state.enter(name, entered)


def _part(context: Context, case: DisputeView, part: Part, name: str) -> list[str]:
    """Draw a sub-factor with each side's answer; return the chosen options."""
    language = context.language
    with st.container(border=True, gap="small", key=f"part-{case.item_id}-{part.sub.key}"):
        st.markdown(
            f"**{md_literal(part.sub.label[language])}** · "
            f"{md_literal(part.factor.label[language])}",
            help=md_literal(part.sub.help[language]),
        )
        if part.stale:
            st.warning(context.say("factor_settle.stale"), icon=":material/history:")
        for at, side in enumerate(case.sides):
            if at % _BESIDE == 0:
                columns = st.columns(min(_BESIDE, len(case.sides)))
            with columns[at % _BESIDE]:
                _draw_answer(context, case, part, at)
                if part.options[at] and len(case.parts) > 1:
                    key = f"part-{part.sub.key}-{at}"
                    draw_take(context, at, _copy_answers, [part], name, side.answers, key=key)
        return _options(context, part, name)


def _agreed(context: Context, case: DisputeView) -> None:
    """Draw, folded, the sub-factors on which the sides agree."""
    if not case.agreed:
        return
    label = context.say("adjudication.agreed_parts", count=len(case.agreed))
    with st.expander(label, key=f"case-agreed-{case.item_id}"):
        for sub, options in case.agreed:
            chosen = ", ".join(md_literal(_words(context, sub, option)) for option in options)
            st.markdown(f"{md_literal(sub.label[context.language])}: **{chosen}**")


def _judgment(context: Context, case: DisputeView) -> None:
    """Draw the text of the case with every side's passages."""
    st.header(md_literal(case.external_id), anchor=False)
    judgment: Judgment = case.question
    head = (judgment.title, judgment.court, judgment.date)
    st.caption(" · ".join(md_literal(each) for each in head if each))
    marks = grouped(
        (_LOOKS[at % len(_LOOKS)][0], (each.start, each.end))
        for part in case.parts
        for at, evidence in enumerate(part.evidence)
        for each in evidence
    )
    spans = [
        replace(span, marks=span.marks + _BOTH) if len(span.marks) > 1 else span
        for span in split_by_marks(judgment.text, marks)
    ]
    with st.container(border=True):
        plain_text(
            spans,
            _text_name(case),
            language=judgment.language,
            height=_HEIGHT,
            scroll_to=_scroll_target(case, spans),
        )


def _scroll_target(case: DisputeView, spans: Sequence[Span]) -> tuple[int, int] | None:
    """Return the span to scroll to, with a counter: the passage clicked last, else the first."""
    starts = sorted(e.start for part in case.parts for side in part.evidence for e in side)
    if not starts:
        return None
    start, turn = st.session_state.get(_jump_name(case), (starts[0], 0))
    at = 0
    for place, span in enumerate(spans):
        if at >= start:
            return place, turn
        at += len(span.text)
    return None


def _jump(case: DisputeView, start: int) -> None:
    """Scroll the case to an offset."""
    _, turn = st.session_state.get(_jump_name(case), (0, 0))
    st.session_state[_jump_name(case)] = start, turn + 1


def _jump_name(case: DisputeView) -> str:
    return f"{_text_name(case)}-jump"


def _text_name(case: DisputeView) -> str:
    """Return the widget key of a case's text."""
    return f"case-text-{case.item_id}-{'-'.join(part.sub.key for part in case.parts)}"


def _draw_answer(context: Context, case: DisputeView, part: Part, at: int) -> None:
    """Draw a side's answer to a sub-factor."""
    colour = _LOOKS[at % len(_LOOKS)][1]
    st.caption(f":{colour}[●] {md_literal(case.sides[at].person)}")
    if part.options[at] is None:
        st.caption(context.say("factor_settle.not_asked"))
    shared = set.intersection(*(set(each or ()) for each in part.options))
    for option in part.options[at] or ():  # a badge would cut a long name off, and escape it twice
        words = md_literal(_words(context, part.sub, option))
        st.markdown(words if option in shared else f":{colour}-background[**{words}**]")
    for number, each in enumerate(part.evidence[at]):
        st.button(
            _brief(each.quote),
            key=f"case-quote-{part.sub.key}-{at}-{number}",
            icon=":material/format_quote:",
            type="tertiary",
            help=context.say("factor_settle.jump"),
            on_click=_jump,
            args=(case, each.start),
        )


def _brief(quote: str) -> str:
    """Return the beginning of a quotation."""
    return md_literal(beginning(" ".join(quote.split()), _QUOTED))


def _words(context: Context, sub: SubFactor, option: str) -> str:
    """Return the display name of an option; its key if the codebook lacks it."""
    if option == NOT_STATED:
        return context.say("tagging.ui.not_stated")
    return sub.option_label(option, context.language)


def _options(context: Context, part: Part, name: str) -> list[str]:
    """Draw the options, with the meanings of those in dispute; return the chosen ones."""
    language, sub, key = context.language, part.sub, f"{name}-{part.sub.key}-options"
    means = {each.key: each.help[language] for each in sub.options}
    if not sub.claim:
        means[NOT_STATED] = context.say("tagging.ui.not_stated_help")

    def words(option: str) -> str:
        """Return the display name of an option."""
        return md_literal(_words(context, sub, option))

    label, keys = context.say("factor_settle.options"), list(sub.givable)
    if sub.exclusive:
        first = part.decided[0] if len(part.decided) == 1 else None
        one = draft_state.kept_choice(name, key, keys, first)
        chosen = st.pills(label, keys, format_func=words, **one)
        taken = [chosen] if chosen else []
    else:
        many = draft_state.kept_choices(name, key, keys, part.decided)
        taken = list(st.pills(label, keys, selection_mode="multi", format_func=words, **many))
    in_question = {*taken, *(each for side in part.options for each in side or ())}
    for option in keys:
        if option in in_question:
            st.caption(f"**{words(option)}** · {md_literal(means[option])}")
    return taken
