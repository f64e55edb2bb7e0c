"""History screen: all events of any question and person, newest first."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any

import streamlit as st

from annotation.check.project import check
from annotation.history.reading import FAMILIES, PAGE, Entry, Filter, Page, filter_by_names, read
from annotation.people.members import list_people
from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment
from pages.shell.notices import draw_head
from pages.shell.plain_text import plain_text
from pages.shell.widgets import download, draw_table, pick_row
from services.history.words import in_words, what_in_words, who_in_words

_PERSON = "history-person"


@fragment
def draw_check(context: Context) -> None:
    """Draw the button that replays the whole history, and the check's result."""
    say = context.say
    if not Fields(context, "history", "history").press("check", icon=":material/fact_check:"):
        return
    with st.spinner(say("history.checking")):
        problems = check(*context.here, context.by)
    if not problems:
        st.success(say("history.sound"), icon=":material/verified:")
        return
    st.error(say("history.unsound", count=len(problems)), icon=":material/error:")
    columns = {
        "problem": [problem.say(context.language) for problem in problems],
        "remedy": [problem.remedy(context.language) for problem in problems],
    }
    draw_table(context, "history", columns, "history-problems")


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "history")
    sighted = context.may(Act.READ_OTHERS_LABELS)
    st.caption(context.say("history.complete" if sighted else "history.own"))
    if context.may(Act.EXPORT_HISTORY):
        draw_check(context)
    _timeline(context)


@fragment
def _timeline(context: Context) -> None:
    """Draw filters and entries, as a fragment: filters and pages redraw nothing else."""
    part, number = _filters(context)
    offset, page = _page(context, part, number)
    if context.may(Act.EXPORT_HISTORY):
        _downloads(context, part)
    if not page.entries:
        st.info(context.say("history.none"), icon=":material/search_off:")
        return
    last = offset + len(page.entries)
    st.caption(context.say("history.shown", first=offset + 1, last=last, total=page.total))
    _table(context, page.entries)


def _page(context: Context, part: Filter, number: int) -> tuple[int, Page]:
    """Return (offset, page) for a page number, the last page if it is beyond."""
    where = (*context.here, part)
    offset = (number - 1) * PAGE
    page = read(*where, offset, by=context.by)
    if page.total and not page.entries:
        offset = (page.total - 1) // PAGE * PAGE
        page = read(*where, offset, by=context.by)
    return offset, page


def _filters(context: Context) -> tuple[Filter, int]:
    """Draw the filters; return the filter and the page number."""
    say, fields = context.say, Fields(context, "history", "history")
    first, second, third = fields.row(3)
    from_day, to_day, turn = fields.row(3)
    # An address may name the question, or the person, whose history is wanted.
    st.session_state.setdefault("history-item", st.query_params.get("item", ""))
    item = first.text("item").strip()
    person: str | None = None
    if context.may(Act.READ_OTHERS_LABELS):
        names = [each.name for each in list_people(*context.here)]
        if _PERSON not in st.session_state and (who := st.query_params.get("who")) in names:
            st.session_state[_PERSON] = who
        person = second.pick_any("person", names, "history.any")
        second = third
    kinds = second.several("kinds", FAMILIES, "history.family", placeholder=say("history.any"))
    since = from_day.place.date_input(say("history.since"), None, key="history-since")
    until = to_day.place.date_input(say("history.until"), None, key="history-until")
    number = turn.number("page", 1, None, 1, step=1)
    ends = None if until is None else _midnight(until + timedelta(days=1))
    part = filter_by_names(*context.here, item or None, person, kinds, _midnight(since), ends)
    return part, number


def _midnight(day: date | None) -> datetime | None:
    """Return the start of a day in UTC, None without a day."""
    return None if day is None else datetime.combine(day, time(), UTC)


def _downloads(context: Context, part: Filter) -> None:
    """Draw the downloads of the filtered history."""
    from services.history.export import history_bytes

    row = st.container(horizontal=True)
    for ending in (".jsonl", ".csv"):
        download(
            context.say("history.download", ending=ending),
            # Computed on click: it may be the complete history.
            partial(history_bytes, *context.here, ending, part, context.by),
            f"{context.project}-history{ending}",
            f"history-download-{ending}",
            place=row,
        )


def _table(context: Context, entries: tuple[Entry, ...]) -> None:
    """Draw the entries as a table, and all lines of the picked one, its record's name first."""
    say = context.say
    columns = {
        "at": [each.at for each in entries],
        "what": [what_in_words(say, each) for each in entries],
        "item": [each.item or "" for each in entries],
        "by": [who_in_words(say, each) for each in entries],
        "about": [each.about or "" for each in entries],
        "details": [" · ".join(in_words(say, each)) for each in entries],
    }
    at = st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm:ss", timezone="UTC")
    shape: dict[str, Any] = {"wide": "details", "config": {"at": at}}
    row = pick_row(context, "history", columns, "history-table", **shape)
    if row is not None:
        entry = entries[row]
        lines = [f"{what_in_words(say, entry)} ({entry.key})", *in_words(say, entry)]
        plain_text("\n".join(lines), "history-entry")
