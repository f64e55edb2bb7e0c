"""Court cases and standard groups: brought in, read, coverage, mending what is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.work.versioned_texts import TYPOLOGY
from messages import say
from pages.cases.reader import places
from services.cases.importing import import_court_cases
from services.cases.standard_groups import case_groups
from services.cases.views import list_court_cases
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.construction.cases.small_typology import SMALL
from tests.corpus.cases.texts import CHINESE, ENGLISH, KOREAN
from tests.pages.screens import metrics, opened, press, table
from tests.pages.small_project import HOSTILE, empty_project, leader, shown
from tests.pages.small_project import SLUG as CASE_SLUG
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


ROWS: list[dict[str, Any]] = [
    {"id": "ko-1", "whole": KOREAN},
    {"id": "en-1", "whole": ENGLISH, "note": HOSTILE},
    {"id": "zh-1", "whole": CHINESE},
]


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    empty_project(workspace)
    return workspace


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "cases.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return file


def bring(at: AppTest, file: Path) -> AppTest:
    at = at.button_group(key="court-cases-tab").set_value("bring").run()
    at.text_input(key="data-court_cases-path").set_value(str(file))
    return press(at, "Preview")


def choose(at: AppTest, field: str, column: str) -> AppTest:
    """Choose the column of a field in the form as it stands."""
    boxes = [each for each in at.selectbox if f"-column-{field}-" in str(each.key)]
    return boxes[-1].set_value(column).run()


def test_cases_are_found_and_read(ws: Workspace, tmp_path: Path) -> None:
    rows = [{"id": row["id"], "text": row["whole"]} for row in ROWS]
    import_court_cases(ws, CASE_SLUG, written(tmp_path, *rows))
    person = leader(ws)
    at = opened("court_cases", ws, person)
    assert table(at, "Case number")["Id"].tolist() == ["ko-1", "en-1", "zh-1"]
    at.text_input(key="court-cases-words").set_value("repayment").run()
    assert table(at, "Case number")["Id"].tolist() == ["en-1"]
    assert "Criminal Act" in shown(at).replace("\\", "")
    assert any(each.value.startswith("en\\-1 · ") for each in at.caption)
    at.text_input(key="court-cases-words").set_value("no such words").run()
    assert not at.dataframe
    at.text_input(key="court-cases-words").set_value("").run()
    at.selectbox(key="court-cases-charge").set_value("사기").run()
    assert table(at, "Case number")["Id"].tolist() == ["ko-1"]


def test_a_file_is_mapped_looked_at_and_kept(ws: Workspace, tmp_path: Path) -> None:
    at = bring(opened("court_cases", ws, leader(ws)), tmp_path / "none.jsonl")
    assert "no such file" in shown(at).replace("\\", "")
    at = bring(at, written(tmp_path, *ROWS))
    assert "No column is mapped to the full text" in shown(at).replace("\\", "")
    at = choose(at, "text", "whole")
    assert "3 judgments (en 1, ko 1, zh 1)" in shown(at)
    assert "Columns not read" in shown(at).replace("\\", "")
    found = table(at, "Field")["Found in the text"].tolist()
    assert found == [3, 3, 2, 3, 3, 3], "all but one date"
    at.text_area[0].set_value("[en.sections]\nfacts = ['(']").run()
    assert "is not a regular expression" in shown(at).replace("\\", "")
    at.text_area[0].set_value("").run()
    at.button(key="court-cases-keep").click().run()
    assert "3 new court cases" in at.success[0].value.replace("\\", "")
    assert list_court_cases(ws, CASE_SLUG).total == 3


def test_an_uploaded_table_is_read_again_to_be_kept(ws: Workspace) -> None:
    at = opened("court_cases", ws, leader(ws))
    at = at.button_group(key="court-cases-tab").set_value("bring").run()
    at = at.button_group(key="data-court_cases-from").set_value("upload").run()
    raw = f'id,facts,order,charge\nc1,"{HOSTILE}",Guilty.,"Fraud; Theft"\n'.encode()
    at.file_uploader(key="data-court_cases-upload").set_value([("CASES.CSV", raw, "text/csv")])
    press(at, "Preview")
    assert table(at, "Section")["Judgments"].tolist() == [0, 1, 0, 0, 0, 1, 0]
    at.button(key="court-cases-keep").click().run()
    (line,) = list_court_cases(ws, CASE_SLUG).lines
    assert line.charges == ["Fraud", "Theft"]
    assert [name for name, *_ in line.sections] == ["facts", "conclusion"]
    at = at.button_group(key="court-cases-tab").set_value("cases").run()


def test_words_are_marked_in_either_case_and_as_themselves() -> None:
    assert places("A.b a.B axb", "a.b") == [(0, 3), (4, 7)]
    assert places("text", "") == []
    assert len(places("a" * 5_000, "a")) == 2_000
