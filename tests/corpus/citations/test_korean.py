"""Every Korean form: what is found, where it ends, and how it is read."""

from __future__ import annotations

import pytest

from corpus.citations.find import find
from corpus.citations.model import NameKind, Role
from corpus.model import Level
from tests.corpus.citations.law import marked

ONE = """
⟦「등대법」 제24조제1항제3호⟧에 따라 → article 24 1항/3호
⟦「등대법」제12조⟧를 → article 12
⟦「등대법」 제2조의3⟧ → article 2의3
⟦「등대법」 제 2 조의 3 제 1 항⟧ → article 2의3 1항
⟦「등대법」 제2조⟧의 규정 → article 2
⟦「등대법」[시행 2022. 1. 1.]제23조⟧ → article 23
⟦『등대법』의 제5조⟧ → article 5
⟦「등대법」 제24조 ④항⟧ → article 24 4항
⟦「등대법」 제24조5항⟧에 → article 24 5항
⟦「등대법」 제3조4호가목⟧에서 → article 3 4호/가목
⟦「등대법」 3조 4호⟧ → article 3 4호
⟦「등대법」 제2조제3호의2⟧ → article 2 3호의2
⟦「등대법」 제13조(등대의 (보수) 등)제2항⟧에 → article 13 2항
⟦「등대법 시행령」 별표 4 제1호나목⟧ → annex 4 1호/나목
⟦「등대법 시행령」 [별표 4]⟧ → annex 4
⟦「등대법 시행령」 별표4의 1호나목1)⟧에 → annex 4 1호/나목/1)
⟦「등대법 시행령」 별표 4의2⟧ → annex 4의2
⟦「등대법 시행규칙」별표2 2.⟧비상구 → annex 2 2호
⟦「등대법 시행령」 별표 1의2 1.가.2)⟧에 → annex 1의2 1호/가목/2)
⟦「등대법 시행령」 별표 1 비고 제3호⟧ → annex 1 비고/3호
⟦「등대법 시행규칙」 별지 제9호 서식⟧의 → form 9
⟦LBTC 102 2.1.1⟧ 수원 → section 2.1.1
⟦「등명기의 기술기준(LBTC 203)」2.4.5.2⟧에 → section 2.4.5.2
⟦「등명기의 기술기준(LBTC 303)」표2.1.1⟧에 → section 2.1.1
⟦등대법 시행령 제5조⟧ → article 5
⟦등대법 64조⟧ → article 64
‘⟦등대의 설치에 관한 법률’ 제24조⟧ → article 24
따라서 ⟦등대의 설치에 관한 규칙 제5조⟧ → article 5
⟦「예방업무처리규정 제8조 2항 1호」⟧ → article 8 2항/1호
"""


@pytest.mark.parametrize(("text", "expected"), marked(ONE))
def test_one_place(text: str, expected: list[tuple[str, str]]) -> None:
    (citation,) = find(text)
    (place,) = citation.places
    meaning = f"{place.level} {place.number} {place.pinpoint}".strip()
    assert [(citation.text, meaning)] == expected


MENTIONS = [
    ("같은 법 제5조", NameKind.SAME, Role.ACT, False),
    ("같은법 시행령 제5조", NameKind.SAME, Role.DECREE, False),
    ("동법 시행규칙 제5조", NameKind.SAME, Role.RULE, False),
    ("같은 영 제5조", NameKind.SAME, Role.DECREE, True),
    ("같은 규칙 제5조", NameKind.SAME, Role.RULE, True),
    ("같은 기준 2.4", NameKind.SAME, Role.STANDARD, True),
    ("법 제5조", NameKind.LEVEL, Role.ACT, False),
    ("영 제5조", NameKind.LEVEL, Role.DECREE, False),
    ("규칙 제5조", NameKind.LEVEL, Role.RULE, False),
    ("시행령 별표 2", NameKind.LEVEL, Role.DECREE, False),
    ("법 시행규칙 별표2", NameKind.LEVEL, Role.RULE, False),
    ("행정안전부령 제7조", NameKind.LEVEL, Role.RULE, False),
]


@pytest.mark.parametrize(("text", "kind", "role", "direct"), MENTIONS)
def test_what_points_at_an_instrument(text: str, kind: NameKind, role: Role, direct: bool) -> None:
    (citation,) = find(text)
    mention = citation.mention
    assert (mention.kind, mention.role, mention.direct) == (kind, role, direct)


LISTS = [
    ("「등대법」 제5조 및 제7조", [("5", ""), ("7", "")]),
    ("「등대법」 제24조·제25조", [("24", ""), ("25", "")]),
    ("「등대법」 제9조의3ㆍ제18조", [("9의3", ""), ("18", "")]),
    ("「등대법」 제5조, 제6조 및 제7조제1항", [("5", ""), ("6", ""), ("7", "1항")]),
    ("「등대법」 제22조제1항 및 제2항", [("22", "1항"), ("22", "2항")]),
    (
        "「등대법」 제22조제1항부터 제4항까지",
        [("22", "1항"), ("22", "2항"), ("22", "3항"), ("22", "4항")],
    ),
    ("「등대법」 제3조제1항제2호 또는 제3호", [("3", "1항/2호"), ("3", "1항/3호")]),
    (
        "「등대법」 제3조제1호가목부터 다목까지",
        [("3", "1호/가목"), ("3", "1호/나목"), ("3", "1호/다목")],
    ),
    ("「등대법」 제5조제1항 및 제6조제2항제1호", [("5", "1항"), ("6", "2항/1호")]),
]


@pytest.mark.parametrize(("text", "expected"), LISTS)
def test_lists(text: str, expected: list[tuple[str, str]]) -> None:
    citations = find(text)
    assert [(p.number, p.pinpoint) for c in citations for p in c.places] == expected
    assert all(c.mention.kind is NameKind.CONTINUED for c in citations[1:])


@pytest.mark.parametrize(
    "text",
    [
        "제9조의2부터 제9조의4까지",
        "제9조의2 내지 제9조의4",
        "제9조의2~제9조의4",
        "제9조의2(점검)부터 제9조의4(등록 등)까지",
    ],
)
def test_ranges(text: str) -> None:
    (citation,) = find(f"「등대법」 {text}")
    (place,) = citation.places
    assert (place.number, place.last) == ("9의2", "9의4")


@pytest.mark.parametrize(
    "text",
    [
        "2023.4.14 시행, 21.7.26. 개정",
        "「등명기의 기술기준(LBTC 103)」에 따라 (12.5.18) 지침",
        "NFTC 103에 따라 1.5 m 이상, 2.5배",
        "LBTC 103 기준에서 KDS 29 14 00 4.1.5",
        "제3자에게, 3조 원의, 2개 조로, 제1차 공사",
        "설치방법 등을 법에 따라 정한다",
    ],
)
def test_no_places_where_there_are_none(text: str) -> None:
    assert [c.text for c in find(text) if c.places] == []


def test_a_quoted_name_alone_is_an_instrument_without_place() -> None:
    (citation,) = find("이는 「전기설비기술기준」에 따른다.")
    assert (citation.text, citation.places) == ("「전기설비기술기준」", ())
    assert citation.instrument == "「전기설비기술기준」"


def test_articles_of_addenda_are_not_articles_of_the_body() -> None:
    citations = find("「등대법」 부칙 <제100호> 제7조 및 제8조")
    assert [p.level for c in citations for p in c.places] == [Level.ADDENDUM, Level.ADDENDUM]
    assert citations[0].places[0].number == "100"


def test_a_bare_section_needs_a_standard_named_before() -> None:
    assert find("펌프는 2.6.2.5에 따른다") == []
    found = find("LBTC 102에 따르면 펌프는 2.6.2.5에 따른다")
    assert [(c.text, c.mention.kind) for c in found] == [
        ("LBTC 102", NameKind.CODE),
        ("2.6.2.5", NameKind.NONE),
    ]


def test_an_annex_right_after_an_article_has_its_instrument() -> None:
    found = find("영 제18조제2항 별표 8 제2호")
    assert [(c.text, c.mention.kind) for c in found] == [
        ("영 제18조제2항", NameKind.LEVEL),
        ("별표 8 제2호", NameKind.CONTINUED),
    ]


@pytest.mark.parametrize(
    ("text", "number", "inner"),
    [
        ("법률 제20393호 주택법 일부개정법률 부칙 제3조에 따라", "20393", "제3조"),
        ("법률 제3074호 주택법중개정법률 부칙 제5항에 따른", "3074", "제5항"),
        ("대통령령 제123호 주택법 시행령 일부개정령 부칙 제2조의2제1항", "123", "제2조의2제1항"),
        ("국방부령 제12호 「주택법 시행규칙 전부개정령」 부칙에 따라", "12", ""),
    ],
)
def test_the_number_and_what_stands_in_the_addendum_are_read(
    text: str, number: str, inner: str
) -> None:
    (found,) = find(text)
    (place,) = found.places
    assert (place.level, place.number, place.pinpoint) == (Level.ADDENDUM, number, inner)
    assert found.mention.kind is NameKind.TITLE
    assert found.mention.name.startswith("주택법")
    assert "개정" not in found.mention.name
    assert text.startswith(found.text)


@pytest.mark.parametrize(
    "text",
    [
        "법률 제20393호로 개정되기 전의 규정",
        "법률 제20393호 제3조에 따라",
        "대통령령 제123호 주택법 시행령 일부개정령을 시행한다",
        "그 제123호 주택법 부칙 제3조",
    ],
)
def test_a_number_without_an_addendum_names_none(text: str) -> None:
    found = [place for one in find(text) for place in one.places]
    assert not any(place.level is Level.ADDENDUM and place.number for place in found)
