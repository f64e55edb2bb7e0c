"""Closure screen: probably incomplete gold, decisions, audit, rules.

Audit of paragraph references: shares, and the questions with a leak.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from annotation.closure.proposals import STATES, CheckedSet, State
from annotation.people.roles import Act
from annotation.work.submissions import beginning
from annotation.work.versioned_texts import CLOSURE_RULES
from construction.closure.rules import TEXT_LIMIT
from pages.closure.gold_set import draw_set
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import allowed, draw_head, show_remembered
from pages.shell.plain_text import plain_text, split_by_marks
from pages.shell.reports import draw_files, draw_report, draw_section
from pages.shell.version_editor import VersionEditor
from pages.shell.widgets import Views, choose_counted, draw_view, pick_row
from services.closure.audit import AuditedSet, audit_references
from services.closure.report import ClosureReport, changes, check
from services.closure.report_tables import (
    as_report,
    audit_report,
    counts_section,
    leak_words,
    leaks_of,
)


def draw_audit(context: Context) -> None:
    """Draw the audit's findings in the law in use."""
    found = audit_references(*context.here, context.by)
    st.caption(context.say("closure.audit.help"))
    report = audit_report(found, context.language)
    row = draw_report(context, report, "closure-audit").get("leaks")
    if row is not None:
        _draw_set(context, list(leaks_of(found))[row][0])
    elif found.queue:
        st.caption(context.say("closure.audit.pick"))


def _draw_set(context: Context, found: AuditedSet) -> None:
    """Draw the answer with its references marked, and the fault of each."""
    for leak in found.found.leaks:
        place = f"{found.places[leak.place.unit]} {leak.place.pinpoint}"
        st.markdown(f"**{md_literal(place)}**")
        st.caption(md_literal(leak_words(found, leak, context.language)))
    st.caption(context.say("closure.set.answer"))
    spans = [(leak.place.start, leak.place.end) for leak in found.found.leaks if leak.place.text]
    marked = split_by_marks(found.answer, {"match": spans})
    plain_text(marked, f"closure-audit-{found.kind}-{found.external_id}", language=found.language)


NOTICE = "closure-notice"
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
    rules = partial(_EDITOR.draw, notice=NOTICE)
    with guarded(context.language):
        views: Views = {"queue": _queue, "audit": draw_audit, "rules": rules}
        draw_view(context, "closure.tab", "closure-tab", views)


def _queue(context: Context) -> None:
    """Draw the gold sets that lack provisions, by state."""
    say, report = context.say, check(*context.here, context.by)
    _problems(context, report.problems)
    if not report.sets:
        st.info(say("closure.no_gold"), icon=":material/info:")
        return
    draw_section(context, counts_section(report, context.language), "closure")
    draw_files(context, as_report(report, context.language, every=True), "closure")
    if report.queue:
        _entries(context, report)
    else:
        st.success(say("closure.complete", count=len(report.sets)), icon=":material/done_all:")


def _problems(context: Context, problems: Sequence[tuple[str, str]]) -> None:
    """Draw the rules that name units which the law lacks."""
    for key, unit in problems:
        words = context.say("closure.problem", rule=key, unit=unit)
        st.warning(md_literal(words), icon=":material/link_off:")


@fragment
def _entries(context: Context, report: ClosureReport) -> None:
    """Draw the gold sets with proposals in one state, and the selected set."""
    st.header(context.say("closure.queue.title"), anchor=False)
    counts = {state: report.states[state] for state in STATES if report.states[state]}
    state = choose_counted(context, "closure.state", counts, "closure-state")
    shown = [each for each in report.queue if state in each.states]
    columns, hint = _columns(context, report, shown, state), "closure.queue.pick"
    key = f"closure-sets-{state}"
    row = pick_row(context, "closure.queue", columns, key, hint, config=_WIDTHS)
    if row is not None:
        draw_set(context, report, shown[row], state, NOTICE)


def _columns(
    context: Context, report: ClosureReport, sets: Sequence[CheckedSet], state: State
) -> dict[str, list[object]]:
    """Return the columns of the table of gold sets."""
    proposed = [[one for one in each.proposals if one.state == state] for each in sets]
    rules = [dict.fromkeys(key for one in some for key in one.rules) for some in proposed]
    return {
        "question_id": [each.case.external_id for each in sets],
        "missing": [", ".join(one.place for one in some) for some in proposed],
        "rules": [
            ", ".join(report.labels.get(key, {}).get(context.language, key) for key in keys)
            for keys in rules
        ],
        "question": [beginning(each.case.question) for each in sets],
        "gold": [len(each.case.units) for each in sets],
        "kind": [context.say(f"closure.kind.{each.case.kind}") for each in sets],
    }


def _preview(context: Context, text: str) -> None:
    """Draw the effects of changed rules: sets, provisions by rule, problems, diff."""
    found = changes(*context.here, text, context.by)
    now, then = found.counts
    st.markdown(context.say("closure.preview.sets", now=now, then=then))
    for key, (before, after) in found.by_rule.items():
        words = context.say("closure.preview.rule", rule=key, now=before, then=after)
        st.caption(md_literal(words))
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
