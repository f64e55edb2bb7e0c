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


def test_a_charge_of_one_group_needs_its_title_alone() -> None:
    assert mapped("모욕죄").why == (Why("honour.insult", "모욕죄", "title", "title"),)


def test_the_provision_applied_tells_groups_of_one_charge_apart() -> None:
    texts = ("형법 제307조 제2항, 제1항", "형법 제37조")
    found = mapped(charges=("명예훼손",), provisions=texts)
    assert found.why == (
        Why("honour.defamation.falsehood", "명예훼손", "charges", "provision", texts[:1]),
    )


@pytest.mark.parametrize(
    ("charge", "provision"),
    [
        ("诽谤罪", "《中华人民共和国刑法》第二百四十六条第一款"),
        ("Defamation", "Article 307(2) of the Criminal Act"),
    ],
)
def test_a_case_in_another_language_is_in_the_same_group(charge: str, provision: str) -> None:
    assert mapped(charges=(charge,), provisions=(provision,)).groups == (
        "honour.defamation.falsehood",
    )


def test_a_bare_article_is_of_the_statute_that_the_case_named_before_it() -> None:
    found = mapped(charges=("명예훼손",), provisions=("형법 제37조", "제307조 제1항"))
    assert found.groups == ("honour.defamation.fact",)


def test_what_no_provision_fits_remains_where_the_charge_has_such_a_group() -> None:
    (why,) = mapped("명예훼손", provisions=("형법 제307조",)).why
    assert (why.group, why.rule) == ("honour.defamation.unspecified", "remaining")


def test_otherwise_it_is_listed_with_the_charge_that_was_known() -> None:
    found = mapped(charges=(IMAGES,), provisions=("성폭력처벌법 제13조",))
    assert found == Mapped((), (), (Missed(IMAGES, "no_provision", "sexual.false_images"),))


def test_a_group_that_asks_for_more_takes_the_place_of_one_that_asks_for_less() -> None:
    for_profit = ("성폭력처벌법 제14조의2 제3항, 제14조의2 제2항",)
    assert mapped(charges=(IMAGES,), provisions=for_profit).groups == (
        "sexual.false_images.profit",
    )
    distributed = ("성폭력범죄의 처벌 등에 관한 특례법 제14조의2 제2항",)
    assert mapped(charges=(IMAGES,), provisions=distributed).groups == (
        "sexual.false_images.distribution",
    )


def test_a_case_of_several_charges_is_in_the_groups_of_each_in_the_typologys_order() -> None:
    found = mapped("모욕, 명예훼손, 무고", provisions=("형법 제307조 제1항", "형법 제307조 제2항"))
    assert found.groups == (
        "honour.defamation.fact",
        "honour.defamation.falsehood",
        "honour.insult",
    )
    assert found.categories == ("honour",)
    assert found.missed == (Missed("무고", "unknown_title"),)


def test_the_title_counts_where_no_listed_charge_is_known() -> None:
    found = mapped("모욕", charges=("무고",))
    assert (found.groups, found.why[0].where) == (("honour.insult",), "title")
    assert mapped("모욕", charges=("명예훼손",)).groups == ("honour.defamation.unspecified",)


def test_a_case_without_a_title_says_so() -> None:
    assert mapped().missed == (Missed("", "no_title"),)
    assert mapped("무고").missed == (Missed("무고", "unknown_title"),)


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
