"""The level of a reference set, against a table that covers every branch."""

from dataclasses import replace
from itertools import product

import pytest

from construction.augmentation.rubric import (
    LEVELS,
    PAPER,
    Governing,
    Reference,
    ReferenceSet,
    Rubric,
    contains_term,
    difficulty,
    level_shares,
    reference_set,
    size,
)


def references(number: int) -> tuple[Reference, ...]:
    return tuple(Reference(f"법_{n}조", "법") for n in range(1, number + 1))


def case(number: int = 1, **said: object) -> ReferenceSet:
    return replace(ReferenceSet(references(number)), **said)  # type: ignore[arg-type]


def test_a_set_without_references_has_no_level() -> None:
    with pytest.raises(ValueError, match="no difficulty"):
        difficulty(ReferenceSet(()))


def test_a_provision_that_stands_twice_counts_once() -> None:
    twice = ReferenceSet((Reference("법_1조", "법"), Reference("법_1조", "법")))
    assert size(twice) == 1
    assert difficulty(twice) == "L1"


def test_numbers_of_the_rubric_are_parameters() -> None:
    assert difficulty(case(3), Rubric(references=3)) == "L3"
    assert difficulty(case(institutions=3), Rubric(parallel=3)) == "L3"
    assert difficulty(case(arity=2), Rubric(arity=2)) == "L3"
    assert difficulty(case(conditional=True, institutions=2), Rubric(institutions=3)) == "L2"


def test_the_paper_s_table_is_read_from_its_last_line() -> None:
    """Say the rule over, as the paper states it, and compare for all that a set can be."""
    either = (False, True)
    for number, conditional, cross_document, external_law, sanction, institutions, arity in product(
        range(1, 6), either, either, either, either, range(6), range(1, 5)
    ):
        several = institutions >= 2 or arity >= 3
        l4 = conditional and (cross_document or sanction or several)
        l3 = cross_document or external_law or number >= 4 or institutions >= 4 or arity >= 3
        l2 = number >= 2 or conditional
        found = case(
            number,
            conditional=conditional,
            cross_document=cross_document,
            external_law=external_law,
            sanction=sanction,
            institutions=institutions,
            arity=arity,
        )
        assert difficulty(found) == ("L4" if l4 else "L3" if l3 else "L2" if l2 else "L1")


def provision(unit: str, text: str = "신고하여야 한다.") -> Governing:
    return Governing(unit, unit.split("_")[0], 1, text)


WORDS = replace(
    PAPER,
    conditional_terms=("다만", "unless", "provided that"),
    sanction_terms=("과태료", "fine"),
    external_statutes=("세법",),
)


def test_flags_are_read_off_the_provisions() -> None:
    plain = reference_set([provision("법_1조")], WORDS)
    assert plain == ReferenceSet((Reference("법_1조", "법", 1),))
    both = reference_set(
        [provision("법_1조", "신고한다. 다만, 경미하면 그러하지 아니하다."), provision("영_2조")],
        WORDS,
    )
    assert both.conditional
    assert both.cross_document
    assert difficulty(both) == "L4"
    assert reference_set([provision("법_9조", "500만원 이하의 과태료")], WORDS).sanction
    assert reference_set([provision("세법_1조")], WORDS).external_law
    assert reference_set([provision("법_1조")], WORDS, conditional=True).conditional
    assert reference_set([provision("법_1조")], WORDS, arity=3).arity == 3


def test_institutions_are_the_slots_of_one_group() -> None:
    groups = {
        "costs": {"고시_1조": "university", "고시_2조": "institute", "고시_3조": "institute"},
        "travel": {"고시_8조": "university", "고시_9조": ""},
    }
    found = [provision(f"고시_{n}조") for n in (1, 2, 3, 8)]
    assert reference_set(found, WORDS, groups=groups).institutions == 2
    pair = [provision("고시_8조"), provision("고시_9조")]
    assert reference_set(pair, WORDS, groups=groups).institutions == 2
    assert reference_set([provision("법_1조")], WORDS, groups=groups).institutions == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Unless the owner agrees", True),
        ("Provided  that it is dry", True),
        ("He shall define it", False),
        ("a fine of 50", True),
        ("이하의 과태료를", True),
        ("", False),
    ],
)
def test_latin_terms_are_whole_words(text: str, said: bool) -> None:
    assert contains_term(text, WORDS.conditional_terms + WORDS.sanction_terms) is said


def test_no_terms_are_said_by_nothing() -> None:
    assert not contains_term("다만", ())


@pytest.mark.parametrize(
    ("counts", "total", "shares"),
    [
        ((48, 81, 54, 67), 250, (0.192, 0.324, 0.216, 0.268)),  # the paper, table 12
        ((48, 81, 45, 57), 231, (0.208, 0.351, 0.195, 0.247)),  # the release
    ],
)
def test_published_distributions_from_their_counts(
    counts: tuple[int, ...], total: int, shares: tuple[float, ...]
) -> None:
    figures = level_shares(dict(zip(LEVELS, counts, strict=True)))
    assert [each.n for each in figures] == [total] * 4
    assert [round(each.value or 0, 3) for each in figures] == list(shares)
    assert all(
        each.low is not None and each.high is not None and each.low < (each.value or 0) < each.high
        for each in figures
    )


def test_shares_of_nothing_are_missing() -> None:
    assert [each.value for each in level_shares({})] == [None] * 4
    with pytest.raises(ValueError, match="L5"):
        level_shares({"L5": 1})
