from __future__ import annotations

import pytest

from corpus.cases.fields import find_field, split_charges, split_provisions
from corpus.cases.patterns import FIELDS, packaged
from corpus.cases.sections import split
from tests.corpus.cases.texts import CHINESE, ENGLISH, KOREAN

TEXTS = {"ko": KOREAN, "en": ENGLISH, "zh": CHINESE}


def found(language: str) -> dict[str, tuple[str, ...]]:
    text, patterns = TEXTS[language], packaged()[language]
    parts = split(text, patterns)
    return {name: find_field(name, text, parts, patterns) for name in FIELDS}


def test_a_korean_judgment():
    assert found("ko") == {
        "number": ("2025고단101",),
        "title": ("사기, 도로교통법위반(음주운전)",),
        "court": ("가온지방법원",),
        "date": ("2025-09-04",),
        "charges": ("사기", "도로교통법위반(음주운전)"),
        "provisions": ("형법 제347조 제1항", "형법 제30조", "도로교통법 제148조의2 제3항 제2호"),
    }


def test_a_judgment_in_english():
    assert found("en") == {
        "number": ("2025-77",),
        "title": ("Fraud (Kim)",),
        "court": ("Gaon District Court",),
        "date": ("2025-09-04",),
        "charges": ("Fraud", "Violation of the Road Traffic Act (drunk driving)"),
        "provisions": ("Criminal Act Article 347(1)",),
    }


def test_a_chinese_judgment_charges_what_is_charged_and_no_earlier_suspicion():
    assert found("zh") == {
        "number": ("（2019）某0101刑初12号",),
        "title": ("张某诈骗一审刑事判决书",),
        "court": ("某省某市某区人民法院",),
        "date": (),
        "charges": ("诈骗罪", "掩饰、隐瞒犯罪所得罪"),
        "provisions": ("中华人民共和国刑法 第二百六十六条", "中华人民共和国刑法 第六十七条第三款"),
    }


@pytest.mark.parametrize(
    "number",
    ["2025고단101", "2025고단101-1", "2025고단101, 233(병합)", "2025고단101, 2025고합7 (병합)"],
)
def test_cases_heard_together_have_one_title(number):
    text, patterns = f"가온지방법원\n사    건    {number}  사기, 절도\n주문", packaged()["ko"]
    parts = split(text, patterns)
    assert find_field("title", text, parts, patterns) == ("사기, 절도",)
    assert find_field("charges", text, parts, patterns) == ("사기", "절도")


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("ko", "가. 사기 나. 절도", ("사기", "절도")),
        ("ko", "성폭력처벌법위반(촬영, 반포), 협박", ("성폭력처벌법위반(촬영, 반포)", "협박")),
        ("en", "Theft, Injury (special, joint)", ("Theft", "Injury (special, joint)")),
    ],
)
def test_charges_are_cut_outside_brackets(language, text, expected):
    assert split_charges(text, packaged()[language]) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("ko", "구 형법 제260조 제1항", ("형법 제260조 제1항",)),
        (
            "ko",
            "특정범죄 가중처벌 등에 관한 법률 제5조의11 제1항 전단",
            ("특정범죄 가중처벌 등에 관한 법률 제5조의11 제1항 전단",),
        ),
        ("ko", "제3조에 따른다", ()),
        ("ko", "교통사고처리 특례법 제3조 제1항", ("교통사고처리 특례법 제3조 제1항",)),
        (
            "en",
            "Article 148-2(3)2 and Article 44(1) of the Road Traffic Act; Article 5.",
            tuple(f"Road Traffic Act Article {each}" for each in ("148-2(3)2", "44(1)", "5")),
        ),
        (
            "en",
            "Article 3 of the Act on Special Cases, etc. and Article 30 of the Criminal Act. "
            "Article 9 stands alone.",
            ("Act on Special Cases, etc. Article 3", "Criminal Act Article 30"),
        ),
        ("en", "18 U.S.C. § 1343", ("18 U.S.C. 1343",)),
        ("en", "Fraud Act 2006, section 2(1)", ("Fraud Act 2006 2(1)",)),
        ("zh", "双方签订的《煤炭代发合同》第二条", ()),
    ],
)
def test_provisions_have_their_law(language, text, expected):
    assert split_provisions(text, packaged()[language]) == expected
