"""Stricter groups screen: the most similar cases, and benchmarks built from them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.guard import fragment, md_literal
from pages.shell.notices import allowed
from pages.shell.widgets import choose, pick_row, select
from pages.stricter.benchmark import draw_benchmark
from pages.stricter.group_detail import draw_one
from pages.stricter.labels import Wording
from services.stricter.groups import GroupFound, Stricter, revision, stricter, tagging_models
from storage.db.workspace import Workspace

_EVERY = ""
TABS = ("groups", "benchmark")


@st.cache_resource(max_entries=4, show_spinner=False)
def _cached_groups(place: str, project: str, version: str, model: str, _ws: Workspace) -> Stricter:
    # Permission was checked by `revision`.
    return stricter(_ws, project, model=model)


@fragment
def draw_groups(context: Context, model: str) -> None:
    """Draw the list and the selected group, as a fragment: choices redraw nothing else."""
    version = revision(*context.here, context.by)
    found = _cached_groups(
        context.workspace.place, context.project, version, model, context.workspace
    )
    if not found.groups:
        st.info(context.say("stricter.no_groups"), icon=":material/info:")
        return
    _counts(context, found)
    if not found.tagged:
        st.info(context.say("stricter.no_tags"), icon=":material/info:")
    words = Wording(context, found)
    lines = _filtered(context, found, words)
    if not lines:
        st.caption(context.say("stricter.list.none"))
        return
    chosen = _table(context, lines, words)
    if chosen is not None:
        draw_one(context, found, chosen, words)


def _counts(context: Context, stricter: Stricter) -> None:
    """Draw how many groups were formed, of how many cases."""
    left_out = {case for group in stricter.groups for case in group.table.gaps}
    formed = [group for group in stricter.groups if group.groups]
    told = {
        "groups": len(stricter.groups),
        "formed": len(formed),
        "cases": len({case for each in formed for case in each.groups[0]}),
        "tagged": len(stricter.tagged),
        "left_out": len(left_out),
    }
    with st.container(horizontal=True):
        for name, count in told.items():
            st.metric(context.say(f"stricter.count.{name}"), f"{count:,}", border=True)


def _filtered(context: Context, stricter: Stricter, wording: Wording) -> list[GroupFound]:
    """Draw the filters; return the groups that pass them."""
    say = context.say
    categories = {_EVERY: say("stricter.list.all")}
    categories |= {e.place.category.key: wording.category(e.place) for e in stricter.groups}
    left, right = st.columns([2, 2], vertical_alignment="bottom")
    category = select(context, "stricter.list.category", categories, "stricter-category", left)
    formed = any(group.groups for group in stricter.groups)
    only = right.toggle(
        say("stricter.list.only_formed"), value=formed, disabled=not formed, key="stricter-formed"
    )
    return [
        group
        for group in stricter.groups
        if category in (_EVERY, group.place.category.key) and (group.groups or not only)
    ]


def _table(context: Context, lines: Sequence[GroupFound], wording: Wording) -> GroupFound | None:
    """Draw the groups as a table; return the picked one."""
    say = context.say
    alike = []
    for line in lines:
        told = {"depth": line.found.depth, "all": len(line.table.columns)}
        alike.append(None if line.found.depth is None else say("stricter.list.alike_of", **told))
    columns = {
        "group": [wording.group(line.place) for line in lines],
        "category": [wording.category(line.place) for line in lines],
        "cases": [len(line.cases) for line in lines],
        "tagged": [len(line.table.rows) for line in lines],
        "stricter": [len(line.groups[0]) if line.groups else None for line in lines],
        "more": [max(len(line.groups) - 1, 0) or None for line in lines],
        "alike": alike,
    }
    row = pick_row(
        context,
        "stricter.list",
        columns,
        "stricter-list",
        "stricter.list.pick",
        wide="group",
        config={"tagged": st.column_config.NumberColumn(help=say("stricter.list.tagged_help"))},
        placeholder="–",
        selection_default={"selection": {"rows": [0]}},
    )
    return None if row is None else lines[row]


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("app.pages.stricter_groups"), anchor=False)
    st.markdown(context.say("stricter.lead"))
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    chosen = choose(context, "stricter.tab.label", TABS, "stricter.tab", "stricter-tab")
    draw = draw_benchmark if chosen == "benchmark" else draw_groups
    draw(context, _tag_source(context))


def _tag_source(context: Context) -> str:
    """Draw whose tags form the groups, if a model has tagged cases; "" means people's."""
    models = tagging_models(*context.here, context.by)
    if not models:
        return ""
    names = {_EVERY: context.say("stricter.tags_of_people")} | {each: each for each in models}
    chosen = str(select(context, "stricter.tags_of", names, "stricter-tags-of"))
    if chosen:
        words = context.say("stricter.from_model", model=chosen)
        st.warning(md_literal(words), icon=":material/robot_2:")
    return chosen
