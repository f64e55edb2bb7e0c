"""History screen: all events of any question and person, newest first."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import partial

import streamlit as st

from annotation.check.project import check
from annotation.history.reading import FAMILIES, PAGE, Entry, Filter, Page, filter_by_names, read
from annotation.people.members import list_people
from annotation.people.roles import Act
from pages.shell.context import Context
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
    if not st.button(
        say("history.check"),
        icon=":material/fact_check:",
        help=say("history.check_help"),
        key="history-check",
    ):
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
    say = context.say
    first, second, third = st.columns(3)
    from_day, to_day, turn = st.columns(3)
    if "history-item" not in st.session_state:  # named by a link to one question's history
        st.session_state["history-item"] = st.query_params.get("item", "")
    item = first.text_input(say("history.item"), key="history-item").strip()
    person: str | None = None
    if context.may(Act.READ_OTHERS_LABELS):
        names = [each.name for each in list_people(*context.here)]
        if _PERSON not in st.session_state and (who := st.query_params.get("who")) in names:
            st.session_state[_PERSON] = who
        person = second.selectbox(
            say("history.person"),
            names,
            index=None,
            placeholder=say("history.any"),
            key=_PERSON,
        )
    at = third if context.may(Act.READ_OTHERS_LABELS) else second
    kinds = at.multiselect(
        say("history.kinds"),
        FAMILIES,
        format_func=lambda each: say(f"history.family.{each}"),
        placeholder=say("history.any"),
        key="history-kinds",
    )
    since = from_day.date_input(say("history.since"), None, key="history-since")
    until = to_day.date_input(say("history.until"), None, key="history-until")
    number = int(turn.number_input(say("history.page"), 1, step=1, key="history-page"))
    part = filter_by_names(
        *context.here,
        item or None,
        person,
        kinds,
        _midnight(since),
        None if until is None else _midnight(until + timedelta(days=1)),
    )
    return part, number


def _midnight(day: date | None) -> datetime | None:
    """Return a day's begin in UTC."""
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
    """Draw the entries as a table."""
    say = context.say
    columns = {
        "at": [each.at for each in entries],
        "what": [what_in_words(say, each) for each in entries],
        "item": [each.item or "" for each in entries],
        "by": [who_in_words(say, each) for each in entries],
        "about": [each.about or "" for each in entries],
        "details": [" · ".join(in_words(say, each)) for each in entries],
    }
    row = pick_row(
        context,
        "history",
        columns,
        "history-table",
        wide="details",
        config={
            "at": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm:ss", timezone="UTC")
        },
    )
    if row is not None:
        entry = entries[row]
        plain_text("\n".join(_entry_lines(context, entry)), "history-entry")


def _entry_lines(context: Context, entry: Entry) -> list[str]:
    """Return all lines of one entry, its record's name first."""
    return [f"{what_in_words(context.say, entry)} ({entry.key})", *in_words(context.say, entry)]
