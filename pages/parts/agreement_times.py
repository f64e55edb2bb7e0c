"""Who takes how long, and which submissions took unusually long or short."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.quality import odd_times
from annotation.quality_views import OddDecision, PersonPace
from annotation.roles import Act
from evaluation.agreement.times import LEAST
from pages.context import Context
from pages.parts.agreement_items import case_address


def draw_times(context: Context) -> None:
    """Draw the pace of everybody, then the odd submissions with a way to each case."""
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
    st.dataframe(
        {
            say("agreement.person"): [each.person for each in people],
            say("agreement.times.submissions"): [each.n for each in people],
            say("agreement.times.median"): [each.median for each in people],
            say("agreement.times.odd"): [each.odd for each in people],
        },
        column_config={
            say("agreement.times.median"): st.column_config.NumberColumn(format="%.1f"),
        },
        hide_index=True,
        key="agreement-pace",
    )


def _decisions(context: Context, odd: Sequence[OddDecision]) -> None:
    say = context.say
    columns: dict[str, list[object]] = {}
    if context.may(Act.ADJUDICATE):
        columns[say("agreement.items.open")] = [case_address(context, each.item) for each in odd]
    columns |= {
        say("agreement.person"): [each.person for each in odd],
        say("agreement.question_id"): [each.item.external_id for each in odd],
        say("agreement.times.took"): [each.seconds for each in odd],
        say("agreement.times.expected"): [each.expected for each in odd],
        "z": [each.z for each in odd],
        say("agreement.question"): [each.item.question for each in odd],
    }
    seconds = st.column_config.NumberColumn(format="%.0f")
    st.dataframe(
        columns,
        column_config={
            say("agreement.items.open"): st.column_config.LinkColumn(
                display_text=":material/open_in_new:", width="small"
            ),
            say("agreement.times.took"): seconds,
            say("agreement.times.expected"): seconds,
            "z": st.column_config.NumberColumn(format="%.1f"),
        },
        hide_index=True,
        placeholder="",
        key="agreement-odd-times",
    )
