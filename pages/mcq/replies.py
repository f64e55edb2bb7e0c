"""Counts of model replies by outcome; a cell opens its replies with the deciding text."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evaluation.mcq.safety import Counts
from evaluation.replies.outcomes import Outcome
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.plain_text import plain_text, split_by_marks
from pages.shell.widgets import draw_table, pick_row
from services.mcq.replies import ReplyLine, Which, mcq_replies
from services.mcq.report import READINGS, McqReport

_TEXT_HEIGHT = 320  # pixels


def draw_replies(context: Context, report: McqReport, scope: str) -> None:
    """Draw the counts, and the replies behind the selected cell in full."""
    say = context.say
    st.header(say("mcq_report.replies.title"), anchor=False)
    if report.reading != READINGS[0]:
        columns = _columns(context, report.counts)
        draw_table(context, "mcq_report", columns, "mcq-outcomes-likely", height="content")
        return
    state = draw_table(
        context,
        "mcq_report",
        _columns(context, report.counts),
        "mcq-outcomes",
        height="content",
        on_select="rerun",
        selection_mode="single-cell",
    )
    st.caption(say("mcq_report.replies.note", reader=report.reader))
    cells = state["selection"]["cells"]
    if cells and cells[0][0] < len(report.counts):
        row, column = cells[0]
        _draw_selected(context, report.counts[row], _outcome(context, column), scope)


def _columns(context: Context, counts: Sequence[Counts]) -> dict[str, list[object]]:
    say = context.say
    columns: dict[str, list[object]] = {
        "model": [count.model for count in counts],
        "setting_column": [say(f"mcq_report.setting.{count.setting}") for count in counts],
        "replies.replies": [count.replies for count in counts],
    }
    for outcome in Outcome:
        columns[f"outcome.{outcome}"] = [getattr(count, outcome.value) for count in counts]
    columns["missing"] = [count.missing for count in counts]
    return columns


def _outcome(context: Context, column: str) -> Outcome | None:
    """Return the outcome that a column counts; None for a total."""
    named = {context.say(f"mcq_report.outcome.{outcome}"): outcome for outcome in Outcome}
    return named.get(column)


def _draw_selected(context: Context, counts: Counts, outcome: Outcome | None, scope: str) -> None:
    say = context.say
    which = Which(counts.model, counts.setting, outcome)
    lines = mcq_replies(*context.here, context.by, scope, which)
    words = "replies.any" if outcome is None else f"outcome.{outcome}"
    head = say(
        "mcq_report.replies.of_cell",
        count=f"{len(lines):,}",
        model=counts.model,
        setting=say(f"mcq_report.setting.{counts.setting}"),
        outcome=say(f"mcq_report.{words}"),
    )
    with st.container(border=True):
        st.markdown(f"**{md_literal(head)}**")
        if not lines:
            st.caption(say("mcq_report.replies.none"))
            return
        chosen = _list(context, lines, f"{counts.model}-{counts.setting}-{outcome}")
        if chosen is None:
            st.caption(say("mcq_report.replies.pick"))
        else:
            _reply(context, chosen)


def _list(context: Context, lines: Sequence[ReplyLine], name: str) -> ReplyLine | None:
    say = context.say
    columns = {
        "outcome": [say(f"mcq_report.outcome.{line.outcome}") for line in lines],
        "option": [line.option for line in lines],
        "decided": [line.quote for line in lines],
        "question": [line.query for line in lines],
        "rule": [line.rule for line in lines],
        "repeat": [line.repeat + 1 for line in lines],
        "id": [line.question for line in lines],
    }
    row = pick_row(
        context,
        "mcq_report.replies",
        columns,
        f"mcq-replies-{name}",
        wide="decided",
        config={"question": st.column_config.TextColumn(width="medium")},
        placeholder="–",
    )
    return None if row is None else lines[row]


def _reply(context: Context, line: ReplyLine) -> None:
    """Draw the whole reply, with the deciding text marked."""
    if not line.raw.strip():
        st.caption(context.say("mcq_report.replies.empty"))
        return
    marks = {} if line.span is None else {"match": [line.span]}
    spans = split_by_marks(line.raw, marks)
    plain_text(spans, f"mcq-reply-{line.question}", height=_TEXT_HEIGHT)
