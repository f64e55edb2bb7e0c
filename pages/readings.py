"""Machine readings of one provision by reader, or why there are none.

Counts of machine readings of the law in use, by reader, with failures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from messages import catalogue
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.notices import progress_bar
from pages.shell.widgets import choose, draw_table, pick_row
from retrieval.readings.model import Kind, Reading, State
from services.readings import (
    ITEMS,
    KeptReading,
    KindCount,
    ReaderName,
    ReadingReport,
    reading_report,
    unit_readings,
)

_ICONS = {
    State.READ: ":material/check_circle:",
    State.EMPTY: ":material/circle:",
    State.REFUSED: ":material/block:",
    State.INVALID: ":material/error:",
    State.FAILED: ":material/error:",
}


def draw_unit_readings(context: Context, unit_id: str) -> None:
    """Draw the readings of the chosen kind, one reader after the other."""
    say = context.say
    st.caption(say("readings.lead"))
    names = [kind.value for kind in Kind]
    kind = Kind(choose(context, "readings.kind_label", names, "readings.kind", "readings-kind"))
    st.caption(say(f"readings.kind_help.{kind}"))
    found = unit_readings(*context.here, unit_id, context.by).readings[kind]
    for at, kept in enumerate(found):
        with st.container(border=True):
            _draw(context, kept, f"readings-{kind}-{at}")
    if all(kept.by.stands_in for kept in found):
        st.caption(f":material/smart_toy: {say('readings.no_model')}")


def problem_text(context: Context, reading: Reading) -> str:
    """Return the problem for which a reading failed or lacks its second pass, in words."""
    last = reading.problem.rpartition(" ")[2]
    words = f"readings.problem.{last}"
    return context.say(words) if words in catalogue() else last


def _draw(context: Context, stored: KeptReading, key: str) -> None:
    """Draw a stored reading of a unit."""
    say, reading = context.say, stored.reading
    name, state = _name(context, stored.by), say(f"readings.state.{reading.state}")
    st.markdown(f"**{md_literal(name)}** · {_ICONS[reading.state]} {md_literal(state)}")
    st.caption(md_literal(_about_text(context, stored)))
    if reading.state is not State.READ:
        _draw_none(context, reading)
        return
    if reading.problem:
        said = say("readings.second", problem=problem_text(context, reading))
        st.caption(f":material/info: {md_literal(said)}")
    for name, columns in _tables(reading).items():
        if stored.by.stands_in and "type" in columns:
            types = [say(f"readings.type.{each}") for each in columns["type"]]
            columns = {**columns, "type": types}
        long = len(next(iter(columns.values()))) > 10
        shape: dict[str, Any] = {"row_height": 28, "height": 320 if long else "content"}
        wide = next((each for each in ("description", "question") if each in columns), "")
        draw_table(context, "readings.items", columns, f"{key}-{name}", wide=wide, **shape)


def _about_text(context: Context, reading: KeptReading) -> str:
    """Return a reader's settings and cost as text; of the stand-in, what it is."""
    if reading.by.stands_in:
        return context.say("readings.stand_in_help")
    counted = ("calls", "tokens_in", "tokens_out", "seconds")
    cost = {name: getattr(reading.cost, name) for name in counted}
    return f"{reading.by.settings} · {context.say('readings.cost', **cost)}"


def _draw_none(context: Context, reading: Reading) -> None:
    """Draw why a reading is empty."""
    said = context.say(f"readings.why.{reading.state}")
    if reading.problem:
        said = f"{said} ({problem_text(context, reading)})"
    icon = ":material/info:" if reading.state is State.EMPTY else ":material/warning:"
    (st.info if reading.state is State.EMPTY else st.warning)(md_literal(said), icon=icon)


def _tables(reading: Reading) -> Mapping[str, Mapping[str, Sequence[object]]]:
    """Return the non-empty tables of a reading's items by name, each as columns."""
    phrases = reading.kind is Kind.PHRASES
    named: dict[str, tuple[str, ...]] = {
        "entities": ("name",) if phrases else ("name", "type", "description"),
        "relations": ("source", "target", "keywords", "weight", "description"),
        "triples": ("subject", "predicate", "object"),
    }
    tables: dict[str, Mapping[str, Sequence[object]]] = {
        name: {column: [getattr(each, column) for each in some] for column in columns}
        for name, columns in named.items()
        if (some := getattr(reading, name))
    }
    return tables | ({"atoms": {"question": list(reading.atoms)}} if reading.atoms else {})


_KEPT, _AGAIN = "readings-counted", "readings-count-again"


def draw_counts(context: Context, open_unit: Callable[[str], None]) -> None:
    """Draw counts of machine readings by reader, and units not read; a picked row opens one."""
    say, words = context.say, "readings.count"
    st.header(say(f"{words}.title"), anchor=False)
    stand_in = st.toggle(say(f"{words}.with_stand_in"), key="readings-count-stand-in")
    found = _session_report(context, stand_in)
    st.caption(say(f"{words}.lead", units=found.units))
    counts = found.counts
    if all(each.by.stands_in for each in counts):
        st.info(say(f"{words}.none"), icon=":material/smart_toy:")
    if counts:
        columns: dict[str, list[object]] = {
            "reader": [_name(context, each.by) for each in counts],
            "kind": [say(f"readings.kind.{each.kind}") for each in counts],
            "asked": [each.asked for each in counts],
            **{state.value: [e.states.get(state, 0) for e in counts] for state in State},
            "second": [each.second for each in counts],
            "found": [_items_text(context, each) for each in counts],
            "calls": [each.cost.calls for each in counts],
            "tokens": [each.cost.tokens_in + each.cost.tokens_out for each in counts],
        }
        draw_table(context, words, columns, "readings-counts")
        _draw_unread(context, found, open_unit)


def _name(context: Context, by: ReaderName) -> str:
    """Return the display name of a reader."""
    return context.say("readings.stand_in") if by.stands_in else by.name


def _session_report(context: Context, stand_in: bool) -> ReadingReport:
    """Return the report, computed once a session, and anew by the button that this draws."""
    key = context.project, stand_in
    kept: tuple[object, ReadingReport] | None = st.session_state.get(_KEPT)
    again = st.button(context.say("readings.count.again"), icon=":material/refresh:", key=_AGAIN)
    if kept is not None and kept[0] == key and not again:
        return kept[1]
    with progress_bar(context, "readings.count.counting") as report:
        found = reading_report(*context.here, context.by, stand_in=stand_in, progress=report)
    st.session_state[_KEPT] = key, found
    return found


def _items_text(context: Context, count: KindCount) -> str:
    """Return the number of items read, by type, on one line."""
    some = [(name, count.items[name]) for name in ITEMS if count.items[name]]
    return ", ".join(context.say(f"readings.count.{name}", count=number) for name, number in some)


def _draw_unread(context: Context, report: ReadingReport, open_unit: Callable[[str], None]) -> None:
    """Draw the units that could not be read; a picked one is opened."""
    say, unread = context.say, report.unread
    if not unread:
        st.success(say("readings.count.all_read"), icon=":material/done_all:")
        return
    bad = (State.REFUSED, State.INVALID, State.FAILED)
    total = sum(each.states.get(state, 0) for each in report.counts for state in bad)
    st.header(say("readings.count.unread"), anchor=False)
    if total > len(unread):
        said = say("readings.count.unread_first", count=len(unread), total=total)
        st.caption(md_literal(said))
    readings = [each.reading for each in unread]
    columns: dict[str, list[object]] = {
        "unit": [each.title for each in unread],
        "kind": [say(f"readings.kind.{each.kind}") for each in readings],
        "reader": [_name(context, each.by) for each in unread],
        "state": [say(f"readings.state.{each.state}") for each in readings],
        "problem": [problem_text(context, e) if e.problem else "" for e in readings],
    }
    row = pick_row(context, "readings.count", columns, "readings-unread")
    st.caption(say("readings.count.open"))
    if row is not None:
        open_unit(readings[row].unit_id)
