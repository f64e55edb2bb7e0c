"""The screen of standard groups: coverage, cases and why, mending what is left out, versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.work.versioned_texts import TYPOLOGY
from messages import say
from services.cases.standard_groups import case_groups
from tests.conftest import FakeClock
from tests.construction.cases.small_typology import SMALL
from tests.pages.screens import metrics, opened, table
from tests.pages.small_project import HOSTILE, shown
from tests.services.cases.grouped_cases import FACT, INSULT, SLUG, Grouped, bring_in, build


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> Grouped:
    return build(tmp_path / "workspace", clock)


def screen(
    house: Grouped, tab: str, state: dict[str, Any] | None = None, number: int | None = None
) -> Any:
    said = {"case-groups-tab": tab} | (state or {})
    at = opened("case_groups", house.ws, number or house.researcher, SLUG, **said)
    assert not at.error
    assert at.title[0].value == say("case_groups.title")
    return at


def row(number: int) -> dict[str, Any]:
    return {"selection": {"rows": [number], "columns": [], "cells": []}}


def test_coverage_and_groups_say_which_cases_are_where_and_why(house: Grouped) -> None:
    at = screen(house, "coverage", {"case-groups-categories": row(0)})
    assert metrics(at) == ["4 / 6", "3 / 6", "1", "4"]
    assert at.metric[0].delta == "66.67%"
    groups = table(at, "Group")
    assert list(table(at, "Category")["Category"]) == ["Honour"]
    assert list(groups["Group"]) == [
        "Defamation · By fact",
        "Defamation · By falsehood",
        "Defamation",
        "Insult",
    ]
    assert list(groups["Cases"]) == [2, 1, 0, 2]

    at = screen(house, "groups", {"case-groups-list": row(0)})
    cases = table(at, "Why it is here")
    assert list(cases["Case"]) == ["2021-2", "2021-3"]
    assert set(cases["Why it is here"]) == {"명예훼손 (by provision: 형법 제307조 제1항)"}
    assert FACT in shown(at).replace("\\", "")


@pytest.mark.parametrize(
    ("tab", "table"),
    [("groups", f"case-groups-cases-{FACT}"), ("left_out", "case-groups-unmapped")],
)
def test_a_case_that_is_selected_is_read_below(house: Grouped, tab: str, table: str) -> None:
    state = {"case-groups-list": row(0)}
    before = screen(house, tab, state)
    at = screen(house, tab, {**state, table: row(1 if tab == "groups" else 0)})
    words = say("court_cases.read.characters")
    told = [sum(words in each.value for each in drawn.caption) for drawn in (before, at)]
    assert told == [0, 1]
    assert len(at.dataframe) == len(before.dataframe)


def test_a_query_is_chosen_on_the_screen(house: Grouped) -> None:
    at = screen(house, "groups", {"case-groups-list": row(2)})
    at.selectbox(key=f"case-groups-query-{INSULT}").set_value("2021-2").run()
    at.button(key="case-groups-choose").click().run()
    assert list(table(at, "Query")["Query"])[2] == "2021-2"
    assert list(table(at, "Query")["Chosen"])[2]


def test_who_may_not_edit_reads_and_is_offered_nothing_to_change(house: Grouped) -> None:
    for tab, state in (
        ("groups", {"case-groups-list": row(2)}),
        ("left_out", {"case-groups-missed": row(1)}),
        ("typology", {}),
    ):
        at = screen(house, tab, state, house.annotator)
        keys = {each.key for each in at.button}
        assert not keys & {"case-groups-choose", "case-groups-add", "typology-save"}
        assert not at.text_area


@pytest.mark.parametrize(
    ("how", "place", "group"),
    [("same_as", "honour.insult", INSULT), ("new_in", "sexual", "sexual.added_1")],
)
def test_an_unknown_title_is_put_into_the_typology_without_writing_yaml(
    house: Grouped, how: str, place: str, group: str
) -> None:
    at = screen(house, "left_out", {"case-groups-missed": row(1), "case-groups-mend": how})
    at.selectbox(key=f"case-groups-{how}-무고").set_value(place).run()
    assert "1 case would move." in [each.value for each in at.caption]
    at.button(key="case-groups-add").click().run()
    assert not at.error
    newest = TYPOLOGY.editions(house.ws, SLUG)[0]
    assert (newest.number, newest.person, newest.note) == (3, "Rho", f"무고 added to {place}")
    assert "2021-5" in [
        found.cases[number].external_id
        for found in (case_groups(house.ws, SLUG),)
        for number in found.members[group]
    ]


def test_a_change_shows_what_it_would_move_before_it_is_saved(house: Grouped) -> None:
    at = screen(house, "typology")
    at.text_area[0].set_value(SMALL.replace("key: insult", "key: defamation")).run()
    assert "line 20" in at.error[0].value, "that is no typology"
    assert "typology-save" not in {each.key for each in at.button}
    at.text_area[0].set_value(SMALL.replace("ko: 모욕}", "ko: 무고}")).run()
    assert "**3** of 6 cases would move. 4 are in a group now, 4 would be." in shown(at)
    assert list(table(at, "Case")["Case"]) == ["2021-1", "2021-2", "2021-5"]
    at.button(key="typology-save").click().run()
    assert not at.error and "Saved version 3" in at.success[0].value.replace("\\", "")
    assert TYPOLOGY.editions(house.ws, SLUG)[0].number == 3


def test_an_edit_that_another_overtook_stays_and_is_saved_only_when_told_to_go_on(
    house: Grouped,
) -> None:
    at = screen(house, "typology")
    at.text_area[0].set_value(SMALL + "# mine\n").run()
    for tab in ("coverage", "typology"):
        at.button_group(key="case-groups-tab").set_value(tab).run()
    assert at.text_area[0].value.endswith("# mine\n"), "it stays while others are looked at"
    TYPOLOGY.save(house.ws, SLUG, SMALL + "# theirs\n", "", 2)
    at.button(key="typology-save").click().run()
    assert TYPOLOGY.editions(house.ws, SLUG)[0].text.endswith("# theirs\n")
    assert at.text_area[0].value.endswith("# mine\n")
    assert "Version 3 was saved meanwhile" in at.warning[0].value.replace("\\", "")
    assert "typology-save" not in {each.key for each in at.button}
    at.button(key="typology-go-on").click().run()
    at.button(key="typology-save").click().run()
    assert [each.text[-8:] for each in TYPOLOGY.editions(house.ws, SLUG)[:2]] == [
        "\n# mine\n",
        " theirs\n",
    ]


def test_what_a_judgment_says_stays_text(house: Grouped) -> None:
    bring_in(house.ws, SLUG, [("x", HOSTILE, (), ()), ("y", "", (HOSTILE,), (HOSTILE,))])
    at = screen(house, "left_out", {"case-groups-missed": row(1)})
    assert not any(HOSTILE in each.value for each in at.markdown)
