"""How far each annotator is, and which questions that is made of."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotation.agreement.overview import Progress
from annotation.agreement.progress import work_of
from annotation.people.roles import Act
from pages.agreement.items import item_table
from pages.shell.context import Context
from pages.shell.guard import guarded, plain


@st.fragment
def draw_progress(context: Context, people: Sequence[Progress]) -> None:
    """Draw everybody; for who reads others' labels, the questions of the selected one below."""
    with guarded(context.language):  # the app's guard is not around a fragment's own rerun
        st.subheader(context.say("agreement.progress"), anchor=False)
        if people:
            _table(context, people)
        else:
            st.info(context.say("agreement.nobody"), icon=":material/person_add:")


def _table(context: Context, people: Sequence[Progress]) -> None:
    say = context.say
    sighted = context.may(Act.READ_OTHERS_LABELS)
    state = st.dataframe(
        {
            say("agreement.person"): [each.person for each in people],
            say("agreement.share"): [_share(each) for each in people],
            say("agreement.submitted"): [each.submitted for each in people],
            say("agreement.drafts"): [each.drafts for each in people],
            say("agreement.skipped"): [each.skipped for each in people],
            say("agreement.left"): [each.left for each in people],
            say("agreement.unsure"): [_unsure(context, each) for each in people],
            say("agreement.seconds"): [each.median_seconds for each in people],
        },
        column_config={
            say("agreement.share"): st.column_config.ProgressColumn(
                format="%.0f%%", min_value=0, max_value=100, width="medium"
            ),
            say("agreement.unsure"): st.column_config.TextColumn(help=say("agreement.unsure_help")),
            say("agreement.seconds"): st.column_config.NumberColumn(format="%.0f"),
        },
        hide_index=True,
        placeholder="–",
        alt=say("agreement.progress"),
        key="agreement-progress",
        on_select="rerun" if sighted else "ignore",
        selection_mode="single-row",
    )
    if isinstance(state, DeltaGenerator):  # nothing can be selected
        return
    picked = state["selection"]["rows"]
    if picked and picked[0] < len(people):
        with st.container(border=True):
            _work(context, people[picked[0]])
    else:
        st.caption(f":material/touch_app: {say('agreement.pick_person')}")


def _share(each: Progress) -> float | None:
    total = each.submitted + each.drafts + each.skipped + each.left
    return 100 * each.submitted / total if total else None


def _unsure(context: Context, each: Progress) -> str | None:
    share = each.unsure_share
    if share.value is None:
        return None
    words = context.say("agreement.unsure_of", percent=f"{share.value:.0%}", n=share.n)
    if share.low is None or share.high is None:
        return words
    return f"{words} [{share.low:.0%}, {share.high:.0%}]"


def _work(context: Context, person: Progress) -> None:
    say = context.say
    found = work_of(context.workspace, context.project, person.person_id, context.person.id)
    heading = say("agreement.items.behind", what=person.person)
    st.markdown(f"**{plain(heading)}** · {len(found):,}")
    seconds = say("agreement.times.took")
    item_table(
        context,
        [each.item for each in found],
        "agreement-work",
        {
            say("agreement.state"): [say(f"agreement.states.{each.status}") for each in found],
            say("agreement.label.unsure"): [each.unsure for each in found],
            seconds: [each.seconds for each in found],
        },
        {seconds: st.column_config.NumberColumn(format="%.0f")},
    )
