"""Detail of a batch: people, holders of items, calibration, events, changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, timedelta

import streamlit as st

from annotation.agreement.calibration import accuracy
from annotation.batches import commands
from annotation.batches.views import BatchDetail, BatchEventView, open_batch
from annotation.people.members import list_people
from annotation.people.roles import Act, may
from annotation.work.audits import AUDIT
from errors import UserError
from pages.shell.context import Context
from pages.shell.guard import md_literal, show
from pages.shell.notices import remember
from services.batches import deadline_of
from storage.db.workspace import Workspace
from storage.projects import OVERLAPS


def draw_detail(context: Context, batch_id: int, notice: str) -> None:
    """Draw the batch; ways to change it only for those who may assign."""
    seen = open_batch(context.workspace, context.project, batch_id, context.person.id)
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
            _changes(context, seen, notice)


def _people(context: Context, batch: BatchDetail) -> None:
    """Draw the batch's annotators with their progress."""
    say = context.say
    st.markdown(f"**{say('assignment.people')}**")
    if not batch.members:
        st.caption(say("assignment.detail.nobody"))
        return
    st.dataframe(
        {
            say("assignment.detail.name"): [member.name for member in batch.members],
            say("assignment.submissions"): [member.submitted for member in batch.members],
        },
        hide_index=True,
    )


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
    """Draw each annotator's share of right calibration items."""
    say = context.say
    st.markdown(
        f"**{say('assignment.detail.calibration')}**", help=say("assignment.detail.right_help")
    )
    if not context.may(Act.READ_OTHERS_LABELS):
        return
    where = context.workspace, context.project, context.person.id
    found = accuracy(*where, batch.batch.id, batch.batch.task)
    if not found:
        st.caption(say("assignment.detail.no_calibration"))
        return
    st.dataframe(
        {
            say("assignment.detail.name"): [each.person for each in found],
            say("assignment.detail.right"): [f"{e.right} / {e.share.n}" for e in found],
            say("assignment.detail.share"): [each.share.text() for each in found],
            say("assignment.detail.wrong"): [list(each.wrong) for each in found],
        },
        hide_index=True,
    )


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
    names = {each.id: each.name for each in list_people(context.workspace, context.project)}
    said = event.payload
    key = f"assignment.events.{event.kind}"
    if event.kind == "people":
        word = "added" if "added" in said else "removed"
        people = ", ".join(names.get(number, str(number)) for number in said[word])
        return context.say(f"{key}_{word}", people=people)
    if event.kind == "items":
        word = "added" if "added" in said else "removed"
        return context.say(f"{key}_{word}", count=len(said[word]))
    if event.kind == AUDIT:
        drawn, of = (sum(said[name].values()) for name in ("drawn", "strata"))
        return context.say(key, count=drawn, of=of, seed=said["seed"])
    if event.kind == "overlap":
        return context.say(key, before=said["from"], after=said["to"])
    if event.kind == "deadline":
        return context.say(key, deadline=(said["deadline"] or "–")[:10])
    return context.say(key)


def _changes(context: Context, batch: BatchDetail, notice: str) -> None:
    """Draw the forms that change people, overlap and deadline."""
    first, second, third = st.columns(3, gap="medium")
    with first:
        _change_people(context, batch, notice)
    with second:
        _change_overlap(context, batch, notice)
    with third:
        _change_deadline(context, batch, notice)
    _draw_move_out(context, batch, notice)
    name = "reopen" if batch.batch.closed else "close"
    if st.button(context.say(f"assignment.change.{name}"), key="assign-close"):
        act = commands.reopen if batch.batch.closed else commands.close
        _carry_out(context, notice, lambda: act(*_batch_key(context, batch), context.person.id))


def _change_people(context: Context, batch: BatchDetail, notice: str) -> None:
    say, had = context.say, {member.id: member.name for member in batch.members}
    others = {
        each.id: each.name
        for each in list_people(context.workspace, context.project)
        if each.id not in had and each.active and may(each.role, Act.ANNOTATE)
    }
    new = st.multiselect(
        say("assignment.change.add"),
        others,
        format_func=others.__getitem__,
        key="assign-add",
        placeholder=say("assignment.change.choose"),
    )
    gone = st.multiselect(
        say("assignment.change.remove"),
        had,
        format_func=had.__getitem__,
        help=say("assignment.change.remove_help"),
        placeholder=say("assignment.change.choose"),
        key="assign-remove",
    )
    if st.button(say("assignment.change.people"), key="assign-people-save"):

        def act() -> None:
            """Add and remove people."""
            if new:
                commands.add_people(*_batch_key(context, batch), new, context.person.id)
            for person in gone:
                commands.remove_person(*_batch_key(context, batch), person, context.person.id)

        _carry_out(context, notice, act)


def _change_overlap(context: Context, batch: BatchDetail, notice: str) -> None:
    number = st.number_input(
        *(context.say("assignment.overlap"), min(OVERLAPS), max(OVERLAPS), batch.batch.overlap),
        help=context.say("assignment.change.overlap_help"),
        key=f"assign-new-overlap-{batch.batch.id}",
        disabled=batch.batch.practice,
    )
    if st.button(
        context.say("assignment.change.overlap"),
        key="assign-overlap-save",
        disabled=batch.batch.practice,
    ):
        _carry_out(
            context,
            notice,
            lambda: commands.set_overlap(
                *_batch_key(context, batch), int(number), context.person.id
            ),
        )


def _change_deadline(context: Context, batch: BatchDetail, notice: str) -> None:
    before = None if batch.batch.deadline is None else batch.batch.deadline.astimezone(UTC).date()
    first = context.workspace.clock().date() + timedelta(days=1)
    day: date | None = st.date_input(
        context.say("assignment.deadline"),
        value=before,
        min_value=min(first, before or first),
        key=f"assign-new-deadline-{batch.batch.id}",
    )
    if st.button(context.say("assignment.change.deadline"), key="assign-deadline-save"):
        until = None if day is None else deadline_of(day.isoformat())
        _carry_out(
            context,
            notice,
            lambda: commands.set_deadline(*_batch_key(context, batch), until, context.person.id),
        )


def _draw_move_out(context: Context, batch: BatchDetail, notice: str) -> None:
    """Draw the form that moves items out of the batch."""
    say = context.say
    written = st.text_input(
        say("assignment.change.out"),
        help=say("assignment.change.out_help"),
        key=f"assign-out-{batch.batch.id}",
    )
    ids = [each for each in written.replace(",", " ").split() if each]
    if st.button(say("assignment.change.out_save"), key="assign-out-save", disabled=not ids):
        _carry_out(
            context,
            notice,
            lambda: commands.move_out(*_batch_key(context, batch), ids, context.person.id),
        )


def _batch_key(context: Context, batch: BatchDetail) -> tuple[Workspace, str, int]:
    return context.workspace, context.project, batch.batch.id


def _carry_out(context: Context, notice: str, act: Callable[[], object]) -> None:
    """Carry out an act; remember its notice and redraw, or show its error."""
    try:
        act()
    except UserError as error:
        show(error, context.language)
        return
    remember(notice, context.say("assignment.change.done"))
    st.rerun()
