"""Korean particles after what is filled in."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messages import catalogue, say
from messages.particles import chosen, marked

FORMS = {
    "은(는)": ("은", "는"),
    "이(가)": ("이", "가"),
    "을(를)": ("을", "를"),
    "과(와)": ("과", "와"),
    "(으)로": ("으로", "로"),
}
WRITTEN = list(FORMS)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("조문을(를)", "조문을"),
        ("법률 제3조을(를)", "법률 제3조를"),
        ("버전 3을(를) 버전 4(으)로", "버전 3을 버전 4로"),
        ("버전 1(으)로, 버전 10(으)로", "버전 1로, 버전 10으로"),
        ("서울(으)로 부산(으)로 대구(으)로", "서울로 부산으로 대구로"),
        ('"김하늘"(이)라는 "이수아"(이)라는', '"김하늘"이라는 "이수아"라는'),
        ("‘채택’은(는) ‘보기’은(는)", "‘채택’은 ‘보기’는"),
        ("실행 2(기준)을(를)", "실행 2(기준)를"),
        ("건물과(와) 나무와(과)", "건물과 나무와"),
        ("BM25은(는)", "BM25는"),
        ("bm-kiwi을(를)", "bm-kiwi를"),
        ("judge-two은(는) judge-one은(는)", "judge-two는 judge-one은"),
        ("model-small은(는) Park Jun이(가)", "model-small은 Park Jun이"),
        ("solver A @ file:mcq_votes이(가)", "solver A @ file:mcq_votes가"),
        ("LLM을(를) OCR(으)로 TF-IDF은(는)", "LLM을 OCR로 TF-IDF는"),
        ("ROUGE-L이(가) LSA과(와)", "ROUGE-L이 LSA와"),
        ("run.json(으)로 table(으)로 ranking(으)로", "run.json으로 table로 ranking으로"),
        ("tesseract이(가) text을(를) graph이(가)", "tesseract가 text를 graph가"),
        ("net을(를) bot이(가) back을(를) web은(는)", "net을(를) bot이(가) back을(를) web은(는)"),
        ("80.0 % [37.6, 96.4]이(가)", "80.0 % [37.6, 96.4]가"),
        ("100.0 % [–]을(를)", "100.0 % [–]를"),
        ("해시 (a1) (b2)이(가)", "해시 (a1) (b2)가"),
        ("(미정)은(는)", "(미정)은"),
        ("[법]을(를)", "[법]을"),
        ("긴 이름…을(를)", "긴 이름…을"),
        ("‘{’을(를) 漢字은(는) –이(가)", "‘{’을(를) 漢字은(는) –이(가)"),
        ("은(는)", "은(는)"),
        ("설비(소화기)이(가)", "설비(소화기)가"),
        ("**법**을(를)", "**법**을"),
    ],
)
def test_a_particle_fits_the_word_before_it(written: str, read: str) -> None:
    assert chosen(marked(written)) == read


@given(st.text(), st.sampled_from(WRITTEN))
def test_one_form_or_both_stand_after_any_text(before: str, particle: str) -> None:
    said = chosen(marked("{text}" + particle).format(text=before))
    assert said.startswith(before)
    assert said[len(before) :] in {particle, *FORMS[particle]}


@given(
    st.integers(0xAC00, 0xD7A3),
    st.text("가나다 ()[]123abc", max_size=9).map(lambda inside: re.sub(r"[()\[\]]", "", inside)),
    st.sampled_from(["", "({})", " ({})", " [{}]", "({}) [{}]"]),
    st.sampled_from(["", "’", "」", "**", "…"]),
)
def test_brackets_and_quotation_marks_change_no_particle(
    letter: int, inside: str, brackets: str, quote: str
) -> None:
    word = f"법{chr(letter)}"
    alone = chosen(marked(f"{word}을(를)")).removeprefix(word)
    text = f"{word}{brackets.format(inside, inside)}{quote}"
    assert chosen(marked("{text}을(를)").format(text=text)) == f"{text}{alone}"
    assert (alone == "을") is bool((letter - 0xAC00) % 28)


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1))
def test_abbreviations_are_read_by_the_names_of_their_letters(letters: str) -> None:
    ends_in_consonant = letters[-1] in "LMNR"  # 엘, 엠, 엔, 알
    assert chosen(marked(f"{letters}을(를)")) == letters + ("을" if ends_in_consonant else "를")


def test_what_people_write_stays_as_they_wrote_it() -> None:
    said = say("error.person_exists.what", "ko", name="하나은(는)")
    assert '"하나은(는)"' in said
    assert say("cascade.text.saved", "ko", number=3).startswith("이제 버전 3을 씁니다.")
    assert say("cascade.text.saved", "en", number=3).startswith("Version 3 is now")


def test_no_template_writes_one_form_after_what_is_filled_in() -> None:
    one_form = re.compile(
        r"(?<!\})\{(\w+)(?:![rs])?\}[\"’”]?(이라는|라는|을|를|은|는|이|가)(?=[ .,])"
    )
    percents = {"percent", "share", "overlap", "meets"}  # read as 퍼센트
    found = {
        key: said
        for key, words in catalogue().items()
        if (said := [each[0] for each in one_form.finditer(words["ko"]) if each[1] not in percents])
    }
    assert found == {}
