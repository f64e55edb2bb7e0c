"""Short names of real statutes (public titles), by rule."""

from __future__ import annotations

import pytest

from corpus.citations.short_names import PIECES, WHOLE_RUN, rank

MATCHES = [
    ("소방시설법", "소방시설 설치 및 관리에 관한 법률", WHOLE_RUN),
    ("화재예방법", "화재의 예방 및 안전관리에 관한 법률", WHOLE_RUN),
    ("다중이용업소법", "다중이용업소의 안전관리에 관한 특별법", WHOLE_RUN),
    ("국토계획법", "국토의 계획 및 이용에 관한 법률", WHOLE_RUN),
    ("집합건물법", "집합건물의 소유 및 관리에 관한 법률", WHOLE_RUN),
    ("초고층재난관리법", "초고층 및 지하연계 복합건축물 재난관리에 관한 특별법", PIECES),
    ("시설물안전법", "시설물의 안전 및 유지관리에 관한 특별법", WHOLE_RUN),
    ("화재보험법", "화재로 인한 재해보상과 보험가입에 관한 법률", PIECES),
    ("건축물방화구조규칙", "건축물의 피난ㆍ방화구조 등의 기준에 관한 규칙", PIECES),
    ("특정범죄가중법", "특정범죄 가중처벌 등에 관한 법률", PIECES),
    ("전기안전법", "전기안전관리법", PIECES),
]


@pytest.mark.parametrize(("short", "title", "expected"), MATCHES)
def test_short_names(short: str, title: str, expected: int) -> None:
    assert rank(short, title) == expected


@pytest.mark.parametrize(
    ("short", "title"),
    [
        ("소방법", "소방의 화재조사에 관한 법률"),  # too short to tell
        ("화재조사법", "소방의 화재조사에 관한 법률"),  # not from the first word
        ("소방시설규칙", "소방시설 설치 및 관리에 관한 법률"),  # another type
        ("소방시설관리법", "소방시설공사업법"),
        ("방법", "건축법"),
        ("", "건축법"),
        ("건축법", ""),
    ],
)
def test_what_is_no_short_name(short: str, title: str) -> None:
    assert rank(short, title) is None
