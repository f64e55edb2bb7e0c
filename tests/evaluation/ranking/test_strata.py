"""Figures by group of queries."""

from __future__ import annotations

import pytest

from evaluation.ranking.strata import (
    NOT_STATED,
    Rows,
    columns,
    figures_by_stratum,
    gold_count,
    strata,
)

ROWS: Rows = {
    "q3": {"language": "ko", "level": 10, "id": "a", "topics": ["fire", "water"]},
    "q1": {"language": "en", "level": 2, "id": "b", "topics": ["fire"]},
    "q2": {"language": "ko", "id": "c", "topics": [], "real": True},
}


def test_every_value_of_a_column_is_a_stratum():
    assert strata(ROWS, "language") == {"en": ("q1",), "ko": ("q2", "q3")}


def test_numbers_stand_in_their_order_and_what_is_not_stated_last():
    assert list(strata(ROWS, "level")) == ["2", "10", NOT_STATED]
    assert strata(ROWS, "real") == {"true": ("q2",), NOT_STATED: ("q1", "q3")}


def test_a_list_puts_a_query_into_every_stratum_it_names():
    assert strata(ROWS, "topics") == {
        "fire": ("q1", "q3"),
        "water": ("q3",),
        NOT_STATED: ("q2",),
    }


def test_a_column_that_does_not_split_the_queries_is_not_offered():
    assert columns(ROWS) == ["id", "language", "level", "real", "topics"]
    many: Rows = {f"q{at}": {"id": str(at), "one": "x"} for at in range(51)}
    assert columns(many) == []


def test_each_stratum_has_its_own_mean_and_n():
    table: dict[str, dict[str, float | None]] = {
        "q1": {"AP": 1.0},
        "q2": {"AP": None},
        "q3": {"AP": 0.5},
        "q9": {"AP": 0.25},
    }
    found = figures_by_stratum(table, ROWS, "language")
    assert list(found) == ["en", "ko", NOT_STATED]
    assert [(figure.name, figure.n) for figure in found["ko"]] == [("AP", 1)]
    assert found["ko"][0].value == pytest.approx(0.5)
    assert found[NOT_STATED][0].value == pytest.approx(0.25)


def test_many_gold_units_are_one_stratum():
    assert [gold_count("abcd"[:n]) for n in range(5)] == ["0", "1", "2", "3+", "3+"]
    assert gold_count(["a", "a"]) == "1"
