"""Court cases screen: search, read and import."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from pages.cases.importing import draw_bring
from pages.cases.reader import draw_case
from pages.shell.context import Context
from pages.shell.guard import fragment
from pages.shell.notices import show_remembered
from pages.shell.widgets import choose, pick_row
from services.cases.views import CaseFilter, CaseList, list_court_cases, read_court_case
from storage.cases import CaseLine

_KEY = "court-cases"
_HEIGHT = 640
_ROWS = 17  # as many as fit into that height
NOTICE = "court-cases-notice"
TABS = ("cases", "bring")


@fragment
def draw_list(context: Context) -> None:
    """Draw the filters, the list and the selected case."""
    place = st.container()
    found = _filtered_cases(context)
    with place:
        _filters(context, found)
    if not found.total:
        st.info(context.say("court_cases.none"), icon=":material/account_balance:")
        return
    counts = {"count": f"{len(found.lines):,}", "total": f"{found.total:,}"}
    st.caption(context.say("court_cases.list.count", **counts))
    left, right = st.columns([5, 7], gap="medium")
    with left:
        chosen = _table(context, found.lines)
    with right:
        _reader(context, chosen)


def _filtered_cases(context: Context) -> CaseList:
    """Return the cases that match the filters, as set in the previous run."""
    state = st.session_state
    wanted = CaseFilter(
        words=str(state.get(f"{_KEY}-words", "")).strip(),
        charge=state.get(f"{_KEY}-charge") or "",
        court=state.get(f"{_KEY}-court") or "",
        language=state.get(f"{_KEY}-language") or "",
    )
    return list_court_cases(*context.here, wanted, context.by)


def _filters(context: Context, case_list: CaseList) -> None:
    """Draw the filters of the list of cases."""
    if not case_list.total:
        return
    columns = st.columns([4, 3, 3, 2])
    columns[0].text_input(
        context.say("court_cases.list.words"),
        max_chars=200,
        placeholder=context.say("court_cases.list.words_hint"),
        icon=":material/search:",
        key=f"{_KEY}-words",
    )
    values = {
        "charge": case_list.charges,
        "court": case_list.courts,
        "language": case_list.languages,
    }
    for column, (name, counted) in zip(columns[1:], values.items(), strict=True):
        counts = dict(counted)
        column.selectbox(
            context.say(f"court_cases.field.{'charges' if name == 'charge' else name}"),
            list(counts),
            index=None,
            format_func=partial(_with_count, counts),
            placeholder=context.say("court_cases.list.any"),
            key=f"{_KEY}-{name}",
        )


def _with_count(counts: Mapping[str, int], value: str) -> str:
    """Return a value with its number of cases."""
    return f"{value} ({counts.get(value, 0):,})"


def _table(context: Context, lines: Sequence[CaseLine]) -> int | None:
    """Draw the list; return the id of the selected case, by default the first."""
    say = context.say
    if not lines:
        st.info(say("court_cases.list.empty"), icon=":material/search_off:")
        return None
    columns = {
        "number": [line.number or line.external_id for line in lines],
        "charges": [", ".join(line.charges) for line in lines],
        "court": [line.court for line in lines],
        "date": [line.date for line in lines],
        "court_cases.list.characters": [line.characters for line in lines],
        "id": [line.external_id for line in lines],
    }
    row = pick_row(
        context,
        "court_cases.field",
        columns,
        f"{_KEY}-table",
        config={
            "number": st.column_config.TextColumn(width=120),
            "charges": st.column_config.TextColumn(width=190),
            "court": st.column_config.TextColumn(width=150),
            "date": st.column_config.TextColumn(width=90),
            "court_cases.list.characters": st.column_config.NumberColumn(format="localized"),
        },
        height="content" if len(lines) < _ROWS else _HEIGHT,
        selection_mode="single-row-required",
        selection_default={"selection": {"rows": [0]}},
    )
    return lines[row or 0].id


def _reader(context: Context, chosen: int | None) -> None:
    """Draw the text of the chosen case."""
    if chosen is None:
        return
    case = read_court_case(*context.here, chosen, context.by)
    words = str(st.session_state.get(f"{_KEY}-words", "")).strip()
    draw_case(context, case.line, case.parts, f"{_KEY}-{chosen}", words)


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("app.pages.court_cases"), anchor=False)
    st.markdown(context.say("court_cases.lead"))
    show_remembered(NOTICE)
    chosen = "cases"
    if context.may(Act.IMPORT_QUESTIONS):
        chosen = choose(
            context, "court_cases.tab.label", TABS, "court_cases.tab", "court-cases-tab"
        )
    if chosen == "bring":
        draw_bring(context, NOTICE)
    else:
        draw_list(context)
