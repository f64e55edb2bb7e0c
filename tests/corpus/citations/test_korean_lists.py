"""Lists and ranges in which a unit is written once, signs, and parts beyond 하목."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.citations.catalogue import Catalogue, CatalogueEntry
from corpus.citations.find import find
from corpus.citations.model import Reason, Status
from corpus.citations.resolve import resolve
from corpus.model import Level, Tier


def read(text: str) -> list[str]:
    """Return ``span: number~last/pinpoint …`` of every citation."""
    return [
        f"{c.text}: "
        + " ".join(
            p.number + (f"~{p.last}" if p.last else "") + (f"/{p.pinpoint}" if p.pinpoint else "")
            for p in c.places
        )
        for c in find(text)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("제329, 330, 331조", ["등대법 제329: 329", "330: 330", "331조: 331"]),
        ("11, 12조", ["등대법 11: 11", "12조: 12"]),
        ("제11, 12조제1항", ["등대법 제11: 11", "12조제1항: 12/1항"]),
        ("제37조, 38조에", ["등대법 제37조: 37", "38조: 38"]),
        ("제11조와 12조는", ["등대법 제11조: 11", "12조: 12"]),
        ("제１１·１２조", ["등대법 제１１: 11", "１２조: 12"]),
        ("제5조의2, 3에", ["등대법 제5조의2: 5의2", "3: 5의3"]),
        ("제5조의2, 3층에", ["등대법 제5조의2: 5의2"]),
        ("제5조의2, 의3, 의4에", ["등대법 제5조의2: 5의2", "의3: 5의3", "의4: 5의4"]),
        ("제5의2조에", ["등대법 제5의2조: 5의2"]),
        ("제5, 7 및 9조를", ["등대법 제5: 5", "7: 7", "9조: 9"]),
        ("제2, 4 내지 6조", ["등대법 제2: 2", "4 내지 6조: 4~6"]),
        ("제5조에서 제8조까지", ["등대법 제5조에서 제8조까지: 5~8"]),
        ("제5조로부터 제8조까지", ["등대법 제5조로부터 제8조까지: 5~8"]),
        ("제11조 및 3조 원의", ["등대법 제11조: 11"]),
        ("§11-2에", ["등대법 §11-2: 11의2"]),
        ("§11–2①", ["등대법 §11–2①: 11의2/1항"]),
        ("제11조-2", ["등대법 제11조-2: 11의2"]),
        ("§11-13에", ["등대법 §11-13: 11~13"]),
        ("제11조-제13조", ["등대법 제11조-제13조: 11~13"]),
        ("11의2조에", ["등대법 11의2조: 11의2"]),
        ("제1항", []),
        ("별표 1, 2에", ["등대법 별표 1: 1", "2: 2"]),
        ("제329 내지 331조", ["등대법 제329 내지 331조: 329~331"]),
        ("제329조 내지 331조가", ["등대법 제329조 내지 331조: 329~331"]),
        ("329조부터 331조까지", ["등대법 329조부터 331조까지: 329~331"]),
        ("제329조부터 제331까지", ["등대법 제329조부터 제331까지: 329~331"]),
        ("제307-309조", ["등대법 제307-309조: 307~309"]),
        ("제5조의2 내지 4를", ["등대법 제5조의2 내지 4: 5의2~5의4"]),
        ("제5조 내지 제8조 및 제10조", ["등대법 제5조 내지 제8조: 5~8", "제10조: 10"]),
        ("별표 1부터 별표 3까지", ["등대법 별표 1부터 별표 3까지: 1~3"]),
        ("§ 11 ①", ["등대법 § 11 ①: 11/1항"]),
        ("§347의2는", ["등대법 §347의2: 347의2"]),
        ("§2①1호", ["등대법 §2①1호: 2/1항/1호"]),
        ("§11, §12", ["등대법 §11: 11", "§12: 12"]),
        ("§§11, 12", ["등대법 §§11: 11", "12: 12"]),
    ],
)
def test_articles(text: str, expected: list[str]) -> None:
    assert read(f"등대법 {text}") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("제1, 3항", "1항 3항"),
        ("1·3항", "1항 3항"),
        ("제1항, 3항", "1항 3항"),
        ("제1 내지 3항", "1항 2항 3항"),
        ("제1~3항", "1항 2항 3항"),
        ("제 1 항 내지 제 3 항", "1항 2항 3항"),
        ("제①항", "1항"),
        ("①, ③항", "1항 3항"),
        ("①②③", "1항 2항 3항"),
        ("①~③항", "1항 2항 3항"),
        ("㉑항", "21항"),
        ("제1·2호", "1호 2호"),
        ("제1, 3호의2", "1호 3호의2"),
        ("제8의2호", "8호의2"),
        ("제8호의2 및 3에", "8호의2 8호의3"),
        ("제1항에서 제3항까지", "1항 2항 3항"),
        ("제2, 4 내지 6항", "2항 4항 5항 6항"),
        ("제1호의2 내지 제1호의4", "1호의2 1호의3 1호의4"),
        ("제3호부터 제5호의2까지", "3호 4호 5호 5호의2"),
        ("제1항제1·2호", "1항/1호 1항/2호"),
        ("제1항 각 호 및 제2항", "1항 2항"),
        ("제1항 단서, 제2항 본문 및 제4항", "1항 2항 4항"),
        ("제1호가·나목", "1호/가목 1호/나목"),
        ("제1호 가, 나 및 다목", "1호/가목 1호/나목 1호/다목"),
        ("제3호파목부터 너목까지", "3호/파목 3호/하목 3호/거목 3호/너목"),
        ("제1항제1호무목", "1항/1호/무목"),
        ("제1호 무목 및 부목", "1호/무목 1호/부목"),
        ("제1호 지목 변경", "1호"),
    ],
)
def test_parts(text: str, expected: str) -> None:
    (citation,) = find(f"등대법 제2조 {text}")
    assert " ".join(place.pinpoint for place in citation.places) == expected


ARTICLES = Catalogue(
    CatalogueEntry("등대법", "등대법", "법률", Tier.ACT, f"등대법_{n}조") for n in (1, 2, 3, 5, 6)
)


def test_a_range_names_every_member_and_one_that_is_not_there_is_said() -> None:
    for text, wanted in (("제1조 내지 3조", "123"), ("제5, 6조", "56")):
        found = resolve(find(f"등대법 {text}"), f"등대법 {text}", ARTICLES)
        assert "".join(t.unit_id[4] for one in found for t in one.targets) == wanted
    (one,) = resolve(find("등대법 제2조 내지 제5조"), "등대법 제2조 내지 제5조", ARTICLES)
    assert (one.status, one.reason) == (Status.UNRESOLVED, Reason.NO_SUCH_PLACE)
    assert one.unit_ids == ("등대법_2조", "등대법_3조", "등대법_5조")


@pytest.mark.parametrize(
    "text", ["45 C.F.R. § 164.504(a)", "§ 12 of the Act", "42 U.S.C. § 1320d-2"]
)
def test_a_section_sign_without_a_korean_text_is_no_korean_article(text: str) -> None:
    assert not [p for c in find(text) for p in c.places if p.level is Level.ARTICLE]


@given(st.lists(st.integers(1, 999), min_size=2, max_size=6, unique=True), st.sampled_from("·,ㆍ/"))
def test_every_member_of_a_list_is_read(numbers: list[int], separator: str) -> None:
    joined = separator.join(map(str, numbers)).replace(",", ", ")
    assert [int(p.number) for c in find(f"등대법 제{joined}조") for p in c.places] == numbers
