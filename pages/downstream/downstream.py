"""Downstream screen: accuracy by context and model, and the questions behind a figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from evaluation.downstream.outcomes import Of
from evaluation.tables import Table
from pages.downstream.questions import draw_questions
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded
from pages.shell.notices import allowed, draw_head
from pages.shell.widgets import choose, download, draw_table, pick_row
from services.downstream.reading import PEOPLE
from services.downstream.report import (
    AGAINST,
    MEASURES,
    DownstreamReport,
    Wanted,
    downstream_report,
)
from services.downstream.tables import (
    ENDINGS,
    accuracy_table,
    as_text,
    figure_file,
    outcome_table,
    paired_table,
    strata_table,
)

_FORMATS = {"csv": "csv", "md": "markdown", "tex": "latex"}
_TOPS = (1, 2, 3, 5, 10, 20)


def render(context: Context) -> None:
    """Draw the page."""
    draw_head(context, "downstream")
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    with guarded(context.language):
        _report(context)


@fragment
def _report(context: Context) -> None:
    first = downstream_report(*context.here, by=context.by)
    if not first.lines and not first.judges:
        st.info(context.say("downstream.empty"), icon=":material/info:")
        return
    wanted, of = _options(context, first)
    found = first if wanted == Wanted() else downstream_report(*context.here, wanted, context.by)
    if not found.lines:
        st.info(context.say("downstream.empty"), icon=":material/info:")
        return
    _downloads(context, found, of)
    _figure(context, found, of)
    table = accuracy_table(found, context.language, of)
    row = _table(context, table, "downstream-lines", picks=True)
    if row is None:
        st.caption(context.say("downstream.pick"))
    else:
        draw_questions(context, found, found.lines[row].setting)
    if found.parts:
        _table(context, strata_table(found, context.language, of), "downstream-strata")
    _table(context, outcome_table(found, context.language), "downstream-outcomes")
    if found.tests[0].found:
        _table(context, paired_table(found, context.language), "downstream-tests")


def _options(context: Context, first: DownstreamReport) -> tuple[Wanted, Of]:
    """Draw the report's options; return the chosen ones."""
    say = context.say
    of = choose(
        context, "downstream.option.of", list(Of), "downstream.of", "downstream-of", titled=True
    )
    with st.expander(say("downstream.option.more"), icon=":material/tune:"):
        left, right = st.columns(2)
        with left:
            verdicts = _select(
                context, "verdicts", ("", *first.judges), "downstream.option.without"
            )
            tops = st.multiselect(
                say("downstream.option.tops"),
                _TOPS,
                key="downstream-tops",
                placeholder=say("downstream.option.tops_default"),
            )
            common = st.checkbox(
                say("downstream.option.common"),
                key="downstream-common",
                help=say("downstream.option.common_help"),
            )
        with right:
            split = _select(context, "column", ("", *first.columns), "downstream.option.no_column")
            against = choose(
                context,
                "downstream.option.against",
                AGAINST,
                "downstream.against",
                "downstream-against",
                titled=True,
            )
    return Wanted(verdicts, tuple(sorted(tops)), None, split, common, against), Of(of)


def _select(context: Context, name: str, options: Sequence[str], without: str) -> str:
    def words(option: str) -> str:
        known = {"": context.say(without), PEOPLE: context.say("downstream.people")}
        return known.get(option, option)

    label, key = context.say(f"downstream.option.{name}"), f"downstream-{name}"
    return str(st.selectbox(label, options, format_func=words, key=key))


def _downloads(context: Context, found: DownstreamReport, of: Of) -> None:
    files: Mapping[str, Callable[[], str | bytes]] = {
        **{
            ending: partial(as_text, found, name, context.language, of)
            for ending, name in _FORMATS.items()
        },
        **{
            ending[1:]: partial(figure_file, found, ending, of, "light", context.language)
            for ending in ENDINGS
            if ending != ".csv"
        },
    }
    with st.container(horizontal=True):
        for ending, content in files.items():
            words = context.say(f"downstream.download_{ending}")
            name = f"{context.project}-downstream.{ending}"
            download(words, content, name, f"downstream-download-{ending}")


def _figure(context: Context, found: DownstreamReport, of: Of) -> None:
    mode = "dark" if st.context.theme.type == "dark" else "light"
    svg = figure_file(found, ".svg", of, mode, context.language).decode()
    st.image(svg, width="content", alt=context.say("downstream.figure_alt"))


def _table(context: Context, table: Table, key: str, picks: bool = False) -> int | None:
    """Draw a table with its title and notes; with `picks` return the selected row."""
    st.header(table.title, anchor=False)
    columns = {name: [row[at] for row in table.rows] for at, name in enumerate(table.head)}
    row = None
    if picks:
        wide = dict.fromkeys(map(repr, MEASURES), st.column_config.Column(width="medium"))
        row = pick_row(context, "", columns, key, config=wide)  # heads are display names
    else:
        draw_table(context, "", columns, key)
    for note in table.notes:
        st.caption(note)
    return row
