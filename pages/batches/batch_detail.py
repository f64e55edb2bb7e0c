"""Detail of a batch: people, holders of items, calibration, events, changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, timedelta

import streamlit as st

from annotation.agreement.calibration import accuracy
from annotation.batches import commands
from annotation.batches.views import BatchDetail, BatchEventView, open_batch
from annotation.people.members import list_people
from annotation.people.roles import Act
from annotation.work.audits import AUDIT
from pages.batches.batch_form import people_who_annotate
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import redraw_with
from pages.shell.widgets import draw_table
from services.batches import deadline_of
from storage.db.workspace import Workspace
from storage.projects import OVERLAPS


def draw_detail(context: Context, batch_id: int, notice_key: str) -> None:
    """Draw the batch; ways to change it only for those who may assign.

    `notice_key` is the key of the message shown after an act.
    """
    seen = open_batch(*context.here, batch_id, context.by)
    st.header(md_literal(seen.batch.name), anchor=False)
    left, right = st.columns(2, gap="medium")
    with left:
        _people(context, seen)
        _holders(context, seen)
    with right:
        _calibration(context, seen)
        _events(context, seen)
    if context.may(Act.ASSIGN):
        with st.expander(context.say("assignment.change.title"), icon=":material/edit:"):
            _changes(context, seen, notice_key)


def _people(context: Context, batch: BatchDetail) -> None:
    """Draw the batch's annotators with their progress."""
    say = context.say
    st.markdown(f"**{say('assignment.people')}**")
    if not batch.members:
        st.caption(say("assignment.detail.nobody"))
        return
    columns = {
        "assignment.detail.name": [member.name for member in batch.members],
        "assignment.submissions": [member.submitted for member in batch.members],
    }
    draw_table(context, "assignment", columns)


def _holders(context: Context, batch: BatchDetail) -> None:
    """Draw who leases which item, with the minutes left."""
    say = context.say
    st.markdown(f"**{say('assignment.detail.holders')}**", help=say("assignment.detail.holds_help"))
    for holder in batch.holders:
        minutes = max(0, int((holder.until - context.workspace.clock()).total_seconds() // 60))
        words = {"person": holder.person, "item": holder.external_id, "minutes": minutes}
        st.caption(md_literal(say("assignment.detail.holds", **words)))
    if not batch.holders:
        st.caption(say("assignment.detail.no_holders"))


def _calibration(context: Context, batch: BatchDetail) -> None:
    """Draw each annotator's share of right calibration items, for readers of others' labels."""
    say = context.say
    st.markdown(
        f"**{say('assignment.detail.calibration')}**", help=say("assignment.detail.right_help")
    )
    if not context.may(Act.READ_OTHERS_LABELS):
        return
    found = accuracy(*context.here, context.by, batch.batch.id, batch.batch.task)
    if not found:
        st.caption(say("assignment.detail.no_calibration"))
        return
    columns = {
        "name": [each.person for each in found],
        "right": [f"{e.right} / {e.share.n}" for e in found],
        "share": [each.share.text() for each in found],
        "wrong": [list(each.wrong) for each in found],
    }
    draw_table(context, "assignment.detail", columns)


def _events(context: Context, batch: BatchDetail) -> None:
    """Draw the events of the batch, newest first."""
    st.markdown(f"**{context.say('assignment.detail.events')}**")
    with st.container(height=150 if len(batch.events) > 5 else "content", border=False):
        for event in reversed(batch.events):
            by = event.by or context.say("assignment.detail.operator")
            st.caption(
                md_literal(f"{event.at:%Y-%m-%d %H:%M} · {by} · {_event_text(context, event)}")
            )


def _event_text(context: Context, event: BatchEventView) -> str:
    said, key, params = event.payload, f"assignment.events.{event.kind}", dict[str, object]()
    if event.kind in ("people", "items"):
        word = "added" if "added" in said else "removed"
        names = {each.id: each.name for each in list_people(*context.here)}
        people = ", ".join(names.get(number, str(number)) for number in said[word])
        key, params = f"{key}_{word}", {"people": people, "count": len(said[word])}
    elif event.kind == AUDIT:
        drawn, of = (sum(said[name].values()) for name in ("drawn", "strata"))
        params = {"count": drawn, "of": of, "seed": said["seed"]}
    elif event.kind == "overlap":
        params = {"before": said["from"], "after": said["to"]}
    elif event.kind == "deadline":
        params = {"deadline": (said["deadline"] or "–")[:10]}
    return context.say(key, **params)


def _changes(context: Context, batch: BatchDetail, notice_key: str) -> None:
    """Draw the forms that change people, overlap, deadline, items, and close or reopen it."""
    first, second, third = st.columns(3, gap="medium")
    with first:
        _change_people(context, batch, notice_key)
    with second:
        _change_overlap(context, batch, notice_key)
    with third:
        _change_deadline(context, batch, notice_key)
    _draw_move_out(context, batch, notice_key)
    closed = batch.batch.closed
    act = commands.reopen if closed else commands.close
    if _fields(context).press("reopen" if closed else "close", key="close"):
        _carry_out(context, notice_key, lambda: act(*_batch_key(context, batch), context.by))


def _fields(context: Context) -> Fields:
    return Fields(context, "assignment.change", "assign")


def _change_people(context: Context, batch: BatchDetail, notice_key: str) -> None:
    """Draw the choice of people to add and to remove, and the button that carries it out."""
    fields, had = _fields(context), {member.id: member.name for member in batch.members}
    others = {key: name for key, name in people_who_annotate(context).items() if key not in had}
    hint = context.say("assignment.change.choose")
    new = fields.several("add", others, others.__getitem__, placeholder=hint)
    gone = fields.several("remove", had, had.__getitem__, placeholder=hint)
    if fields.press("people", key="people-save"):

        def act() -> None:
            """Add and remove people."""
            if new:
                commands.add_people(*_batch_key(context, batch), new, context.by)
            for person in gone:
                commands.remove_person(*_batch_key(context, batch), person, context.by)

        _carry_out(context, notice_key, act)


def _change_overlap(context: Context, batch: BatchDetail, notice_key: str) -> None:
    """Draw the field and the button that change how many submissions each item needs."""
    fields, now = _fields(context), batch.batch
    key, closed = f"new-overlap-{now.id}", {"disabled": now.practice}
    bounds, label = (min(OVERLAPS), max(OVERLAPS), now.overlap), context.say("assignment.overlap")
    number = fields.number("overlap", *bounds, label=label, key=key, **closed)
    if fields.press("overlap", key="overlap-save", help=None, **closed):
        where = _batch_key(context, batch)
        _carry_out(context, notice_key, lambda: commands.set_overlap(*where, number, context.by))


def _change_deadline(context: Context, batch: BatchDetail, notice_key: str) -> None:
    """Draw the field and the button that change the batch's deadline; no day means none."""
    before = None if batch.batch.deadline is None else batch.batch.deadline.astimezone(UTC).date()
    first = context.workspace.clock().date() + timedelta(days=1)
    day: date | None = st.date_input(
        context.say("assignment.deadline"),
        value=before,
        min_value=min(first, before or first),
        key=f"assign-new-deadline-{batch.batch.id}",
    )
    if _fields(context).press("deadline", key="deadline-save"):
        where, until = _batch_key(context, batch), deadline_of(day.isoformat()) if day else None
        _carry_out(context, notice_key, lambda: commands.set_deadline(*where, until, context.by))


def _draw_move_out(context: Context, batch: BatchDetail, notice_key: str) -> None:
    """Draw the form that moves items out of the batch."""
    fields = _fields(context)
    ids = fields.text("out", key=f"out-{batch.batch.id}").replace(",", " ").split()
    if fields.press("out_save", disabled=not ids):
        where = _batch_key(context, batch)
        _carry_out(context, notice_key, lambda: commands.move_out(*where, ids, context.by))


def _batch_key(context: Context, batch: BatchDetail) -> tuple[Workspace, str, int]:
    """Return the first arguments of batch commands: workspace, project, batch id."""
    return context.workspace, context.project, batch.batch.id


def _carry_out(context: Context, notice_key: str, act: Callable[[], object]) -> None:
    """Carry out an act and redraw, its success kept under `notice_key`; or show its error."""
    with guarded(context.language):
        act()
        redraw_with(notice_key, context.say("assignment.change.done"))
