"""List of groups with cases; per group its cases, why they match, and its query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from annotation.people.roles import Act
from construction.cases.typology import Category, Charge, Group, group_name
from pages.cases.reader import draw_cases, titled, why_words
from pages.shell.context import Context
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import redraw_with
from pages.shell.widgets import NOTHING, pick_row, select
from services.cases.standard_groups import CaseGroups, choose_query


@dataclass(frozen=True, slots=True)
class _Line:
    category: Category
    charge: Charge
    group: Group
    cases: tuple[int, ...]


def draw_groups(context: Context, case_groups: CaseGroups, notice: str) -> None:
    """Draw the filtered groups, and the selected one."""
    lines = _filtered_groups(context, case_groups)
    if not lines:
        st.info(context.say("case_groups.no_group"), icon=":material/search_off:")
        return
    line = _table(context, case_groups, lines)
    if line is None:
        return
    with st.container(border=True):
        _head(context, line)
        _query(context, case_groups, line, notice)
        _cases(context, case_groups, line)


def _filtered_groups(context: Context, case_groups: CaseGroups) -> list[_Line]:
    """Draw the filters; return the groups that pass them."""
    say, language = context.say, context.language
    left, middle, right = st.columns([2, 3, 1], vertical_alignment="bottom")
    categories = {NOTHING: say("case_groups.every_category")}
    categories |= {each.key: each.label[language] for each in case_groups.typology.categories}
    category = select(context, "case_groups.category", categories, "case-groups-category", left)
    words = middle.text_input(say("case_groups.search"), key="case-groups-search")
    empty = right.toggle(say("case_groups.empty_too"), key="case-groups-empty-groups")
    return [
        _Line(each, charge, group, case_groups.members.get(group.key, ()))
        for each, charge, group in case_groups.typology.groups()
        if category in (NOTHING, each.key)
        and (empty or group.key in case_groups.members)
        and any(
            words.strip().casefold() in text.casefold()
            for text in (*charge.titles, *group.label.values(), *group.provisions, group.key)
        )
    ]


def _table(context: Context, case_groups: CaseGroups, lines: Sequence[_Line]) -> _Line | None:
    """Draw the groups as a table; return the picked one."""
    language = context.language
    asking = [case_groups.queries.get(line.group.key) for line in lines]
    columns = {
        "group": [group_name(line.charge, line.group)[language] for line in lines],
        "category": [line.category.label[language] for line in lines],
        "cases": [len(line.cases) for line in lines],
        "query": [
            "–" if each is None else case_groups.cases[each.case_id].external_id for each in asking
        ],
        "chosen": [each is not None and each.chosen for each in asking],
    }
    about = columns, "case-groups-list", "case_groups.pick_group"
    row = pick_row(context, "case_groups", *about, wide="group")
    return None if row is None else lines[row]


def _head(context: Context, line: _Line) -> None:
    """Draw the name and provisions of a group."""
    say = context.say
    name = group_name(line.charge, line.group)[context.language]
    st.header(md_literal(name), anchor=False)
    provisions = " / ".join(line.group.provisions) or say("case_groups.no_provisions")
    titles = ", ".join(line.charge.titles)
    told = {"key": line.group.key, "titles": titles, "provisions": provisions}
    st.caption(md_literal(say("case_groups.made_of", **told)))


def _query(context: Context, case_groups: CaseGroups, line: _Line, notice: str) -> None:
    """Draw the case that is the group's query, with a choice of another."""
    say, query = context.say, case_groups.queries.get(line.group.key)
    if query is None:
        st.markdown(say("case_groups.no_query"))
        return
    names = [case_groups.cases[number].external_id for number in line.cases]
    now = case_groups.cases[query.case_id].external_id
    how = "drawn"
    if query.chosen:
        how = "chosen" if query.person else "chosen_operator"
    words = say(f"case_groups.asks.{how}", case=now, person=query.person, others=len(names) - 1)
    st.markdown(md_literal(words))
    if not context.may(Act.EDIT_GUIDELINES):
        return
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    wanted = left.selectbox(
        say("case_groups.other_query"),
        names,
        index=names.index(now),
        key=f"case-groups-query-{line.group.key}",
    )
    button: dict[str, Any] = {"disabled": wanted == now and query.chosen, "width": "stretch"}
    if right.button(say("case_groups.choose"), key="case-groups-choose", **button):
        with guarded(context.language):
            choose_query(*context.here, line.group.key, wanted, context.by)
            redraw_with(notice, say("case_groups.chosen_now", case=wanted))


def _cases(context: Context, case_groups: CaseGroups, line: _Line) -> None:
    """Draw the cases of a group with the reasons why they are in it."""
    cases = [case_groups.cases[number] for number in line.cases]
    if not cases:
        return
    columns = {
        "why": [why_words(context, case_groups.mapped[case.id], line.group.key) for case in cases],
        "charges": [titled(case) for case in cases],
        "court": [case.court for case in cases],
        "date": [case.date for case in cases],
    }
    draw_cases(context, cases, columns, f"case-groups-cases-{line.group.key}", "why")
