"""Drawing articles and references: by seed, and every form in its share."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.draw_references import (
    LEAST,
    READ_AT_RANDOM,
    UNDRAWN,
    UNPLACED,
    bracketed,
    drawn_articles,
    drawn_sample,
    held_out_articles,
)
from corpus.model import Level, Statute, Tier, Unit


def marks(forms: list[str]) -> list[dict[str, Any]]:
    return [{"at": at, "form": form} for at, form in enumerate(forms)]


def statute(texts: list[str]) -> Statute:
    units = tuple(
        Unit(f"나루법_{n}조", "나루법", Level.ARTICLE, f"제{n}조", "", text, n, deleted=not text)
        for n, text in enumerate(texts, 1)
    )
    return Statute("나루법", "나루법", "법률", Tier.ACT, "ko", units)


@given(
    st.lists(st.sampled_from(["own", "level", "short", UNDRAWN, UNPLACED]), max_size=200),
    st.integers(0, 120),
    st.integers(0, 3),
)
def test_a_sample_is_drawn_of_the_marks_in_their_order(
    forms: list[str], size: int, seed: int
) -> None:
    sample = drawn_sample(marks(forms), size, seed)
    places = [mark["at"] for mark in sample]
    assert places == sorted(set(places))
    assert len(sample) <= size
    assert sample == drawn_sample(marks(forms), size, seed)
    drawn = Counter(mark["form"] for mark in sample)
    assert drawn[UNDRAWN] == 0
    assert drawn[UNPLACED] <= LEAST


def test_a_rare_form_gives_all_it_has_and_a_frequent_one_the_rest() -> None:
    forms = ["own"] * 200 + ["short"] * 4 + [UNPLACED] * 40
    drawn = Counter(mark["form"] for mark in drawn_sample(marks(forms), 60))
    assert drawn == {"own": 41, "short": 4, UNPLACED: 15}


def test_articles_come_at_random_and_then_those_with_rare_words() -> None:
    texts = [f"{n}일 이내에 신고한다." for n in range(200)] + ["별표 1과 같다."] * 30 + [""] * 9
    drawn = drawn_articles([statute(texts)])
    assert [why for why, _ in drawn[:READ_AT_RANDOM]] == ["random"] * READ_AT_RANDOM
    assert [why for why, _ in drawn[READ_AT_RANDOM:]] == ["annex"] * 5
    assert all("별표" in unit.text for why, unit in drawn if why == "annex")
    assert len({unit.semantic_id for _, unit in drawn}) == len(drawn)
    assert not any(unit.deleted for _, unit in drawn)
    assert drawn == drawn_articles([statute(texts)])


def test_articles_held_out_are_others_and_name_places() -> None:
    texts = ["신고한다."] * 90 + [f"제1항과 제{n}조에 따른다." for n in range(40)]
    law = [statute(texts)]
    before = {unit.semantic_id for _, unit in drawn_articles(law)}
    held_out = held_out_articles(law, count=10)
    assert len({unit.semantic_id for unit in held_out}) == 10
    assert not any(unit.semantic_id in before for unit in held_out)
    assert all("제1항" in unit.text for unit in held_out)
    assert len(held_out_articles([statute(["신고한다."] * 70)])) == 0


def test_brackets_stand_around_what_might_be_a_reference() -> None:
    text = "같은 법 제3조의2제1항 각 호, 별표 4 및 조사목적"
    assert bracketed(text) == "⟦같은 법⟧ ⟦제3조의2⟧⟦제1항⟧ ⟦각 호⟧, ⟦별표 4⟧ 및 조⟦사목⟧적"
