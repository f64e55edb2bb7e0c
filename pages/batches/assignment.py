"""Assignment screen: who works on which items, progress, new batches."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.batches.commands import set_pool
from annotation.batches.views import BatchView, list_batches
from annotation.people.roles import Act
from pages.batches.batch_detail import draw_detail
from pages.batches.batch_form import draw_form
from pages.batches.known_answers import draw_known, draw_one
from pages.shell.context import Context
from pages.shell.notices import allowed, show_remembered
from storage.projects import project_by_slug

NOTICE = "assignment-notice"


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("assignment.title"), anchor=False)
    st.markdown(context.say("assignment.lead"))
    if not context.may(Act.ASSIGN) and not allowed(context, Act.READ_OTHERS_LABELS):
        return
    show_remembered(NOTICE)
    found = list_batches(context.workspace, context.project, context.person.id)
    if found:
        _table(context, found)
    else:
        st.info(context.say("assignment.none"), icon=":material/info:")
    if not allowed(context, Act.ASSIGN):
        return
    if found:
        _pool(context)
    # Expanded while there is nothing else to do here.
    with st.expander(context.say("assignment.make"), icon=":material/add:", expanded=not found):
        draw_form(context, NOTICE)
    with st.expander(context.say("assignment.known.title"), icon=":material/key:"):
        draw_known(context, NOTICE)
        draw_one(context, NOTICE)


def _pool(context: Context) -> None:
    """Draw the switch that lets people with a batch work on questions outside any batch."""
    is_open = project_by_slug(*context.here).open_pool
    wanted = st.toggle(
        context.say("assignment.open_pool"),
        value=is_open,
        help=context.say("assignment.open_pool_help"),
        key="assignment-open-pool",
    )
    if wanted != is_open:
        set_pool(*context.here, wanted, context.person.id)


def _table(context: Context, found: Sequence[BatchView]) -> None:
    say = context.say
    state = st.dataframe(
        {
            say("assignment.name"): [each.name for each in found],
            say("assignment.task"): [say(f"tasks.{each.task}") for each in found],
            say("assignment.state"): [state_of(context, each) for each in found],
            say("assignment.progress"): [
                100 * each.made / each.wanted if each.wanted else 100.0 for each in found
            ],
            say("assignment.submissions"): [f"{e.made:,} / {e.wanted:,}" for e in found],
            say("assignment.items"): [each.items for each in found],
            say("assignment.calibration"): [each.calibration for each in found],
            say("assignment.overlap"): [
                say("assignment.everybody") if each.practice else str(each.overlap)
                for each in found
            ],
            say("assignment.order"): [say(f"assignment.orders.{each.sequence}") for each in found],
            say("assignment.people"): [each.people for each in found],
            say("assignment.held"): [each.held for each in found],
            say("assignment.deadline"): [
                None if each.deadline is None else each.deadline.date() for each in found
            ],
        },
        column_config={
            say("assignment.progress"): st.column_config.ProgressColumn(
                format="%.0f%%", min_value=0, max_value=100
            ),
        },
        hide_index=True,
        placeholder="–",
        key="assignment-batches",
        on_select="rerun",
        selection_mode="single-row",
    )
    rows = state["selection"]["rows"]
    if not rows or rows[0] >= len(found):
        st.caption(say("assignment.pick"))
        return
    with st.container(border=True):
        draw_detail(context, found[rows[0]].id, NOTICE)


def state_of(context: Context, batch: BatchView) -> str:
    """Return the batch's state as text, with a mark for practice."""
    state = batch.state_at(context.workspace.clock())
    said = context.say(f"assignment.states.{state}")
    return f"{context.say('assignment.practice')} · {said}" if batch.practice else said
