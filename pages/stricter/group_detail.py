"""A standard group: its stricter groups, how they form, and what separates or moves cases."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.cases.reader import draw_case
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.widgets import draw_table
from pages.stricter.labels import Wording
from pages.stricter.tag_changes import draw_moves
from services.cases.views import read_court_case
from services.stricter.group_detail import key_of, splits_of, steps
from services.stricter.groups import GroupFound, Stricter
from storage.cases.court_cases import CaseLine

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
            draw_case(context, found.line, found.parts, f"{key}-{case}")


def draw_one(context: Context, found: Stricter, each: GroupFound, words: Wording) -> None:
    """Draw a standard group in full."""
    with st.container(border=True):
        st.header(plain(words.group(each.place)), anchor=False)
        number = _draw_formation(context, each, words)
        if number is not None:
            _group(context, found, each, number, words)
            with st.expander(context.say("stricter.splits.title"), icon=":material/call_split:"):
                _splits(context, each, number, words)
        if each.table.rows and each.table.columns:
            with st.expander(context.say("stricter.steps.title"), icon=":material/stairs:"):
                _steps(context, each, words)
            with st.expander(context.say("stricter.moves.title"), icon=":material/swap_horiz:"):
                draw_moves(context, found, each, words)
        _draw_untagged(context, found, each, words)


def _draw_formation(context: Context, each: GroupFound, words: Wording) -> int | None:
    """Draw how the groups were formed; return the chosen group's index, None without groups."""
    say, depth, columns = context.say, each.found.depth, each.table.columns
    if depth is None:
        reason = "nothing_alike" if len(each.table.rows) > 1 else "too_few"
        st.info(say(f"stricter.one.{reason if columns else 'no_columns'}"), icon=":material/info:")
        return None
    out = columns[depth:]
    told = say("stricter.one.depth", depth=depth, all=len(columns)) + " "
    names = ", ".join(map(words.sub_factor, out))
    told += (
        say("stricter.one.backed_off", count=len(out), names=names)
        if out
        else say("stricter.one.whole")
    )
    st.markdown(plain(told))
    if len(each.groups) == 1:
        return 0
    st.caption(say("stricter.one.ties", count=len(each.groups)))
    return int(
        st.selectbox(
            say("stricter.one.which"),
            range(len(each.groups)),
            format_func=lambda number: _group_name(context, each, number),
            key=f"stricter-which-{each.key}",
        )
    )


def _group_name(context: Context, each: GroupFound, number: int) -> str:
    told = context.say(
        "stricter.one.number", number=number + 1, count=f"{len(each.groups[number]):,}"
    )
    return told if number else f"{told} ({context.say('stricter.one.the')})"


def _group(
    context: Context, found: Stricter, each: GroupFound, number: int, words: Wording
) -> None:
    say = context.say
    shared = key_of(each, number)
    cases = [found.cases[case] for case in each.groups[number]]
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**{say('stricter.one.key')}**")
        columns = {
            "sub_factor": [words.sub_factor(key) for key, _ in shared],
            "answer": [words.answer(*pair) for pair in shared],
        }
        draw_table(context, "stricter.one", columns, f"stricter-key-{each.key}-{number}")
    with right:
        chosen = draw_members(context, cases, f"stricter-members-{each.key}-{number}")
    draw_read(context, chosen, f"stricter-read-{each.key}")


def _splits(context: Context, each: GroupFound, number: int, words: Wording) -> None:
    say = context.say
    found = splits_of(each, number)
    if not found:
        st.caption(say("stricter.splits.none"))
        return
    names = [words.sub_factor(split.sub_factor) for split in found]
    falls = [
        " · ".join(
            f"{words.answer(split.sub_factor, part.answer)}: {words.cases(part.cases)}"
            for part in split.parts
        )
        for split in found
    ]
    columns = {
        "stricter.one.sub_factor": [
            say("stricter.splits.optional", name=name) if split.optional else name
            for name, split in zip(names, found, strict=True)
        ],
        "parts": [len(split.parts) for split in found],
        "falls": falls,
    }
    draw_table(
        context,
        "stricter.splits",
        columns,
        f"stricter-splits-{each.key}-{number}",
        wide="falls",
        config={"parts": st.column_config.NumberColumn(width="small")},
    )


def _steps(context: Context, each: GroupFound, words: Wording) -> None:
    found = steps(each)
    columns = {
        "length": [level.depth for level in found],
        "last": [words.sub_factor(each.table.columns[level.depth - 1]) for level in found],
        "groups": [level.groups for level in found],
        "cases": [level.rows for level in found],
    }
    draw_table(context, "stricter.steps", columns, f"stricter-steps-{each.key}")


def _draw_untagged(context: Context, found: Stricter, each: GroupFound, words: Wording) -> None:
    """Draw the cases outside the table, with the tags that they lack."""
    say, gaps = context.say, each.table.gaps
    count = len(gaps) + len(each.untagged)
    if not count:
        return
    told = {
        case: " · ".join(
            f"{words.sub_factor(key)} ({say(f'stricter.gap.{gap}')})"
            for key, gap in lacking.items()
        )
        for case, lacking in gaps.items()
    } | dict.fromkeys(each.untagged, say("stricter.missing.untagged"))
    with st.expander(
        say("stricter.missing.title", count=f"{count:,}"), icon=":material/hourglass_empty:"
    ):
        columns = {
            "case": [words.case(case) for case in told],
            "title": [found.cases[case].title for case in told],
            "stricter.missing.what": list(told.values()),
        }
        draw_table(
            context,
            "stricter.one",
            columns,
            f"stricter-missing-{each.key}",
            wide="stricter.missing.what",
        )
