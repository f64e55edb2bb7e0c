"""The figures of the factor report: what needs work first, and every sub-factor in a line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from evaluation.agreement.statistic import Finding
from evaluation.figure import Figure
from evaluation.tagging.needs import Need
from pages.shell.context import Context
from pages.shell.guard import guarded, plain
from pages.tagging.factor_detail import draw_detail, name_of, share
from services.tagging.report import FactorLine, FactorReport, factor_report, revision
from services.tagging.report_tables import report_csv, tags_csv
from storage.db.workspace import Workspace

_SHOWN = 10  # sub-factors that need work; the others are in the table of all
_ROWS = 420  # pixels of the table of all sub-factors
_INDENT = "\N{EM SPACE}"
_WIDE = 190  # pixels of a value with its interval


@st.cache_data(max_entries=8, show_spinner=False)
def _found(place: str, project: str, version: str, scope: str, _ws: Workspace) -> FactorReport:
    # Whoever asks has been let through by `revision`, and rows are only added.
    return factor_report(_ws, project, scope=scope)


@st.fragment
def draw_report(context: Context) -> None:
    """Draw the report; choosing in it draws nothing else anew."""
    with guarded(context.language):  # the app's guard is not around a fragment's own rerun
        found = _of_scope(context)
        if not found.cases:
            st.info(context.say("factor_report.empty"), icon=":material/hourglass_empty:")
            return
        _counts(context, found)
        _needs(context, found)
        _all(context, found)
        draw_detail(context, found)
        _files(context, found)


def _of_scope(context: Context) -> FactorReport:
    """Return the report on the scope that is chosen; on all cases before."""
    version = revision(context.workspace, context.project, context.person.id)
    asked = context.workspace.place, context.project, version
    everything = _found(*asked, "", context.workspace)
    if not everything.scopes:
        return everything
    words = context.say("factor_report.all_cases")
    chosen = st.selectbox(
        context.say("factor_report.scope"),
        ["", *everything.scopes],
        format_func=lambda each: _scope_words(context, everything, each) if each else words,
        key="factor-scope",
        width=420,
    )
    return _found(*asked, chosen, context.workspace) if chosen else everything


def _scope_words(context: Context, found: FactorReport, scope: str) -> str:
    """Return what a scope is called, the deeper the further in; its key where nobody named it."""
    label = found.names.get(scope, {}).get(context.language, scope)
    return f"{_INDENT * scope.count('.')}{label}"


def _counts(context: Context, found: FactorReport) -> None:
    counts = {
        "cases": found.cases,
        "open": found.open,
        "answered": len(found.lines),
        "unanswered": found.unanswered,
    }
    for column, (name, count) in zip(st.columns(len(counts)), counts.items(), strict=True):
        column.metric(context.say(f"factor_report.count.{name}"), f"{count:,}", border=True)
    people = plain(", ".join(found.people))
    st.caption(context.say("factor_report.by", people=people, version=found.codebook_version))


def _needs(context: Context, found: FactorReport) -> None:
    say = context.say
    st.subheader(say("factor_report.needs"), anchor=False)
    if not found.needs:
        st.success(say("factor_report.needs_none"), icon=":material/done_all:")
        return
    st.caption(say("factor_report.needs_help"))
    lines = {line.sub.key: line for line in found.lines}
    rows = found.needs[:_SHOWN]
    st.dataframe(
        {
            say("factor_report.sub_factor"): [name_of(context, lines[n.key]) for n in rows],
            say("factor_report.why_head"): [_reasons(context, each) for each in rows],
            say("factor_report.bound"): [_bound(context, each) for each in rows],
            say("factor_report.differ"): [_differ(lines[each.key]) for each in rows],
            say("factor_report.comments"): [each.comments for each in rows],
        },
        column_config={say("factor_report.why_head"): st.column_config.TextColumn(width="large")},
        hide_index=True,
        height="content",
        key="factor-needs",
        alt=say("factor_report.needs"),
    )
    if len(found.needs) > len(rows):
        more = len(found.needs) - len(rows)
        st.caption(say("factor_report.needs_more", count=more))


def _all(context: Context, found: FactorReport) -> None:
    say = context.say
    st.subheader(say("factor_report.all"), anchor=False)
    st.caption(say("factor_report.all_help"))
    columns: dict[str, list[object]] = {
        say("factor_report.sub_factor"): [name_of(context, each) for each in found.lines],
        say("factor_report.cases"): [each.agreement.cases for each in found.lines],
        say("factor_report.differ"): [_differ(each) for each in found.lines],
    }
    for name in ("raw", "kappa", "alpha", "ac1"):
        words = say(f"factor_report.statistic.{name}")
        columns[words] = [_told(getattr(each.agreement, name)) for each in found.lines]
    columns[say("factor_report.unstated")] = [percent(e.agreement.unstated) for e in found.lines]
    for model in found.models:
        words = say("factor_report.right_of", model=model)
        columns[words] = [_right(each, model) for each in found.lines]
    wide = [say(f"factor_report.statistic.{name}") for name in ("raw", "kappa", "alpha", "ac1")]
    st.dataframe(
        columns,
        column_config={name: st.column_config.TextColumn(width=_WIDE) for name in wide},
        hide_index=True,
        height="content" if len(found.lines) <= _SHOWN else _ROWS,
        key="factor-all",
        alt=say("factor_report.all"),
    )


def _files(context: Context, found: FactorReport) -> None:
    asked = context.workspace, context.project, context.person.id
    files = {"figures": partial(report_csv, found)}
    if context.may(Act.EXPORT_GOLD):
        files["tags"] = partial(tags_csv, *asked)
    with st.container(horizontal=True):
        for name, text in files.items():
            st.download_button(
                context.say(f"factor_report.file.{name}"),
                partial(_bytes, text),
                f"{context.project}-{name}.csv",
                "text/csv",
                on_click="ignore",
                icon=":material/download:",
                key=f"factor-file-{name}",
            )


def percent(figure: Figure) -> str:
    """Return a share in whole percent with its interval; a dash where there is none."""
    return "–" if figure.value is None else share(figure)


def _bytes(text: Callable[[], str]) -> bytes:
    # A spreadsheet takes a CSV for anything but UTF-8 unless it starts with the mark.
    return text().encode("utf-8-sig")


def _told(found: Finding) -> str:
    figure = found.figure
    if figure.value is None:
        return "–"
    interval = "" if figure.low is None else f" [{figure.low:.2f}, {figure.high:.2f}]"
    return f"{figure.value:.2f}{interval}"


def _differ(line: FactorLine) -> str:
    return f"{line.agreement.differing} / {line.agreement.paired}"


def _right(line: FactorLine, model: str) -> str:
    found = dict(line.models).get(model)
    return "–" if found is None else percent(found.right)


def _reasons(context: Context, need: Need) -> str:
    return "; ".join(context.say(f"factor_report.why.{each}") for each in need.reasons)


def _bound(context: Context, need: Need) -> str:
    if need.bound.figure.value is None:
        return "–"
    words = context.say(f"statistics.name.{need.bound.statistic}")
    return f"{words} {_told(need.bound)}"
