"""Korean particles after what is filled in."""

from __future__ import annotations

import re

import pytest

from messages import catalogue, say
from messages.particles import chosen, marked


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
        ("bm-kiwi을(를)", "bm-kiwi을(를)"),
        ("은(는)", "은(는)"),
        ("설비(소화기)이(가)", "설비(소화기)가"),
        ("**법**을(를)", "**법**을"),
    ],
)
def test_a_particle_fits_the_word_before_it(written: str, read: str) -> None:
    assert chosen(marked(written)) == read


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
