"""Dates as judgments write them, brought to ISO 8601."""

from __future__ import annotations

import re
from datetime import date

_NUMBERS = re.compile(r"(\d{4})\D{1,3}(\d{1,2})\D{1,3}(\d{1,2})\D?")
_CHINESE = re.compile(
    r"([一二三四五六七八九〇○零Ｏ]{4})年([一二三四五六七八九十]{1,2})月([一二三四五六七八九十]{1,3})日"
)
_MONTH_FIRST = re.compile(r"([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)? ([A-Za-z]{3,9})\.?,? (\d{4})")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DIGITS = {each: n for n, each in enumerate("〇一二三四五六七八九")} | {"○": 0, "零": 0, "Ｏ": 0}


def iso_date(text: str) -> str:
    """Return the day that `text` writes as YYYY-MM-DD; "" if it writes none.

    Read are 2026-01-05, 20260105, 2026. 1. 5., 2026年1月5日, 二〇二六年一月五日, January 5, 2026
    and 5 January 2026.
    """
    text = text.strip()
    if found := _NUMBERS.fullmatch(text):
        return day_of(*found.groups())
    if found := re.fullmatch(r"(\d{4})(\d\d)(\d\d)", text):
        return day_of(*found.groups())
    if found := _CHINESE.fullmatch(text):
        return day_of(*found.groups())
    if found := _MONTH_FIRST.fullmatch(text):
        return day_of(found[3], found[1], found[2])
    if found := _DAY_FIRST.fullmatch(text):
        return day_of(found[3], found[2], found[1])
    return ""


def day_of(year: str, month: str, day: str) -> str:
    """Return a day from its parts, each in digits, Chinese numerals or an English month's name."""
    try:
        return date(_number(year), _month(month), _number(day)).isoformat()
    except (ValueError, KeyError):
        return ""


def _month(text: str) -> int:
    name = text[:3].lower()
    return _MONTHS.index(name) + 1 if name in _MONTHS else _number(text)


def _number(text: str) -> int:
    if text.isascii():
        return int(text)
    if "十" not in text:
        return int("".join(str(_DIGITS[each]) for each in text if each in _DIGITS) or "x")
    tens, _, ones = text.partition("十")
    return (_DIGITS.get(tens, 1) * 10) + (_DIGITS[ones] if ones else 0)
