"""Guards that are gone and gold that nobody could derive are found; other harm: `test_tables`."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from annotation.adjudication.disputes import decide
from annotation.check.project import check
from annotation.gold import derivation
from storage.law.imports import keep_statutes
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, House, statute


def test_gold_that_the_law_in_use_does_not_have_as_judged_is_found(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = house.items
    for person in (house.ann, house.ben):
        submit(house, person, first, (1,))
        submit(house, person, second, (2,))
    submit(house, house.ann, third, (1,))
    submit(house, house.ben, third, (2,))
    decide(house.ws, house.judge, third, [house.units[1]], False, "r", 1)
    keep_statutes(house.ws, SLUG, [statute(" More.")], "second")
    assert check(house.ws, SLUG) == []
    monkeypatch.setattr(derivation, "lost_gold", lambda *_: {})
    found = [(problem.code, problem.where) for problem in check(house.ws, SLUG)]
    assert found == [("gold", f"{each} → lake-act_article-1") for each in ("q1", "q3")]


def test_a_guard_that_is_gone_is_found(house: House) -> None:
    with closing(sqlite3.connect(house.ws.database)) as database:
        database.execute("DROP TRIGGER draft_event_no_delete")
        database.commit()
    (problem,) = check(house.ws, SLUG)
    assert problem.code == "guard" and "draft_event_no_delete" in problem.say("ko")
