"""Figures of the factor report: agreement on all sub-factors, and one of them in detail."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from annotation.people.roles import Act
from pages.shell import reports
from pages.shell.context import Context
from pages.shell.guard import fragment, md_literal
from pages.shell.widgets import download
from services.tagging.report import FactorReport, factor_report, revision
from services.tagging.report_tables import (
    as_report,
    name_of,
    readings,
    tags_csv,
    worst_first,
)

_FILE = "factors"
_INDENT = "\N{EM SPACE}"


@fragment
def draw_report(context: Context) -> None:
    """Draw the report, as a fragment: choices in it redraw nothing else."""
    found = _scope_report(context)
    report = as_report(found, context.language)
    st.markdown(md_literal(report.lead))
    if not found.lines:
        return
    agreement = report.sections[0]
    chosen = _chosen(context, found, reports.draw_section(context, agreement, _FILE))
    report = as_report(found, context.language, chosen)
    line = next(each for each in found.lines if each.sub.key == chosen)
    for words in readings(line, context.language):
        st.markdown(md_literal(words))
    for section in replace(report, sections=report.sections[1:]).filled:
        reports.draw_section(context, section, _FILE)
    reports.draw_files(context, report, _FILE)
    if context.may(Act.EXPORT_GOLD):
        name = f"{context.project}-tags.csv"
        download(context.say("factor_report.tags"), lambda: _tags(context), name, "factor-tags")


def _tags(context: Context) -> bytes:
    """Return the tags as CSV."""
    # Excel reads a CSV as UTF-8 only with a byte order mark.
    return tags_csv(*context.here, context.by).encode("utf-8-sig")


def _chosen(context: Context, found: FactorReport, row: int | None) -> str:
    """Return the sub-factor chosen, by default that of the `row` pressed, or the worst."""
    lines = {line.sub.key: line for line in worst_first(found)}
    st.header(context.say("factor_report.detail"), anchor=False)
    return st.selectbox(
        context.say("factor_report.sub_factor"),
        list(lines),
        index=row or 0,
        format_func=lambda key: name_of(lines[key], context.language),
        key="factor-chosen" if row is None else f"factor-chosen-{row}",
        width=560,
    )


def _scope_report(context: Context) -> FactorReport:
    """Return the report on the chosen scope, by default on all cases."""
    version = revision(*context.here, context.by)
    everything = reports.cached(context, version, factor_report)
    if not everything.scopes:
        return everything
    words = context.say("factor_report.all_cases")
    chosen = st.selectbox(
        context.say("factor_report.scope"),
        ["", *everything.scopes],
        format_func=lambda each: _scope_name(context, everything, each) if each else words,
        key="factor-scope",
        width=420,
    )
    if not chosen:
        return everything
    return reports.cached(context, version, factor_report, scope=chosen)


def _scope_name(context: Context, found: FactorReport, scope: str) -> str:
    """Return a scope's display name, indented by depth; its key if it has no name."""
    label = found.names.get(scope, {}).get(context.language, scope)
    return f"{_INDENT * scope.count('.')}{label}"
