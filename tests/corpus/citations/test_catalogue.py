"""Looking instruments up, and doing it for a whole country's law."""

from __future__ import annotations

import time

import pytest

from corpus.citations.catalogue import PIECES, WHOLE_RUN, Catalogue, CatalogueEntry, rank, sort_key
from corpus.citations.model import Role
from corpus.model import Level, Tier
from tests.corpus.citations.law import ACT, CATALOGUE, DECREE, OTHER, STANDARD, unit

MATCHES = [
    ("소방시설법", "소방시설 설치 및 관리에 관한 법률", WHOLE_RUN),
    ("화재예방법", "화재의 예방 및 안전관리에 관한 법률", WHOLE_RUN),
    ("다중이용업소법", "다중이용업소의 안전관리에 관한 특별법", WHOLE_RUN),
    ("초고층재난관리법", "초고층 및 지하연계 복합건축물 재난관리에 관한 특별법", PIECES),
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


def entry(title: str, place: str) -> CatalogueEntry:
    return CatalogueEntry(title, title, "", Tier.ACT, f"{title}_{place}")


def test_by_title_short_name_and_code() -> None:
    assert [i.title for i in CATALOGUE.by_title(ACT.replace(" ", ""))] == [ACT]
    assert [i.title for i in CATALOGUE.by_short_name("수로보전법 시행령")] == [DECREE]
    assert [i.title for i in CATALOGUE.by_code("LBTC102")] == [STANDARD]
    assert CATALOGUE.by_title("없는 법") == ()


def test_a_short_name_of_two_titles_gives_both() -> None:
    titles = ("항로의 표지 및 관리에 관한 법률", "항로의 표지에 관한 특별법")
    catalogue = Catalogue(entry(t, "1조") for t in titles)
    assert len(catalogue.by_short_name("항로표지법")) == 2


def test_a_similar_title_must_win_with_a_margin() -> None:
    titles = ("항만의 개발 및 운영에 관한 법률", "항만의 재개발 및 운영에 관한 법률")
    catalogue = Catalogue(entry(t, "1조") for t in titles)
    assert catalogue.by_similar_title("항만의 개발과 운영에 관한 법률") == ()
    alone = Catalogue([entry(titles[0], "1조")])
    assert [i.title for i in alone.by_similar_title("항만의 개발과 운영에 관한 법률")] == [
        titles[0]
    ]


def test_families() -> None:
    (act,) = CATALOGUE.by_title(ACT)
    assert [i.title for i in CATALOGUE.in_family(act.base, Role.DECREE)] == [DECREE]
    assert CATALOGUE.in_family(act.base, Role.STANDARD) == ()


def test_order_of_numbers() -> None:
    numbers = ["10", "2의10", "2", "2의2", "3"]
    assert sorted(numbers, key=sort_key) == ["2", "2의2", "2의10", "3", "10"]


def test_sections_hold_what_is_below_them() -> None:
    (standard,) = CATALOGUE.by_code("LBTC102")
    assert standard.unit(Level.SECTION, "2.1.1.3") == unit(STANDARD, "2.1")
    assert standard.unit(Level.SECTION, "9.9.9") is None


def test_the_order_of_entries_does_not_matter() -> None:
    titles = [OTHER, ACT, DECREE]
    forwards = Catalogue(entry(t, p) for t in titles for p in ("1조", "2조"))
    backwards = Catalogue(entry(t, p) for t in reversed(titles) for p in ("2조", "1조"))
    assert [i.statute_id for i in forwards.instruments] == [
        i.statute_id for i in backwards.instruments
    ]


def test_much_of_a_country_is_built_in_seconds() -> None:
    units = [entry(f"제{s}호 수로법", f"{n}조") for s in range(2_000) for n in range(1, 41)]
    began = time.process_time()
    catalogue = Catalogue(units)
    assert len(catalogue.instruments) == 2_000
    assert time.process_time() - began < 4
