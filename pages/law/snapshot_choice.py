"""Choice of the snapshot of the law that a project uses."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.people.roles import Act
from pages.law.recheck import link_to_all
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.notices import allowed, progress_bar, remember
from pages.shell.widgets import TIME, draw_table
from services.law.activation import use_snapshot
from services.law.overview import SnapshotLine, overview


def snapshot_table(context: Context, lines: Sequence[SnapshotLine], notice: str) -> None:
    """Draw the project's snapshots, with a choice if there are several."""
    columns = {
        "number": [line.id for line in lines],
        "snapshot": [line.name for line in lines],
        "effective": [date_of(line) for line in lines],
        "imported": [line.imported for line in lines],
        "in_use": [line.in_use for line in lines],
    }
    draw_table(
        context,
        "data",
        columns,
        config={"imported": TIME},
    )
    others = {line.id: line for line in lines if not line.in_use}
    if not others or not allowed(context, Act.IMPORT_LAW):
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            context.say("data.use.which"),
            list(others),
            format_func=lambda each: snapshot_name(context, others[each]),
            key="data-use-which",
        )
        use_button(context, others[chosen], notice, context.say("data.use.run"), "data-use")
    st.caption(context.say("data.use.help"))


def use_button(context: Context, line: SnapshotLine, notice: str, words: str, key: str) -> None:
    """Draw the button that puts a snapshot in use; the outcome is remembered."""
    if not st.button(words, key=key, icon=":material/history:"):
        return
    with guarded(context.language):
        with progress_bar(context, "to_check.finishing") as report:
            done = use_snapshot(*context.here, line.id, context.by, report)
        now = overview(*context.here, context.by)
        missing = now.items - now.ready
        remember(
            notice,
            context.say("data.use.done", id=line.id, name=line.name),
            *done.lines(context.language),
            context.say("data.use.candidates", missing=f"{missing:,}") if missing else "",
            link=link_to_all(context) if done.to_check.any else "",
        )
        st.rerun()


def snapshot_name(context: Context, line: SnapshotLine) -> str:
    """Return a snapshot's display name in a choice."""
    key = "compare.option_in_use" if line.in_use else "compare.option"
    return context.say(key, id=line.id, name=line.name, effective=date_of(line))


def date_of(line: SnapshotLine) -> str:
    """Return a snapshot's effective date, a dash if it has none."""
    return line.effective.isoformat() if line.effective else "–"
