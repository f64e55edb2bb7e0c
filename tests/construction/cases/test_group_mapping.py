"""Cases mapped to standard groups, and the rule that is told for each."""

from __future__ import annotations

import time

import pytest

from construction.cases.group_mapping import (
    CategoryRow,
    Mapped,
    Mapper,
    Missed,
    Why,
    coverage,
)
from construction.cases.typology import parse
from tests.construction.cases.small_typology import SMALL

IMAGES = "성폭력범죄의처벌등에관한특례법위반(허위영상물편집·반포등)"


def mapped(
    title: str = "", charges: tuple[str, ...] = (), provisions: tuple[str, ...] = ()
) -> Mapped:
    return Mapper(parse(SMALL)).map(title, charges, provisions)


MAPPINGS = """
rule | title | charge | provisions | groups, and what has none
its title alone | 모욕죄 | | | honour.insult title
the first applied | | 명예훼손 | 형법 제307조 제2항, 제1항; 제37조 | DEFAMATION.falsehood provision
in Chinese | | 诽谤罪 | 《中华人民共和国刑法》第二百四十六条第一款 | DEFAMATION.falsehood provision
in English | | Defamation | Article 307(2) of the Criminal Act | DEFAMATION.falsehood provision
the statute named before | | 명예훼손 | 형법 제37조; 제307조 제1항 | DEFAMATION.fact provision
what remains | 명예훼손 | | 형법 제307조 | DEFAMATION.unspecified remaining
nothing remains | | IMAGES | 성폭력처벌법 제13조 | no_provision sexual.false_images
more is asked | | IMAGES | 성폭력처벌법 제14조의2 제3항, 제14조의2 제2항 | FALSE.profit provision
or less | | IMAGES | 성폭력처벌법 제14조의2 제2항 | FALSE.distribution provision
several charges | 모욕, 명예훼손, 무고 | | 형법 제307조 제1항 | BOTH
no listed charge is known | 모욕 | 무고 | | honour.insult title
one is | 모욕 | 명예훼손 | | DEFAMATION.unspecified remaining
an unknown title | 무고 | | | unknown_title
no title | | | | no_title
"""
SHORT = {
    "IMAGES": IMAGES,
    "BOTH": "DEFAMATION.fact provision; honour.insult title; unknown_title",
    "DEFAMATION": "honour.defamation",
    "FALSE": "sexual.false_images",
}


@pytest.mark.parametrize("line", MAPPINGS.strip().splitlines()[1:])
def test_groups_and_why(line: str) -> None:
    for short, long in SHORT.items():
        line = line.replace(short, long)
    _, title, charge, provisions, expected = (cell.strip() for cell in line.split("|"))
    found = mapped(title, (charge,) * bool(charge), tuple(filter(None, provisions.split("; "))))
    told = [f"{why.group} {why.rule}" for why in found.why]
    told += [f"{each.reason} {each.charge}".strip() for each in found.missed]
    assert "; ".join(told) == expected
    assert found.groups == tuple(why.group for why in found.why)
    assert found.categories == tuple(dict.fromkeys(g.split(".")[0] for g in found.groups))


def test_a_group_is_told_with_its_charge_where_it_stood_and_the_provisions_that_count() -> None:
    texts = ("형법 제307조 제2항, 제1항", "형법 제37조")
    assert mapped(charges=("명예훼손",), provisions=texts).why == (
        Why("honour.defamation.falsehood", "명예훼손", "charges", "provision", texts[:1]),
    )
    assert mapped("모욕죄").why == (Why("honour.insult", "모욕죄", "title", "title"),)


@pytest.mark.parametrize("long", ["가" * 10**6 + "죄명", "모욕 " * 10**5, "제" * 10**6])
def test_what_is_far_too_long_for_a_title_or_provision_takes_no_time(long: str) -> None:
    start = time.process_time()
    found = mapped(f"모욕, {long}", (long,), (long,))
    assert time.process_time() - start < 2
    assert found.missed or found.groups == ("honour.insult",)


def test_a_mapper_maps_each_case_as_if_it_were_alone() -> None:
    mapper = Mapper(parse(SMALL))
    first = mapper.map("명예훼손", (), ("형법 제307조 제1항",))
    mapper.map("명예훼손", (), ("상법 제5조",))
    assert mapper.map("명예훼손", (), ("형법 제307조 제1항",)) == first


CASES = [
    ("모욕", ("상법 제1조",)),
    ("모욕, 명예훼손", ("형법 제307조 제1항",)),
    (
        "모욕, 성폭력범죄의처벌등에관한특례법위반(허위영상물편집·반포등)",
        ("성폭력처벌법 제14조의2 제2항",),
    ),
    ("무고", ()),
    ("무고", ()),
    ("", ()),
]


def test_a_case_counts_once_for_each_category_and_once_in_all() -> None:
    typology = parse(SMALL)
    mapper = Mapper(typology)
    found = coverage(typology, (mapper.map(title, (), said) for title, said in CASES))
    assert found.rows == (CategoryRow("honour", 4, 2, 3), CategoryRow("sexual", 2, 1, 1))
    assert (found.groups, found.filled) == (6, 3)
    assert (found.cases, found.mapped, found.multiple, found.assigned) == (6, 3, 2, 4)
    assert found.share == 3 / 6
    assert found.by_group["honour.insult"] == 3
    assert found.by_group["honour.defamation.falsehood"] == 0
    unknown, none = Missed("무고", "unknown_title"), Missed("", "no_title")
    assert found.missed == ((unknown, 2), (none, 1))


def test_of_no_case_there_is_no_share() -> None:
    assert coverage(parse(SMALL), []).share is None
