"""Agreement screen: progress of annotators, and agreement statistics."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotation.agreement.overview import (
    AgreementReport,
    Disagreement,
    Progress,
    progress_of,
    report,
    work_of,
)
from annotation.agreement.report import headline
from annotation.agreement.views import FigureRow, ItemLine, Table
from annotation.people.roles import Act
from evaluation.agreement.interpretation import few, read
from pages.agreement.figure_table import draw_behind, item_table
from pages.agreement.more_statistics import draw_calibration, draw_more, draw_statistics
from pages.shell.context import Context
from pages.shell.guard import guarded, md_literal
from pages.shell.interval_chart import Bar, interval_chart
from pages.shell.widgets import draw_figure
from storage.tasks import Task

_OPENED = "agreement-opened"


@st.fragment
def draw_progress(context: Context, people: Sequence[Progress]) -> None:
    """Draw everybody's progress; for readers of others' labels, the selected person's items."""
    with guarded(context.language):  # the app's error guard does not cover a fragment's own rerun
        st.header(context.say("agreement.progress"), anchor=False)
        if people:
            _table(context, people)
        else:
            st.info(context.say("agreement.nobody"), icon=":material/person_add:")


def _imported_column(context: Context, people: Sequence[Progress]) -> dict[str, list[int]]:
    """Return each person's number of imported submissions, as a column if there are any."""
    if not any(each.imported for each in people):
        return {}
    return {context.say("agreement.imported"): [each.imported for each in people]}


def _table(context: Context, people: Sequence[Progress]) -> None:
    say = context.say
    sighted = context.may(Act.READ_OTHERS_LABELS)
    state = st.dataframe(
        {
            say("agreement.person"): [each.person for each in people],
            say("agreement.share"): [_percent_done(each) for each in people],
            say("agreement.submitted"): [each.submitted for each in people],
            **_imported_column(context, people),
            say("agreement.drafts"): [each.drafts for each in people],
            say("agreement.skipped"): [each.skipped for each in people],
            say("agreement.left"): [each.left for each in people],
            say("agreement.unsure"): [_unsure_text(context, each) for each in people],
            say("agreement.seconds"): [each.median_seconds for each in people],
        },
        column_config={
            say("agreement.share"): st.column_config.ProgressColumn(
                format="%.0f%%", min_value=0, max_value=100, width="medium"
            ),
            say("agreement.unsure"): st.column_config.TextColumn(help=say("agreement.unsure_help")),
            say("agreement.imported"): st.column_config.NumberColumn(
                help=say("agreement.imported_help")
            ),
            say("agreement.seconds"): st.column_config.NumberColumn(format="%.0f"),
        },
        hide_index=True,
        placeholder="–",
        alt=say("agreement.progress"),
        key="agreement-progress",
        on_select="rerun" if sighted else "ignore",
        selection_mode="single-row",
    )
    if isinstance(state, DeltaGenerator):  # selection is disabled
        return
    picked = state["selection"]["rows"]
    if picked and picked[0] < len(people):
        with st.container(border=True):
            _draw_items_of_person(context, people[picked[0]])
    else:
        st.caption(f":material/touch_app: {say('agreement.pick_person')}")


def _percent_done(each: Progress) -> float | None:
    total = each.submitted + each.drafts + each.skipped + each.left
    return 100 * each.submitted / total if total else None


def _unsure_text(context: Context, each: Progress) -> str | None:
    share = each.unsure_share
    if share.value is None:
        return None
    words = context.say("agreement.unsure_of", percent=f"{share.value:.0%}", n=share.n)
    return f"{words} {share.interval(100, 0)}"


def _draw_items_of_person(context: Context, person: Progress) -> None:
    say = context.say
    found = work_of(context.workspace, context.project, person.person_id, context.person.id)
    heading = say("agreement.items.behind", what=person.person)
    st.markdown(f"**{md_literal(heading)}** · {len(found):,}")
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


@st.fragment
def draw_cards(context: Context) -> None:
    """Draw the cards and their chart, as a fragment: opening one redraws nothing else."""
    with guarded(context.language):  # the app's error guard does not cover a fragment's own rerun
        _cards(context, headline(context.workspace, context.project, context.person.id))


def _cards(context: Context, table: Table) -> None:
    say = context.say
    st.header(say("agreement.figures"), anchor=False)
    scored = [row for row in table.rows if row.finding.figure.value is not None]
    if not scored:
        st.info(say("agreement.too_few", n=table.items), icon=":material/hourglass_empty:")
        return
    for column, row in zip(st.columns(len(table.rows)), table.rows, strict=True):
        with column, st.container(border=True, height="stretch"):
            _card(context, row)
    st.caption(say("agreement.method"))
    bars = [Bar(_name(context, row), "", row.finding.figure) for row in scored]
    sighted = context.may(Act.READ_OTHERS_LABELS)
    interval_chart(bars, say("agreement.chart"), "agreement-chart")
    opened = st.session_state.get(_OPENED)
    for row in table.rows:
        if sighted and row.finding.statistic == opened:
            with st.container(border=True):
                draw_behind(context, table, row, "agreement-card")


def _card(context: Context, row: FigureRow) -> None:
    say, figure = context.say, row.finding.figure
    value = "–" if figure.value is None else f"{figure.value:.3f}"
    draw_figure(context, _name(context, row), value, figure.weak)
    if figure.low is None or figure.high is None:
        interval = say("agreement.no_interval")
    else:
        interval = say("agreement.interval", low=f"{figure.low:.3f}", high=f"{figure.high:.3f}")
    st.caption(f"{interval}  \n{say('agreement.n', n=figure.n)}")
    st.markdown(read(row.finding)[0].say(context.language))
    if few(row.finding) and not figure.weak:
        st.caption(f":material/warning: {say('agreement.more.few', n=figure.n)}")
    if context.may(Act.READ_OTHERS_LABELS):
        _opener(context, row)


def _opener(context: Context, row: FigureRow) -> None:
    key = row.finding.statistic
    is_open = st.session_state.get(_OPENED) == key
    st.button(
        context.say("agreement.items.close" if is_open else "agreement.items.show"),
        key=f"agreement-open-{key}",
        icon=":material/expand_less:" if is_open else ":material/list:",
        on_click=lambda: st.session_state.update({_OPENED: None if is_open else key}),
    )


def _name(context: Context, row: FigureRow) -> str:
    return context.say(f"statistics.name.{row.finding.statistic}")


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("agreement.title"), anchor=False)
    task: str = st.selectbox(
        context.say("agreement.task"),
        [str(each) for each in Task],
        format_func=lambda each: context.say(f"tasks.{each}"),
        key="agreement-task",
    )
    if task != Task.CITATION_MAPPING:
        _form(context, task)
        return
    st.markdown(context.say("agreement.lead"))
    found = report(context.workspace, context.project, context.person.id)
    if not found.items:
        st.info(context.say("agreement.no_items"), icon=":material/info:")
        return
    draw_progress(context, found.progress)
    draw_cards(context)
    _differences(context, found)
    draw_more(context)


def _form(context: Context, task: str) -> None:
    """Draw progress, statistics and calibration of a form task."""
    say = context.say
    st.markdown(say("agreement.lead_form"))
    people = progress_of(context.workspace, context.project, task, context.person.id)
    st.header(say("agreement.progress"), anchor=False)
    if not people:
        st.info(say("agreement.nobody_began"), icon=":material/info:")
        return
    st.dataframe(
        {
            say("agreement.person"): [each.person for each in people],
            say("agreement.share"): [_percent_done(each) for each in people],
            say("agreement.submitted"): [each.submitted for each in people],
            say("agreement.drafts"): [each.drafts for each in people],
            say("agreement.skipped"): [each.skipped for each in people],
            say("agreement.left"): [each.left for each in people],
            say("agreement.seconds"): [each.median_seconds for each in people],
        },
        column_config={
            say("agreement.share"): st.column_config.ProgressColumn(
                format="%.0f%%", min_value=0, max_value=100, width="medium"
            ),
            say("agreement.seconds"): st.column_config.NumberColumn(format="%.0f"),
        },
        hide_index=True,
        placeholder="–",
        alt=say("agreement.progress"),
        key=f"agreement-progress-{task}",
    )
    st.header(say("agreement.figures"), anchor=False)
    draw_statistics(context, task)
    if context.may(Act.READ_OTHERS_LABELS):
        st.header(say("agreement.part.calibration"), anchor=False)
        draw_calibration(context, task)
    draw_more(context, task)


def _differences(context: Context, report: AgreementReport) -> None:
    if not report.complete:
        return
    say, count = context.say, report.differing
    st.header(say("agreement.differ"), anchor=False)
    if not count:
        st.success(say("agreement.differ_none"), icon=":material/done_all:")
    elif not context.may(Act.READ_OTHERS_LABELS):
        st.info(say("agreement.differ_hidden", count=count), icon=":material/visibility_off:")
    else:
        st.caption(say("agreement.differ_count", count=count))
        _draw_disagreements(context, report.disagreements)


def _draw_disagreements(context: Context, disagreements: Sequence[Disagreement]) -> None:
    lines = [ItemLine(e.item_id, e.external_id, e.question, None, case=True) for e in disagreements]
    item_table(context, lines, "agreement-differing", {})
