"""Factor report screen: agreement of people and models, suggestions, making items.

Figures of the factor report: agreement on all sub-factors, and one of them in detail.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from annotation.forms.suggestions import Suggestions
from annotation.people.roles import Act
from annotation.tagging.suggestion_visibility import read_setting, set_suggestions
from llm.roles import Role
from pages.shell import reports
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import allowed, draw_head, redraw_with, show_remembered
from pages.shell.task_progress import begin, draw_end, draw_model, draw_task
from pages.shell.widgets import download, draw_parts
from services.background.tasks import TaskKind
from services.tagging.items import ItemCounts, cases_without_item, make_items
from services.tagging.report import FactorReport, factor_report, revision
from services.tagging.report_tables import as_report, name_of, readings, tags_csv, worst_first
from services.tagging.suggestions import SuggestDone, SuggestionOptions, start_suggesting

_FILE = "factors"
_INDENT = "\N{EM SPACE}"


@fragment
def draw_report(context: Context) -> None:
    """Draw the report, as a fragment: choices in it redraw nothing else."""
    found = _scope_report(context)
    report = as_report(found, context.language)
    st.markdown(md_literal(report.lead))
    if not found.lines:
        return
    agreement = report.sections[0]
    chosen = _chosen(context, found, reports.draw_section(context, agreement, _FILE))
    report = as_report(found, context.language, chosen)
    line = next(each for each in found.lines if each.sub.key == chosen)
    for words in readings(line, context.language):
        st.markdown(md_literal(words))
    for section in replace(report, sections=report.sections[1:]).filled:
        reports.draw_section(context, section, _FILE)
    reports.draw_files(context, report, _FILE)
    if context.may(Act.EXPORT_GOLD):
        name = f"{context.project}-tags.csv"
        # Excel reads a CSV as UTF-8 only with a byte order mark.
        download(
            context.say("factor_report.tags"),
            lambda: tags_csv(*context.here, context.by).encode("utf-8-sig"),
            name,
            "factor-tags",
        )


def _chosen(context: Context, found: FactorReport, row: int | None) -> str:
    """Draw the choice of a sub-factor; return its key, at first that in `row`, else the worst."""
    lines = {line.sub.key: line for line in worst_first(found)}
    st.header(context.say("factor_report.detail"), anchor=False)
    return Fields(context, "factor_report", "factor").pick(
        "sub_factor",
        lines,
        lambda key: name_of(lines[key], context.language),
        list(lines)[row or 0],
        key="chosen" if row is None else f"chosen-{row}",
        width=560,
    )


def _scope_report(context: Context) -> FactorReport:
    """Draw the choice of a scope, if any; return the report on it, by default on all cases."""
    version = revision(*context.here, context.by)
    everything = reports.cached(context, version, factor_report)
    if not everything.scopes:
        return everything
    fields = Fields(context, "factor_report", "factor")
    named = partial(_scope_name, context, everything)
    chosen = fields.pick(
        "scope", everything.scopes, named, none="factor_report.all_cases", width=420
    )
    if not chosen:
        return everything
    return reports.cached(context, version, factor_report, scope=chosen)


def _scope_name(context: Context, found: FactorReport, scope: str) -> str:
    """Return a scope's display name, indented by depth; its key if it has no name."""
    label = found.names.get(scope, {}).get(context.language, scope)
    return f"{_INDENT * scope.count('.')}{label}"


_SAMPLE = 50  # default sample size
NOTICE = "factor-report-notice"


def draw_making(context: Context) -> None:
    """Draw the tab that creates tagging items, with the number of cases that have none."""
    say = context.say
    st.markdown(say("factor_items.lead"))
    if not allowed(context, Act.MAKE_ITEMS):
        return
    with guarded(context.language):
        now = cases_without_item(*context.here, context.by)
        told = (("items", now.items), ("waiting", now.waiting), ("unmapped", now.unmapped))
        for column, (name, count) in zip(st.columns(len(told)), told, strict=True):
            help_ = context.say(f"factor_items.{name}_help")
            column.metric(context.say(f"factor_items.{name}"), f"{count:,}", help=help_)
        if now.waiting:
            _item_form(context, now)
        else:
            st.info(say("factor_items.all" if now.items else "factor_items.none"))


def _item_form(context: Context, now: ItemCounts) -> None:
    """Draw the form that makes tagging items."""
    fields = Fields(context, "factor_items", "factor-items")
    labels = {each.key: f"{each.label[context.language]} ({each.cases:,})" for each in now.groups}
    with st.container(border=True):
        every = context.say("factor_items.every_group")
        groups = fields.several("groups", labels, labels.__getitem__, placeholder=every)
        limit, seed = None, 0
        if fields.switch("sample", key="sampled"):
            left, right = fields.row(2)
            limit = left.number("limit", 1, None, _SAMPLE)
            seed = right.number("seed", 0, None, 0)
        if fields.press("make", type="primary"):
            done = make_items(*context.here, groups, limit, seed, context.by)
            counts = {"made": f"{done.made:,}", "moved": f"{done.moved:,}"}
            redraw_with(NOTICE, context.say("factor_items.done", **counts))


def draw_suggestions(context: Context) -> None:
    """Draw the setting of when suggestions are visible, and the form that has a model suggest."""
    with st.container(border=True):
        _setting(context)
    with st.container(border=True):
        st.header(context.say("factor_report.suggest.title"), anchor=False)
        st.caption(context.say("factor_report.suggest.help"))
        if (
            allowed(context, Act.MAKE_ITEMS)
            and draw_model(context, Role.TAG_FACTORS)
            and not _draw_running(context)
        ):
            _form(context)


def _setting(context: Context) -> None:
    """Draw the setting when annotators see suggestions."""
    say = context.say
    st.header(say("factor_report.setting.title"), anchor=False)
    found = read_setting(*context.here, context.by)
    chosen = st.radio(
        say("factor_report.setting.title"),
        list(Suggestions),
        index=list(Suggestions).index(found.setting),
        captions=[say(f"factor_report.setting.about_{each}") for each in Suggestions],
        format_func=lambda each: say(f"factor_report.setting.{each}"),
        disabled=not context.may(Act.EDIT_GUIDELINES),
        label_visibility="collapsed",
        key="factor-setting",
    )
    if chosen is None or chosen == found.setting:
        return
    st.caption(say("factor_report.setting.note"))
    if st.button(say("factor_report.setting.save"), type="primary", key="factor-setting-save"):
        with guarded(context.language):
            changed = set_suggestions(*context.here, chosen, context.by)
            redraw_with(NOTICE, say("factor_report.setting.saved", count=changed))


def _draw_running(context: Context) -> bool:
    """Draw the running task or its end; return whether one is running."""

    def ended(done: SuggestDone) -> None:
        """Draw the outcome of the task."""
        counts = {"cases": done.cases, "new": done.new, "shown": done.shown, "failed": done.failed}
        counts["quoted"] = done.states.get("quoted", 0)
        told = {name: f"{count:,}" for name, count in counts.items()}
        words = context.say("factor_report.suggest.came", **told)
        draw_end(context, words, done.end, done.reason)

    return draw_task(context, TaskKind.SUGGEST_TAGS, "mcq_report.make.progress", ended)


@fragment
def _form(context: Context) -> None:
    """Draw the form that has a model suggest tags."""
    case = f"factor-suggest-{context.project}"
    fields = Fields(context, "factor_report.suggest", "factor", case)
    left, right = fields.row(2)
    limit = left.number("limit", 0, 1_000_000, 0)
    seed = right.number("seed", 0, 2**31, 0)
    if fields.press("run", type="primary", icon=":material/psychology:", key="suggest"):
        wish = SuggestionOptions(limit=limit or None, seed=seed)
        begin(context, start_suggesting, wish)


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "factor_report")
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    show_remembered(NOTICE)
    parts = {"report": draw_report, "suggestions": draw_suggestions, "items": draw_making}
    draw_parts(context, "factor_report.tab.", parts, "factor-tab")
