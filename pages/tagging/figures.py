"""Figures of the factor report: sub-factors that need work, and the full table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from construction.tagging.codebook import NOT_STATED
from evaluation.agreement.interpretation import Reading, read
from evaluation.agreement.ratings import Finding, Reason
from evaluation.figure import Figure
from evaluation.tagging.accuracy import ModelAccuracy
from evaluation.tagging.agreement import Need
from pages.shell.context import Context
from pages.shell.guard import fragment, md_literal
from pages.shell.interval_chart import Bar, interval_chart
from pages.shell.widgets import download, draw_table, in_brackets, note_brackets
from services.tagging.report import FactorLine, FactorReport, factor_report, revision
from services.tagging.report_tables import findings, report_csv, tags_csv
from storage.db.workspace import Workspace

_SHOWN = 10  # sub-factors that need work; the full table has the others
_INDENT = "\N{EM SPACE}"
_WIDE = 190  # pixels of a value with its interval


def draw_detail(context: Context, found: FactorReport) -> None:
    """Draw the choice of a sub-factor, most urgent first, and its details."""
    say = context.say
    st.header(say("factor_report.detail"), anchor=False)
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
    st.caption(md_literal(line.sub.help[context.language]))
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        _agreement(context, line)
    with right, st.container(border=True, height="stretch"):
        _answers(context, line)
    for model, measured in line.models:
        with st.container(border=True):
            _model(context, line, model, measured)


def name_of(context: Context, line: FactorLine) -> str:
    """Return the display name of a sub-factor, with its factor."""
    language = context.language
    return f"{line.factor.label[language]} · {line.sub.label[language]}"


def _agreement(context: Context, line: FactorLine) -> None:
    say, found = context.say, line.agreement
    st.markdown(f"**{say('factor_report.agreement')}**")
    st.caption(say("factor_report.base", n=found.paired))
    for _, each in findings(line):
        if each is found.ordered:
            st.caption(say("factor_report.base_ordered", n=each.figure.n))
        if each.reason is Reason.SCALE:  # kappa and AC1 of several options: no interpretation
            continue
        st.markdown(f"{say(f'statistics.name.{each.statistic}')}: {_reading(context, each)}")
    if found.paradox is not None:
        told = named(found.paradox, lambda key: option_name(context, line, key))
        st.caption(f":material/info: {md_literal(told.say(context.language))}")
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
    """Return the reading with the display name of its category instead of the key."""
    category = name(str(reading.params["category"]))
    return replace(reading, params={**reading.params, "category": category})


def _reading(context: Context, found: Finding) -> str:
    return md_literal(" ".join(each.say(context.language) for each in read(found)))


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
    st.markdown(f"**{say('factor_report.model', model=md_literal(model))}**")
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
    return md_literal(", ".join(option_name(context, line, key) for key in keys))


def option_name(context: Context, line: FactorLine, key: str) -> str:
    """Return the display name of an option."""
    if key == NOT_STATED:
        return context.say("factor_report.unstated")
    labels = {each.key: each.label[context.language] for each in line.sub.options}
    return labels.get(key, key)


def share(figure: Figure) -> str:
    """Return a share in whole percent with its interval."""
    value = f"{100 * (figure.value or 0.0):.0f} %"
    return f"{value} {figure.interval(100, 0)}"


@st.cache_data(max_entries=8, show_spinner=False)
def _factor_report(
    place: str, project: str, version: str, scope: str, _ws: Workspace
) -> FactorReport:
    # Permission was checked by `revision`, and rows are only added.
    return factor_report(_ws, project, scope=scope)


@fragment
def draw_report(context: Context) -> None:
    """Draw the report, as a fragment: choices in it redraw nothing else."""
    found = _scope_report(context)
    if not found.cases:
        st.info(context.say("factor_report.empty"), icon=":material/hourglass_empty:")
        return
    _counts(context, found)
    _needs(context, found)
    _all(context, found)
    draw_detail(context, found)
    _files(context, found)


def _scope_report(context: Context) -> FactorReport:
    """Return the report on the chosen scope, by default on all cases."""
    version = revision(*context.here, context.by)
    asked = context.workspace.place, context.project, version
    everything = _factor_report(*asked, "", context.workspace)
    if not everything.scopes:
        return everything
    words = context.say("factor_report.all_cases")
    chosen = st.selectbox(
        context.say("factor_report.scope"),
        ["", *everything.scopes],
        format_func=lambda each: _scope_name(context, everything, each) if each else words,
        key="factor-scope",
        width=420,
    )
    return _factor_report(*asked, chosen, context.workspace) if chosen else everything


def _scope_name(context: Context, found: FactorReport, scope: str) -> str:
    """Return a scope's display name, indented by depth; its key if it has no name."""
    label = found.names.get(scope, {}).get(context.language, scope)
    return f"{_INDENT * scope.count('.')}{label}"


def _counts(context: Context, found: FactorReport) -> None:
    counts = {
        "cases": found.cases,
        "open": found.open,
        "answered": len(found.lines),
        "unanswered": found.unanswered,
    }
    for column, (name, count) in zip(st.columns(len(counts)), counts.items(), strict=True):
        column.metric(context.say(f"factor_report.count.{name}"), f"{count:,}", border=True)
    people = md_literal(", ".join(found.people))
    st.caption(context.say("factor_report.by", people=people, version=found.codebook_version))


def _needs(context: Context, found: FactorReport) -> None:
    say = context.say
    st.header(say("factor_report.needs"), anchor=False)
    if not found.needs:
        st.success(say("factor_report.needs_none"), icon=":material/done_all:")
        return
    st.caption(say("factor_report.needs_help"))
    lines = {line.sub.key: line for line in found.lines}
    rows = found.needs[:_SHOWN]
    columns = {
        "sub_factor": [name_of(context, lines[n.key]) for n in rows],
        "why_head": [_reasons(context, each) for each in rows],
        "bound": [_bound(context, each) for each in rows],
        "differ": [_disagreement_cell(lines[each.key]) for each in rows],
        "comments": [each.comments for each in rows],
    }
    draw_table(
        context,
        "factor_report",
        columns,
        "factor-needs",
        wide="why_head",
        height="content",
        alt=say("factor_report.needs"),
    )
    if len(found.needs) > len(rows):
        more = len(found.needs) - len(rows)
        st.caption(say("factor_report.needs_more", count=more))


def _all(context: Context, found: FactorReport) -> None:
    say = context.say
    st.header(say("factor_report.all"), anchor=False)
    st.caption(say("factor_report.all_help"))
    columns: dict[str, list[object]] = {
        "sub_factor": [name_of(context, each) for each in found.lines],
        "cases": [each.agreement.cases for each in found.lines],
        "differ": [_disagreement_cell(each) for each in found.lines],
    }
    statistics = ("raw", "kappa", "alpha", "ac1")
    for name in statistics:
        columns[f"statistic.{name}"] = [
            _agreement_cell(getattr(each.agreement, name)) for each in found.lines
        ]
    columns["unstated"] = [percent(e.agreement.unstated) for e in found.lines]
    for model in found.models:
        words = say("factor_report.right_of", model=model)
        columns[words] = [_accuracy_cell(each, model) for each in found.lines]
    draw_table(
        context,
        "factor_report",
        columns,
        "factor-all",
        config={f"statistic.{n}": st.column_config.Column(width=_WIDE) for n in statistics},
        alt=say("factor_report.all"),
    )
    note_brackets(context, (each.agreement.raw.figure for each in found.lines))


def _files(context: Context, found: FactorReport) -> None:
    files = {"figures": partial(report_csv, found)}
    if context.may(Act.EXPORT_GOLD):
        files["tags"] = partial(tags_csv, *context.here, context.by)
    with st.container(horizontal=True):
        for name, text in files.items():
            download(
                context.say(f"factor_report.file.{name}"),
                partial(_bytes, text),
                f"{context.project}-{name}.csv",
                f"factor-file-{name}",
            )


def percent(figure: Figure) -> str:
    """Return a percentage with its interval, in brackets if weak; a dash if undefined."""
    return "–" if figure.value is None else in_brackets(figure, share(figure))


def _bytes(text: Callable[[], str]) -> bytes:
    # Excel reads a CSV as UTF-8 only with a byte order mark.
    return text().encode("utf-8-sig")


def _agreement_cell(found: Finding) -> str:
    figure = found.figure
    if figure.value is None:
        return "–"
    return in_brackets(figure, f"{figure.value:.2f} {figure.interval(digits=2)}")


def _disagreement_cell(line: FactorLine) -> str:
    return f"{line.agreement.differing} / {line.agreement.paired}"


def _accuracy_cell(line: FactorLine, model: str) -> str:
    found = dict(line.models).get(model)
    return "–" if found is None else percent(found.right)


def _reasons(context: Context, need: Need) -> str:
    return "; ".join(context.say(f"factor_report.why.{each}") for each in need.reasons)


def _bound(context: Context, need: Need) -> str:
    if need.bound.figure.value is None:
        return "–"
    words = context.say(f"statistics.name.{need.bound.statistic}")
    return f"{words} {_agreement_cell(need.bound)}"
