"""How text is cut, by worked examples and by what must hold for any text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from retrieval.text.morphemes import CJK, RUN, normal_form
from retrieval.text.tokenise import (
    TOKENISERS,
    bigrams,
    character_ngrams,
    jamo_ngrams,
    tokeniser,
)

LIGHT = [name for name in TOKENISERS if name != "morphemes"]  # that one has a file of its own
jamo_trigrams = TOKENISERS["jamo3"]
TEXT = st.text(alphabet=st.sampled_from("소방시설등의가 제12.조NFtc(①·)_法令\n") | st.characters())


def nfd(text):
    return unicodedata.normalize("NFD", text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("소방시설", ["소방", "방시", "시설"]),
        ("제12조의2", ["제", "12", "조의", "2"]),
        ("NFTC 102 2.1.1", ["nftc", "102", "2.1.1"]),
        ("300mm, v2.", ["300mm", "v2"]),
        ("「건축법」 시행령", ["건축", "축법", "시행", "행령"]),
        ("消防法 第十条", ["消防", "防法", "第十", "十条"]),
        ("snake_case Éa", ["snake", "case", "éa"]),
        ("물·불", ["물", "불"]),
        ("", []),
        (" \n·「」", []),
    ],
)
def test_bigrams(text, tokens):
    assert bigrams(text) == tokens


def test_text_typed_as_letters_equals_composed_text():
    decomposed = unicodedata.normalize("NFD", "소방시설 설치")
    for name in LIGHT:
        assert TOKENISERS[name](decomposed) == TOKENISERS[name]("소방시설 설치")


def test_jamo_trigrams_see_the_stem_through_an_inflection():
    assert jamo_trigrams("소") == [unicodedata.normalize("NFD", "소")]
    assert jamo_trigrams("방") == [unicodedata.normalize("NFD", "방")]
    assert len(jamo_trigrams("방염")) == 4
    stem, inflected = set(jamo_trigrams("설치하다")), set(jamo_trigrams("설치한"))
    assert len(stem & inflected) > len(set(bigrams("설치하다")) & set(bigrams("설치한")))
    assert jamo_trigrams("NFTC 2.1") == ["nftc", "2.1"]


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("char3", ["제", "12", "조의", "방시설", "시설을", "nftc"]),
        ("char4", ["제", "12", "조의", "방시설을", "nftc"]),
        ("jamo5", [*map(nfd, ["제", "조의"]), "12", "nftc"]),
    ],
)
def test_longer_ngrams_keep_short_runs_whole(name, tokens):
    cut = tokeniser(name)("제12조의 방시설을 NFTC")
    assert [t for t in cut if t in tokens] and set(tokens) <= set(cut)
    if name != "jamo5":
        assert cut == tokens


@given(TEXT, st.integers(2, 6))
def test_ngrams_have_their_length_and_lose_no_letter(text, n):
    for cut, letters_of in ((character_ngrams(n), str), (jamo_ngrams(n), nfd)):
        runs = [letters_of(run) for run in re.findall(rf"[{CJK}]+", normal_form(text))]
        expected = [run[i : i + n] for run in runs for i in range(max(1, len(run) - n + 1))]
        words_only = [word for _, word in RUN.findall(normal_form(text)) if word]
        assert Counter(cut(text)) == Counter([*expected, *words_only])


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Exits, exited and exiting the exit", ["exit"] * 4),
        ("The companies shall be notified", ["compani", "notifi"]),
        ("소방시설 of NFTC 2.1.1", ["소방", "방시", "시설", "nftc", "2.1.1"]),
        ("is it of the", []),
    ],
)
def test_english_is_stemmed_without_its_function_words(text, tokens):
    assert tokeniser("stemmed")(text) == tokens


def test_words_keep_their_punctuation():
    assert tokeniser("whitespace")("제12조(목적)\t이 법은") == ["제12조(목적)", "이", "법은"]


@given(TEXT)
def test_bigrams_cover_every_letter_in_order(text):
    plain = unicodedata.normalize("NFC", text).lower()
    expected = []
    for run in re.findall(rf"[{CJK}]+", plain):
        expected += [run[i : i + 2] for i in range(max(1, len(run) - 1))]
    assert [t for t in bigrams(text) if re.match(f"[{CJK}]", t)] == expected


@given(TEXT, TEXT)
def test_texts_apart_are_cut_apart(one, other):
    for cut in map(tokeniser, LIGHT):
        assert cut(f"{one}\n{other}") == cut(one) + cut(other)


def test_an_unknown_tokeniser_is_refused_with_the_choice():
    with pytest.raises(UserError, match="bigram, whitespace, jamo3"):
        tokeniser("kiwi")
