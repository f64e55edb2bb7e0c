"""Edits of a codebook: what each changes, and what they refuse."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.tagging.codebook import Codebook
from construction.tagging.editing import (
    OUTDATING,
    ChangeKind,
    differences,
    put_sub_factor,
    with_factor,
    without,
)
from construction.tagging.reading import parse, write
from errors import UserError
from tests.construction.tagging.codebooks import SMALL, codebooks

BOOK = parse(SMALL)


def test_a_sub_factor_takes_the_place_of_the_one_before() -> None:
    _, weapon = BOOK.places["weapon"]
    book = put_sub_factor(BOOK, "violence", replace(weapon, required=False), 3)
    assert [each.key for each in book.factors[0].sub_factors] == ["weapon", "kind"]
    assert not book.factors[0].sub_factors[0].required
    assert book.order == ("kind", "drink", "weapon", "plea")


def test_it_may_move_to_another_factor_and_an_empty_one_goes() -> None:
    _, drink = BOOK.places["drink"]
    book = put_sub_factor(BOOK, "general", drink, 99)
    assert [each.key for each in book.factors] == ["violence", "general"]
    assert [each.key for each in book.factors[1].sub_factors] == ["plea", "drink"]
    assert book.order[-1] == "drink"


def test_what_a_condition_waits_for_cannot_go_unnoticed() -> None:
    book = without(BOOK, "weapon")
    assert book.order == ("kind", "drink", "plea")
    with pytest.raises(UserError) as refused:
        parse(write(book))
    assert refused.value.code == "factors_when_unknown"


def test_a_factor_changes_its_words_and_scope_and_a_new_one_comes_last() -> None:
    road = BOOK.factors[1]
    book = with_factor(BOOK, replace(road, scope=("*",), sub_factors=()))
    assert (book.factors[1].scope, book.factors[1].sub_factors) == (("*",), road.sub_factors)
    _, plea = BOOK.places["plea"]
    new = replace(road, key="new", sub_factors=(replace(plea, key="alibi"),))
    assert with_factor(BOOK, new).order == (*BOOK.order, "alibi")


@given(codebooks(), st.data())
def test_putting_back_what_is_there_changes_nothing(book: Codebook, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(book.order))
    factor, each = book.places[key]
    assert put_sub_factor(book, factor.key, each, book.order.index(key) + 1) == book


OLD = parse(SMALL)
KNIFE = "key: knife\n            label: {en: Knife, ko: 칼}"
DRINK = SMALL[SMALL.index("      - key: drink") : SMALL.index("  - key: general")]


KINDS = SMALL[SMALL.index("          - key: knife") : SMALL.index("  - key: road")]
BLUNT = KINDS[KINDS.index("          - key: blunt") :]


def changed(*edits: tuple[str, str]) -> list[tuple[str, str, str]]:
    text = SMALL
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    found = differences(OLD, parse(text))
    return [(str(each.kind), each.sub_factor or each.factor, each.option) for each in found]


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([("Was one used?", "Used?")], ("text", "weapon", "")),
        ([("{en: Used., ko: 사용함.}", "{en: U, ko: 사}")], ("option_text", "weapon", "yes")),
        ([("key: knife", "key: blade")], ("option_renamed", "kind", "knife")),
        ([("ordered: true", "ordered: false")], ("rules", "drink", "")),
        ([("source: paper", "source: written")], ("source", "plea", "")),
        ([("when: {weapon: ['yes']}", "when: {weapon: ['no']}")], ("condition", "kind", "")),
        ([("scope: [traffic]", "scope: [traffic, fraud]")], ("scope", "road", "")),
        ([("help: {en: Driving.", "help: {en: On roads.")], ("factor_text", "road", "")),
        ([("order: [weapon, kind", "order: [kind, weapon")], ("order", "", "")),
        ([("drink", "drank")], ("renamed", "drink", "")),
        ([(KINDS, BLUNT + KINDS.replace(BLUNT, ""))], ("option_order", "kind", "")),
        ([(KNIFE, KNIFE.replace("knife", "axe").replace("Knife", "Axe"))], None),
    ],
)
def test_each_change_is_told_once(edits, expected) -> None:
    found = changed(*edits)
    if expected is None:
        assert found == [("option_removed", "kind", "knife"), ("option_added", "kind", "axe")]
    else:
        assert found == [expected]


def test_what_is_gone_comes_with_its_factor() -> None:
    text = SMALL.replace(DRINK, "").replace(", drink", "")
    head = text[text.index("  - key: road") : text.index("  - key: general")]
    found = differences(OLD, parse(text.replace(head, "")))
    assert [each.kind for each in found] == [ChangeKind.FACTOR_REMOVED, ChangeKind.REMOVED]
    assert found[1].kind in OUTDATING
    back = differences(parse(text.replace(head, "")), OLD)
    assert [each.kind for each in back] == [ChangeKind.FACTOR_ADDED, ChangeKind.ADDED]


@given(codebooks(), codebooks())
def test_only_codebooks_that_say_the_same_do_not_differ(one: Codebook, other: Codebook) -> None:
    assert differences(one, one) == ()
    assert bool(differences(one, other)) is (one != other)
