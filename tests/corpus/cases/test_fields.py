from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.cases.fields import Finder, iso_date
from corpus.cases.model import JudgmentPart, Section
from corpus.cases.patterns import FIELDS, NO_PATTERNS, packaged, patterns_with
from tests.corpus.cases.texts import CHINESE, ENGLISH, KOREAN


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-05",
        "20260105",
        "2026. 1. 5.",
        "2026년 1월 5일",
        "2026年1月5日",
        "二〇二六年一月五日",
        "二○二六年一月五日",
        "January 5, 2026",
        "Jan. 5th, 2026",
        "5 January 2026",
    ],
)
def test_one_day_in_many_hands(text):
    assert iso_date(text) == "2026-01-05"


@pytest.mark.parametrize("text", ["", "2026-02-30", "2026", "Smarch 5, 2026", "十十年"])
def test_what_is_no_day_is_none(text):
    assert iso_date(text) == ""
    assert iso_date("二〇一九年十二月三十一日") == "2019-12-31"


@given(st.dates(min_value=date(1000, 1, 1)))
def test_a_day_written_in_numbers_comes_back(day):
    assert iso_date(f"{day.year}. {day.month}. {day.day}.") == day.isoformat()


FOUND = {
    KOREAN: {
        "number": ("2025고단101",),
        "title": ("사기, 도로교통법위반(음주운전)",),
        "court": ("가온지방법원",),
        "date": ("2025-09-04",),
        "charges": ("사기", "도로교통법위반(음주운전)"),
        "provisions": ("형법 제347조 제1항", "형법 제30조", "도로교통법 제148조의2 제3항 제2호"),
    },
    ENGLISH: {
        "number": ("2025-77",),
        "title": ("Fraud (Kim)",),
        "court": ("Gaon District Court",),
        "date": ("2025-09-04",),
        "charges": ("Fraud", "Violation of the Road Traffic Act (drunk driving)"),
        "provisions": ("Criminal Act Article 347(1)",),
    },
    CHINESE: {
        "number": ("（2019）某0101刑初12号",),
        "title": ("张某诈骗一审刑事判决书",),
        "court": ("某省某市某区人民法院",),
        "date": (),
        "charges": ("诈骗罪", "掩饰、隐瞒犯罪所得罪"),  # what is charged, no earlier suspicion
        "provisions": ("中华人民共和国刑法 第二百六十六条", "中华人民共和国刑法 第六十七条第三款"),
    },
}


@pytest.mark.parametrize(("language", "text"), list(zip(("ko", "en", "zh"), FOUND, strict=True)))
def test_a_judgment_says_its_fields(language, text):
    finder = Finder(packaged()[language])
    parts = finder.parts(text)
    assert {name: finder.find(name, text, parts) for name in FIELDS} == FOUND[text]


@pytest.mark.parametrize(
    "number",
    ["2025고단101", "2025고단101-1", "2025고단101, 233(병합)", "2025고단101, 2025고합7 (병합)"],
)
def test_cases_heard_together_have_one_title(number):
    text, patterns = f"가온지방법원\n사    건    {number}  사기, 절도\n주문", packaged()["ko"]
    parts = Finder(patterns).parts(text)
    assert Finder(patterns).find("title", text, parts) == ("사기, 절도",)
    assert Finder(patterns).find("charges", text, parts) == ("사기", "절도")


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("ko", "가. 사기 나. 절도", ("사기", "절도")),
        ("ko", "성폭력처벌법위반(촬영, 반포), 협박", ("성폭력처벌법위반(촬영, 반포)", "협박")),
        ("en", "Theft, Injury (special, joint)", ("Theft", "Injury (special, joint)")),
    ],
)
def test_charges_are_cut_outside_brackets(language, text, expected):
    assert Finder(packaged()[language]).charges(text) == expected


SPECIAL = "특정범죄 가중처벌 등에 관한 법률 제5조의11 제1항 전단"


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("ko", "구 형법 제260조 제1항", ["형법 제260조 제1항"]),
        ("ko", SPECIAL, [SPECIAL]),
        ("ko", "제3조에 따른다", []),
        ("ko", "교통사고처리 특례법 제3조 제1항", ["교통사고처리 특례법 제3조 제1항"]),
        (
            "en",
            "Article 148-2(3)2 and Article 44(1) of the Road Traffic Act; Article 5.",
            [f"Road Traffic Act Article {each}" for each in ("148-2(3)2", "44(1)", "5")],
        ),
        (
            "en",
            "Article 3 of the Act on Fraud, etc. and Article 30 of the Criminal Act. Article 9.",
            ["Act on Fraud, etc. Article 3", "Criminal Act Article 30"],
        ),
        ("en", "18 U.S.C. § 1343", ["18 U.S.C. 1343"]),
        ("en", "Fraud Act 2006, section 2(1)", ["Fraud Act 2006 2(1)"]),
        ("zh", "双方签订的《煤炭代发合同》第二条", []),
    ],
)
def test_provisions_have_their_law(language, text, expected):
    assert Finder(packaged()[language]).provisions(text) == tuple(expected)


H, F, C, R = Section.HEAD, Section.FACTS, Section.CLAIMS, Section.REASONING
S, END, REST = Section.SENTENCING, Section.CONCLUSION, Section.REST


def sections(text: str, language: str) -> list[Section]:
    return [part.section for part in Finder(packaged()[language]).parts(text)]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        (KOREAN, "ko", [H, END, R, F, REST, R, C, S, REST]),
        (ENGLISH, "en", [H, F, C, R, S, END]),
        (CHINESE, "zh", [H, F, REST, C, R, END]),
    ],
)
def test_a_judgment_is_cut_where_its_language_says(text, language, expected):
    assert sections(text, language) == expected


def test_a_section_begins_with_its_heading_or_its_sentence():
    parts = {
        part.section: CHINESE[part.start : part.end]
        for part in Finder(packaged()["zh"]).parts(CHINESE)
    }
    assert parts[F].startswith("经审理查明，2018年5月")
    assert parts[C] == "辩护人提出，被告人系初犯，请求从轻处罚。"
    assert parts[R].startswith("本院认为")
    assert parts[END].startswith("判决如下")


def test_hearing_counsel_is_not_what_counsel_says():
    text = "经过阅卷，讯问上诉人，听取辩护人意见，认为本案事实清楚，决定不开庭审理。现已审理终结。"
    assert Section.CLAIMS not in sections(text, "zh")


def test_a_word_inside_a_line_is_no_heading():
    assert sections("범죄사실과 주문에 관하여 이유를 적는다.", "ko") == [REST]


def test_nothing_that_begins_a_section_leaves_one_part_that_nobody_named():
    assert Finder(NO_PATTERNS).parts("no headings here") == (JudgmentPart(REST, 0, 16),)
    assert Finder(packaged()["en"]).parts("") == ()


def test_the_users_own_pattern_wins_at_the_same_place():
    own = patterns_with("[en.sections]\nclaims = ['^FACTS$']")["en"]
    assert [part.section for part in Finder(own).parts(ENGLISH)][:2] == [H, C]


def test_own_patterns_can_stand_alone():
    own = patterns_with("[en]\nreplace = true\n[en.sections]\nfacts = ['^ORDER$']")["en"]
    assert [part.section for part in Finder(own).parts(ENGLISH)] == [H, F]


@given(
    st.lists(st.sampled_from([*KOREAN.splitlines(), *CHINESE.split("。"), "𝄞", "", "é", " \n"])),
    st.sampled_from(["ko", "en", "zh"]),
)
def test_parts_cover_any_text_without_gap_or_overlap(pieces, language):
    text = "\n".join(pieces)
    parts = Finder(packaged()[language]).parts(text)
    assert "".join(text[part.start : part.end] for part in parts) == text
    assert all(part.start < part.end for part in parts)
    assert all(a.section != b.section for a, b in pairwise(parts))
