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
from tests.corpus.citations.law import ACT, ENGLISH, OTHER, entries, resolved, targets, unit

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


@pytest.mark.parametrize(
    "words",
    ["제9조2(제목)에", "제9조2에 따라", "제9조2의 규정", "제9조2를", "제9조2 제1항", "제9조2"],
)
def test_a_branch_that_lost_its_letter_is_not_the_article_itself(words: str) -> None:
    assert [unit_id for unit_id, _ in targets(f"「{ACT}」 {words}")] == [unit(ACT, "9조의2")]


@pytest.mark.parametrize("words", ["제9조2항", "제9조 2항", "제9조2호", "제9조2)", "제9조2층"])
def test_a_number_of_something_else_is_no_branch(words: str) -> None:
    assert [unit_id for unit_id, _ in targets(f"「{ACT}」 {words}")] == [unit(ACT, "9조")]


def test_counting_words_after_an_article_are_no_branch() -> None:
    assert targets(f"「{ACT}」 제9조의 3가지 요건") == [(unit(ACT, "9조"), "")]


@pytest.mark.parametrize("dash", ["~", "∼", "～", "-", "부터 "])
def test_a_range_keeps_its_instrument_among_several(dash: str) -> None:
    text = f"「{OTHER}」 제1조, 「{ACT}」 제5조{dash}제7조"
    assert [t.unit_id for t in resolved(text)[-1].targets] == [
        unit(ACT, place) for place in ("5조", "6조", "7조")
    ]


def test_a_slash_parts_places() -> None:
    assert targets(f"「{ACT}」 제5조/제7조") == [(unit(ACT, "5조"), ""), (unit(ACT, "7조"), "")]


@pytest.mark.parametrize("brackets", ["<>", "〈〉", "《》", "[]"])
def test_other_brackets_hold_a_title_where_a_place_follows(brackets: str) -> None:
    opener, closer = brackets[0], brackets[1]
    assert targets(f"{opener}{OTHER}{closer} 제5조") == [(unit(OTHER, "5조"), "")]
    assert resolved(f"{opener}{OTHER}{closer}에 따른다") == []


def test_dates_of_amendment_in_brackets_are_no_titles() -> None:
    assert find("삭제 <2020. 1. 1.> [개정 2020. 1. 1.]") == []


def test_a_title_with_the_particle_for_under() -> None:
    text = f"「{ACT}」 제1조와 달리 {OTHER}상 제5조, {OTHER}상의 제6조"
    assert [t.unit_id for one in resolved(text)[1:] for t in one.targets] == [
        unit(OTHER, "5조"),
        unit(OTHER, "6조"),
    ]


@pytest.mark.parametrize("word", ["대한", "따른", "의한", "위한"])
def test_the_act_after_a_phrase_is_a_pointer_and_no_title(word: str) -> None:
    text = f"「{ACT}」 제1조의 기준에 {word} 법 제5조"
    assert [t.unit_id for t in resolved(text)[-1].targets] == [unit(ACT, "5조")]


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


def test_a_pointer_at_numbered_addenda() -> None:
    """Addenda have no numbered place of their own, which once ended the whole resolving."""
    text = f"「{ACT} 시행령」 제1조, 같은 영 부칙 <제100호> 제3조"
    (target,) = resolved(text)[-1].targets
    assert (target.unit_id.rpartition("_")[2], target.pinpoint) == (
        "부칙-대통령령-제100호",
        "제3조",
    )
    missing = resolved(f"「{ACT}」 제1조, 같은 법 부칙 <제999호> 제3조")[-1]
    assert missing.reason is Reason.NO_SUCH_PLACE


def test_an_act_named_again_is_the_most_recent_one() -> None:
    again = f"「{ACT}」 제1조, 「{OTHER}」 제2조, 「{ACT}」 제3조에 따라 같은 법 제5조"
    assert [t.unit_id for t in resolved(again)[-1].targets] == [unit(ACT, "5조")]


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
