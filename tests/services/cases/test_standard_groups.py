"""Standard groups of a project: members, queries, what a change would move."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.cases import mapped
from services.cases.standard_groups import case_groups, choose_query, moves
from storage.projects import find_project
from storage.tables.cases import QueryChoice
from tests.conftest import FakeClock
from tests.construction.cases.small_typology import SMALL
from tests.services.cases.grouped_cases import FACT, INSULT, SLUG, Grouped, bring_in, build
from tests.support.refusals import code_of


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> Grouped:
    return build(tmp_path / "workspace", clock)


def test_cases_stand_in_the_groups_that_their_titles_and_provisions_name(house: Grouped) -> None:
    found, ids = case_groups(house.ws, SLUG, house.annotator), house.ids
    assert found.number == 2
    assert found.members == {
        FACT: (ids["2021-2"], ids["2021-3"]),
        "honour.defamation.falsehood": (ids["2021-4"],),
        INSULT: (ids["2021-1"], ids["2021-2"]),
    }
    assert (found.coverage.cases, found.coverage.mapped, found.coverage.multiple) == (6, 4, 1)
    with house.ws.reading() as session:
        assert mapped(session, find_project(session, SLUG).id) == found.mapped


def test_the_query_is_drawn_until_somebody_chooses_one_and_the_others_stay(house: Grouped) -> None:
    before = case_groups(house.ws, SLUG).queries
    assert before.keys() == {FACT, INSULT}  # a case alone has no other to find
    bring_in(house.ws, SLUG, [("2022-1", "모욕", (), ())])  # of the one group
    assert case_groups(house.ws, SLUG).queries[FACT] == before[FACT]
    for name, code in (("2021-4", "case_query_group"), ("2021-40", "court_case_unknown")):
        assert code_of(choose_query, house.ws, SLUG, INSULT, name, house.researcher) == code
    before = case_groups(house.ws, SLUG).queries
    assert not any(each.chosen for each in before.values())
    other = min({house.ids["2021-1"], house.ids["2021-2"]} - {before[INSULT].case_id})
    name = next(name for name, number in house.ids.items() if number == other)
    choose_query(house.ws, SLUG, INSULT, name, house.researcher)
    after = case_groups(house.ws, SLUG).queries
    assert (after[INSULT].case_id, after[INSULT].person) == (other, "Rho")
    assert after[FACT] == before[FACT]


def test_a_choice_whose_case_is_not_in_the_group_any_more_does_not_count(house: Grouped) -> None:
    with house.ws.writing() as session:
        about = {"project_id": find_project(session, SLUG).id, "at": house.ws.clock()}
        session.add(QueryChoice(group_key=INSULT, court_case_id=house.ids["2021-3"], **about))
    assert not case_groups(house.ws, SLUG).queries[INSULT].chosen


def test_what_a_change_would_move_is_told_and_nothing_is_moved(house: Grouped) -> None:
    text = SMALL.replace("key: insult", "key: insults").replace("ko: 모욕}", "ko: 무고}")
    found = moves(house.ws, SLUG, text, house.annotator)
    told = {each.case.external_id: (each.before, each.after) for each in found.moved}
    assert told == {
        "2021-1": ((INSULT,), ()),
        "2021-2": ((FACT, INSULT), (FACT,)),
        "2021-5": ((), ("honour.insults",)),
    }
    assert (found.gone, found.new) == ((INSULT,), ("honour.insults",))
    assert (found.before.mapped, found.after.mapped) == (4, 4)
    assert case_groups(house.ws, SLUG).number == 2
