from __future__ import annotations

import re

import pytest

from corpus.importers.statutes.written_places import is_spreadsheet_value, spreadsheet_places

CHANGED = """
02월 03일|2월 3일|2024년 2월 3일|2024년 2월|2024년 02월 03일 00:00:00|2024-03-02
2024/3/2|2024.03.02|2024. 3. 2.|2024-03-02 00:00:00|2024-03-02T00:00:00
2024-03-02T00:00:00.000Z|03/02/2024|3/2/24|03/02|02-03-2024|02.03.2024|03/2024|3-Apr
오전 12:03:00|2024-03-02 오후 1:02:03
03-Apr-24|Apr-03|Feb-03|3 April 2024|April 3, 2024|Apr 3|3-APR|03.Apr|3. Mrz|03. März
Okt 03|02-mai|03-févr|févr-03|03-août|03-abr|3 de abril|dic-03|03-ene|03-mag|giu-03
03/mar|set-12|03-mrt|3-maj|03-paź|02-фев|мар.03|3月2日|2024年3月2日|1E+05|1.00E+05|1e+05
2.00E-03|#REF!|#VALUE!|#NAME?|#N/A|########|12:03:00|1706918400000|０２월 ０３일
"""
PLACES = """
제2조의3|제12조|12|2의3|별표 4|별지 제1호서식|부칙|본문|2.1|2.10|2.1.3|2.3.24|Article 5
Article 5-2|§ 164.504|164.504|960.3-1-4-1|1.1031(a)-1|240.10b5-1|1320d-2|300e-1|5E-1
288-1|2-3|12-1-105|Schedule A|Part 3|Section 5|Sec. 3|Form 1|Annex 2|Rule 3.1|Preamble
Chapter 3|Decree 12|Appendix 2|46:8-1|100.1|제3조(정의)|1-2024|가|①|부칙-1
"""


@pytest.mark.parametrize("place", re.split("[|\n]", CHANGED.strip()))
def test_dates_and_numbers_of_a_spreadsheet_are_no_places(place: str) -> None:
    assert spreadsheet_places(["제1조", place], "ko") == {1}


@pytest.mark.parametrize("place", re.split("[|\n]", PLACES.strip()))
def test_places_stay_places(place: str) -> None:
    assert not is_spreadsheet_value(place)
    assert not spreadsheet_places(["제1조", place], "ko")


@pytest.mark.parametrize(
    ("places", "language", "changed"),
    [
        (["제1조", "45352", "제2조"], "ko", {1}),
        (["45352", "45353", "45354"], "ko", {0, 1, 2}),
        (["Section 1", "45352"], "en", {1}),
        (["65850", "65851", "45352"], "en", set()),  # sections of a code of California
        (["12.0", "13.0"], "ko", {0, 1}),
        (["1.0", "1.1", "1.2"], "ko", set()),
        (["2.8", "2.9", "2.1", "2.11"], "ko", {2}),
        (["2.19", "2.2", "2.21"], "ko", {1}),
        (["2.1", "2.2", "2.11", "2.1", "2.9"], "ko", {3}),
        (["2.1", "2.2", "2.1"], "ko", set()),  # a row that stands twice is refused elsewhere
        (["2.8", "2.9", "3.1"], "ko", set()),
        (["2.1", "2.2", "2.10"], "ko", set()),
    ],
)
def test_numbers_are_judged_by_the_places_beside_them(
    places: list[str], language: str, changed: set[int]
) -> None:
    assert spreadsheet_places(places, language) == changed
