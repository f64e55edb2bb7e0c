"""The agreement screen: how far the annotators are, and how often they say the same."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.agreement.overview import AgreementReport, Disagreement, report
from annotation.agreement.views import ItemLine
from annotation.people.roles import Act
from pages.agreement.cards import draw_cards
from pages.agreement.items import item_table
from pages.agreement.more_statistics import draw_more
from pages.agreement.progress import draw_progress
from pages.shell.context import Context


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("agreement.title"), anchor=False)
    st.markdown(context.say("agreement.lead"))
    found = report(context.workspace, context.project, context.person.id)
    if not found.items:
        st.info(context.say("agreement.no_items"), icon=":material/info:")
        return
    draw_progress(context, found.progress)
    draw_cards(context)
    _differences(context, found)
    draw_more(context)


def _differences(context: Context, found: AgreementReport) -> None:
    if not found.complete:
        return
    say, count = context.say, found.differing
    st.subheader(say("agreement.differ"), anchor=False)
    if not count:
        st.success(say("agreement.differ_none"), icon=":material/done_all:")
    elif not context.may(Act.READ_OTHERS_LABELS):
        st.info(say("agreement.differ_hidden", count=count), icon=":material/visibility_off:")
    else:
        st.caption(say("agreement.differ_count", count=count))
        _differing(context, found.disagreements)


def _differing(context: Context, found: Sequence[Disagreement]) -> None:
    lines = [ItemLine(e.item_id, e.external_id, e.question, None, case=True) for e in found]
    item_table(context, lines, "agreement-differing", {})
