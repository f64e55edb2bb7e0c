"""Suggestions of models: when people see them, and asking for them."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from annotation.tagging.suggestion_visibility import Suggestions, read_setting, set_suggestions
from errors import UserError
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.draft_state import kept
from pages.shell.guard import guarded, show
from pages.shell.notices import remember
from pages.shell.permission_notice import allowed
from pages.shell.task_progress import begin, draw_end, draw_task
from services.background.tasks import TaskKind
from services.models.workspace_models import roles
from services.tagging.suggestions import SuggestDone, SuggestionOptions, start_suggesting


def draw_suggestions(context: Context, notice: str) -> None:
    """Draw the tab; what a change came to is remembered under `notice`."""
    with st.container(border=True):
        _setting(context, notice)
    with st.container(border=True):
        st.subheader(context.say("factor_report.suggest.title"), anchor=False)
        st.caption(context.say("factor_report.suggest.help"))
        if allowed(context, Act.MAKE_ITEMS) and _model(context) and not _work(context):
            _form(context)


def _setting(context: Context, notice: str) -> None:
    say = context.say
    st.subheader(say("factor_report.setting.title"), anchor=False)
    found = read_setting(context.workspace, context.project, context.person.id)
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
        here = context.workspace, context.project
        try:
            changed = set_suggestions(*here, chosen, context.person.id)
        except UserError as error:
            show(error, context.language)
            return
        remember(notice, say("factor_report.setting.saved", count=changed))
        st.rerun()


def _model(context: Context) -> bool:
    """Say which model the role has; return whether it has one."""
    found = next(each for each in roles(context.workspace) if each.role is Role.TAG_FACTORS)
    if found.endpoint is None:
        adds = context.say(f"llm.adds.{Role.TAG_FACTORS}")
        st.info(context.say("mcq_report.make.not_set", adds=adds), icon=":material/power_off:")
        return False
    at = {"model": found.endpoint.model, "server": found.endpoint.base_url}
    st.text(context.say("mcq_report.make.model_set", **at))  # Markdown would make it a link
    return True


def _work(context: Context) -> bool:
    def ended(done: SuggestDone) -> None:
        draw_end(context, _came(context, done), done.end, done.reason)

    return draw_task(context, TaskKind.SUGGEST_TAGS, "mcq_report.make.progress", ended)


def _came(context: Context, done: SuggestDone) -> str:
    counts = {"cases": done.cases, "new": done.new, "shown": done.shown, "failed": done.failed}
    quoted = done.states.get("quoted", 0)
    told = {name: f"{count:,}" for name, count in (counts | {"quoted": quoted}).items()}
    return context.say("factor_report.suggest.came", **told)


@st.fragment
def _form(context: Context) -> None:
    say, form = context.say, f"factor-suggest-{context.project}"
    with guarded(context.language):
        left, right = st.columns(2)
        limit = left.number_input(
            say("factor_report.suggest.limit"), 0, 1_000_000, **kept(form, "factor-limit", 0)
        )
        seed = right.number_input(
            say("factor_report.suggest.seed"), 0, 2**31, **kept(form, "factor-seed", 0)
        )
        words = say("factor_report.suggest.run")
        if st.button(words, type="primary", icon=":material/psychology:", key="factor-suggest"):
            wish = SuggestionOptions(limit=int(limit) or None, seed=int(seed))
            begin(context, start_suggesting, wish)
