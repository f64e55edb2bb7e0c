"""Which sentences are offered as evidence: by the terms of a sub-factor alone."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from construction.tagging.codebook import CLAIM_ANSWERS, Option, SubFactor
from construction.tagging.likely import MOST, likely_sentences, sentences
from construction.tagging.reading import parse
from tests.support.examples import scaled

ROOT = Path(__file__).resolve().parents[3]
TEXT = (
    "판결\n피고인은 흉기인 칼을 들고 피해자를 위협하였다. 피해자는 2024. 3. 5. 고소하였다.\n"
    "변호인은 피고인이 심신미약 상태였다고 주장한다. 위 주장은 받아들이지 아니한다.\n"
    "피고인이 피해자와 합의하였다."
)


def sub(key: str, label: str, *options: str, claim: bool = False) -> SubFactor:
    both = {"en": label, "ko": label}
    given = tuple(Option(name, {"en": name, "ko": name}, {"en": "", "ko": ""}) for name in options)
    return SubFactor(key, both, {"en": "", "ko": ""}, CLAIM_ANSWERS if claim else given, claim)


SUBS = (
    sub("weapon", "흉기 휴대", "칼", "둔기"),
    sub("settled", "합의와 피해 회복", "합의", "없음"),
    sub("insanity", "심신미약 주장", claim=True),
    sub("drunk", "혈중알코올농도"),
)


def offered(key: str, text: str = TEXT, language: str = "ko") -> list[str]:
    found = likely_sentences(text, language, SUBS).get(key, ())
    return [text[start:end] for start, end in found]


def test_sentences_with_the_terms_of_a_sub_factor_are_offered_the_likeliest_first() -> None:
    assert offered("weapon")[0] == "피고인은 흉기인 칼을 들고 피해자를 위협하였다."
    assert offered("settled")[0] == "피고인이 피해자와 합의하였다."
    assert offered("insanity")[0] == "변호인은 피고인이 심신미약 상태였다고 주장한다."


def test_a_sub_factor_that_no_sentence_speaks_of_is_offered_nothing() -> None:
    assert "drunk" not in likely_sentences(TEXT, "ko", SUBS)
    assert likely_sentences("", "ko", SUBS) == {}
    assert likely_sentences(TEXT, "ko", ()) == {}


def test_there_are_no_terms_for_a_language_without_a_codebook() -> None:
    assert likely_sentences("被告人持刀。", "zh", SUBS) == {}


def test_what_every_sentence_holds_tells_none_from_another() -> None:
    text = "\n".join([*("피고인은 합의를 말하였다." for _ in range(30)), "피해를 회복하였다."])
    assert offered("settled", text)[0] == "피해를 회복하였다."


def test_words_of_english_are_found_by_their_stems() -> None:
    claim = sub("claim", "Claims of insanity", claim=True)
    text = "He was insane. Her claim that he claimed insanity fails. Nothing else."
    ((start, end), *_) = likely_sentences(text, "en", (claim,))["claim"]
    assert text[start:end] == "Her claim that he claimed insanity fails."


@settings(max_examples=scaled(30), deadline=None)
@given(st.text("가나흉기칼합의1a .\n。다", max_size=60))
def test_places_are_of_sentences_few_apart_and_always_the_same(text: str) -> None:
    places = list(sentences(text))
    assert all(one[1] <= other[0] for one, other in pairwise(places))
    kept = "".join("".join(text[start:end].split()) for start, end in places)
    assert kept == "".join(text.split())
    found = likely_sentences(text, "ko", SUBS)
    for spans in found.values():
        assert 0 < len(spans) <= MOST
        assert len(set(spans)) == len(spans)
        assert set(spans) <= set(places)
    assert likely_sentences(text, "ko", tuple(reversed(SUBS))) == found


def test_most_of_what_people_marked_in_the_sample_is_among_what_is_offered() -> None:
    book = parse(
        (ROOT / "annotation/guidelines/builtin/codebooks/factor_tagging.yaml").read_text("utf-8")
    )
    subs = {each.key: each for factor in book.factors for each in factor.sub_factors}
    cases = {each["id"]: each for each in _rows("court_cases")}
    met = []
    for row in _rows("factor_tags"):
        text = cases[row["case"]]["text"]
        language = "ko" if "피고인" in text else "en"
        found = likely_sentences(text, language, [subs[key] for key in row["answers"]])
        for key, quote in row["evidence"].items():
            at = text.index(quote)
            met.append(any(start <= at < end for start, end in found.get(key, ())))
    assert (sum(met), len(met)) == (10, 13)


def _rows(name: str) -> list[dict[str, Any]]:
    lines = (ROOT / "sample" / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]
