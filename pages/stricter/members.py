"""The cases of a stricter group: the list, and up to two of them read side by side."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.cases.reader import draw_case
from pages.shell.context import Context
from services.cases.views import read_court_case
from storage.cases.court_cases import CaseLine

_TABLE_HEIGHT = 340
_MANY = 9  # rows: more of them scroll
_BESIDE = 2  # cases: more would be too narrow to read


def draw_members(context: Context, cases: Sequence[CaseLine], key: str) -> list[int]:
    """Draw the list of cases; return the ids of those selected to be read, at most two."""
    say = context.say
    st.markdown(f"**{say('stricter.one.members')}**")
    state = st.dataframe(
        {
            say("stricter.one.case"): [case.external_id for case in cases],
            say("stricter.one.title"): [case.title for case in cases],
            say("stricter.one.date"): [case.date for case in cases],
        },
        hide_index=True,
        height="content" if len(cases) < _MANY else _TABLE_HEIGHT,
        key=key,
        on_select="rerun",
        selection_mode="multi-row",
    )
    rows = [row for row in state["selection"]["rows"] if row < len(cases)]
    if not rows:
        st.caption(say("stricter.one.read"))
    elif len(rows) > _BESIDE:
        st.caption(say("stricter.one.read_two"))
    return [cases[row].id for row in rows[:_BESIDE]]


def draw_read(context: Context, chosen: Sequence[int], key: str) -> None:
    """Draw the selected cases beside each other."""
    if not chosen:
        return
    for place, case in zip(st.columns(len(chosen), gap="medium"), chosen, strict=True):
        found = read_court_case(context.workspace, context.project, case, context.person.id)
        with place:
            draw_case(context, found.line, found.parts, f"{key}-{case}")
