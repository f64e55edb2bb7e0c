"""Before/after comparison of two models on the same questions, per kind of reply."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evaluation.mcq.safety import JOINT, MEASURES, Change, ModelPair
from evaluation.mcq.votes import Of, Setting
from pages.shell.context import Context
from pages.shell.guard import guarded, md_literal
from pages.shell.interval_chart import Bar, interval_chart
from pages.shell.widgets import choose, draw_table
from services.mcq.report import PAIR_NAME, McqReport, mcq_report, named_pairs

_NEW = ""  # the choice that is no saved pair
_NBSP = "\N{NO-BREAK SPACE}"
_APART = f",{_NBSP}"
_ROW_HEIGHT = 62  # fits a difference with its interval and n, and below it the two shares
_WIDTH = 150  # pixels


def kept_pairs(context: Context, models: set[str]) -> list[ModelPair]:
    """Return the session's saved pairs of these models."""
    kept = st.session_state.get(_key(context), [])
    return [pair for pair in kept if {pair.before, pair.after} <= models]


def _key(context: Context) -> str:
    return f"mcq-pairs-{context.project}"


def draw_before_after(context: Context, report: McqReport, scope: str) -> None:
    """Draw the choice of a pair, and the changes between its models in tables and a chart."""
    say, models = context.say, list(dict.fromkeys(line.model for line in report.models))
    st.header(say("mcq_report.changes"), anchor=False)
    st.caption(say("mcq_report.changes_help"))
    kept = {pair.shown: pair for pair in kept_pairs(context, set(models))}
    chosen = _saved_pair(context, list(kept))
    pair = kept[chosen] if chosen else _new_pair(context, models, kept.keys() - {_NEW})
    if pair is None:
        return
    with guarded(context.language):
        here = *context.here, context.by, scope, [pair], report.reading
        changes = mcq_report(*here).changes
        if not changes:
            st.info(say("mcq_report.no_changes"), icon=":material/info:")
            return
        _draw(context, changes)


def _saved_pair(context: Context, names: list[str]) -> str:
    """Draw the choice between the saved pairs and a new one; return its name, "" for new."""
    if not names:
        return _NEW

    def words(name: str) -> str:
        return name or context.say("mcq_report.another_pair")

    key = f"{_key(context)}-chosen"
    if st.session_state.get(key) not in (None, _NEW, *names):
        del st.session_state[key]
    chosen = choose(context, "mcq_report.kept_pairs", [*names, _NEW], words, key)
    if chosen:
        st.button(
            context.say("mcq_report.drop_pair"),
            key="mcq-pair-drop",
            on_click=_delete_pair,
            args=(context, chosen),
        )
    return chosen


def _delete_pair(context: Context, name: str) -> None:
    kept = st.session_state.get(_key(context), [])
    st.session_state[_key(context)] = [pair for pair in kept if pair.shown != name]


def _new_pair(context: Context, models: Sequence[str], taken: set[str]) -> ModelPair | None:
    """Draw the fields of a pair; return it once two models are chosen."""
    say = context.say
    columns = st.columns(3)
    before, after = (
        column.selectbox(
            say(f"mcq_report.{side}"),
            models,
            index=None,
            placeholder=say("mcq_report.choose"),
            key=f"mcq-{side}",
        )
        for column, side in zip(columns[:2], ("before", "after"), strict=True)
    )
    name = columns[2].text_input(
        say("mcq_report.pair_name"),
        max_chars=PAIR_NAME,
        placeholder=say("mcq_report.pair_name_example"),
        key="mcq-pair-name",
    )
    if before is None or after is None or before == after:
        return None
    [pair] = named_pairs([ModelPair(before, after, name)])
    st.button(
        say("mcq_report.keep_pair"),
        key="mcq-pair-keep",
        help=say("mcq_report.keep_pair_help"),
        disabled=pair.shown in taken,
        on_click=_save_pair,
        args=(context, pair),
    )
    return pair


def _save_pair(context: Context, pair: ModelPair) -> None:
    key = _key(context)
    st.session_state[key] = [*st.session_state.get(key, []), pair]
    st.session_state[f"{key}-chosen"] = pair.shown


def _draw(context: Context, changes: Sequence[Change]) -> None:
    say = context.say
    of = Of(choose(context, "mcq_report.of", list(Of), "mcq_report.of_name", "mcq-changes-of"))
    shown = [change for change in changes if change.of is of]
    for change in shown:
        if change.measure == JOINT and change.difference.figure.value is not None:
            st.markdown(f"**{say('mcq_report.able_and_safe')}** {md_literal(_change_cell(change))}")
    settings = [s for s in Setting if any(change.setting is s for change in shown)]
    at = {(change.measure, change.setting): change for change in shown}
    measures = [name for name in MEASURES if any((name, s) in at for s in settings)]
    columns: dict[str, list[str]] = {
        "measure_column": [say(f"mcq_report.measure.{name}") for name in measures]
    }
    for setting in settings:
        cells = (at.get((name, setting)) for name in measures)
        label = f"mcq_report.setting.{setting}"
        columns[label] = ["–" if cell is None else _change_cell(cell) for cell in cells]
    widths = {name: st.column_config.TextColumn(width=_WIDTH) for name in columns}
    draw_table(
        context,
        "mcq_report",
        columns,
        "mcq-changes",
        config=widths,
        height="content",
        row_height=_ROW_HEIGHT,
    )
    st.caption(say("mcq_report.changes_note"))
    _chart(context, shown, settings)


def _chart(context: Context, changes: Sequence[Change], settings: Sequence[Setting]) -> None:
    say = context.say
    names = [setting.value for setting in settings]
    first = Setting.A.value if Setting.A in settings else names[0]
    chosen = choose(
        context, "mcq_report.setting_column", names, "mcq_report.setting", "mcq-changes-at", first
    )
    bars = [
        Bar(say(f"mcq_report.measure.{change.measure}"), "", change.difference.figure)
        for change in changes
        if change.setting == chosen and change.difference.figure.value is not None
    ]
    if bars:
        interval_chart(bars, say("mcq_report.changes_alt"), "mcq-changes-chart")


def _change_cell(change: Change) -> str:
    """Return e.g. ``+0.250 [+0.100, +0.400] n=120 (0.500 → 0.750)``."""
    figure = change.difference.figure
    if figure.value is None or change.was is None or change.became is None:
        return "–"
    interval = figure.interval(apart=_APART, sign="+")
    means = f"{change.was:.3f}{_NBSP}→{_NBSP}{change.became:.3f}"
    return f"{figure.value:+.3f} {interval} n={figure.n:,} ({means})"
