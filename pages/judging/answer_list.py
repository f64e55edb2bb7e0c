"""List of judged answers, in review order."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.judging.state import CaseState, judges_of, required_judge, review_order, states_of
from annotation.people.roles import Act
from annotation.work.submissions import beginning
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.widgets import choose, draw_table
from services.judging.report_tables import judge_words

_HEIGHT = 560


def draw_cases(context: Context) -> None:
    """Draw the table, ordered by how far a review would move the figure."""
    say = context.say
    found = states_of(*context.here, context.by)
    if not found:
        st.info(say("judge_report.page.no_cases"), icon=":material/info:")
        return
    judge = _chosen_judge(context, found)
    moves = {each.case: each.expected for each in review_order(found, judge)} if judge else {}
    st.caption(say("judge_report.page.order_help"))
    ordered = sorted(found, key=lambda each: -moves.get(each.id, -1.0))
    _table(context, ordered, judge, moves)


def _chosen_judge(context: Context, cases: Sequence[CaseState]) -> str:
    """Draw the choice of the judge if there are several; return its name."""
    names = judges_of(cases)
    if len(names) < 2:
        return names[0] if names else ""
    first = required_judge(cases, None)
    return required_judge(cases, choose_judge(context, names, first, "judge-cases-judge"))


def choose_judge(context: Context, names: Sequence[str], first: str, key: str) -> str:
    """Draw a choice of one judge, initially `first`."""
    label = "judge_report.page.judge"
    return choose(
        context,
        label,
        names,
        lambda n: md_literal(judge_words(n, context.language)),
        key,
        first,
        titled=True,
    )


def _table(
    context: Context, cases: Sequence[CaseState], judge: str, moves: dict[int, float]
) -> None:
    """Draw the answers as a table with people's and the judge's verdicts."""
    say = context.say
    columns: dict[str, list[object]] = {}
    if context.may(Act.REVIEW_JUDGE):
        columns["open"] = [_address(context, each) for each in cases]
    columns |= {
        "id": [each.case.external_id for each in cases],
        "system_head": [each.case.system for each in cases],
        "verdict": [_verdict_text(context, each.verdict(judge)) for each in cases],
        "outcome": [_outcome(context, each) for each in cases],
        "ratings": [each.so_far for each in cases],
        "movement": [None if each.id not in moves else 100 * moves[each.id] for each in cases],
        "question": [beginning(each.case.question) for each in cases],
    }
    draw_table(
        context,
        "judge_report.page",
        columns,
        "judge-cases",
        wide="question",
        config={
            "open": st.column_config.LinkColumn(
                display_text=":material/open_in_new:", width="small"
            ),
            "movement": st.column_config.NumberColumn(
                format="%.3f %%", help=say("judge_report.page.order_help")
            ),
        },
        height="auto" if len(cases) < 12 else _HEIGHT,
        alt=say("judge_report.page.all_cases"),
    )


def _verdict_text(context: Context, verdict: bool | None) -> str:
    if verdict is None:
        return "–"
    return context.say(f"judge_report.page.{'correct' if verdict else 'incorrect'}")


def _outcome(context: Context, each: CaseState) -> str:
    """Return an answer's state of review in words."""
    words = context.say(f"judge_report.outcome.{each.outcome}")
    return words if each.people is None else f"{_verdict_text(context, each.people)} · {words}"


def _address(context: Context, each: CaseState) -> str | None:
    """Return the address of the answer's review."""
    if each.review_item is None:
        return None
    return context.link("judge_review", item=each.review_item)
