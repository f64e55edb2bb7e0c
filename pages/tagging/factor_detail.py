"""One sub-factor of the report: what its figures say, how often each option is chosen, models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from construction.tagging.codebook import NOT_STATED
from evaluation.agreement.interpretation import Reading, read
from evaluation.agreement.statistic import Finding, Reason
from evaluation.figure import Figure
from evaluation.tagging.accuracy import ModelAccuracy
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.interval_chart import Bar, interval_chart
from services.tagging.report import FactorLine, FactorReport
from services.tagging.report_tables import findings


def draw_detail(context: Context, found: FactorReport) -> None:
    """Draw the choice of a sub-factor, the most urgent first, and all that is known of it."""
    say = context.say
    st.subheader(say("factor_report.detail"), anchor=False)
    lines = {line.sub.key: line for line in found.lines}
    urgent = [each.key for each in found.needs]
    order = [*urgent, *(key for key in lines if key not in urgent)]
    chosen = st.selectbox(
        say("factor_report.sub_factor"),
        order,
        format_func=lambda key: name_of(context, lines[key]),
        key="factor-chosen",
        width=560,
    )
    line = lines[chosen]
    st.caption(plain(line.sub.help[context.language]))
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        _agreement(context, line)
    with right, st.container(border=True, height="stretch"):
        _answers(context, line)
    for model, measured in line.models:
        with st.container(border=True):
            _model(context, line, model, measured)


def name_of(context: Context, line: FactorLine) -> str:
    """Return what a sub-factor is called, its factor before it."""
    language = context.language
    return f"{line.factor.label[language]} · {line.sub.label[language]}"


def _agreement(context: Context, line: FactorLine) -> None:
    say, found = context.say, line.agreement
    st.markdown(f"**{say('factor_report.agreement')}**")
    for _, each in findings(line):
        if each.reason is Reason.SCALE:  # kappa and AC1 of several options: nothing to read
            continue
        st.markdown(f"{say(f'statistics.name.{each.statistic}')}: {_reading(context, each)}")
    if found.paradox is not None:
        told = named(found.paradox, lambda key: option_name(context, line, key))
        st.caption(f":material/info: {plain(told.say(context.language))}")
    counts = {
        "settled": line.settled,
        "open": line.open,
        "asked_of_some": found.asked_of_some,
        "stale": found.stale,
    }
    for name, count in counts.items():
        if count:
            st.caption(say(f"factor_report.told.{name}", count=count))
    _evidence(context, line)


def named(reading: Reading, name: Callable[[str], str]) -> Reading:
    """Return the reading with its category called as an option is, and not by its key."""
    category = name(str(reading.params["category"]))
    return replace(reading, params={**reading.params, "category": category})


def _reading(context: Context, found: Finding) -> str:
    return plain(" ".join(each.say(context.language) for each in read(found)))


def _evidence(context: Context, line: FactorLine) -> None:
    found = line.evidence
    if found.likeness.value is not None:
        figures = {"overlap": share(found.likeness), "meets": share(found.meeting)}
        words = context.say("factor_report.evidence", n=found.likeness.n, **figures)
        st.caption(f":material/format_ink_highlighter: {words}")
    if found.one_sided:
        st.caption(context.say("factor_report.one_sided", count=found.one_sided))


def _answers(context: Context, line: FactorLine) -> None:
    say = context.say
    st.markdown(f"**{say('factor_report.prevalence')}**")
    bars = [Bar(option_name(context, line, key), "", f) for key, f in line.agreement.prevalence]
    if not line.sub.claim:
        bars.append(Bar(say("factor_report.unstated"), "", line.agreement.unstated))
    interval_chart(bars, say("factor_report.prevalence"), "factor-prevalence")
    st.caption(say("factor_report.prevalence_help", n=line.agreement.cases))


def _model(context: Context, line: FactorLine, model: str, found: ModelAccuracy) -> None:
    say = context.say
    st.markdown(f"**{say('factor_report.model', model=plain(model))}**")
    if found.right.n:
        figures = {"right": share(found.right), "commonest": share(found.baseline)}
        st.markdown(say("factor_report.model_right", n=found.right.n, **figures))
    else:
        st.markdown(say("factor_report.model_none"))
    if found.aided.n:
        st.caption(say("factor_report.model_aided", right=share(found.aided), n=found.aided.n))
    if found.quoted.n:
        st.caption(say("factor_report.model_quoted", share=share(found.quoted), n=found.quoted.n))
    if found.missing:
        st.caption(say("factor_report.model_missing", count=found.missing))
    for each in found.confusions:
        decided, said = (_names(context, line, keys) for keys in (each.decided, each.said))
        st.caption(say("factor_report.confusion", decided=decided, said=said, n=each.n))


def _names(context: Context, line: FactorLine, keys: tuple[str, ...]) -> str:
    return plain(", ".join(option_name(context, line, key) for key in keys))


def option_name(context: Context, line: FactorLine, key: str) -> str:
    """Return what an option is called."""
    if key == NOT_STATED:
        return context.say("factor_report.unstated")
    labels = {each.key: each.label[context.language] for each in line.sub.options}
    return labels.get(key, key)


def share(figure: Figure) -> str:
    """Return a share in whole percent with its interval."""
    value = f"{100 * (figure.value or 0.0):.0f} %"
    if figure.low is None or figure.high is None:
        return value
    return f"{value} [{100 * figure.low:.0f}, {100 * figure.high:.0f}]"
