from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import col, select

from errors import UserError
from storage.law.corpus import unit_ids
from storage.mapping.candidates import keep_candidates, newest_methods, newest_set_id
from storage.tables.core import CandidateRow, CandidateSet
from tests.annotation.house import House, build, proposal, propose
from tests.conftest import FakeClock


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    return build(tmp_path / "workspace", clock)


def test_candidates_come_back_with_their_reasons(house: House) -> None:
    with house.ws.reading() as session:
        shown = session.get(CandidateSet, newest_set_id(session, house.items[0]) or 0)
        assert shown is not None
        query = select(CandidateRow).where(CandidateRow.candidate_set_id == shown.id)
        first, second, _ = session.exec(query.order_by(col(CandidateRow.rank))).all()
        assert shown.citations[0]["targets"] == [{"unit": "lake-act_article-1", "pinpoint": "(1)"}]
        assert shown.citations[1]["reason"] == "no_such_instrument"
        assert (first.unit_id, first.why[0]["citation"]) == (house.units[1], 0)
        assert second.why == [
            {"source": "text", "rank": 2, "score": 4.5, "citation": None, "pinpoint": ""}
        ]


def test_the_newest_set_is_the_one_in_use(house: House) -> None:
    propose(house, 1, 4, 5, method="other")
    with house.ws.reading() as session:
        assert newest_methods(session, 1) == dict.fromkeys(house.items, (1, "other"))
        assert newest_set_id(session, house.items[1]) == 5
        assert newest_set_id(session, 99) is None


def test_a_unit_that_the_snapshot_lacks_is_refused_with_all_of_its_build(house: House) -> None:
    with pytest.raises(UserError) as caught, house.ws.writing() as session:
        units = unit_ids(session, 1)
        at = house.ws.clock()
        keep_candidates(session, house.items[0], 1, "m", proposal(1), units, at)
        keep_candidates(session, house.items[1], 1, "m", proposal(1, 77), units, at)
    assert caught.value.code == "candidate_unknown"
    with house.ws.reading() as session:
        assert newest_methods(session, 1)[house.items[0]] == (1, "test")
