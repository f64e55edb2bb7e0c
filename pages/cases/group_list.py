"""List of groups with cases; per group its cases, why they match, and its query."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.people.roles import Act
from construction.cases.typology import GroupPlace, group_name
from pages.cases.reader import charges_or_title, draw_cases, why_words
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import redraw_with
from pages.shell.widgets import pick_row
from services.cases.standard_groups import CaseGroups, choose_query


def draw_groups(context: Context, case_groups: CaseGroups, notice_key: str) -> None:
    """Draw the filtered groups, and the selected one.

    `notice_key` is the key of the message shown after an act.
    """
    lines = _filtered_groups(context, case_groups)
    if not lines:
        st.info(context.say("case_groups.no_group"), icon=":material/search_off:")
        return
    line = _table(context, case_groups, lines)
    if line is None:
        return
    with st.container(border=True):
        _head(context, line)
        _query(context, case_groups, line.group.key, notice_key)
        _cases(context, case_groups, line.group.key)


def _filtered_groups(context: Context, case_groups: CaseGroups) -> list[GroupPlace]:
    """Draw the filters; return the groups that pass them."""
    fields = Fields(context, "case_groups", "case-groups")
    left, middle, right = fields.row([2, 3, 1], vertical_alignment="bottom")
    labels = {each.key: each.label[context.language] for each in case_groups.typology.categories}
    every = "case_groups.every_category"
    category = left.pick("category", labels, labels.__getitem__, none=every)
    words = middle.text("search").strip().casefold()
    empty = right.switch("empty_too", key="empty-groups")
    return [
        place
        for place in case_groups.typology.groups()
        if category in ("", place.category.key)
        and (empty or place.group.key in case_groups.members)
        and any(words in text.casefold() for text in _search_texts(place))
    ]


def _search_texts(place: GroupPlace) -> tuple[str, ...]:
    """Return the texts of a group that a search looks in."""
    group = place.group
    return (*place.charge.titles, *group.label.values(), *group.provisions, group.key)


def _table(
    context: Context, case_groups: CaseGroups, lines: Sequence[GroupPlace]
) -> GroupPlace | None:
    """Draw the groups as a table; return the picked one."""
    language = context.language
    asking = [case_groups.queries.get(line.group.key) for line in lines]
    columns = {
        "group": [group_name(line.charge, line.group)[language] for line in lines],
        "category": [line.category.label[language] for line in lines],
        "cases": [len(case_groups.members.get(line.group.key, ())) for line in lines],
        "query": [
            "–" if each is None else case_groups.cases[each.case_id].external_id for each in asking
        ],
        "chosen": [each is not None and each.chosen for each in asking],
    }
    about = columns, "case-groups-list", "case_groups.pick_group"
    row = pick_row(context, "case_groups", *about, wide="group")
    return None if row is None else lines[row]


def _head(context: Context, line: GroupPlace) -> None:
    """Draw the name and provisions of a group."""
    say = context.say
    name = group_name(line.charge, line.group)[context.language]
    st.header(md_literal(name), anchor=False)
    provisions = " / ".join(line.group.provisions) or say("case_groups.no_provisions")
    titles = ", ".join(line.charge.titles)
    told = {"key": line.group.key, "titles": titles, "provisions": provisions}
    st.caption(md_literal(say("case_groups.made_of", **told)))


def _query(context: Context, case_groups: CaseGroups, group: str, notice_key: str) -> None:
    """Draw the case that is the group's query; editors may choose another."""
    say, query = context.say, case_groups.queries.get(group)
    if query is None:
        st.markdown(say("case_groups.no_query"))
        return
    names = [case_groups.cases[number].external_id for number in case_groups.members[group]]
    now = case_groups.cases[query.case_id].external_id
    how = "drawn"
    if query.chosen:
        how = "chosen" if query.person else "chosen_operator"
    words = say(f"case_groups.asks.{how}", case=now, person=query.person, others=len(names) - 1)
    st.markdown(md_literal(words))
    if not context.may(Act.EDIT_GUIDELINES):
        return
    fields = Fields(context, "case_groups", "case-groups")
    left, right = fields.row([3, 1], vertical_alignment="bottom")
    wanted = left.pick("other_query", names, first=now, key=f"query-{group}")
    if right.press("choose", disabled=wanted == now and query.chosen, width="stretch"):
        with guarded(context.language):
            choose_query(*context.here, group, wanted, context.by)
            redraw_with(notice_key, say("case_groups.chosen_now", case=wanted))


def _cases(context: Context, case_groups: CaseGroups, group: str) -> None:
    """Draw the cases of a group, given by key, with the reasons why they are in it."""
    cases = [case_groups.cases[number] for number in case_groups.members.get(group, ())]
    if not cases:
        return
    columns = {
        "why": [why_words(context, case_groups.mapped[case.id], group) for case in cases],
        "charges": [charges_or_title(case) for case in cases],
        "court": [case.court for case in cases],
        "date": [case.date for case in cases],
    }
    draw_cases(context, cases, columns, f"case-groups-cases-{group}", "why")
