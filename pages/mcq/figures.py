"""Figures of the MCQ report: funnel, safety table, gain from provisions, before/after."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from annotation.mcq.state import CAUSES
from annotation.people.roles import Act
from evaluation.figure import Figure
from evaluation.mcq.safety import Constant, Difference, ModelPair, SafetyRow
from evaluation.mcq.votes import Of, Setting
from pages.mcq.before_after import draw_before_after, kept_pairs
from pages.mcq.replies import draw_replies
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.interval_chart import Bar, grouped_bars
from pages.shell.widgets import choose, download, download_row, draw_table
from services.bundle import zipped
from services.mcq.export import export_mcqs
from services.mcq.report import READINGS, SCOPES, McqReport, mcq_report
from services.mcq.report_tables import as_csv, as_latex, as_markdown

_PREPARED = "mcq-prepared"
_CHARTED = 5  # models: more bars for each setting are indistinguishable
_NBSP = "\N{NO-BREAK SPACE}"
_APART = f",{_NBSP}"
_ROW_HEIGHT = 82  # fits a value, its interval and n, each on its line
_NAME, _WIDTH = 150, 105  # pixels


def draw_export(context: Context, scope: str, pairs: Sequence[ModelPair]) -> None:
    """Draw the button that prepares the export, and the download once it is ready."""
    if not context.may(Act.EXPORT_GOLD):
        return
    with st.container(border=True):
        words, button = st.columns([4, 1], vertical_alignment="center")
        words.header(context.say("mcq_report.items.export"), anchor=False)
        words.caption(context.say("mcq_report.items.export_help"))
        asked = button.button(
            context.say("mcq_report.items.run_export"),
            key="mcq-export",
            icon=":material/save:",
            width="stretch",
        )
        if asked:
            _prepare(context, scope, pairs)
        about, archive = st.session_state.get(_PREPARED, (None, b""))
        if about == (context.project, scope, tuple(pairs)):
            download(
                context.say("mcq_report.items.download"),
                archive,
                f"{context.project}-mcq.zip",
                "mcq-download",
            )


def _prepare(context: Context, scope: str, pairs: Sequence[ModelPair]) -> None:
    st.session_state.pop(_PREPARED, None)
    with guarded(context.language):
        with tempfile.TemporaryDirectory() as folder:
            export_mcqs(*context.here, Path(folder), scope, context.by, pairs)
            archive = zipped(Path(folder))
        st.session_state[_PREPARED] = (context.project, scope, tuple(pairs)), archive


@fragment
def draw_report(context: Context) -> None:
    """Draw the report, as a fragment: choices in it redraw nothing else."""
    scope = _scope(context)
    found = mcq_report(*context.here, context.by, scope)
    if not found.funnel.start:
        may = context.may(Act.MAKE_ITEMS)
        words = "mcq_report.empty" if may else "mcq_report.empty_reader"
        st.info(context.say(words), icon=":material/info:")
        return
    pairs = kept_pairs(context, {line.model for line in found.models})
    found = _with_reading(context, found, scope)
    _downloads(context, found)
    _funnel(context, found)
    _safety(context, found)
    if found.counts:
        draw_replies(context, found, scope)
    if found.models:
        _draw_gains(context, found)
    if len({line.model for line in found.models}) > 1:
        draw_before_after(context, found, scope)
    draw_export(context, scope, pairs)


def _with_reading(context: Context, found: McqReport, scope: str) -> McqReport:
    """Return the report under the chosen reading of replies, with the saved pairs."""
    reading = READINGS[0]
    if found.untold < sum(each.replies for each in found.counts):
        label, words = "mcq_report.reading_label", "mcq_report.reading"
        reading = choose(context, label, READINGS, words, "mcq-reading", titled=True)
    here = *context.here, context.by, scope
    if reading != READINGS[0]:
        found = mcq_report(*here, reading=reading)
        st.caption(context.say("mcq_report.reading_note"))
        if found.untold:
            st.caption(context.say("mcq_report.untold", count=found.untold))
    for line in found.readings:
        words = context.say("mcq_report.same_option", model=line.model)
        st.caption(md_literal(f"{words} {_figure_text(line.same)}"))
    pairs = kept_pairs(context, {line.model for line in found.models})
    return mcq_report(*here, pairs, reading) if pairs else found


def _scope(context: Context) -> str:
    chosen = choose(
        context, "mcq_report.scope_label", SCOPES, "mcq_report.scope", "mcq-scope", titled=True
    )
    return str(chosen)


def _downloads(context: Context, found: McqReport) -> None:
    files = {
        "csv": as_csv(found),
        "md": as_markdown(found),
        "tex": as_latex(found),
    }
    download_row(context, "mcq_report.download_", files, f"{context.project}-mcq", "mcq")


def _funnel(context: Context, found: McqReport) -> None:
    say, funnel = context.say, found.funnel
    st.header(say("mcq_report.funnel"), anchor=False)
    rows: list[tuple[str, int | None, int]] = [(say("mcq_report.drafts"), None, funnel.start)]
    rows += [
        (say(f"mcq_report.filter.{step.reason}"), step.out, step.left)
        for step in funnel.filtered
        if step.out
    ]
    rows += [(cause_words(context, step.reason), step.out, step.left) for step in funnel.dropped]
    table, counts = st.columns([3, 2], gap="large")
    with table:
        names, outs, lefts = zip(*rows, strict=True)
        draw_table(
            context,
            "mcq_report",
            {"step": names, "out": outs, "left": lefts},
            config={
                "out": st.column_config.NumberColumn(format="localized", width=70),
                "left": st.column_config.ProgressColumn(
                    format="localized", min_value=0, max_value=max(1, funnel.start)
                ),
            },
            height="content",
            placeholder="–",
        )
    with counts, st.container(horizontal=True):
        for fate, count in funnel.fates.items():
            st.metric(say(f"mcq_report.fate.{fate}"), f"{count:,}", border=True)
    st.caption(say("mcq_report.funnel_note"))
    for reason, count in funnel.unfiltered.items():
        name, drafts = say(f"mcq_report.filter.{reason}"), f"{funnel.start:,}"
        words = say("mcq_report.unfiltered", name=name, count=f"{count:,}", drafts=drafts)
        st.caption(words)


def cause_words(context: Context, cause: str) -> str:
    """Return the display name of a rejection cause; custom causes unchanged."""
    return context.say(f"mcq_report.cause.{cause}") if cause in CAUSES else cause


def _safety(context: Context, found: McqReport) -> None:
    say = context.say
    st.header(say("mcq_report.safety"), anchor=False)
    if not found.rows:
        st.info(say("mcq_report.no_votes"), icon=":material/smart_toy:")
    if not found.questions:
        return
    lines = _table_lines(context, found)
    columns = _safety_columns(context, lines)
    draw_table(
        context,
        "mcq_report",
        columns,
        "mcq-safety",
        config=_widths(context, columns),
        height="content",
        row_height=_ROW_HEIGHT,
    )
    st.caption(say("mcq_report.safety_note"))
    if found.stale:
        st.caption(say("mcq_report.stale", count=f"{found.stale:,}"))
    if found.rows:
        with st.expander(say("mcq_report.chart"), icon=":material/bar_chart:", expanded=True):
            _chart(context, lines)


@dataclass(frozen=True, slots=True)
class SafetyTableRow:
    """A row of the safety table: a model or constant answer, on all or on readable replies."""

    name: str
    of: Of
    rows: Sequence[SafetyRow]
    joint: Figure


def _table_lines(context: Context, found: McqReport) -> list[SafetyTableRow]:
    """Return two rows per model and one per constant answer, which is always readable."""
    lines = [
        SafetyTableRow(
            line.model, line.of, _rows(found.rows, line.model, line.of), line.able_and_safe
        )
        for line in found.models
    ]
    lines += [
        SafetyTableRow(
            constant_words(context, constant.constant),
            of,
            [row for row in constant.rows if row.of is of],
            constant.able_and_safe,
        )
        for constant in found.constants
        for of in Of
    ]
    return lines


def _safety_columns(context: Context, lines: Sequence[SafetyTableRow]) -> dict[str, list[str]]:
    """Return the table's columns: figures with intervals and counts, as text."""
    say = context.say
    by_setting = [{row.setting: row for row in line.rows} for line in lines]
    columns = {
        "model": [line.name for line in lines],
        "of": [say(f"mcq_report.of_name.{line.of}") for line in lines],
        "able_and_safe": [_figure_text(line.joint) for line in lines],
    }
    for name, label in (
        ("answered_anyway", "anyway"),
        ("not_answered", "not_answered"),
        ("abstained", "abstained_a"),
    ):
        columns[label] = [_safety_cell(rows.get(Setting.A), name) for rows in by_setting]
    for setting in (Setting.BOTH, Setting.ZERO, Setting.B):
        named = say(f"mcq_report.setting.{setting}")
        label = say("mcq_report.accuracy", setting=named)
        columns[label] = [_safety_cell(rows.get(setting), "accuracy") for rows in by_setting]
    both = [_safety_cell(rows.get(Setting.BOTH), "abstained") for rows in by_setting]
    return columns | {"abstained_both": both}


def constant_words(context: Context, constant: Constant) -> str:
    """Return the display name of a constant answer."""
    if constant.option is None:
        return context.say("mcq_report.always_abstain")
    return context.say("mcq_report.always", option=constant.option + 1)


def _rows(rows: Sequence[SafetyRow], model: str, of: Of) -> list[SafetyRow]:
    return [row for row in rows if row.model == model and row.of is of]


def _safety_cell(row: SafetyRow | None, name: str) -> str:
    return "–" if row is None else _figure_text(getattr(row, name))


def _figure_text(figure: Figure) -> str:
    """Return e.g. ``0.713 [0.650, 0.771] n=120``; the line breaks before the interval."""
    if figure.value is None:
        return "–"
    n = f"n={figure.n:,}"
    return f"{figure.value:.3f} {figure.interval(apart=_APART)} {n}"


def _widths(context: Context, columns: Iterable[str]) -> dict[str, ColumnConfig]:
    """Return column widths that fit all columns on screen."""
    hint = context.say("mcq_report.able_and_safe_help")
    widths = {name: st.column_config.TextColumn(width=_WIDTH) for name in columns}
    return widths | {
        "model": st.column_config.TextColumn(width=_NAME),
        "able_and_safe": st.column_config.TextColumn(width=_WIDTH, help=hint),
    }


def _chart(context: Context, lines: Sequence[SafetyTableRow]) -> None:
    """Draw accuracy over all replies: unreadable replies gain a model nothing."""
    of_all = [line for line in lines if line.of is Of.ALL]
    bars = [
        Bar(context.say(f"mcq_report.setting.{row.setting}"), line.name, row.accuracy)
        for line in [*of_all[:_CHARTED], *of_all[-2:-1]]
        for row in line.rows
        if row.accuracy.value is not None
    ]
    grouped_bars(list(dict.fromkeys(bars)), context.say("mcq_report.chart_alt"), "mcq-chart")


def _draw_gains(context: Context, found: McqReport) -> None:
    say = context.say
    st.header(say("mcq_report.helped_title"), anchor=False)
    columns = {
        "model": [line.model for line in found.models],
        "of": [say(f"mcq_report.of_name.{line.of}") for line in found.models],
        "helped": [_signed(line.helped) for line in found.models],
        "needs_b": [_signed(line.needs_b) for line in found.models],
    }
    draw_table(context, "mcq_report", columns, "mcq-helped", height="content")
    st.caption(say("mcq_report.helped_note"))


def _signed(difference: Difference) -> str:
    figure = difference.figure
    if figure.value is None:
        return "–"
    interval = figure.interval(apart=_APART, sign="+")
    return f"{figure.value:+.3f}{_NBSP}{interval} n={figure.n:,}"
