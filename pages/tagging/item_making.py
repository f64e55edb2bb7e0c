"""Making items of court cases to tag: how many there are, and of which groups to make more."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.notices import remember
from pages.shell.permission_notice import allowed
from services.tagging.items import ItemCounts, make_items, standing

_SAMPLE = 50  # how many a sample has until somebody says otherwise


def draw_making(context: Context, notice: str) -> None:
    """Draw the tab; what came of making is remembered under `notice`."""
    say = context.say
    st.markdown(say("factor_items.lead"))
    if not allowed(context, Act.MAKE_ITEMS):
        return
    with guarded(context.language):
        here = context.workspace, context.project, context.person.id
        now = standing(*here)
        _figures(context, now)
        if now.waiting:
            _form(context, now, notice)
        else:
            st.info(say("factor_items.all" if now.items else "factor_items.none"))


def _figures(context: Context, now: ItemCounts) -> None:
    told = (("items", now.items), ("waiting", now.waiting), ("unmapped", now.unmapped))
    for column, (name, count) in zip(st.columns(len(told)), told, strict=True):
        help_ = context.say(f"factor_items.{name}_help")
        column.metric(context.say(f"factor_items.{name}"), f"{count:,}", help=help_)


def _form(context: Context, now: ItemCounts, notice: str) -> None:
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
    here = context.workspace, context.project
    done = make_items(*here, groups, limit, seed, context.person.id)
    counts = {"made": f"{done.made:,}", "moved": f"{done.moved:,}"}
    remember(notice, context.say("factor_items.done", **counts))
    st.rerun()
