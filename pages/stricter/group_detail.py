"""A standard group: its stricter groups, how they form, and what separates or moves cases.

Effects of one changed tag on groups: near misses, and any change to try.

Display names of groups, sub-factors and answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import streamlit as st

from construction.cases.typology import GroupPlace, group_name
from construction.stricter.grouping import NOT_ASKED, Answer
from construction.tagging.codebook import NOT_STATED
from pages.cases.reader import draw_case
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import md_literal
from pages.shell.widgets import draw_table
from services.cases.views import read_court_case
from services.stricter.group_detail import (
    MOST_MOVES,
    CaseMove,
    choices,
    key_of,
    moves_of,
    splits_of,
    steps,
    what_if,
)
from services.stricter.groups import GroupFound, Stricter
from storage.cases import CaseLine

_NAMED = 12  # case ids listed in one cell; the rest is counted


class Wording:
    """Display names for the contents of a report on stricter groups."""

    def __init__(self, context: Context, stricter: Stricter) -> None:
        self._say = context.say
        self._language = context.language
        self._found = stricter
        self._places = stricter.book.places

    def category(self, place: GroupPlace) -> str:
        """Return the display name of a category."""
        return place.category.label[self._language]

    def group(self, place: GroupPlace) -> str:
        """Return the display name of a standard group."""
        return group_name(place.charge, place.group)[self._language]

    def sub_factor(self, key: str) -> str:
        """Return the display name of a sub-factor."""
        return self._places[key][1].label[self._language]

    def answer(self, key: str, answer: Answer | None) -> str:
        """Return the display names of an answer's options; None means no answer."""
        if answer is None:
            return self._say("stricter.no_answer")
        return ", ".join(self._option(key, option) for option in answer)

    def case(self, case: int) -> str:
        """Return the external id of a case."""
        return self._found.cases[case].external_id

    def cases(self, cases: Iterable[int]) -> str:
        """Return the ids of cases; of many the first, with the number of others."""
        names = [self.case(case) for case in cases]
        more = f" +{len(names) - _NAMED:,}" if len(names) > _NAMED else ""
        return ", ".join(names[:_NAMED]) + more

    def _option(self, key: str, option: str) -> str:
        """Return the display name of an option."""
        plain = {NOT_ASKED: "not_asked", NOT_STATED: "not_stated"}
        if option in plain:
            return self._say(f"stricter.{plain[option]}")
        return self._places[key][1].option_label(option, self._language)


_SHOWN = 100


def draw_moves(context: Context, found: Stricter, each: GroupFound, words: Wording) -> None:
    """Draw the changes of one tag that would bring a case into a group, and a change to try."""
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
    """Draw the moves as a table."""
    say, shown = context.say, moves[:_SHOWN]
    effects = []
    for move in shown:
        there = any(set(move.beside) <= set(group) for group in each.groups)
        name = "longer" if move.longer else "joins" if there else "pairs"
        told = {"cases": words.cases(move.beside), "depth": move.depth}
        effects.append(say(f"stricter.moves.{name}", **told))
    columns = {
        "stricter.one.case": [words.case(move.case) for move in shown],
        "stricter.one.sub_factor": [words.sub_factor(move.sub_factor) for move in shown],
        "now": [words.answer(move.sub_factor, move.now) for move in shown],
        "then": [words.answer(move.sub_factor, move.then) for move in shown],
        "effect": effects,
    }
    draw_table(context, "stricter.moves", columns, f"stricter-moves-{each.key}", wide="effect")
    if len(moves) >= MOST_MOVES:
        st.caption(say("stricter.moves.more", shown=_SHOWN))
    elif len(moves) > _SHOWN:
        st.caption(say("stricter.moves.first", shown=_SHOWN, count=f"{len(moves):,}"))


def _draw_trial(context: Context, stricter: Stricter, each: GroupFound, wording: Wording) -> None:
    """Draw the trial of another answer for a case."""
    say = context.say
    first, second, third = Fields(context, "stricter.one", "stricter-try").row(3)
    rows = [*(row.case for row in each.table.rows), *each.table.gaps]
    case = first.pick("case", rows, wording.case, key=each.key)
    columns, key = each.table.columns, f"column-{each.key}"
    column = second.pick("sub_factor", columns, wording.sub_factor, key=key)
    answer = third.pick_any(
        "then",
        choices(stricter, each, column),
        "stricter.moves.choose",
        partial(wording.answer, column),
        label=say("stricter.moves.then"),
        key=f"answer-{each.key}-{column}",
    )
    if answer is None:
        return
    told, lines = what_if(stricter, each, case, column, answer), []
    if told.gaps:
        gaps = ", ".join(map(wording.sub_factor, told.gaps))
        lines.append(say("stricter.moves.try_gaps", names=gaps))
    if (told.before, told.depth_before) == (told.after, told.depth_after):
        lines.append(say("stricter.moves.try_same"))
    elif not told.after:
        lines.append(say("stricter.moves.try_none"))
    else:
        group = {"cases": wording.cases(told.after[0]), "depth": told.depth_after}
        lines.append(say("stricter.moves.try_group", all=len(each.table.columns), **group))
    st.info(md_literal(" ".join(lines)))


_BESIDE = 2  # cases: more would be too narrow to read


def draw_members(context: Context, cases: Sequence[CaseLine], key: str) -> list[int]:
    """Draw the list of cases; return the ids of at most two selected to read."""
    say = context.say
    st.markdown(f"**{say('stricter.one.members')}**")
    columns = {
        "case": [case.external_id for case in cases],
        "title": [case.title for case in cases],
        "date": [case.date for case in cases],
    }
    state = draw_table(
        context, "stricter.one", columns, key, on_select="rerun", selection_mode="multi-row"
    )
    rows = [row for row in state["selection"]["rows"] if row < len(cases)]
    if not rows:
        st.caption(say("stricter.one.read"))
    elif len(rows) > _BESIDE:
        st.caption(say("stricter.one.read_two"))
    return [cases[row].id for row in rows[:_BESIDE]]


def draw_read(context: Context, chosen: Sequence[int], key: str) -> None:
    """Draw the selected cases side by side."""
    if not chosen:
        return
    for place, case in zip(st.columns(len(chosen), gap="medium"), chosen, strict=True):
        found = read_court_case(*context.here, case, context.by)
        with place:
            draw_case(context, found, f"{key}-{case}")


def draw_one(context: Context, stricter: Stricter, each: GroupFound, wording: Wording) -> None:
    """Draw a standard group: its stricter groups, how they form, moves, cases without tags."""
    with st.container(border=True):
        st.header(md_literal(wording.group(each.place)), anchor=False)
        number = _draw_formation(context, each, wording)
        if number is not None:
            _group(context, stricter, each, number, wording)
            with st.expander(context.say("stricter.splits.title"), icon=":material/call_split:"):
                _splits(context, each, number, wording)
        if each.table.rows and each.table.columns:
            with st.expander(context.say("stricter.steps.title"), icon=":material/stairs:"):
                _steps(context, each, wording)
            with st.expander(context.say("stricter.moves.title"), icon=":material/swap_horiz:"):
                draw_moves(context, stricter, each, wording)
        _draw_untagged(context, stricter, each, wording)


def _draw_formation(context: Context, each: GroupFound, wording: Wording) -> int | None:
    """Draw how the groups were formed; return the chosen group's index, None without groups."""
    say, depth, columns = context.say, each.found.depth, each.table.columns
    if depth is None:
        reason = "nothing_alike" if len(each.table.rows) > 1 else "too_few"
        st.info(say(f"stricter.one.{reason if columns else 'no_columns'}"), icon=":material/info:")
        return None
    out = columns[depth:]
    told, names = say("stricter.one.whole"), ", ".join(map(wording.sub_factor, out))
    if out:
        told = say("stricter.one.backed_off", count=len(out), names=names)
    words = say("stricter.one.depth", depth=depth, all=len(columns))
    st.markdown(md_literal(f"{words} {told}"))
    if len(each.groups) == 1:
        return 0
    st.caption(say("stricter.one.ties", count=len(each.groups)))
    groups = [
        say("stricter.one.number", number=at, count=f"{len(cases):,}")
        for at, cases in enumerate(each.groups, 1)
    ]
    groups[0] += f" ({say('stricter.one.the')})"
    fields = Fields(context, "stricter.one", "stricter-which")
    return fields.pick("which", range(len(groups)), groups.__getitem__, key=each.key)


def _group(
    context: Context, stricter: Stricter, each: GroupFound, number: int, wording: Wording
) -> None:
    """Draw a stricter group: its cases and what they share."""
    say = context.say
    shared = key_of(each, number)
    cases = [stricter.cases[case] for case in each.groups[number]]
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**{say('stricter.one.key')}**")
        columns = {
            "sub_factor": [wording.sub_factor(key) for key, _ in shared],
            "answer": [wording.answer(*pair) for pair in shared],
        }
        draw_table(context, "stricter.one", columns, f"stricter-key-{each.key}-{number}")
    with right:
        chosen = draw_members(context, cases, f"stricter-members-{each.key}-{number}")
    draw_read(context, chosen, f"stricter-read-{each.key}")


def _splits(context: Context, each: GroupFound, number: int, wording: Wording) -> None:
    """Draw how further sub-factors would split a group."""
    say = context.say
    found = splits_of(each, number)
    if not found:
        st.caption(say("stricter.splits.none"))
        return
    names, falls = [], []
    for split in found:
        name = wording.sub_factor(split.sub_factor)
        names.append(say("stricter.splits.optional", name=name) if split.optional else name)
        parts = (
            f"{wording.answer(split.sub_factor, part.answer)}: {wording.cases(part.cases)}"
            for part in split.parts
        )
        falls.append(" · ".join(parts))
    counts = [len(split.parts) for split in found]
    columns = {"stricter.one.sub_factor": names, "parts": counts, "falls": falls}
    small = st.column_config.NumberColumn(width="small")
    key, shape = f"stricter-splits-{each.key}-{number}", {"parts": small}
    draw_table(context, "stricter.splits", columns, key, wide="falls", config=shape)


def _steps(context: Context, each: GroupFound, wording: Wording) -> None:
    """Draw the groups for each length of the key."""
    found = steps(each)
    columns = {
        "length": [level.depth for level in found],
        "last": [wording.sub_factor(each.table.columns[level.depth - 1]) for level in found],
        "groups": [level.groups for level in found],
        "cases": [level.rows for level in found],
    }
    draw_table(context, "stricter.steps", columns, f"stricter-steps-{each.key}")


def _draw_untagged(
    context: Context, stricter: Stricter, each: GroupFound, wording: Wording
) -> None:
    """Draw the cases outside the table, with the tags that they lack."""
    say, gaps = context.say, each.table.gaps
    count = len(gaps) + len(each.untagged)
    if not count:
        return
    told = {
        case: " · ".join(
            f"{wording.sub_factor(key)} ({say(f'stricter.gap.{gap}')})"
            for key, gap in lacking.items()
        )
        for case, lacking in gaps.items()
    } | dict.fromkeys(each.untagged, say("stricter.missing.untagged"))
    with st.expander(
        say("stricter.missing.title", count=f"{count:,}"), icon=":material/hourglass_empty:"
    ):
        columns = {
            "case": [wording.case(case) for case in told],
            "title": [stricter.cases[case].title for case in told],
            "stricter.missing.what": list(told.values()),
        }
        key, wide = f"stricter-missing-{each.key}", "stricter.missing.what"
        draw_table(context, "stricter.one", columns, key, wide=wide)
