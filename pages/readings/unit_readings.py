"""Machine readings of one provision by reader, or why there are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from messages import catalogue
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.widgets import choose, draw_table
from retrieval.readings.model import Kind, Reading, State
from services.readings.kept import KeptReading, unit_readings

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
    """Return why a reading failed or lacks its second pass: the last word of its problem."""
    last = reading.problem.rpartition(" ")[2]
    words = f"readings.problem.{last}"
    return context.say(words) if words in catalogue() else last


def _draw(context: Context, kept: KeptReading, key: str) -> None:
    say, reading = context.say, kept.reading
    name = say("readings.stand_in") if kept.by.stands_in else kept.by.name
    state = say(f"readings.state.{reading.state}")
    st.markdown(f"**{plain(name)}** · {_ICONS[reading.state]} {plain(state)}")
    st.caption(plain(_about_text(context, kept)))
    if reading.state is not State.READ:
        _draw_none(context, reading)
        return
    if reading.problem:
        said = say("readings.second", problem=problem_text(context, reading))
        st.caption(f":material/info: {plain(said)}")
    for name, columns in _tables(reading).items():
        if kept.by.stands_in and "type" in columns:
            types = [say(f"readings.type.{each}") for each in columns["type"]]
            columns = {**columns, "type": types}
        options: dict[str, Any] = {"row_height": 28, "height": "content"}
        if len(next(iter(columns.values()))) > 10:
            options["height"] = 320
        wide = next((each for each in ("description", "question") if each in columns), "")
        draw_table(context, "readings.items", columns, f"{key}-{name}", wide=wide, **options)


def _about_text(context: Context, kept: KeptReading) -> str:
    if kept.by.stands_in:
        return context.say("readings.stand_in_help")
    cost = kept.cost
    used = context.say(
        "readings.cost",
        calls=cost.calls,
        tokens_in=cost.tokens_in,
        tokens_out=cost.tokens_out,
        seconds=cost.seconds,
    )
    return f"{kept.by.settings} · {used}"


def _draw_none(context: Context, reading: Reading) -> None:
    said = context.say(f"readings.why.{reading.state}")
    if reading.problem:
        said = f"{said} ({problem_text(context, reading)})"
    icon = ":material/info:" if reading.state is State.EMPTY else ":material/warning:"
    (st.info if reading.state is State.EMPTY else st.warning)(plain(said), icon=icon)


def _tables(reading: Reading) -> Mapping[str, Mapping[str, Sequence[object]]]:
    """Return the non-empty tables of a reading's items by name, each as columns."""
    items: dict[str, tuple[Sequence[object], tuple[str, ...]]] = {
        "entities": (reading.entities, ("name", "type", "description")),
        "relations": (
            reading.relations,
            ("source", "target", "keywords", "weight", "description"),
        ),
        "triples": (reading.triples, ("subject", "predicate", "object")),
    }
    if reading.kind is Kind.PHRASES:
        items["entities"] = (reading.entities, ("name",))
    tables: dict[str, Mapping[str, Sequence[object]]] = {
        name: {column: [getattr(each, column) for each in some] for column in columns}
        for name, (some, columns) in items.items()
        if some
    }
    if reading.atoms:
        tables["atoms"] = {"question": list(reading.atoms)}
    return tables
