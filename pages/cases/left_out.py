"""Gaps of the typology: unknown charge titles, cases in no group or in several."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.people.roles import Act
from annotation.work.versioned_texts import TYPOLOGY
from construction.cases.group_mapping import Missed
from construction.cases.typology_editing import add_charge, add_title
from pages.cases.reader import draw_cases, names, titled
from pages.shell.context import Context
from pages.shell.guard import guarded, plain
from pages.shell.notices import remember
from pages.shell.widgets import choose, draw_table, pick_row
from services.cases.standard_groups import CaseGroups, moves


def draw_left_out(context: Context, found: CaseGroups, notice: str) -> None:
    """Draw unknown titles, most frequent first, and cases in no group or in several."""
    _titles(context, found, notice)
    _unmapped(context, found)
    _multiple(context, found)


def _titles(context: Context, found: CaseGroups, notice: str) -> None:
    say, missed = context.say, found.coverage.missed
    st.header(say("case_groups.missed"), anchor=False)
    if not missed:
        st.success(say("case_groups.none_missed"), icon=":material/done_all:")
        return
    st.caption(say("case_groups.missed_note"))
    left, right = st.columns([3, 2], gap="large")
    with left:
        picked = _table(context, missed)
    with right:
        _draw_fix(context, found, picked, notice)


def _table(context: Context, missed: Sequence[tuple[Missed, int]]) -> Missed | None:
    say = context.say
    columns = {
        "charge_title": [each.title or "–" for each, _ in missed],
        "cases": [count for _, count in missed],
        "reason_column": [say(f"case_groups.reason.{each.reason}") for each, _ in missed],
    }
    row = pick_row(context, "case_groups", columns, "case-groups-missed")
    return None if row is None else missed[row][0]


def _draw_fix(context: Context, found: CaseGroups, picked: Missed | None, notice: str) -> None:
    """Draw the fix for an unknown title: assign it to a charge, or another remedy."""
    say = context.say
    if picked is None:
        st.caption(say("case_groups.pick_title"))
    elif picked.reason != "unknown_title":
        words = say(f"case_groups.mend.{picked.reason}", charge=picked.charge)
        st.info(plain(words), icon=":material/lightbulb:")
    elif not context.may(Act.EDIT_GUIDELINES):
        st.caption(say("case_groups.mend.ask_others"))
    else:
        with st.container(border=True):
            _add(context, found, picked.title, notice)


def _add(context: Context, found: CaseGroups, title: str, notice: str) -> None:
    say, language = context.say, context.language
    st.markdown(f"**{plain(title)}**")
    how = choose(
        context,
        "case_groups.mend.how",
        ["same_as", "new_in"],
        "case_groups.mend",
        "case-groups-mend",
    )
    places = _charges(found, language) if how == "same_as" else _categories(found, language)
    place = st.selectbox(
        say(f"case_groups.mend.{how}_place"),
        list(places),
        index=None,
        format_func=places.__getitem__,
        placeholder=say("case_groups.mend.choose"),
        key=f"case-groups-{how}-{title}",
    )
    if place is None:
        return
    with guarded(language):
        now = TYPOLOGY.edition(*context.here, by=context.by)
        text = (add_title if how == "same_as" else add_charge)(now.text, place, title)
        found_moves = moves(*context.here, text, context.by)
        st.caption(say("case_groups.mend.would_move", count=len(found_moves.moved)))
        if st.button(say("case_groups.mend.add"), type="primary", key="case-groups-add"):
            note = say("case_groups.mend.note", title=title, place=place)
            _save(context, text, note, now.number, notice)


def _charges(found: CaseGroups, language: str) -> dict[str, str]:
    return {
        f"{category.key}.{charge.key}": f"{charge.label[language]} ({category.label[language]})"
        for category, charge in found.typology.charges()
    }


def _categories(found: CaseGroups, language: str) -> dict[str, str]:
    return {category.key: category.label[language] for category in found.typology.categories}


def _save(context: Context, text: str, note: str, number: int, notice: str) -> None:
    with guarded(context.language):
        new = TYPOLOGY.save(*context.here, text, note, number, context.by)
        remember(notice, context.say("case_groups.saved", number=new))
        st.rerun()


def _unmapped(context: Context, found: CaseGroups) -> None:
    say = context.say
    cases = [found.cases[number] for number, each in found.mapped.items() if not each.groups]
    st.header(say("case_groups.unmapped", count=len(cases)), anchor=False)
    if not cases:
        return
    reasons = [
        "; ".join(
            dict.fromkeys(
                say(f"case_groups.reason.{missed.reason}")
                for missed in found.mapped[case.id].missed
            )
        )
        for case in cases
    ]
    columns = {
        "charges": [titled(case) for case in cases],
        "reason_column": reasons,
        "provisions": [", ".join(case.provisions) for case in cases],
        "court": [case.court for case in cases],
    }
    draw_cases(context, cases, columns, "case-groups-unmapped", "charges")


def _multiple(context: Context, found: CaseGroups) -> None:
    say, called = context.say, names(found, context.language)
    cases = {number: each for number, each in found.mapped.items() if len(each.groups) > 1}
    st.header(say("case_groups.multiple", count=len(cases)), anchor=False)
    if not cases:
        return
    columns = {
        "case": [found.cases[number].external_id for number in cases],
        "charges": [titled(found.cases[number]) for number in cases],
        "groups": [[called[group] for group in case.groups] for case in cases.values()],
    }
    draw_table(context, "case_groups", columns, "case-groups-multiple", wide="groups")
