"""Who takes how long, and which submissions took unusually long or short."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.agreement.times import odd_times
from annotation.agreement.views import OddDecision, PersonPace
from evaluation.agreement.times import LEAST
from pages.agreement.items import item_table
from pages.shell.context import Context
from pages.shell.guard import plain

_SECONDS = "%.0f"


def draw_times(context: Context) -> None:
    """Draw the pace of everybody, then the odd submissions, each with a way to its question."""
    say = context.say
    found = odd_times(context.workspace, context.project, context.person.id)
    if not found.people:
        st.info(say("agreement.more.nothing", n=0), icon=":material/hourglass_empty:")
        return
    st.caption(say("agreement.part_about.times"))
    _people(context, found.people)
    st.markdown(f"**{say('agreement.times.decisions')}** · {len(found.decisions):,}")
    if found.decisions:
        _decisions(context, found.decisions)
    else:
        st.caption(say("agreement.times.none", least=LEAST))


def _people(context: Context, people: Sequence[PersonPace]) -> None:
    say = context.say
    state = st.dataframe(
        {
            say("agreement.person"): [each.person for each in people],
            say("agreement.times.submissions"): [each.n for each in people],
            say("agreement.times.median"): [each.median for each in people],
            say("agreement.more.interval"): [_interval(each) for each in people],
            say("agreement.times.odd"): [each.odd for each in people],
            say("agreement.more.reading"): [_reading(context, each) for each in people],
        },
        column_config={
            say("agreement.times.median"): st.column_config.NumberColumn(format=_SECONDS),
            say("agreement.more.reading"): st.column_config.TextColumn(width="large"),
        },
        hide_index=True,
        key="agreement-pace",
        on_select="rerun",
        selection_mode="single-row",
    )
    picked = state["selection"]["rows"]
    if picked and picked[0] < len(people):
        with st.container(border=True):
            _submissions(context, people[picked[0]])
    else:
        st.caption(f":material/touch_app: {say('agreement.more.pick_row')}")


def _interval(pace: PersonPace) -> str:
    known = pace.low is not None and pace.high is not None
    return f"[{pace.low:.0f}, {pace.high:.0f}]" if known else "–"


def _reading(context: Context, pace: PersonPace) -> str:
    if pace.low is None or pace.high is None:
        return context.say("agreement.times.few", n=pace.n)
    key = "odd_pace" if pace.odd else "usual"
    return context.say(f"agreement.times.{key}", low=f"{pace.low:.0f}", high=f"{pace.high:.0f}")


def _submissions(context: Context, pace: PersonPace) -> None:
    say = context.say
    heading = say("agreement.items.behind", what=pace.person)
    st.markdown(f"**{plain(heading)}** · {pace.n:,}")
    took = say("agreement.times.took")
    item_table(
        context,
        [item for item, _ in pace.submissions],
        "agreement-pace-items",
        {took: [seconds for _, seconds in pace.submissions]},
        {took: st.column_config.NumberColumn(format=_SECONDS)},
    )


def _decisions(context: Context, odd: Sequence[OddDecision]) -> None:
    say = context.say
    took, expected = say("agreement.times.took"), say("agreement.times.expected")
    seconds = st.column_config.NumberColumn(format=_SECONDS)
    z = st.column_config.NumberColumn(format="%.1f", help=say("agreement.times.z_help"))
    item_table(
        context,
        [each.item for each in odd],
        "agreement-odd-times",
        {
            say("agreement.person"): [each.person for each in odd],
            took: [each.seconds for each in odd],
            expected: [each.expected for each in odd],
            "z": [each.z for each in odd],
        },
        {took: seconds, expected: seconds, "z": z},
    )
