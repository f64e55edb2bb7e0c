"""Citations as they are really typed: lost letters, other brackets, shorter names.

Each line says what is meant; a reading that guesses would be worse than none.
"""

from __future__ import annotations

import pytest

from corpus.citations.catalogue import Catalogue, CatalogueEntry
from corpus.citations.find import find
from corpus.citations.model import Reason
from corpus.citations.resolve import resolve
from corpus.model import Tier, slug
from tests.corpus.citations.law import ACT, ENGLISH, OTHER, entries, meanings, resolved, unit

SPECIAL = "항로표지의 관리에 관한 특별법"
WITH_SPECIAL = Catalogue(
    [
        *entries(),
        *(
            CatalogueEntry(slug(SPECIAL), SPECIAL, "", Tier.ACT, f"{slug(SPECIAL)}_{n}조")
            for n in range(1, 15)
        ),
    ]
)


def last_units(text: str) -> list[str]:
    """Return the units of the last citation, in the corpus that has a special act too."""
    return [target.unit_id for target in resolve(find(text), text, WITH_SPECIAL)[-1].targets]


MEANINGS = """
a branch without its letter | 「ACT」 제9조2(제목)에 | ACT 9조의2
the same before a particle | 「ACT」 제9조2에 따라 | ACT 9조의2
the same before 의 | 「ACT」 제9조2의 규정 | ACT 9조의2
the same before 를 | 「ACT」 제9조2를 | ACT 9조의2
the same before a paragraph | 「ACT」 제9조2 제1항 | ACT 9조의2 1항
the same at the end | 「ACT」 제9조2 | ACT 9조의2
a paragraph is no branch | 「ACT」 제9조2항 | ACT 9조 2항
nor one after a blank | 「ACT」 제9조 2항 | ACT 9조 2항
nor an item | 「ACT」 제9조2호 | ACT 9조 2호
nor a sub-item | 「ACT」 제9조2) | ACT 9조
nor a storey | 「ACT」 제9조2층 | ACT 9조
nor a count | 「ACT」 제9조의 3가지 요건 | ACT 9조
a range keeps its own | 「OTHER」 제1조, 「ACT」 제5조~제7조 | … ACT 5조 + ACT 6조 + ACT 7조
with a hyphen | 「OTHER」 제1조, 「ACT」 제5조-제7조 | OTHER 1조; ACT 5조 + ACT 6조 + ACT 7조
with a word | 「OTHER」 제1조, 「ACT」 제5조부터 제7조 | OTHER 1조; ACT 5조 + ACT 6조 + ACT 7조
a slash parts places | 「ACT」 제5조/제7조 | ACT 5조; ACT 7조
angle brackets hold a title before a place | <OTHER> 제5조 | OTHER 5조
other angle brackets | 〈OTHER〉 제5조 | OTHER 5조
double ones | 《OTHER》 제5조 | OTHER 5조
square ones | [OTHER] 제5조 | OTHER 5조
but none alone | <OTHER>에 따른다 |
under a title | 「ACT」 제1조와 달리 OTHER상 제5조, OTHER상의 제6조 | ACT 1조; OTHER 5조; OTHER 6조
the act after a phrase is a pointer | 「ACT」 제1조의 기준에 대한 법 제5조 | ACT 1조; ACT 5조
after another | 「ACT」 제1조의 기준에 따른 법 제5조 | ACT 1조; ACT 5조
after a third | 「ACT」 제1조의 기준에 위한 법 제5조 | ACT 1조; ACT 5조
addenda | 「ACT 시행령」 제1조, 같은 영 부칙 <제100호> 제3조 | … DECREE 부칙-대통령령-제100호 제3조
at addenda that are not there | 「ACT」 제1조, 같은 법 부칙 <제999호> 제3조 | ACT 1조; no_such_place
named again | 「ACT」 제1조, 「OTHER」 제2조, 「ACT」 제3조에 따라 같은 법 제5조 | … ACT 5조
"""


@pytest.mark.parametrize("line", MEANINGS.strip().splitlines())
def test_what_is_meant(line: str) -> None:
    _, text, expected = (cell.strip() for cell in line.split("|"))
    assert meanings(text, last=expected.startswith("… ")) == expected


def test_dates_of_amendment_in_brackets_are_no_titles() -> None:
    assert find("삭제 <2020. 1. 1.> [개정 2020. 1. 1.]") == []


def test_a_special_act_named_without_its_particles() -> None:
    text = f"「{OTHER}」 제2조 및 항로표지 관리 특별법 제9조"
    assert last_units(text) == [unit(SPECIAL, "9조")]


def test_the_special_act_points_at_special_acts_only() -> None:
    assert last_units(f"「{OTHER}」 제2조 다만, 특별법 제9조") == []
    named = f"「{SPECIAL}」에 따라, 「{OTHER}」 제2조와 달리"
    assert last_units(f"{named} 특별법 제9조") == [unit(SPECIAL, "9조")]
    assert last_units(f"{named} 변경 시 특별법 제9조") == [unit(SPECIAL, "9조")]


def test_an_abbreviation_as_special_act() -> None:
    text = f'「{OTHER}」(이하 "특별법"이라 한다), 「{SPECIAL}」 제2조, 특별법 제9조'
    assert last_units(text) == [unit(OTHER, "9조")]


def test_what_the_question_names_is_no_antecedent_once_the_answer_names_something() -> None:
    """The act that the answer names lacks the article; the question's act must not step in."""
    answer = f"「{OTHER} 시행령」 제2조와 같은 영 제99조"
    (late,) = resolved(answer, f"「{ACT} 시행령」 제1조")[1:]
    assert late.reason is Reason.NO_SUCH_PLACE
    assert late.instrument_title == f"{OTHER} 시행령"
    answer = f"「{OTHER}」에 따라 법 제99조"
    assert resolved(answer, "「해상법」 제1조")[-1].instrument_title == OTHER
    longer = f"「{ENGLISH}」에 따라 같은 법 제31조"
    assert resolved(longer, f"「{OTHER}」 제1조")[-1].targets == ()
