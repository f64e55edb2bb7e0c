from __future__ import annotations

from dataclasses import replace
from datetime import date

from hypothesis import given

from corpus.importers.statutes.merge import Meeting, added, longer_id, meeting
from corpus.model import Statute
from tests.corpus.compare.law import ICE, LAMP, LAWS, article, statute

ACT = replace(statute(article("1", LAMP)), number="1", promulgated=date(1990, 1, 1))
RULE = replace(statute(article("1", ICE)), kind="부령", number="2", promulgated=date(2000, 1, 1))


@given(LAWS, LAWS)
def test_what_comes_is_there_and_so_is_all_else(old: list[Statute], new: list[Statute]) -> None:
    together = {each.semantic_id: each for each in added(old, new)}
    for each in new:
        assert together[each.semantic_id] == each
    come = {each.semantic_id for each in new}
    kept = [each for each in old if each.semantic_id not in come]
    assert all(together[each.semantic_id] == each for each in kept)
    assert len(together) == len(kept) + len(new)
    met = meeting([each.semantic_id for each in old], list(come))
    assert (met.in_use, met.after(add=True), met.after(add=False)) == (
        len(old),
        len(together),
        len(new),
    )


def test_namesakes_of_another_kind_stay_beside_each_other() -> None:
    for first, second in ((ACT, RULE), (RULE, ACT)):
        together = added([first], [second])
        assert {each.semantic_id for each in together} == {RULE.semantic_id, longer_id(ACT)}
        assert len({unit.semantic_id for each in together for unit in each.units}) == 2


def test_a_namesake_that_comes_again_replaces_itself() -> None:
    both = added([ACT], [RULE])
    assert added(both, [ACT]) == both
    assert meeting([], []) == Meeting(0, 0, 0)
