"""Factor report screen: agreement of people and models, suggestions, making items.

Figures of the factor report: agreement on all sub-factors, and one of them in detail.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from annotation.people.roles import Act
from annotation.tagging.suggestion_visibility import read_setting, set_suggestions
from llm.roles import Role
from pages.shell import reports
from pages.shell.context import Context
from pages.shell.draft_state import kept_value
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import allowed, draw_head, remember, show_remembered
from pages.shell.task_progress import begin, draw_end, draw_model, draw_task
from pages.shell.widgets import download
from services.background.tasks import TaskKind
from services.tagging.items import ItemCounts, cases_without_item, make_items
from services.tagging.report import FactorReport, factor_report, revision
from services.tagging.report_tables import as_report, name_of, readings, tags_csv, worst_first
from services.tagging.suggestions import SuggestDone, SuggestionOptions, start_suggesting
from storage.subjects import Suggestions

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
        download(context.say("factor_report.tags"), lambda: _tags(context), name, "factor-tags")


def _tags(context: Context) -> bytes:
    """Return the tags as CSV."""
    # Excel reads a CSV as UTF-8 only with a byte order mark.
    return tags_csv(*context.here, context.by).encode("utf-8-sig")


def _chosen(context: Context, found: FactorReport, row: int | None) -> str:
    """Return the sub-factor chosen, by default that of the `row` pressed, or the worst."""
    lines = {line.sub.key: line for line in worst_first(found)}
    st.header(context.say("factor_report.detail"), anchor=False)
    return st.selectbox(
        context.say("factor_report.sub_factor"),
        list(lines),
        index=row or 0,
        format_func=lambda key: name_of(lines[key], context.language),
        key="factor-chosen" if row is None else f"factor-chosen-{row}",
        width=560,
    )


def _scope_report(context: Context) -> FactorReport:
    """Return the report on the chosen scope, by default on all cases."""
    version = revision(*context.here, context.by)
    everything = reports.cached(context, version, factor_report)
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
    if not chosen:
        return everything
    return reports.cached(context, version, factor_report, scope=chosen)


def _scope_name(context: Context, found: FactorReport, scope: str) -> str:
    """Return a scope's display name, indented by depth; its key if it has no name."""
    label = found.names.get(scope, {}).get(context.language, scope)
    return f"{_INDENT * scope.count('.')}{label}"


_SAMPLE = 50  # default sample size
NOTICE = "factor-report-notice"
TABS = ("report", "suggestions", "items")


def draw_making(context: Context, notice: str) -> None:
    """Draw the tab that creates items; the outcome is remembered under `notice`."""
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
            _item_form(context, now, notice)
        else:
            st.info(say("factor_items.all" if now.items else "factor_items.none"))


def _item_form(context: Context, now: ItemCounts, notice: str) -> None:
    """Draw the form that makes tagging items."""
    say = context.say
    labels = {each.key: f"{each.label[context.language]} ({each.cases:,})" for each in now.groups}
    with st.container(border=True):
        groups = st.multiselect(
            say("factor_items.groups"),
            list(labels),
            format_func=lambda key: labels.get(key, key),
            placeholder=say("factor_items.every_group"),
            key="factor-items-groups",
        )
        sampled = st.toggle(say("factor_items.sample"), key="factor-items-sampled")
        limit = seed = None
        if sampled:
            left, right = st.columns(2)
            limit = left.number_input(
                say("factor_items.limit"), 1, value=_SAMPLE, key="factor-items-limit"
            )
            seed = right.number_input(
                say("factor_items.seed"),
                0,
                value=0,
                help=say("factor_items.seed_help"),
                key="factor-items-seed",
            )
        if st.button(say("factor_items.make"), type="primary", key="factor-items-make"):
            _make(context, groups, limit, seed or 0, notice)


def _make(context: Context, groups: list[str], limit: int | None, seed: int, notice: str) -> None:
    """Make tagging items."""
    done = make_items(*context.here, groups, limit, seed, context.by)
    counts = {"made": f"{done.made:,}", "moved": f"{done.moved:,}"}
    remember(notice, context.say("factor_items.done", **counts))
    st.rerun()


def draw_suggestions(context: Context, notice: str) -> None:
    """Draw the suggestions tab; the outcome of a change is remembered under `notice`."""
    with st.container(border=True):
        _setting(context, notice)
    with st.container(border=True):
        st.header(context.say("factor_report.suggest.title"), anchor=False)
        st.caption(context.say("factor_report.suggest.help"))
        if (
            allowed(context, Act.MAKE_ITEMS)
            and draw_model(context, Role.TAG_FACTORS)
            and not _draw_running(context)
        ):
            _form(context)


def _setting(context: Context, notice: str) -> None:
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
            remember(notice, say("factor_report.setting.saved", count=changed))
            st.rerun()


def _draw_running(context: Context) -> bool:
    """Draw the running task or its end; return whether one is running."""

    def ended(done: SuggestDone) -> None:
        """Draw the outcome of the task."""
        draw_end(context, _outcome_text(context, done), done.end, done.reason)

    return draw_task(context, TaskKind.SUGGEST_TAGS, "mcq_report.make.progress", ended)


def _outcome_text(context: Context, done: SuggestDone) -> str:
    counts = {"cases": done.cases, "new": done.new, "shown": done.shown, "failed": done.failed}
    quoted = done.states.get("quoted", 0)
    told = {name: f"{count:,}" for name, count in (counts | {"quoted": quoted}).items()}
    return context.say("factor_report.suggest.came", **told)


@fragment
def _form(context: Context) -> None:
    """Draw the form that has a model suggest tags."""
    say, form = context.say, f"factor-suggest-{context.project}"
    left, right = st.columns(2)
    limit = left.number_input(
        say("factor_report.suggest.limit"), 0, 1_000_000, **kept_value(form, "factor-limit", 0)
    )
    seed = right.number_input(
        say("factor_report.suggest.seed"), 0, 2**31, **kept_value(form, "factor-seed", 0)
    )
    words = say("factor_report.suggest.run")
    if st.button(words, type="primary", icon=":material/psychology:", key="factor-suggest"):
        wish = SuggestionOptions(limit=int(limit) or None, seed=int(seed))
        begin(context, start_suggesting, wish)


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "factor_report")
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    show_remembered(NOTICE)
    names = [context.say(f"factor_report.tab.{each}") for each in TABS]
    figures, suggestions, items = st.tabs(names, on_change="rerun", key="factor-tab")
    if figures.open:
        with figures:
            draw_report(context)
    if suggestions.open:
        with suggestions:
            draw_suggestions(context, NOTICE)
    if items.open:
        with items:
            draw_making(context, NOTICE)
