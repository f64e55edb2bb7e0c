"""Tables and charts of agreement statistics, and the items behind a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotation.agreement.views import FigureRow, ItemLine, ReportPart, Table
from annotation.people.roles import Act
from annotation.work.submissions import beginning
from evaluation.agreement.interpretation import few, next_step, read
from normalization import text_width
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.interval_chart import Bar, interval_chart
from pages.shell.widgets import note_brackets
from services.agreement.report import interval_of, name_of, value_columns

_MOST_ITEMS = 10  # a longer table scrolls
_ITEMS_HEIGHT = 390
_LINK, _QUESTION = 60, 760  # pixels: the remaining width is shared out among the columns
_ROWS = 8  # a longer table scrolls
_HEIGHT = 460
_ROW = 70  # pixels: longer readings are wrapped from 65 on
_LINE = 60  # narrow characters of a reading that fit without wrapping
_VALUE, _INTERVAL = 60, 120


def draw_items(
    context: Context, what: str, items: Sequence[ItemLine], key: str, known: bool = False
) -> None:
    """Draw the items behind the figure `what`, in the given order.

    `known`: the figure compares with known answers.
    """
    st.markdown(
        f"**{md_literal(context.say('agreement.items.behind', what=what))}** · {len(items):,}"
    )
    if not items:
        st.caption(context.say("agreement.items.none"))
        return
    more: dict[str, Sequence[object]] = {}
    if known:
        more[context.say("agreement.items.right")] = [item.agreement == 1 for item in items]
    elif any(item.agreement is not None for item in items):
        more[context.say("agreement.items.likeness")] = [item.agreement for item in items]
    item_table(context, items, key, more)


def item_table(
    context: Context,
    items: Sequence[ItemLine],
    key: str,
    more: Mapping[str, Sequence[object]],
    configured: Mapping[str, Any] | None = None,
) -> None:
    """Draw items with links that the reader may follow; `more` are columns between."""
    say = context.say
    links = _links(context, items)
    st.dataframe(
        {
            **links,
            say("agreement.question_id"): [item.external_id for item in items],
            **more,
            say("agreement.question"): [beginning(item.question) for item in items],
        },
        column_config={
            **{name: _link(name) for name in links},
            say("agreement.question_id"): st.column_config.TextColumn(width="small"),
            say("agreement.items.likeness"): st.column_config.NumberColumn(
                format="%.2f", width="small", help=say("agreement.items.likeness_help")
            ),
            say("agreement.items.right"): st.column_config.CheckboxColumn(width="small"),
            say("agreement.question"): st.column_config.TextColumn(width=_QUESTION),
            **(configured or {}),
        },
        hide_index=True,
        placeholder="",
        height="auto" if len(items) < _MOST_ITEMS else _ITEMS_HEIGHT,
        key=key,
    )
    if (
        context.may(Act.ADJUDICATE)
        and any(e.case for e in items)
        and not all(e.case for e in items)
    ):
        st.caption(say("agreement.items.only_settled"))


def _links(context: Context, items: Sequence[ItemLine]) -> dict[str, list[str | None]]:
    found: dict[str, list[str | None]] = {}
    if context.may(Act.ADJUDICATE) and any(item.case for item in items):
        found[context.say("agreement.items.case")] = [case_address(context, e) for e in items]
    if context.may(Act.READ_OTHERS_LABELS):
        name = context.say("agreement.items.history")
        found[name] = [history_address(context, item.external_id) for item in items]
    return found


def _link(name: str) -> Any:
    icon = ":material/open_in_new:"
    return st.column_config.LinkColumn(name, display_text=icon, width=_LINK)


def case_address(context: Context, item: ItemLine) -> str | None:
    """Return the relative address of the item's dispute, None if there is none."""
    return _address(context, "adjudication", item.item_id) if item.case else None


def history_address(context: Context, external_id: str) -> str:
    """Return the address of an item's history."""
    return _address(context, "history", external_id)


def _address(context: Context, page: str, item: object) -> str:
    asked = {"project": context.project, "person": context.person.id, "lang": context.language}
    return f"{page}?{urlencode(asked | {'item': item})}"


def draw_table(
    context: Context,
    table: Table,
    names: Mapping[str, Sequence[str]],
    key: str,
    clicked: int | None = None,
) -> None:
    """Draw the figures; for the selected one its reading and the items behind it.

    `names` are the columns before the figures: heading → a cell for each row. `clicked` is the row
    of the figure clicked in a chart beside the table; a row selected in the table takes precedence.
    Selection needs the permission to read others' labels.
    """
    say, rows = context.say, table.rows
    found = [row.finding for row in rows]
    values = value_columns(found, context.language)
    sighted = context.may(Act.READ_OTHERS_LABELS)
    readings = [_short_reading(context, row) for row in rows]
    state = st.dataframe(
        {
            **names,
            **values,
            say("agreement.more.interval"): [interval_of(each) for each in found],
            say("agreement.more.n"): [row.finding.figure.n for row in rows],
            say("agreement.more.reading"): readings,
        },
        column_config={
            **{name: st.column_config.TextColumn(width=_INTERVAL) for name in values},
            say("agreement.more.interval"): st.column_config.TextColumn(width=_INTERVAL),
            say("agreement.more.n"): st.column_config.NumberColumn(
                format="localized", width=_VALUE
            ),
            say("agreement.more.reading"): st.column_config.TextColumn(width="large"),
        },
        hide_index=True,
        height="auto" if len(rows) < _ROWS else _HEIGHT,
        row_height=_ROW if any(text_width(words) > _LINE for words in readings) else None,
        key=key,
        on_select="rerun" if sighted else "ignore",
        selection_mode="single-row",
    )
    note_brackets(context, (each.figure for each in found))
    if isinstance(state, DeltaGenerator):  # selection is disabled
        return
    picked = [*state["selection"]["rows"], *([] if clicked is None else [clicked])]
    if not picked or picked[0] >= len(rows):
        st.caption(f":material/touch_app: {say('agreement.more.pick_row')}")
        return
    with st.container(border=True):
        draw_behind(context, table, rows[picked[0]], key)


def draw_chart(
    context: Context, table: Table, labels: Sequence[str], title: str, key: str
) -> int | None:
    """Draw the defined figures with their intervals; return the row clicked on.

    Clicks need the permission to read others' labels.
    """
    scored = [at for at, row in enumerate(table.rows) if row.finding.figure.value is not None]
    if not scored:
        return None
    figures = {at: table.rows[at].finding.figure for at in scored}
    bars = [Bar(f"{labels[at]} · n = {each.n:,}", "", each) for at, each in figures.items()]
    sighted = context.may(Act.READ_OTHERS_LABELS)
    st.caption(f"{title}. {context.say('agreement.more.click')}" if sighted else title)
    clicked = interval_chart(bars, title, key, sighted)
    return scored[clicked] if clicked is not None and clicked < len(scored) else None


def _short_reading(context: Context, row: FigureRow) -> str:
    """Return the short reading of a value, without its uncertainty (the interval is beside it)."""
    said = read(row.finding)[0].say(context.language)
    if not few(row.finding):
        return said
    return f"{context.say('agreement.more.few', n=row.finding.figure.n)} {said}"


def draw_behind(context: Context, table: Table, row: FigureRow, key: str) -> None:
    """Draw a figure's comparison, meaning, advice, and the items behind it."""
    say, finding = context.say, row.finding
    statistic = say(f"statistics.name.{finding.statistic}")
    name = name_of(table, row, context.language)
    st.markdown(f"**{md_literal(f'{name} · {statistic}' if name else statistic)}**")
    about = [say(f"statistics.about.{finding.statistic}")]
    if table.part is not ReportPart.CALIBRATION:
        about.insert(0, say(f"agreement.compared.{table.view}", n=f"{finding.figure.n:,}"))
    told = {
        "compared": " ".join(about),
        "means": " ".join(each.say(context.language) for each in read(finding)),
        "next": next_step(finding).say(context.language),
    }
    for heading, words in told.items():
        st.markdown(f"**{say(f'agreement.told.{heading}')}** {md_literal(words)}")
    if context.may(Act.READ_OTHERS_LABELS):
        known = table.part is ReportPart.CALIBRATION
        draw_items(context, name or statistic, row.items, f"{key}-items", known)
