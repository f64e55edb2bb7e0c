from __future__ import annotations

import pytest
from sqlmodel import col, select

from storage import mapping as candidates
from storage.law.corpus import unit_ids
from storage.mapping import (
    ToKeep,
    keep_all_candidates,
    newest_methods,
    newest_set_id,
    pins,
)
from storage.tables.core import CandidateRow, CandidateSet, CandidateWay
from tests.annotation.house import House, proposal
from tests.support.refusals import refused


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


def test_a_unit_that_the_snapshot_lacks_is_refused_with_all_of_its_build(house: House) -> None:
    proposed = [
        ToKeep(house.items[0], "m", proposal(1)),
        ToKeep(house.items[1], "m", proposal(1, 77)),
    ]
    with refused("candidate_unknown"), house.ws.writing() as session:
        keep_all_candidates(session, 1, proposed, unit_ids(session, 1), house.ws.clock())
    with house.ws.reading() as session:
        assert newest_methods(session, 1)[house.items[0]] == (1, "test")


def test_sets_kept_together_are_those_kept_one_by_one(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "_BATCH", 2)
    spec = {"method": "bm25"}
    new = [
        ToKeep(house.items[1], "a", proposal(2, 1), spec, "b"),
        ToKeep(house.items[0], "a", proposal(), spec),
        ToKeep(house.items[2], "c", proposal(3)),
    ]
    with house.ws.writing() as session:
        units, at = unit_ids(session, 1), house.ws.clock()
        kept = keep_all_candidates(session, 1, new, units, at)
        alone = [ToKeep(house.items[0], "d", proposal(1))]
        [last] = keep_all_candidates(session, 1, alone, units, at)
    assert [*kept, last] == list(range(kept[0], kept[0] + 4))
    with house.ws.reading() as session:
        made = pins(session, [*kept, last])
        assert [made[each].item_id for each in kept] == [each.item_id for each in new]
        query = select(CandidateRow).where(col(CandidateRow.candidate_set_id) >= kept[0])
        rows = session.exec(query.order_by(col(CandidateRow.id)))
        found = [(row.candidate_set_id, row.rank) for row in rows]
        assert found == [(kept[0], 1), (kept[0], 2), (kept[2], 1), (last, 1)]
        kept_ways = select(CandidateWay).where(col(CandidateWay.candidate_set_id) >= kept[0])
        ways = session.exec(kept_ways.order_by(col(CandidateWay.id)))
        assert [(way.candidate_set_id, way.in_place_of) for way in ways] == [
            (kept[0], "b"),
            (kept[1], None),
        ]
