from __future__ import annotations

from construction.tagging.reading import parse
from construction.tagging.searching import matching
from tests.construction.tagging.codebooks import SMALL

BOOK = parse(SMALL)


def keys(**wanted) -> list[str]:
    return [each.key for _, inner in matching(BOOK, **wanted) for each in inner]


def test_everything_is_found_as_it_stands_when_nothing_is_asked_for() -> None:
    assert keys() == ["weapon", "kind", "drink", "plea"]


def test_words_are_found_in_either_language_in_options_and_in_factors() -> None:
    assert keys(words="BLADE") == ["kind"]
    assert keys(words="둔기") == ["kind"]
    assert keys(words="violence used") == ["weapon"]
    assert keys(words="폭력") == ["weapon", "kind"]
    assert keys(words="rejected") == []  # the fixed options of claims are everywhere the same


def test_a_part_finds_what_any_of_its_cases_is_asked() -> None:
    assert keys(part="traffic") == ["weapon", "kind", "drink", "plea"]
    assert keys(part="traffic.drunk") == ["drink", "plea"]
    assert keys(part="injury.assault") == ["weapon", "kind", "plea"]
    assert keys(part="theft", claims=True) == ["plea"]
