from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.cases.model import JudgmentPart, Section
from corpus.cases.patterns import NO_PATTERNS, packaged, patterns_with
from corpus.cases.sections import split
from tests.corpus.cases.texts import CHINESE, ENGLISH, KOREAN

H, F, C, R = Section.HEAD, Section.FACTS, Section.CLAIMS, Section.REASONING
S, END, REST = Section.SENTENCING, Section.CONCLUSION, Section.REST


def sections(text: str, language: str) -> list[Section]:
    return [part.section for part in split(text, packaged()[language])]


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
        part.section: CHINESE[part.start : part.end] for part in split(CHINESE, packaged()["zh"])
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
    assert split("no headings here", NO_PATTERNS) == (JudgmentPart(REST, 0, 16),)
    assert split("", packaged()["en"]) == ()


def test_the_users_own_pattern_wins_at_the_same_place():
    own = patterns_with("[en.sections]\nclaims = ['^FACTS$']")["en"]
    assert [part.section for part in split(ENGLISH, own)][:2] == [H, C]


def test_own_patterns_can_stand_alone():
    own = patterns_with("[en]\nreplace = true\n[en.sections]\nfacts = ['^ORDER$']")["en"]
    assert [part.section for part in split(ENGLISH, own)] == [H, F]


@given(
    st.lists(st.sampled_from([*KOREAN.splitlines(), *CHINESE.split("。"), "𝄞", "", "é", " \n"])),
    st.sampled_from(["ko", "en", "zh"]),
)
def test_parts_cover_any_text_without_gap_or_overlap(pieces, language):
    text = "\n".join(pieces)
    parts = split(text, packaged()[language])
    assert "".join(text[part.start : part.end] for part in parts) == text
    assert all(part.start < part.end for part in parts)
    assert all(a.section != b.section for a, b in pairwise(parts))
