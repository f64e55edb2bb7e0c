from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.guidelines.documents import EVERY, packaged
from construction.cases import typology
from construction.cases.typology import starter
from construction.tagging.codebook import (
    NOT_STATED,
    Codebook,
    asked_sub_factors,
    by_category,
    in_scope,
    matching,
    parts,
    unknown_parts,
)
from construction.tagging.reading import parse
from storage.tasks import Task
from tests.construction.cases.small_typology import SMALL as SMALL_TYPOLOGY
from tests.construction.tagging.codebooks import SMALL, codebooks

BOOK = parse(SMALL)


def keys(found) -> list[str]:
    return [each.key for each in found]


@pytest.mark.parametrize(
    ("groups", "asked"),
    [
        ("injury.assault", "weapon kind plea"),
        ("traffic.hit_and_run.death", "weapon kind drink plea"),
        ("traffic.drunk", "drink plea"),
        ("traffic.drunk injury.assault", "weapon kind drink plea"),  # what any of them is
        ("injury_by_negligence.car", "plea"),  # a name that only begins alike is another
        ("", "plea"),  # what applies everywhere
    ],
)
def test_a_scope_takes_in_whatever_stands_below_it(groups: str, asked: str) -> None:
    assert keys(in_scope(BOOK, groups.split())) == asked.split()


def test_a_condition_decides_what_is_asked() -> None:
    groups = ["injury.assault"]
    assert keys(asked_sub_factors(BOOK, groups, {})) == ["weapon", "plea"]
    assert keys(asked_sub_factors(BOOK, groups, {"weapon": ("yes",)})) == ["weapon", "kind", "plea"]
    assert keys(asked_sub_factors(BOOK, groups, {"weapon": (NOT_STATED,)})) == ["weapon", "plea"]


def test_what_is_not_asked_conditions_nothing() -> None:
    """An answer left from before does not bring back the questions that hung on it."""
    chained = SMALL.replace(
        "        claim: true", "        claim: true\n        when: {kind: [knife]}"
    )
    book = parse(chained)
    kept = {"weapon": ("yes",), "kind": ("knife", "blunt")}
    assert "plea" in keys(asked_sub_factors(book, ["injury.assault"], kept))
    assert keys(asked_sub_factors(book, ["injury.assault"], kept | {"weapon": ("no",)})) == [
        "weapon"
    ]
    assert keys(asked_sub_factors(book, ["traffic.drunk"], kept)) == ["drink"]


@given(codebooks(("*", "a", "a.b")), st.data())
def test_what_is_asked_is_in_scope_in_order_and_each_condition_is_met(
    book: Codebook, data: st.DataObject
) -> None:
    groups = data.draw(st.lists(st.sampled_from(["a.b.c", "a.d", "e.f"]), max_size=2))
    choices = {
        each.key: [option.key for option in each.options]
        for factor in book.factors
        for each in factor.sub_factors
    }
    answers = {
        key: tuple(data.draw(st.lists(st.sampled_from(options), max_size=2)))
        for key, options in choices.items()
    }
    scope, found = in_scope(book, groups), asked_sub_factors(book, groups, answers)
    assert [key for key in book.order if key in keys(scope)] == keys(scope)
    assert [each for each in scope if each in found] == list(found)
    for each in scope:
        met = all(
            other in keys(found) and set(options) & set(answers[other])
            for other, options in each.when.items()
        )
        assert (each in found) is met


TYPOLOGY = typology.parse(starter())


def test_a_part_is_a_category_a_charge_or_a_group() -> None:
    known = parts(TYPOLOGY)
    assert known["traffic"] == TYPOLOGY.categories[0].label
    assert {"traffic.drunk_driving", "sexual.filming", "sexual.filming.shooting"} <= known.keys()
    small = parts(typology.parse(SMALL_TYPOLOGY))
    assert small["honour.defamation.fact"]["ko"] == "명예훼손 · 사실 적시"
    assert small["honour.insult"] == {"en": "Insult", "ko": "모욕"}
    groups = [g.key for c in TYPOLOGY.categories for x in c.charges for g in x.groups]
    assert set(groups) <= known.keys()


def test_every_scope_of_the_packaged_codebook_is_a_part_of_the_packaged_typology() -> None:
    found = packaged("codebook", Task.FACTOR_TAGGING)
    assert found is not None
    assert unknown_parts(parse(found.texts[EVERY]), parts(TYPOLOGY)) == ()


def test_a_scope_that_the_typology_lacks_is_told_with_its_factor() -> None:
    missing = (("violence", "injury"), ("violence", "traffic.hit_and_run"))
    assert unknown_parts(parse(SMALL), parts(TYPOLOGY)) == missing


def test_parts_come_by_category() -> None:
    assert by_category(["a.x", "b", "a.y.z"]) == {"a": ("a.x", "a.y.z"), "b": ()}


def searching_keys(**wanted) -> list[str]:
    return [each.key for _, inner in matching(BOOK, **wanted) for each in inner]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, "weapon kind drink plea"),
        ({"search_text": "BLADE"}, "kind"),
        ({"search_text": "둔기"}, "kind"),
        ({"search_text": "violence used"}, "weapon"),
        ({"search_text": "폭력"}, "weapon kind"),
        ({"search_text": "rejected"}, ""),  # the options of claims are everywhere the same
        ({"part": "traffic"}, "weapon kind drink plea"),  # what any of its cases is asked
        ({"part": "traffic.drunk"}, "drink plea"),
        ({"part": "injury.assault"}, "weapon kind plea"),
        ({"part": "theft", "claims": True}, "plea"),
    ],
)
def test_sub_factors_are_found_by_words_and_parts(wanted: dict[str, Any], found: str) -> None:
    assert searching_keys(**wanted) == found.split()
