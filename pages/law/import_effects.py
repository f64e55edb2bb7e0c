"""What an import makes of the law in use: said before it, chosen, and said again after it."""

from __future__ import annotations

import streamlit as st

from corpus.importers.statutes.merge import Meeting
from pages.shell.context import Context
from pages.shell.guard import plain
from services.law.activation import change_line
from services.law.preview import Preview
from storage.law.imports import ImportReport


def choose_add(context: Context, seen: Preview) -> bool:
    """Draw what would become of the statutes in use; return whether to add to them."""
    if seen.in_use is None or seen.meeting is None:
        return False
    add = st.radio(
        context.say("preview.meeting.how"),
        [False, True],
        format_func=lambda each: context.say(f"preview.meeting.{'add' if each else 'replace'}"),
        key="data-statutes-add",
    )
    change = seen.change_if(add)
    lines = [
        change_line(change, language=context.language) if change else "",
        _said(context, seen.meeting, add),
        context.say("preview.meeting.kept", id=seen.in_use.id, name=seen.in_use.name),
    ]
    draw = st.warning if seen.meeting.others and not add else st.info
    draw(plain(" ".join(line for line in lines if line)), icon=":material/swap_horiz:")
    return add


def what_was_in_use(context: Context, done: ImportReport) -> str:
    """Say what was in use before an import and what is now, "" where that is nothing new."""
    if done.before is None or done.meeting is None:
        return ""
    back = context.say("preview.meeting.back", id=done.before)
    return f"{_said(context, done.meeting, done.added)} {back}"


def _said(context: Context, met: Meeting, add: bool) -> str:
    counts = {"common": met.common, "new": met.new, "others": met.others}
    return context.say(
        f"preview.meeting.{'added' if add else 'replaced'}",
        before=f"{met.in_use:,}",
        after=f"{met.after(add):,}",
        **{name: f"{count:,}" for name, count in counts.items()},
    )
