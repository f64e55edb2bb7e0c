"""The amendments screen: two snapshots side by side, and the decisions to check again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import streamlit as st

from annotation.people.roles import Act
from corpus.compare.model import Status, StatuteStatus
from pages.law.recheck_queue import draw_queue
from pages.law.snapshot_choice import date_of, snapshot_name, use_button
from pages.law.unit_changes import draw_statutes, draw_units
from pages.shell.context import Context
from pages.shell.guard import guarded, plain
from pages.shell.notices import show_remembered
from services.law.comparison import ComparisonReport, before, compare, snapshots
from services.law.overview import SnapshotLine

_NOTICE = "compare-notice"
_COUNTED = (Status.CHANGED, Status.ADDED, Status.REMOVED, Status.RENUMBERED)


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("compare.title"), anchor=False)
    st.markdown(context.say("compare.lead"))
    show_remembered(_NOTICE)
    there = snapshots(context.workspace, context.project, context.person.id)
    if len(there) < 2:
        st.info(context.say("compare.need_two"), icon=":material/info:")
        return
    chosen = _choose(context, there)
    report = compare(context.workspace, context.project, *chosen, by=context.person.id)
    _counts(context, report)
    if report.comparison.touched:
        _changes(context, report)
    else:
        st.success(context.say("compare.nothing"), icon=":material/done_all:")
    draw_queue(context, report, _NOTICE)


def _choose(context: Context, there: Sequence[SnapshotLine]) -> tuple[int, int]:
    """Draw the choice of two snapshots; return their ids, older law first."""
    lines = {line.id: line for line in there}
    chosen: list[int] = []
    used = next(at for at, line in enumerate(there) if line.in_use)
    places = there.index(before(there, there[used])), used
    for column, name, at in zip(st.columns(2), ("older", "newer"), places, strict=True):
        chosen.append(
            column.selectbox(
                context.say(f"compare.{name}"),
                list(lines),
                index=at,
                format_func=lambda each: snapshot_name(context, lines[each]),
                key=f"compare-{name}",
            )
        )
    words = context.say("compare.in_use", name=there[used].name, effective=date_of(there[used]))
    st.caption(plain(words))
    if context.may(Act.IMPORT_LAW):
        _offer_use(context, [lines[each] for each in dict.fromkeys(chosen)])
    return chosen[0], chosen[1]


def _offer_use(context: Context, chosen: Sequence[SnapshotLine]) -> None:
    """Draw a button for each chosen snapshot that is not in use."""
    with st.container(horizontal=True):
        for line in chosen:
            if not line.in_use:
                words = context.say("compare.use", id=line.id)
                use_button(context, line, _NOTICE, words, f"compare-use-{line.id}")


def _counts(context: Context, report: ComparisonReport) -> None:
    if report.backwards:
        dates = {"earlier": report.dates.earlier, "later": report.dates.later}
        st.warning(context.say("compare.backwards", **dates), icon=":material/history:")
    units = report.units
    for column, status in zip(st.columns(len(_COUNTED)), _COUNTED, strict=True):
        column.metric(
            context.say(f"compare.status.{status}"),
            f"{units[status]:,}",
            border=True,
            help=context.say(f"compare.status_help.{status}"),
        )
    same = f"{units[Status.UNCHANGED]:,}", f"{report.statutes[StatuteStatus.UNCHANGED]:,}"
    st.caption(context.say("compare.unchanged", units=same[0], statutes=same[1]))
    st.caption(" ".join(_counted(context, report)))


def _counted(context: Context, report: ComparisonReport) -> tuple[str, str]:
    """Say what the counts are of, so that they add up, and which dates were compared."""
    figures = (*report.provisions, *report.deleted)
    names = ("old", "new", "old_deleted", "new_deleted")
    counts = {name: f"{count:,}" for name, count in zip(names, figures, strict=True)}
    dates = {name: f"{count:,}" for name, count in asdict(report.dates).items()}
    return context.say("compare.counted", **counts), context.say("compare.dates", **dates)


@st.fragment
def _changes(context: Context, report: ComparisonReport) -> None:
    """Draw the changes; filtering and selecting draw nothing else anew."""
    with guarded(context.language):  # the app's guard is not around a fragment's own rerun
        draw_statutes(context, report)
        draw_units(context, report)
