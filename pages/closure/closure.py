"""Closure screen: probably incomplete gold, decisions, audit, rules."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.people.roles import Act
from annotation.work.submissions import beginning
from annotation.work.versioned_texts import CLOSURE_RULES
from construction.closure.rules import TEXT_LIMIT
from pages.closure.audit_part import draw_audit
from pages.closure.gold_set import draw_set
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded, plain
from pages.shell.notices import allowed, draw_head, show_remembered
from pages.shell.reports import draw_files, draw_section
from pages.shell.version_editor import VersionEditor
from pages.shell.widgets import choose, pick_row
from services.closure.report import (
    STATES,
    CheckedSet,
    ClosureReport,
    State,
    changes,
    check,
)
from services.closure.report_tables import as_report, counts_section

NOTICE = "closure-notice"
TABS = ("queue", "audit", "rules")
_WIDTHS = {
    "missing": st.column_config.Column(width="medium"),
    "rules": st.column_config.Column(width="medium"),
    "question": st.column_config.Column(width="medium"),
    **dict.fromkeys(("question_id", "gold", "kind"), st.column_config.Column(width="small")),
}  # missing provisions and their rules fit a screen of 1280 pixels


def render(context: Context) -> None:
    """Draw the page."""
    draw_head(context, "closure")
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    show_remembered(NOTICE)
    tab = choose(context, "closure.tab.label", TABS, "closure.tab", "closure-tab")
    with guarded(context.language):
        if tab == "rules":
            _EDITOR.draw(context, NOTICE)
        elif tab == "audit":
            draw_audit(context)
        else:
            _queue(context, check(*context.here, context.by))


def _queue(context: Context, found: ClosureReport) -> None:
    say = context.say
    _problems(context, found.problems)
    if not found.sets:
        st.info(say("closure.no_gold"), icon=":material/info:")
        return
    draw_section(context, counts_section(found, context.language), "closure")
    draw_files(context, as_report(found, context.language, every=True), "closure")
    if not found.queue:
        st.success(say("closure.complete", count=len(found.sets)), icon=":material/done_all:")
        return
    _entries(context, found)


def _problems(context: Context, problems: Sequence[tuple[str, str]]) -> None:
    for key, unit in problems:
        words = context.say("closure.problem", rule=key, unit=unit)
        st.warning(plain(words), icon=":material/link_off:")


@fragment
def _entries(context: Context, found: ClosureReport) -> None:
    """Draw the gold sets with proposals in one state, and the selected set."""
    say, states = context.say, found.states
    st.header(say("closure.queue.title"), anchor=False)
    names = [state for state in STATES if states[state]]
    chosen = choose(
        context,
        "closure.state.label",
        names,
        lambda name: f"{say(f'closure.state.{name}')} ({states[name]})",
        "closure-state",
    )
    state: State = next(each for each in names if each == chosen)
    shown = [each for each in found.queue if state in each.states]
    row = pick_row(
        context,
        "closure.queue",
        _columns(context, found, shown, state),
        f"closure-sets-{state}",
        config=_WIDTHS,
    )
    if row is None:
        st.caption(say("closure.queue.pick"))
        return
    draw_set(context, found, shown[row], state, NOTICE)


def _columns(
    context: Context, found: ClosureReport, shown: Sequence[CheckedSet], state: State
) -> dict[str, list[object]]:
    proposed = [[one for one in each.proposals if one.state == state] for each in shown]
    rules = [dict.fromkeys(key for one in some for key in one.rules) for some in proposed]
    return {
        "question_id": [each.case.external_id for each in shown],
        "missing": [", ".join(one.place for one in some) for some in proposed],
        "rules": [
            ", ".join(found.labels.get(key, {}).get(context.language, key) for key in keys)
            for keys in rules
        ],
        "question": [beginning(each.case.question) for each in shown],
        "gold": [len(each.case.units) for each in shown],
        "kind": [context.say(f"closure.kind.{each.case.kind}") for each in shown],
    }


def _preview(context: Context, text: str) -> None:
    """Draw the effects of changed rules: sets, provisions by rule, problems, diff."""
    found = changes(*context.here, text, context.by)
    now, then = found.counts
    st.markdown(context.say("closure.preview.sets", now=now, then=then))
    for key, (before, after) in found.by_rule.items():
        words = context.say("closure.preview.rule", rule=key, now=before, then=after)
        st.caption(plain(words))
    _problems(context, found.problems)
    with st.expander(context.say("closure.preview.diff"), icon=":material/difference:"):
        st.code(found.diff, language="diff")


_EDITOR = VersionEditor(
    words="closure.text",
    place="closure-rules",
    saved="closure.saved",
    no_text="closure_file",
    limit=TEXT_LIMIT,
    source=CLOSURE_RULES,
    preview=_preview,
)
