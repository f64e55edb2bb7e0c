"""Replies behind a count of the report, each with the text that decided its outcome."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evaluation.mcq.safety import Counts
from evaluation.replies.outcomes import Outcome
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.plain_text import plain_text, split_by_marks
from pages.shell.widgets import choose, pick_row
from services.mcq.replies import ReplyLine, Which, mcq_replies

_TEXT_HEIGHT = 320  # pixels
_ANY = "any"


def draw_replies(context: Context, counts: Counts, scope: str) -> None:
    """Draw the replies that a row of the report counts, by choice those of one outcome."""
    came = [outcome for outcome in Outcome if getattr(counts, outcome.value)]
    key = f"mcq-replies-{counts.model}-{counts.setting}"
    with st.container(border=True):
        chosen = choose(
            context, "mcq_report.replies.outcome", [_ANY, *came], "mcq_report.column", key
        )
        outcome = None if chosen == _ANY else Outcome(chosen)
        lines = mcq_replies(
            *context.here, context.by, scope, Which(counts.model, counts.setting, outcome)
        )
        head = context.say(
            "mcq_report.replies.of_cell",
            count=f"{len(lines):,}",
            model=counts.model,
            setting=context.say(f"mcq_report.setting.{counts.setting}"),
            outcome=context.say(f"mcq_report.column.{chosen}"),
        )
        st.markdown(f"**{md_literal(head)}**")
        picked = _list(context, lines, f"{key}-{chosen}")
        if picked is None:
            st.caption(context.say("mcq_report.replies.pick"))
        else:
            _reply(context, picked)


def _list(context: Context, lines: Sequence[ReplyLine], name: str) -> ReplyLine | None:
    """Draw the replies as a table; return the picked one."""
    say = context.say
    columns = {
        "outcome": [say(f"mcq_report.column.{line.outcome}") for line in lines],
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
        name,
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
