"""Counts of machine readings of the law in use, by reader, with failures."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.readings.unit_readings import problem_text
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.notices import progress_bar
from pages.shell.widgets import draw_table, pick_row
from retrieval.readings.model import State
from services.readings.counts import ITEMS, KindCount, ReadingReport, Unread, reading_report
from services.readings.kept import ReaderName

_KEPT, _AGAIN = "readings-counted", "readings-count-again"


def draw_counts(context: Context, open_unit: Callable[[str], None]) -> None:
    """Draw the counts and the unreadable units; selecting a row opens its unit."""
    say = context.say
    st.header(say("readings.count.title"), anchor=False)
    stand_in = st.toggle(say("readings.count.with_stand_in"), key="readings-count-stand-in")
    found = _session_report(context, stand_in)
    st.caption(say("readings.count.lead", units=found.units))
    if all(each.by.stands_in for each in found.counts):
        st.info(say("readings.count.none"), icon=":material/smart_toy:")
    if found.counts:
        _table(context, found.counts)
        _draw_unread(context, found, open_unit)


def _session_report(context: Context, stand_in: bool) -> ReadingReport:
    """Return the report, computed once a session: it looks at every unit of the law."""
    key = context.project, stand_in
    kept: tuple[object, ReadingReport] | None = st.session_state.get(_KEPT)
    again = st.button(context.say("readings.count.again"), icon=":material/refresh:", key=_AGAIN)
    if kept is not None and kept[0] == key and not again:
        return kept[1]
    with progress_bar(context, "readings.count.counting") as report:
        found = reading_report(*context.here, context.by, stand_in=stand_in, progress=report)
    st.session_state[_KEPT] = key, found
    return found


def _name(context: Context, by: ReaderName) -> str:
    return context.say("readings.stand_in") if by.stands_in else by.name


def _table(context: Context, counts: tuple[KindCount, ...]) -> None:
    columns: dict[str, list[object]] = {
        "reader": [_name(context, each.by) for each in counts],
        "kind": [context.say(f"readings.kind.{each.kind}") for each in counts],
        "asked": [each.asked for each in counts],
    }
    for state in State:
        columns[state.value] = [each.states.get(state, 0) for each in counts]
    columns["second"] = [each.second for each in counts]
    columns["found"] = [_items_text(context, each) for each in counts]
    columns["calls"] = [each.cost.calls for each in counts]
    columns["tokens"] = [each.cost.tokens_in + each.cost.tokens_out for each in counts]
    draw_table(context, "readings.count", columns, "readings-counts")


def _items_text(context: Context, count: KindCount) -> str:
    """Return the number of items read, by type, on one line."""
    some = [(name, count.items[name]) for name in ITEMS if count.items[name]]
    return ", ".join(context.say(f"readings.count.{name}", count=number) for name, number in some)


def _draw_unread(context: Context, found: ReadingReport, open_unit: Callable[[str], None]) -> None:
    say, unread = context.say, found.unread
    if not unread:
        st.success(say("readings.count.all_read"), icon=":material/done_all:")
        return
    bad = (State.REFUSED, State.INVALID, State.FAILED)
    total = sum(each.states.get(state, 0) for each in found.counts for state in bad)
    st.header(say("readings.count.unread"), anchor=False)
    if total > len(unread):
        said = say("readings.count.unread_first", count=len(unread), total=total)
        st.caption(plain(said))
    columns: dict[str, list[object]] = {
        "unit": [each.title for each in unread],
        "kind": [say(f"readings.kind.{each.reading.kind}") for each in unread],
        "reader": [_name(context, each.by) for each in unread],
        "state": [say(f"readings.state.{each.reading.state}") for each in unread],
        "problem": [_problem(context, each) for each in unread],
    }
    row = pick_row(context, "readings.count", columns, "readings-unread")
    st.caption(say("readings.count.open"))
    if row is not None:
        open_unit(unread[row].reading.unit_id)


def _problem(context: Context, unread: Unread) -> str:
    return problem_text(context, unread.reading) if unread.reading.problem else ""
