"""The agreement screen: how far the annotators are, and how often they say the same."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.agreement import AgreementReport, Disagreement, Progress, report
from annotation.roles import Act
from evaluation.figure import Figure
from pages.context import Context
from pages.parts.agreement_items import address_of
from pages.parts.agreement_more import draw_more
from pages.parts.interval_chart import Bar, interval_chart

# Krippendorff's bounds for conclusions from alpha: sound, and tentative (Content Analysis, ch. 12).
ALPHA_SOUND, ALPHA_TENTATIVE = 0.8, 0.667


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("agreement.title"), anchor=False)
    st.markdown(context.say("agreement.lead"))
    found = report(context.workspace, context.project)
    if not found.items:
        st.info(context.say("agreement.no_items"), icon=":material/info:")
        return
    _progress(context, found.progress)
    _figures(context, found)
    _differences(context, found)
    draw_more(context)


def _progress(context: Context, people: Sequence[Progress]) -> None:
    say = context.say
    st.subheader(say("agreement.progress"), anchor=False)
    if not people:
        st.info(say("agreement.nobody"), icon=":material/person_add:")
        return
    totals = [each.submitted + each.drafts + each.skipped + each.left for each in people]
    shares = [
        _percent(each.submitted / total) if total else None
        for each, total in zip(people, totals, strict=True)
    ]
    st.dataframe(
        {
            say("agreement.person"): [each.person for each in people],
            say("agreement.share"): shares,
            say("agreement.submitted"): [each.submitted for each in people],
            say("agreement.drafts"): [each.drafts for each in people],
            say("agreement.skipped"): [each.skipped for each in people],
            say("agreement.left"): [each.left for each in people],
            say("agreement.unsure"): [_percent(each.unsure_share.value) for each in people],
            say("agreement.seconds"): [each.median_seconds for each in people],
        },
        column_config={
            say("agreement.share"): st.column_config.ProgressColumn(
                format="%.0f%%", min_value=0, max_value=100, width="medium"
            ),
            say("agreement.unsure"): st.column_config.NumberColumn(format="%.0f%%"),
            say("agreement.seconds"): st.column_config.NumberColumn(format="%.0f"),
        },
        hide_index=True,
        placeholder="–",
        alt=say("agreement.progress"),
    )


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _figures(context: Context, found: AgreementReport) -> None:
    st.subheader(context.say("agreement.figures"), anchor=False)
    scored = [figure for figure in found.figures if figure.value is not None]
    if not scored:
        note = context.say("agreement.too_few", n=found.complete)
        st.info(note, icon=":material/hourglass_empty:")
        return
    for column, figure in zip(st.columns(len(found.figures)), found.figures, strict=True):
        with column, st.container(border=True, height="stretch"):
            _figure(context, figure)
    bars = [Bar(context.say(f"agreement.name.{each.name}"), "", each) for each in scored]
    interval_chart(bars, context.say("agreement.chart"), "agreement-chart")
    st.caption(context.say("agreement.method"))


def _figure(context: Context, figure: Figure) -> None:
    say = context.say
    value = "–" if figure.value is None else f"{figure.value:.3f}"
    st.metric(say(f"agreement.name.{figure.name}"), value)
    if figure.low is None or figure.high is None:
        interval = say("agreement.no_interval")
    else:
        interval = say("agreement.interval", low=f"{figure.low:.3f}", high=f"{figure.high:.3f}")
    st.caption(f"{interval}  \n{say('agreement.n', n=figure.n)}")
    st.markdown(say(f"agreement.reading.{reading_of(figure)}", percent=f"{figure.value or 0:.0%}"))


def reading_of(figure: Figure) -> str:
    """Return the name of the plain sentence that tells what the figure means."""
    if figure.value is None:
        return "unscored"
    if figure.name != "alpha":
        return figure.name
    if figure.value >= ALPHA_SOUND:
        return "alpha_high"
    return "alpha_middle" if figure.value >= ALPHA_TENTATIVE else "alpha_low"


def _differences(context: Context, found: AgreementReport) -> None:
    if not found.complete:
        return
    say, count = context.say, len(found.disagreements)
    st.subheader(say("agreement.differ"), anchor=False)
    if not count:
        st.success(say("agreement.differ_none"), icon=":material/done_all:")
    elif not context.may(Act.READ_OTHERS_LABELS):
        st.info(say("agreement.differ_hidden", count=count), icon=":material/visibility_off:")
    else:
        st.caption(say("agreement.differ_count", count=count))
        _differing(context, found.disagreements)


def _differing(context: Context, found: Sequence[Disagreement]) -> None:
    say = context.say
    opens = {say("agreement.items.open"): [address_of(context, each.item_id) for each in found]}
    st.dataframe(
        {
            **(opens if context.may(Act.ADJUDICATE) else {}),
            say("agreement.question_id"): [each.external_id for each in found],
            say("agreement.question"): [each.question for each in found],
        },
        column_config={
            say("agreement.items.open"): st.column_config.LinkColumn(
                display_text=":material/open_in_new:", width="small"
            ),
            say("agreement.question_id"): st.column_config.TextColumn(width="small"),
            say("agreement.question"): st.column_config.TextColumn(width="large"),
        },
        hide_index=True,
    )
