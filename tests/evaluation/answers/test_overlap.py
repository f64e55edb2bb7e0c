from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score import rouge_scorer

from evaluation.answers.overlap import Overlap, Rouge, characters, latin_words, rouge, rouges

KOREAN = "특정소방대상물의 관계인은 소화기를 설치하여야 한다."
MEASURES = ("rouge1", "rouge2", "rougeL")
words = st.lists(st.sampled_from("abcdefg"), max_size=40)


@given(words, words)
def test_the_numbers_are_those_of_rouge_score(answer: list[str], reference: list[str]) -> None:
    scorer = rouge_scorer.RougeScorer(list(MEASURES))
    theirs = scorer.score(" ".join(reference), " ".join(answer))
    ours = rouge(answer, reference)
    assert ours == rouge(latin_words(" ".join(answer)), latin_words(" ".join(reference)))
    for name in MEASURES:
        mine, other = getattr(ours, name), theirs[name]
        if answer == reference:
            assert mine == Overlap(1, 1, 1)  # theirs is 0 where there are no tokens or no pairs
            continue
        assert mine.precision == pytest.approx(other.precision)
        assert mine.recall == pytest.approx(other.recall)
        assert mine.f1 == pytest.approx(other.fmeasure)


def test_worked_by_hand() -> None:
    answer = ["소화기", "를", "설치", "하", "소화기"]
    reference = ["소화기", "를", "점검", "하", "다", "소화기"]
    found = rouge(answer, reference)
    # 소화기 twice, 를, 하 are in both; the pair 소화기 를; and 소화기 를 하 소화기
    assert found.rouge1 == Overlap(4 / 5, 4 / 6, 8 / 11)
    assert found.rouge2 == Overlap(1 / 4, 1 / 5, 2 / 9)
    assert found.rougeL == Overlap(4 / 5, 4 / 6, 8 / 11)
    swapped = rouge(["b", "a"], ["a", "b"])
    assert (swapped.rouge1.f1, swapped.rouge2.f1, swapped.rougeL.f1) == (1, 0, 0.5)


def test_identical_korean_is_one_and_nothing_is_left_out() -> None:
    same = Overlap(1, 1, 1)
    assert rouge(characters(KOREAN), characters(KOREAN)) == Rouge(same, same, same)
    assert rouge(KOREAN.split(), KOREAN.split()) == Rouge(same, same, same)
    scorer = rouge_scorer.RougeScorer(["rouge1"])
    assert scorer.score(KOREAN, KOREAN)["rouge1"].fmeasure == 0  # why it is not used
    assert latin_words(KOREAN) == []


def test_nothing_to_count() -> None:
    same, none = Overlap(1, 1, 1), Overlap(0, 0, 0)
    assert rouge([], []) == Rouge(same, same, same)
    assert rouge([], ["a"]) == rouge(["a"], []) == Rouge(none, none, none)
    assert rouge(["a"], ["a"]).rouge2 == same
    assert rouge(["a"], ["b"]).rouge2 == none
    assert rouge(["a"], ["a", "b"]).rouge2 == none
    assert rouges([], []) == []
    with pytest.raises(ValueError, match=r"shorter|longer"):
        rouges([["a"]], [])


def test_more_tokens_than_there_are_letters_below_the_surrogates() -> None:
    many = [str(number) for number in range(60_000)]
    found = rouge([*many, "x"], many)
    assert found.rougeL.recall == 1
    assert found.rougeL.precision == pytest.approx(60_000 / 60_001)


def test_characters_are_composed_and_without_space() -> None:
    decomposed = "\u1112\u1161\u11ab 1\tA"  # 한 in letters
    assert characters(decomposed) == ["한", "1", "a"]
