from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.model import Level, judgment_language, parse_place, place_id, slug, split_id
from tests.corpus.cases.texts import CHINESE, ENGLISH, KOREAN

NUMBERS = st.builds(
    lambda base, branch: f"{base}의{branch}" if branch else str(base),
    st.integers(1, 999),
    st.none() | st.integers(1, 99),
)
NUMBERED = st.sampled_from([Level.ARTICLE, Level.ANNEX, Level.FORM])


@given(NUMBERED, NUMBERS, st.sampled_from(["ko", "en"]))
def test_place_ids_are_read_back(level: Level, number: str, language: str) -> None:
    assert parse_place(place_id(level, number, language)) == (level, number)


@given(st.integers(0, 99), st.integers(0, 99), st.sampled_from(["ko", "en"]))
def test_sections_are_read_back(first: int, second: int, language: str) -> None:
    number = f"{first}.{second}"
    assert place_id(Level.SECTION, number, language) == number
    assert parse_place(number) == (Level.SECTION, number)


@pytest.mark.parametrize(
    ("level", "number", "language", "place"),
    [
        (Level.ARTICLE, "12", "ko", "12조"),
        (Level.ARTICLE, "2의2", "ko", "2조의2"),
        (Level.ARTICLE, "2의2", "en", "article-2-2"),
        (Level.ANNEX, "4의2", "ko", "별표4의2"),
        (Level.FORM, "1의2", "ko", "별지1의2서식"),
        (Level.FORM, "1", "en", "form-1"),
    ],
)
def test_place_ids_are_written_as_documented(
    level: Level, number: str, language: str, place: str
) -> None:
    assert place_id(level, number, language) == place


def test_addenda_have_no_numbered_place() -> None:
    with pytest.raises(ValueError, match="addendum"):
        place_id(Level.ADDENDUM, "1")


@pytest.mark.parametrize(
    "place",
    ["", "부칙-법률-제1호", "별표4-1호의나", "12", "조", "１２조", "article-", "본문", "2.1.1"],
)
def test_other_forms_are_not_places(place: str) -> None:
    assert parse_place(place) is None


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("건축법", "건축법"),
        ("소방시설 설치 및 관리에 관한 법률", "소방시설-설치-및-관리에-관한-법률"),
        ("지진ㆍ화산재해대책법", "지진-화산재해대책법"),
        (
            "유도등 및 유도표지의 화재안전기술기준(NFTC 303)",
            "유도등-및-유도표지의-화재안전기술기준-NFTC-303",
        ),
        ("Test_Fire  Act", "Test-Fire-Act"),
        (" ( ) ", ""),
    ],
)
def test_slug(title: str, expected: str) -> None:
    assert slug(title) == expected


@given(st.text(), st.text(alphabet="0123456789조별표의부칙-."))
def test_ids_split_where_they_were_joined(title: str, place: str) -> None:
    assert split_id(f"{slug(title)}_{place}") == (slug(title), place)


@given(st.text())
def test_slug_is_stable_and_without_separators(title: str) -> None:
    once = slug(title)
    assert slug(once) == once
    assert not any(c in once for c in " _()[]ㆍ·,\n")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (KOREAN, "ko"),
        (ENGLISH, "en"),
        (CHINESE, "zh"),
        ("뢫" + CHINESE, "zh"),  # a stray syllable, as damaged files have
        ("피고인은 大法院 判決에 따라 무죄", "ko"),
        ("The court cites 형법 in passing, and nothing else in Korean.", "en"),
        ("123", "en"),
    ],
)
def test_the_script_of_most_letters_tells(text, language):
    assert judgment_language(text) == language
