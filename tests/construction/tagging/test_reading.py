from __future__ import annotations

import pytest
from hypothesis import given

from construction.tagging.claims import CLAIM_ANSWERS
from construction.tagging.codebook import CLAIM_OPTIONS, Codebook
from construction.tagging.reading import parse, write
from errors import UserError
from tests.construction.tagging.codebooks import SMALL, codebooks


def refused(text: str) -> tuple[str, int | None, str | None]:
    with pytest.raises(UserError) as found:
        parse(text)
    assert found.value.what("ko") and found.value.remedy("ko")
    return found.value.code, found.value.where.line, found.value.where.field


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def test_a_codebook_says_everything_of_its_questions() -> None:
    book = parse(SMALL)
    weapon, kind = book.factors[0].sub_factors
    assert book.factors[0].scope == ("injury", "traffic.hit_and_run")
    assert [option.key for option in weapon.options] == ["yes", "no"]
    assert weapon.label == {"en": "Weapon", "ko": "흉기"}
    assert (weapon.exclusive, weapon.required, weapon.ordered) == (True, True, False)
    assert (kind.exclusive, kind.when) == (False, {"weapon": ("yes",)})
    assert book.factors[1].sub_factors[0].ordered
    plea = book.factors[2].sub_factors[0]
    assert plea.options == CLAIM_ANSWERS
    assert tuple(option.key for option in plea.options) == CLAIM_OPTIONS
    assert (plea.required, plea.source, plea.options_source) == (False, "paper", "paper")


def test_without_an_order_they_count_as_they_stand() -> None:
    book = parse(SMALL.partition("\n")[2])
    assert book.order == ("weapon", "kind", "drink", "plea")


@given(codebooks(("*", "a", "a.b.c")))
def test_what_is_written_reads_back_as_the_same(book: Codebook) -> None:
    try:
        again = parse(write(book))
    except UserError as error:  # conditions across scopes that never meet
        assert error.code == "factors_when_scope"
        return
    assert again == book


@pytest.mark.parametrize(
    ("old", "new", "code", "field"),
    [
        ("key: knife", "kee: knife", "field_unknown", "sub_factors[2].options[1].kee"),
        ("{en: Knife, ko: 칼}", "{en: Knife}", "field_missing", "options[1].label.ko"),
        ("{en: Knife, ko: 칼}", "{en: Knife, ko: ''}", "field_missing", "options[1].label.ko"),
        ("{en: Knife, ko: 칼}", "Knife", "field_not_mapping", "options[1].label"),
        ("key: knife", "key: Knife", "factors_key", "options[1].key"),
        ("key: knife", "key: not_stated", "factors_key", "options[1].key"),
        ("scope: [traffic]", "scope: [a.b.c.d]", "factors_key", "factors[2].scope[1]"),
        ("scope: [traffic]", "scope: []", "factors_empty", "factors[2].scope"),
        ("exclusive: false", "exclusive: perhaps", "factors_word", "sub_factors[2].exclusive"),
        ("claim: true", "claim: true\n        ordered: true", "factors_claim", "].ordered"),
        ("ordered: true", "exclusive: false\n        ordered: true", "factors_scale", "].ordered"),
        ("key: blunt", "key: knife", "factors_twice", "sub_factors[2].options[2].key"),
        ("key: drink", "key: weapon", "factors_twice", "factors[2].sub_factors[1].key"),
        ("key: road", "key: violence", "factors_twice", "factors[2].key"),
        ("when: {weapon: ['yes']}", "when: {}", "factors_when_empty", "sub_factors[2].when"),
    ],
)
def test_a_field_that_cannot_be_read_is_named_with_its_line(
    old: str, new: str, code: str, field: str
) -> None:
    found, line, place = refused(SMALL.replace(old, new))
    assert (found, place is not None and place.endswith(field)) == (code, True)
    assert line == line_of(SMALL, old) + new.count("\n")


@pytest.mark.parametrize("text", ["factors: []", "order: []\nfactors: []\n"])
def test_an_empty_codebook_is_refused(text: str) -> None:
    assert refused(text)[0] == "factors_empty"


def test_text_that_is_too_long_is_refused() -> None:
    assert refused(SMALL.replace("Knife", "k" * 121))[0] == "text_too_long"


@pytest.mark.parametrize("text", ["", "a: [", "- x", "factors: x", "order: []", "factors: \0"])
def test_what_is_no_codebook_is_refused(text: str) -> None:
    assert refused(text)[0] in {
        "field_not_mapping", "factors_list", "yaml_broken", "factors_empty", "text_unstorable",
    }  # fmt: skip
