"""Court cases screen: search, read and import."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.people.roles import Act
from pages.cases.importing import draw_bring
from pages.cases.reader import draw_case
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment
from pages.shell.notices import show_remembered
from pages.shell.widgets import Views, draw_view, pick_row
from services.cases.views import CaseFilter, CaseList, list_court_cases, read_court_case
from storage.cases import CaseLine

_KEY = "court-cases"
_HEIGHT = 640
_ROWS = 17  # as many as fit into that height
NOTICE = "court-cases-notice"


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
    """Draw the filters of the list of cases, unless the project has none."""
    if not case_list.total:
        return
    first, *others = Fields(context, "court_cases.field", _KEY).row([4, 3, 3, 2])
    label, hint = (context.say(f"court_cases.list.{name}") for name in ("words", "words_hint"))
    icon = ":material/search:"
    first.text("words", label=label, max_chars=200, placeholder=hint, icon=icon)
    counts = {
        "charge": ("charges", case_list.charges),
        "court": ("court", case_list.courts),
        "language": ("language", case_list.languages),
    }
    for fields, (key, (name, values)) in zip(others, counts.items(), strict=True):
        texts = {value: f"{value} ({count:,})" for value, count in values}
        # Streamlit may ask for the text of a value that was an option before.
        named = partial(_text_of, texts)
        fields.pick_any(name, texts, "court_cases.list.any", named, key=key)


def _text_of(texts: Mapping[str, str], value: str) -> str:
    return texts.get(value, value)


def _table(context: Context, lines: Sequence[CaseLine]) -> int | None:
    """Draw the list; return the id of the selected case, at first the first; None if empty."""
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
    widths = {"number": 120, "charges": 190, "court": 150, "date": 90}
    config: dict[str, Any] = {
        name: st.column_config.TextColumn(width=width) for name, width in widths.items()
    }
    config["court_cases.list.characters"] = st.column_config.NumberColumn(format="localized")
    row = pick_row(
        context,
        "court_cases.field",
        columns,
        f"{_KEY}-table",
        config=config,
        height="content" if len(lines) < _ROWS else _HEIGHT,
        selection_mode="single-row-required",
        selection_default={"selection": {"rows": [0]}},
    )
    return lines[row or 0].id


def _reader(context: Context, chosen: int | None) -> None:
    """Draw the text of the chosen case."""
    if chosen is not None:
        case = read_court_case(*context.here, chosen, context.by)
        words = str(st.session_state.get(f"{_KEY}-words", "")).strip()
        draw_case(context, case, f"{_KEY}-{chosen}", words)


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("app.pages.court_cases"), anchor=False)
    st.markdown(context.say("court_cases.lead"))
    show_remembered(NOTICE)
    if context.may(Act.IMPORT_QUESTIONS):
        views: Views = {"cases": draw_list, "bring": partial(draw_bring, notice_key=NOTICE)}
        draw_view(context, "court_cases.tab", "court-cases-tab", views)
    else:
        draw_list(context)
