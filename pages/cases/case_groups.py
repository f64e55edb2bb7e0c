"""Standard groups screen: coverage of the typology, cases per group, the typology."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from construction.cases.group_mapping import CategoryRow
from construction.cases.typology import Category
from pages.cases.group_list import draw_groups
from pages.cases.left_out import draw_left_out
from pages.cases.reader import named
from pages.cases.typology import draw_typology
from pages.shell.context import Context
from pages.shell.notices import draw_head, show_remembered
from pages.shell.widgets import choose, download, draw_table, pick_row
from services.cases.standard_groups import CaseGroups, case_groups, coverage_csv, members_csv

NOTICE = "case-groups-notice"
TABS = ("coverage", "groups", "left_out", "typology")


def draw_coverage(context: Context, found: CaseGroups) -> None:
    """Draw the totals, the table of categories, and the selected category's groups."""
    _totals(context, found)
    shown = _rows(context, found)
    left, right = st.columns([3, 2], gap="large")
    with left:
        picked = _categories(context, found, shown)
    with right:
        _groups(context, found, picked)
    _downloads(context, found)


def _totals(context: Context, found: CaseGroups) -> None:
    say, covered = context.say, found.coverage
    cards = st.columns(4)
    share = "–" if covered.share is None else f"{covered.share:.2%}"
    figures = (
        ("mapped", f"{covered.mapped:,} / {covered.cases:,}", share),
        ("filled", f"{covered.filled:,} / {covered.groups:,}", None),
        ("multiple", f"{covered.multiple:,}", None),
        ("assigned", f"{covered.assigned:,}", None),
    )
    for card, (name, value, delta) in zip(cards, figures, strict=True):
        card.metric(
            say(f"case_groups.total.{name}"),
            value,
            delta,
            delta_color="off",
            delta_arrow="off",
            help=say(f"case_groups.total.{name}_help"),
            border=True,
            height="stretch",
        )


def _rows(context: Context, found: CaseGroups) -> list[tuple[Category, CategoryRow]]:
    """Return the categories to show: those with cases, or all."""
    rows = list(zip(found.typology.categories, found.coverage.rows, strict=True))
    if st.toggle(context.say("case_groups.empty_too"), key="case-groups-empty"):
        return rows
    return [(category, row) for category, row in rows if row.cases]


def _categories(
    context: Context, found: CaseGroups, rows: Sequence[tuple[Category, CategoryRow]]
) -> Category | None:
    say, language = context.say, context.language
    columns = {
        "category": [each.label[language] for each, _ in rows],
        "cases": [row.cases for _, row in rows],
        "share": [row.cases / found.coverage.cases for _, row in rows],
        "filled": [row.filled for _, row in rows],
        "groups": [row.groups for _, row in rows],
    }
    picked = pick_row(
        context,
        "case_groups",
        columns,
        "case-groups-categories",
        config={
            "share": st.column_config.ProgressColumn(
                min_value=0.0, max_value=1.0, format="percent", help=say("case_groups.share_help")
            )
        },
    )
    return None if picked is None else rows[picked][0]


def _groups(context: Context, found: CaseGroups, category: Category | None) -> None:
    say = context.say
    if category is None:
        st.caption(say("case_groups.pick_category"))
        return
    groups = [(charge, group) for charge in category.charges for group in charge.groups]
    columns = {
        "group": [named(charge, group, context.language) for charge, group in groups],
        "cases": [found.coverage.by_group[group.key] for _, group in groups],
    }
    draw_table(context, "case_groups", columns, f"case-groups-of-{category.key}", wide="group")


def _downloads(context: Context, found: CaseGroups) -> None:
    say, row = context.say, st.container(horizontal=True)
    files = {"coverage": coverage_csv(found), "members": members_csv(found)}
    for name, text in files.items():
        download(
            say(f"case_groups.download.{name}"),
            text,
            f"{context.project}-{name}.csv",
            f"case-groups-download-{name}",
            place=row,
        )


def render(context: Context) -> None:
    """Draw the page."""
    say = context.say
    draw_head(context, "case_groups")
    show_remembered(NOTICE)
    chosen = choose(context, "case_groups.tab.label", TABS, "case_groups.tab", "case-groups-tab")
    if chosen == "typology":
        draw_typology(context, NOTICE)
        return
    found = case_groups(*context.here, context.by)
    if not found.cases:
        st.info(say("case_groups.no_cases"), icon=":material/info:")
    elif chosen == "groups":
        draw_groups(context, found, NOTICE)
    elif chosen == "left_out":
        draw_left_out(context, found, NOTICE)
    else:
        draw_coverage(context, found)
