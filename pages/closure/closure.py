"""Closure screen: probably incomplete gold, decisions, audit, rules.

Audit of paragraph references: shares, and the questions with a leak.

A gold set: question, gold, proposed provisions with their evidence, and actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from annotation.closure.decisions import decide
from annotation.closure.gold_sets import Verdict
from annotation.closure.proposals import STATES, CheckedSet, Proposal, State
from annotation.people.roles import Act
from annotation.work.editions import NOTE_LIMIT
from annotation.work.submissions import beginning
from annotation.work.versioned_texts import CLOSURE_RULES
from construction.closure.engine import Fired
from construction.closure.rules import TEXT_LIMIT
from errors import UserError
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import allowed, draw_head, redraw_with, show_remembered
from pages.shell.plain_text import plain_text, split_by_marks
from pages.shell.reports import draw_files, draw_report, draw_section
from pages.shell.version_editor import VersionEditor
from pages.shell.widgets import Views, choose_counted, draw_view, pick_row
from services.closure.audit import AuditedSet, audit_references
from services.closure.report import ClosureReport, ProvisionWords, changes, check, provisions
from services.closure.report_tables import (
    as_report,
    audit_report,
    counts_section,
    leak_words,
    leaks_of,
)

_TEXT_HEIGHT, _LONG = 320, 900  # pixels of a text before it folds; characters of a long text
_ICONS: dict[Verdict, str] = {
    "added": ":material/reply:",
    "dismissed": ":material/close:",
    "reopened": ":material/lock_open:",
}
_ACTS: dict[State, tuple[Verdict, ...]] = {
    "waiting": ("added", "dismissed"),
    "declined": ("added", "dismissed"),
    "dismissed": ("reopened",),
    "sent_back": (),
}


def draw_set(
    context: Context, report: ClosureReport, checked_set: CheckedSet, state: State, notice_key: str
) -> None:
    """Draw a gold set with its proposals in one state, and their actions.

    `notice_key` is the key of the message shown after an act.
    """
    shown = [each for each in checked_set.proposals if each.state == state]
    units = {unit for each in shown for unit in (each.unit, *_trigger_units(each))}
    words = provisions(*context.here, {*units, *checked_set.case.units}, context.by)
    left, right = st.columns([2, 3], gap="large")
    with left:
        _draw_question(context, checked_set, shown, words)
    with right:
        for at, each in enumerate(shown):
            _draw_proposal(context, report, checked_set, each, words, at)
        if context.may(Act.CLOSE_GOLD) and _ACTS[state]:
            _draw_acts(context, checked_set, shown, state, notice_key)


def _trigger_units(proposal: Proposal) -> set[str]:
    """Return the ids of the provisions whose text triggered a rule for the proposal."""
    return {fired.unit for why in proposal.why for fired in why.fired if fired.unit}


def _marks(proposals: Sequence[Proposal], where: str, unit: str = "") -> list[tuple[int, int]]:
    """Return the sorted (start, end) that triggered rules in question, answer or provision."""
    return sorted(
        {
            (fired.start, fired.end)
            for each in proposals
            for why in each.why
            for fired in why.fired
            if fired.where == where and fired.unit == unit
        }
    )


def _draw_question(
    context: Context,
    checked_set: CheckedSet,
    proposals: Sequence[Proposal],
    provisions: Mapping[str, ProvisionWords],
) -> None:
    """Draw a question with its gold and the proposed provisions."""
    say, case = context.say, checked_set.case
    key = f"closure-{case.kind}-{case.id}"
    st.markdown(f"**{md_literal(case.external_id)}** · {say(f'closure.kind.{case.kind}')}")
    for where, text in (("question", case.question), ("answer", case.answer)):
        st.caption(say(f"closure.set.{where}"))
        marked = split_by_marks(text, {"match": _marks(proposals, where)})
        height = _TEXT_HEIGHT if len(text) > _LONG else None
        plain_text(marked, f"{key}-{where}", language=case.language, height=height)
    st.caption(say("closure.set.gold"))
    for unit in case.units:
        each = provisions.get(unit)
        st.markdown(f"- {md_literal(f'{each.place} {each.heading}'.strip() if each else unit)}")
    if not case.units:
        st.markdown(say("closure.set.pending"))
    for unit in checked_set.unknown:
        st.warning(md_literal(say("closure.set.unknown", unit=unit)), icon=":material/link_off:")
    if not checked_set.complete:
        st.warning(say("closure.set.bound"), icon=":material/all_inclusive:")


def _draw_proposal(
    context: Context,
    report: ClosureReport,
    checked_set: CheckedSet,
    each: Proposal,
    provisions: Mapping[str, ProvisionWords],
    at: int,
) -> None:
    """Draw a proposed provision: its rules, the text that triggered them, its own text."""
    say, key = context.say, f"closure-{checked_set.case.kind}-{checked_set.case.id}-{at}"
    with st.container(border=True):
        said = provisions.get(each.unit)
        title = f"{each.place} {said.heading}".strip() if said else each.place
        if context.may(Act.CLOSE_GOLD) and _ACTS[each.state]:
            st.checkbox(
                f"**{md_literal(title)}**", value=True, key=_checkbox_key(checked_set, each)
            )
        else:
            st.markdown(f"**{md_literal(title)}**")
        for why in each.why:
            label = report.labels.get(why.rule, {}).get(context.language, why.rule)
            st.markdown(f":material/rule: {md_literal(label)}")
            for fired in why.fired:
                st.caption(md_literal(_trigger_text(context, fired, provisions)))
            if why.round > 1 and why.via in provisions:
                st.caption(md_literal(say("closure.set.via", place=provisions[why.via].place)))
        _draw_decision(context, each)
        if said and not said.text:
            st.caption(say("closure.set.no_text"))
        elif said:
            _draw_text(said, _marks([each], "text", each.unit), f"{key}-text")
        for unit in sorted(_trigger_units(each) - {each.unit}):
            other, spans = provisions.get(unit), _marks([each], "text", unit)
            if other is not None and spans:
                with st.expander(md_literal(say("closure.set.stands", place=other.place))):
                    _draw_text(other, spans, f"{key}-{unit}")


def _draw_text(provision: ProvisionWords, spans: Sequence[tuple[int, int]], key: str) -> None:
    """Draw a provision's text with its marks; a long one scrolls, from the first mark."""
    marked = split_by_marks(provision.text, {"match": spans})
    long = len(provision.text) > _LONG
    first = next((at for at, each in enumerate(marked) if each.marks), None)
    shown = (first, 1) if long and first is not None else None
    height = _TEXT_HEIGHT if long else None
    plain_text(marked, key, language=provision.language, height=height, scroll_to=shown)


def _trigger_text(context: Context, fired: Fired, provisions: Mapping[str, ProvisionWords]) -> str:
    """Return the text that triggered a rule, with where it stands."""
    place = provisions[fired.unit].place if fired.unit in provisions else fired.unit
    return context.say(f"closure.fired.{fired.where}", text=fired.text, place=place)


def _draw_decision(context: Context, each: Proposal) -> None:
    """Draw who decided on a proposal, when and why."""
    said = each.decision
    if said is None:
        return
    who, at = said.person or context.say("guidelines.operator"), f"{said.at:%Y-%m-%d %H:%M}"
    st.caption(md_literal(context.say(f"closure.said.{said.verdict}", who=who, at=at)))
    if said.reason:
        st.text(said.reason)


def _draw_acts(
    context: Context,
    checked_set: CheckedSet,
    proposals: Sequence[Proposal],
    state: State,
    notice_key: str,
) -> None:
    """Draw the form that adds or dismisses proposals, and carry out what it sends.

    An error is drawn at the reason field.
    """
    say, case, language = context.say, checked_set.case, context.language
    key, verdict = f"closure-act-{case.kind}-{case.id}", None
    kinds = {each: f"{each}_{case.kind}" if each == "added" else each for each in _ACTS[state]}
    with st.form(f"{key}-form", border=False):
        reason = st.text_input(say("closure.act.reason"), max_chars=NOTE_LIMIT, key=f"{key}-reason")
        refused = st.container()
        with st.container(horizontal=True):
            for each, name in kinds.items():
                words = say(f"closure.act.{name}")
                if st.form_submit_button(words, key=f"{key}-{each}", icon=_ICONS[each]):
                    verdict = each
    if verdict is None:
        return
    ticked = {each.unit: _checkbox_key(checked_set, each) for each in proposals}
    units = [unit for unit, box in ticked.items() if st.session_state.get(box)]
    try:
        if not units:
            raise UserError("closure_none", question=case.external_id)
        act = partial(decide, state_shown=state, by=context.by, language=language)
        act(*context.here, verdict, case.kind, case.external_id, units, reason)
    except UserError as error:
        said = f"{error.what(language)} {error.remedy(language)}"
        refused.error(md_literal(said), icon=":material/error:")
        return
    redraw_with(notice_key, say(f"closure.done.{kinds[verdict]}", id=case.external_id))


def _checkbox_key(checked_set: CheckedSet, each: Proposal) -> str:
    return f"closure-take-{checked_set.case.kind}-{checked_set.case.id}-{each.unit}"


def draw_audit(context: Context) -> None:
    """Draw the audit of paragraph references in gold, and the picked question's leaks."""
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
    rules = partial(_EDITOR.draw, notice_key=NOTICE)
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
