"""Effects of one changed tag on groups: near misses, and any change to try."""

from __future__ import annotations

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.widgets import draw_table
from pages.stricter.labels import Wording
from services.stricter.group_detail import MOST_MOVES, CaseMove, choices, moves_of, what_if
from services.stricter.groups import GroupFound, Stricter

_SHOWN = 100


def draw_moves(context: Context, found: Stricter, each: GroupFound, words: Wording) -> None:
    """Draw the changes that would bring a case into a group, and a change to try."""
    say = context.say
    moves = moves_of(found, each)
    st.caption(say("stricter.moves.note"))
    if moves:
        _table(context, each, moves, words)
    else:
        st.caption(say("stricter.moves.none"))
    st.markdown(f"**{say('stricter.moves.try_title')}**")
    _draw_trial(context, found, each, words)


def _table(context: Context, each: GroupFound, moves: tuple[CaseMove, ...], words: Wording) -> None:
    say, shown = context.say, moves[:_SHOWN]
    columns = {
        "stricter.one.case": [words.case(move.case) for move in shown],
        "stricter.one.sub_factor": [words.sub_factor(move.sub_factor) for move in shown],
        "now": [words.answer(m.sub_factor, m.now) for m in shown],
        "then": [words.answer(m.sub_factor, m.then) for m in shown],
        "effect": [_effect(context, each, m, words) for m in shown],
    }
    draw_table(context, "stricter.moves", columns, f"stricter-moves-{each.key}", wide="effect")
    if len(moves) >= MOST_MOVES:
        st.caption(say("stricter.moves.more", shown=_SHOWN))
    elif len(moves) > _SHOWN:
        st.caption(say("stricter.moves.first", shown=_SHOWN, count=f"{len(moves):,}"))


def _effect(context: Context, each: GroupFound, move: CaseMove, words: Wording) -> str:
    there = any(set(move.beside) <= set(group) for group in each.groups)
    name = "longer" if move.longer else "joins" if there else "pairs"
    told = {"cases": words.cases(move.beside), "depth": move.depth}
    return context.say(f"stricter.moves.{name}", **told)


def _draw_trial(context: Context, found: Stricter, each: GroupFound, words: Wording) -> None:
    say = context.say
    first, second, third = st.columns(3)
    cases = [*(row.case for row in each.table.rows), *each.table.gaps]
    case = first.selectbox(
        say("stricter.one.case"), cases, format_func=words.case, key=f"stricter-try-{each.key}"
    )
    column = second.selectbox(
        say("stricter.one.sub_factor"),
        each.table.columns,
        format_func=words.sub_factor,
        key=f"stricter-try-column-{each.key}",
    )
    answer = third.selectbox(
        say("stricter.moves.then"),
        choices(found, each, column),
        index=None,
        placeholder=say("stricter.moves.choose"),
        format_func=lambda answer: words.answer(column, answer),
        key=f"stricter-try-answer-{each.key}-{column}",
    )
    if answer is not None:
        st.info(plain(_outcome(context, found, each, words, (case, column, answer))))


def _outcome(
    context: Context,
    found: Stricter,
    each: GroupFound,
    words: Wording,
    change: tuple[int, str, tuple[str, ...]],
) -> str:
    say, told = context.say, what_if(found, each, *change)
    lines = []
    if told.gaps:
        names = ", ".join(map(words.sub_factor, told.gaps))
        lines.append(say("stricter.moves.try_gaps", names=names))
    if (told.before, told.depth_before) == (told.after, told.depth_after):
        lines.append(say("stricter.moves.try_same"))
    elif not told.after:
        lines.append(say("stricter.moves.try_none"))
    else:
        group = {
            "cases": words.cases(told.after[0]),
            "depth": told.depth_after,
            "all": len(each.table.columns),
        }
        lines.append(say("stricter.moves.try_group", **group))
    return " ".join(lines)
