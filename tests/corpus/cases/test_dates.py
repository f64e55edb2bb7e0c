from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.cases.dates import iso_date


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-05",
        "20260105",
        "2026. 1. 5.",
        "2026년 1월 5일",
        "2026年1月5日",
        "二〇二六年一月五日",
        "二○二六年一月五日",
        "January 5, 2026",
        "Jan. 5th, 2026",
        "5 January 2026",
    ],
)
def test_one_day_in_many_hands(text):
    assert iso_date(text) == "2026-01-05"


@pytest.mark.parametrize(("text", "day"), [("二〇一九年十二月三十一日", "2019-12-31")])
def test_chinese_tens(text, day):
    assert iso_date(text) == day


@pytest.mark.parametrize("text", ["", "2026-02-30", "2026", "Smarch 5, 2026", "十十年"])
def test_what_is_no_day_is_none(text):
    assert iso_date(text) == ""


@given(st.dates(min_value=date(1000, 1, 1)))
def test_a_day_written_in_numbers_comes_back(day):
    assert iso_date(f"{day.year}. {day.month}. {day.day}.") == day.isoformat()
