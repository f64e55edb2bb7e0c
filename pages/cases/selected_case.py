"""Reading a court case that is selected in a table of the screen of standard groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.cases.reader import draw_case
from pages.shell.context import Context
from services.cases.views import read_court_case
from storage.cases.court_cases import CaseLine

_TABLE_HEIGHT = 380  # pixels before it scrolls
_ROWS = 10  # fit into that height


def draw_cases(
    context: Context,
    cases: Sequence[CaseLine],
    columns: Mapping[str, Sequence[str]],
    key: str,
    wide: str,
) -> None:
    """Draw a table of court cases with `columns` by name, and the one that is selected below it.

    `wide` is the name of the column that says most.
    """
    say = context.say
    state = st.dataframe(
        {say("case_groups.case"): [each.external_id for each in cases], **columns},
        column_config={wide: st.column_config.TextColumn(width="large")},
        hide_index=True,
        height="auto" if len(cases) < _ROWS else _TABLE_HEIGHT,
        key=key,
        on_select="rerun",
        selection_mode="single-row",
    )
    rows = state["selection"]["rows"]
    if not rows or rows[0] >= len(cases):
        st.caption(say("case_groups.pick_case"))
        return
    number = cases[rows[0]].id
    found = read_court_case(context.workspace, context.project, number, context.person.id)
    draw_case(context, found.line, found.parts, f"{key}-{number}")
