"""Agreement statistics with the items behind a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from annotation.agreement.views import FigureRow, ItemLine, ReportPart, Table
from annotation.people.roles import Act
from annotation.work.submissions import beginning
from evaluation.agreement.interpretation import next_step, read
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.reports import draw_section
from services.agreement.report import figures_section
from services.agreement.sentences import name_of

_MOST_ITEMS = 10  # a longer table scrolls
_ITEMS_HEIGHT = 390
_LINK, _QUESTION = 60, 760  # pixels: the remaining width is shared out among the columns


def draw_heading(context: Context, what: str, count: int) -> None:
    """Draw the heading of the `count` items behind a figure or a person's work."""
    words = context.say("agreement.items.behind", what=what)
    st.markdown(f"**{md_literal(words)}** · {count:,}")


def draw_items(
    context: Context, what: str, items: Sequence[ItemLine], key: str, known: bool
) -> None:
    """Draw the items behind the figure `what`, in the given order.

    `known`: the figure compares with known answers.
    """
    draw_heading(context, what, len(items))
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
    context: Context, items: Sequence[ItemLine], key: str, more: Mapping[str, Sequence[object]]
) -> None:
    """Draw items with links that the reader may follow; `more` are columns between."""
    say, column = context.say, st.column_config
    links = _links(context, items)
    icon = ":material/open_in_new:"
    to = {name: column.LinkColumn(name, display_text=icon, width=_LINK) for name in links}
    st.dataframe(
        {
            **links,
            say("agreement.question_id"): [item.external_id for item in items],
            **more,
            say("agreement.question"): [beginning(item.question) for item in items],
        },
        column_config={
            **to,
            say("agreement.question_id"): column.TextColumn(width="small"),
            say("agreement.items.likeness"): column.NumberColumn(
                format="%.2f", width="small", help=say("agreement.items.likeness_help")
            ),
            say("agreement.items.right"): column.CheckboxColumn(width="small"),
            say("agreement.column.seconds"): column.NumberColumn(format="%.0f"),
            say("agreement.question"): column.TextColumn(width=_QUESTION),
        },
        hide_index=True,
        placeholder="",
        height="auto" if len(items) < _MOST_ITEMS else _ITEMS_HEIGHT,
        key=key,
    )
    if context.may(Act.ADJUDICATE) and len({each.case for each in items}) > 1:
        st.caption(say("agreement.items.only_settled"))


def _links(context: Context, items: Sequence[ItemLine]) -> dict[str, list[str | None]]:
    """Return the columns that link items to their disputes and history."""
    found: dict[str, list[str | None]] = {}
    if context.may(Act.ADJUDICATE) and any(item.case for item in items):
        found[context.say("agreement.items.case")] = [case_address(context, e) for e in items]
    if context.may(Act.READ_OTHERS_LABELS):
        name = context.say("agreement.items.history")
        found[name] = [context.link("history", item=each.external_id) for each in items]
    return found


def case_address(context: Context, item: ItemLine) -> str | None:
    """Return the relative address of the item's dispute, None if there is none."""
    return context.link("adjudication", item=item.item_id) if item.case else None


def draw_figures(
    context: Context, table: Table, file: str, task: str, names: Mapping[str, str], title: str = ""
) -> None:
    """Draw the figures of a table; of the chosen one its meaning and the items behind it."""
    section = figures_section(table, context.language, task, names)
    section = replace(section, title=title or section.title)
    row = draw_section(context, section, file)
    if row is not None:
        with st.container(border=True):
            draw_behind(context, table, table.rows[row], f"{file}-{section.name}", names)
    elif section.opens:
        st.caption(f":material/touch_app: {context.say('agreement.more.pick_row')}")


def draw_behind(
    context: Context, table: Table, row: FigureRow, key: str, names: Mapping[str, str]
) -> None:
    """Draw a figure's comparison, meaning, advice, and the items behind it."""
    say, finding = context.say, row.finding
    statistic = say(f"statistics.name.{finding.statistic}")
    name = name_of(table, row, context.language, names)
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
