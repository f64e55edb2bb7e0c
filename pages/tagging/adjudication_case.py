"""One sub-factor of one case: the judgment with both sides' evidence, and the decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotation.tagging.disputes import DisputeView, Side
from construction.tagging.codebook import NOT_STATED
from pages.shell import draft_state
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.plain_text import Span, plain_text, split_by_marks

_HEIGHT = 620  # pixels in which a judgment scrolls
_BESIDE = 2
_QUOTED = 160  # characters of a passage beside an answer; all of it stands in the judgment
_BOTH = ("strong",)  # how words look that more than one person marked
_LOOKS = (("resolved", "green"), ("ambiguous", "orange"), ("pinpoint", "blue"))
"""How each side's passages look in the judgment, and the colour of its answers."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was sent; `place` is where to say what is wrong with it, in view of what was chosen."""

    options: list[str]
    reason: str
    place: DeltaGenerator


def case_name(context: Context, item_id: int, key: str) -> str:
    """Return the name under which what is entered on a case is kept."""
    return f"tag-settle-{context.person.id}-{item_id}-{key}"


def remember_reason(key: str, reason: str) -> None:
    """Offer the reason again for the next case: of one sub-factor it is often the same."""
    st.session_state[_reason_name(key)] = reason


def draw_case(context: Context, case: DisputeView) -> Decision | None:
    """Draw it; return what was decided in the run in which it is sent."""
    left, right = st.columns([6, 5], gap="medium")
    with left:
        _judgment(context, case)
    with right:
        _question(context, case)
        for at, (column, side) in enumerate(zip(_places(case), case.sides, strict=True)):
            with column, st.container(border=True, height="stretch", gap="xsmall"):
                _side(context, case, side, at)
        return _decision(context, case)


def _places(case: DisputeView) -> list[DeltaGenerator]:
    """Return where each side is drawn: two beside each other."""
    found: list[DeltaGenerator] = []
    while len(found) < len(case.sides):
        found += st.columns(_BESIDE)
    return found[: len(case.sides)]


def _judgment(context: Context, case: DisputeView) -> None:
    st.subheader(plain(case.external_id), anchor=False)
    head = (plain(each) for each in (case.title, case.court, case.date) if each)
    st.caption(" · ".join(head))
    marks: dict[str, list[tuple[int, int]]] = {}
    for at, side in enumerate(case.sides):
        look = _LOOKS[at % len(_LOOKS)][0]
        marks.setdefault(look, []).extend((each.start, each.end) for each in side.evidence)
    spans = [
        replace(span, marks=span.marks + _BOTH) if len(span.marks) > 1 else span
        for span in split_by_marks(case.text, marks)
    ]
    with st.container(border=True):
        plain_text(
            spans,
            f"tag-settle-text-{case.item_id}-{case.sub.key}",
            language=case.language,
            height=_HEIGHT,
            shown=_shown(case, spans),
        )


def _shown(case: DisputeView, spans: Sequence[Span]) -> tuple[int, int] | None:
    """Return the span to scroll to: of the passage pressed last, else of the first in the text."""
    starts = sorted(each.start for side in case.sides for each in side.evidence)
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
    _, turn = st.session_state.get(_jump_name(case), (0, 0))
    st.session_state[_jump_name(case)] = start, turn + 1


def _jump_name(case: DisputeView) -> str:
    return f"tag-settle-jump-{case.item_id}-{case.sub.key}"


def _question(context: Context, case: DisputeView) -> None:
    language = context.language
    st.caption(plain(case.factor.label[language]))
    st.subheader(plain(case.sub.label[language]), anchor=False)
    st.markdown(plain(case.sub.help[language]))
    if case.stale:
        st.warning(context.say("factor_settle.stale"), icon=":material/history:")


def _side(context: Context, case: DisputeView, side: Side, at: int) -> None:
    say, colour = context.say, _LOOKS[at % len(_LOOKS)][1]
    st.markdown(f"**{plain(side.person)}**")
    if side.options is None:
        st.caption(say("factor_settle.not_asked"))
    else:
        for option in side.options:  # a badge would cut a long name off, and escape it twice
            st.markdown(f":{colour}-background[{plain(option_words(context, case, option))}]")
    for number, each in enumerate(side.evidence):
        st.button(
            plain(_brief(each.quote)),
            key=f"tag-settle-quote-{at}-{number}",
            icon=":material/format_quote:",
            type="tertiary",
            help=context.say("factor_settle.jump"),
            on_click=_jump,
            args=(case, each.start),
        )
    notes = (("comment", side.comment, "chat"), ("flag", side.flag, "flag"))
    for name, words, icon in notes:
        if words:
            st.caption(f":material/{icon}: {say(f'adjudication.{name}')}")
            st.text(words)


def _brief(quote: str) -> str:
    words = " ".join(quote.split())
    return words if len(words) <= _QUOTED else f"{words[:_QUOTED]}…"


def option_words(context: Context, case: DisputeView, option: str) -> str:
    """Return what an option is called; its key where the codebook has it no more."""
    labels = {each.key: each.label[context.language] for each in case.sub.options}
    return labels.get(option) or _other(context, option)


def _other(context: Context, option: str) -> str:
    return context.say("tagging.ui.not_stated") if option == NOT_STATED else option


def _decision(context: Context, case: DisputeView) -> Decision | None:
    say, name = context.say, case_name(context, case.item_id, case.sub.key)
    with st.container(border=True):
        st.markdown(f"**{say('factor_settle.decide_title')}**")
        place = st.container()
        options = _options(context, case, name)
        key = f"{name}-reason"
        last = st.session_state.get(_reason_name(case.sub.key), "")
        reason = st.text_area(
            say("adjudication.reason"),
            height=80,
            **draft_state.kept(name, key, case.reason or last),
        ).strip()
        words = say("adjudication.redecide" if case.decided else "adjudication.decide")
        disabled = not options
        sent = st.button(
            words, key="tag-settle", type="primary", shortcut="Ctrl+Enter", disabled=disabled
        )
        if case.left:
            st.caption(say("factor_settle.left", count=case.left))
    return Decision(options, reason, place) if sent else None


def _options(context: Context, case: DisputeView, name: str) -> list[str]:
    """Draw the options with what each means, of many those in question; return those chosen."""
    language, key = context.language, f"{name}-options"
    keys = list(case.sub.givable)
    helps = [plain(each.help[language]) for each in case.sub.options]
    if not case.sub.claim:
        helps.append(context.say("tagging.ui.not_stated_help"))

    def words(option: str) -> str:
        return plain(option_words(context, case, option))

    label = context.say("factor_settle.options")
    if case.sub.exclusive:
        first = case.decided[0] if len(case.decided) == 1 else None
        with_help: dict[str, Any] = {"captions": helps, **draft_state.kept(name, key, first)}
        chosen = st.radio(label, keys, index=None, format_func=words, **with_help)
        return [chosen] if chosen else []
    many = draft_state.kept(name, key, list(case.decided))
    taken = list(st.pills(label, keys, selection_mode="multi", format_func=words, **many))
    in_question = {*taken, *(each for side in case.sides for each in side.options or ())}
    for option, help_ in zip(keys, helps, strict=True):
        if option in in_question:
            st.caption(f"**{words(option)}** · {help_}")
    return taken


def _reason_name(key: str) -> str:
    return f"tag-settle-reason-{key}"
