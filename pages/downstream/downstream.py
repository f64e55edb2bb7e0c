"""Downstream screen: accuracy by context and model, and the questions behind a figure."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.people.roles import Act
from evaluation.downstream.outcomes import Of
from pages.downstream.questions import draw_questions
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded
from pages.shell.notices import allowed, draw_head
from pages.shell.reports import draw_report
from pages.shell.widgets import choose
from services.downstream.reading import PEOPLE
from services.downstream.report import (
    AGAINST,
    DownstreamReport,
    Wanted,
    downstream_report,
)
from services.downstream.tables import as_report

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
    chosen = draw_report(context, as_report(found, context.language, of), "downstream")
    row = chosen["accuracy"]
    if row is None:
        st.caption(context.say("downstream.pick"))
    else:
        draw_questions(context, found, found.lines[row].setting)


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
