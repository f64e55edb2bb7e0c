"""Resolving: what each form means in a corpus, and the reason when it means nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.citations.find import find
from corpus.citations.model import Resolution, Status
from corpus.citations.resolve import annotate, resolve
from tests.corpus.citations.law import (
    ACT,
    CATALOGUE,
    DECREE,
    RULE,
    STANDALONE,
    SUCCESSOR,
    entries,
    meanings,
    resolved,
    targets,
    unit,
)
from tests.corpus.citations.test_find import LEGAL_NOISE
from tests.support.examples import scaled


def only(text: str, before: str = "") -> Resolution:
    """Return the resolution of the last citation of a text."""
    return resolved(text, before)[-1]


def units(text: str, before: str = "") -> list[str]:
    return [unit_id for unit_id, _ in targets(text, before)]


@pytest.mark.parametrize(
    "name",
    [
        ACT,
        "수로의 보전 및 이용관리에관한 법률",
        "수로의보전및이용관리에관한법률",
        "수로의 보전ㆍ이용관리에 관한 법률",  # a particle lost
        "수로의 보전 및 이용 안전관리에 관한 법률",  # a word too many
        "수로의 보전 및 이용관리에 관한 특별법",  # the wrong type
        "수로보전법",  # short
        "수로보전이용관리법",
    ],
)
def test_spellings_of_a_title(name: str) -> None:
    assert units(f"「{name}」 제5조") == [unit(ACT, "5조")]
    assert units(f"「{name} 시행령」 제5조") == [unit(DECREE, "5조")]


@pytest.mark.parametrize("dot", ["ㆍ", "·", "・", " ", ", ", ""])
def test_middle_dots(dot: str) -> None:
    title = STANDALONE.replace("ㆍ", dot)
    assert units(f"「{title}」 제14조") == [unit(STANDALONE, "14조")]


MEANINGS = """
a list continues the instrument | STANDALONE 제5조, 제6조에서 | STANDALONE 5조; STANDALONE 6조
a range | 「ACT」 제9조부터 제10조까지 | ACT 9조 + ACT 9조의2 + ACT 9조의3 + ACT 9조의4 + ACT 10조
a range with an end that is not there | 「ACT」 제9조부터 제99조까지 | no_such_place
a bare title loses words | 이 경우 시설의 설치는 STANDALONE 제5조에 따른다 | STANDALONE 5조
the most recent | 「ACT」 제1조 및 「OTHER」 제2조에 따라 같은 법 제3조 | … OTHER 3조
or one before | 「OTHER」 제1조, 「ACT」 제2조에 따라 같은 법 제40조 | … OTHER 40조
a rule of its own is no act | 「ACT」 제1조, 「STANDALONE」 제5조에 따라 같은 법 제5조 | … ACT 5조
but the same rule | 「ACT」 제1조, 「STANDALONE」 제5조에 따라 같은 규칙 제6조 | … STANDALONE 6조
a bare title is an antecedent | OTHER에 따른 등대는 같은 법 제7조 | OTHER 7조
a heading tells | 「DECREE」 제2조에 해당되어 같은법 제31조(등화의 종류) | DECREE 2조; DECREE 31조
a heading finds the one article | 같은법 시행규칙 제7조(규칙 제목 7) | RULE 7조
another heading finds none | 같은법 시행규칙 제7조(다른 제목) | no_antecedent
same article | 「ACT」 제5조제1항에 따라 같은 조 제2항 및 같은 항 제3호 | … ACT 5조 2항/3호
the act so named | 「ACT」(이하 "법"이라 한다) 제1조, 「OTHER」 제2조, 법 제3조 | … ACT 3조
a bare place is of the only instrument | 「ACT」 제5조에 따라 제6조제1항의 | ACT 5조; ACT 6조 1항
among several | 「ACT」 제5조와 「OTHER」 제2조에 따른다. 또한 제6조에 따른다. | … no_antecedent
in a sentence | 「ACT」 제5조에 따른다. 「OTHER」 제2조에 따라 제6조에 따른다. | … OTHER 6조
of the question | 「ACT」 제24조의 업무는? > 같은 법 제24조 각 호입니다. | ACT 24조
the answer's | 「ACT」 제24조의 업무는? > 「OTHER」 제2조와 같은 법 제24조 | … OTHER 24조
a section of a standard | LBTC 102 2.1.1.3 | STANDARD 2.1 2.1.1.3
without a blank | LBTC102 2.1 | STANDARD 2.1
by its title and code | 「STANDARD」2.4.5.2 | STANDARD 2.4 2.4.5.2
by its title alone | 「등명기의 기술기준」 2.4.5.2 | STANDARD 2.4 2.4.5.2
in a table | 「등명기 설치의 기준(LBTC 102)」 표 2.5.1 | STANDARD 2.5 2.5.1
in English | Section 2.2.1 of LBTC 102 | STANDARD 2.2 2.2.1
sections follow the standard | LBTC 102 2.1.1에 따라 「ACT」 제5조, 같은 기준 2.2 | … STANDARD 2.2
a bare number too | LBTC 102 2.1.1과 「ACT」 제5조에 따르며 2.5.1.1도 같다 | … STANDARD 2.5 2.5.1.1
a quotation | 「ACT」 제1조. LBTC 102 2.1.1에 “법 제5조에 따라”라고 규정 | … no_antecedent
an instrument that is not there | 「국제항로법」 제5조 | no_such_instrument
a title that comes near none | 「수로의 준설 및 매립에 관한 법률」 제5조 | no_such_instrument
a standard that is not there | XYTC 999 2.1.1 | no_such_instrument
a place that is not there | 「ACT」 제99조 | no_such_place
the same act of none | 같은 법 제5조 | no_antecedent
a bare place of none | 제5조에 따라 | no_antecedent
the same article of none | 같은 조 제2항 | no_antecedent
an instrument alone | 「ACT」에 따라 | names_instrument_only
one that is not there, alone | 「국제항로법」에 따라 | no_such_instrument
addenda without a number | 「DECREE」 부칙 제2조 | several_match
addenda by number | 「DECREE」 부칙 <대통령령 제200호> 제3조 | DECREE 부칙-대통령령-제200호 제3조
an annex of the act, which has none | 「ACT」 별표 1 | several_match
by its heading | 「ACT」 별표 1(등화의 기준) | DECREE 별표1
as the only one of the number | 「ACT」 별표 2 | DECREE 별표2
the only annex needs no number | 「OTHER 시행령」 별표 제1호 | 등대기본법-시행령 별표 1호
a predecessor | 「소방시설 설치ㆍ유지 및 안전관리에 관한 법률」 제23조 | predecessor
of none | 「OTHER」 제1조와 「국제항로법」 제2조에 따라 같은 법 제3조 | … no_such_instrument
"""


@pytest.mark.parametrize("line", MEANINGS.strip().splitlines())
def test_what_is_meant(line: str) -> None:
    _, text, expected = (cell.strip() for cell in line.split("|"))
    assert meanings(text, last=expected.startswith("… ")) == expected


def test_the_words_before_a_bare_title_and_the_name_of_a_missing_one_are_kept_apart() -> None:
    text = f"이 경우 시설의 설치는 {STANDALONE} 제5조에 따른다"
    assert only(text).citation.text == f"{STANDALONE} 제5조"
    missing = "수로의 준설 및 매립에 관한 법률"
    assert only(f"「{missing}」 제5조").instrument_title == missing


FAMILY = [
    ("같은 법 제6조", ACT, "6조"),
    ("같은법 시행령 제6조", DECREE, "6조"),
    ("동법 시행규칙 제6조", RULE, "6조"),
    ("법 제6조", ACT, "6조"),
    ("영 제6조", DECREE, "6조"),
    ("규칙 제6조", RULE, "6조"),
    ("시행령 별표 2", DECREE, "별표2"),
    ("같은 영 별표 4의2", DECREE, "별표4의2"),
]


@pytest.mark.parametrize("first", [ACT, DECREE, RULE])
@pytest.mark.parametrize(("text", "title", "place"), FAMILY)
def test_family_of_the_instrument_before(first: str, text: str, title: str, place: str) -> None:
    found = units(f"「{first}」 제1조에 따르며, {text}에 따른다.")
    assert found == [unit(first, "1조"), unit(title, place)]


@pytest.mark.parametrize(
    "words",
    ['(이하 "수로법"이라 한다)', "(이하 '수로법')", "(이하 “수로법”이라 함)", "(이하 수로법)"],
)
def test_an_abbreviation_that_the_text_defines(words: str) -> None:
    text = f"「{ACT}」{words} 제1조. 수로법 제2조와 수로법 시행령 제3조"
    assert units(text) == [unit(ACT, "1조"), unit(ACT, "2조"), unit(DECREE, "3조")]


def test_an_ambiguous_citation_keeps_what_remains() -> None:
    for text in (f"「{ACT}」 별표 1", f"「{DECREE}」 부칙 제2조"):
        assert only(text).status is Status.AMBIGUOUS
    assert only(f"「{ACT}」 별표 1").unit_ids == (unit(DECREE, "별표1"), unit(RULE, "별표1"))


def test_an_obsolete_act_names_its_successors_but_resolves_to_no_unit() -> None:
    found = only("「화재예방, 소방시설 설치ㆍ유지 및 안전관리에 관한 법률」 제23조")
    assert SUCCESSOR in (found.instrument_title or "")
    assert found.unit_ids == (unit(SUCCESSOR, "23조"),)


@settings(max_examples=scaled(300))
@given(LEGAL_NOISE)
def test_one_resolution_for_every_citation(text: str) -> None:
    citations = find(text)
    resolutions = resolve(citations, text, CATALOGUE)
    assert len(resolutions) == len(citations)
    for given_, one in zip(citations, resolutions, strict=True):
        assert given_.start <= one.citation.start < one.citation.end == given_.end
        assert one.citation.text == text[one.citation.start : one.citation.end]
        assert bool(one.targets) is (one.status is Status.RESOLVED) is (one.reason is None)


NUMBERED = [e for e in entries() if "조" in e.unit_id.rpartition("_")[2]]


@given(st.sampled_from(NUMBERED), st.data())
def test_every_spelling_of_a_canonical_citation_resolves_to_its_unit(entry, data) -> None:
    place = entry.unit_id.rpartition("_")[2]
    base, _, branch = place.partition("조")
    title = entry.title
    for character, others in ((" ", ["", " "]), ("ㆍ", ["ㆍ", "·", "・", " "])):
        title = "".join(data.draw(st.sampled_from(others)) if c == character else c for c in title)
    left, right = data.draw(st.sampled_from(["「」", "『』", "｢｣", "‘’", '""', "「」"]))
    if left not in "「『｢":
        title = entry.title  # without brackets only the words of the title itself are certain
    gap = data.draw(st.sampled_from(["", " ", "  "]))
    number = data.draw(st.sampled_from([f"제{base}조{branch}", f"제 {base} 조{branch}"]))
    tail = data.draw(st.sampled_from(["", "제1항", " 제2항제3호", "제1호가목", " ①항"]))
    after = data.draw(st.sampled_from(["", "에 따라", "을 적용한다.", " 등"]))
    assert units(f"{left}{title}{right}{gap}{number}{tail}{after}") == [entry.unit_id]


@given(LEGAL_NOISE)
def test_segments_join_to_the_text(text: str) -> None:
    resolutions = resolved(text)
    segments = annotate(text, resolutions)
    assert "".join(s.text for s in segments) == text
    marked = [s for s in segments if s.status is not None]
    assert [s.text for s in marked] == [r.citation.text for r in resolutions]


def test_a_segment_carries_the_status_of_its_citation() -> None:
    text = f"먼저 「{ACT}」 제5조, 다음 「국제항로법」 제2조."
    segments = annotate(text, resolved(text))
    assert [(s.text, s.status) for s in segments] == [
        ("먼저 ", None),
        (f"「{ACT}」 제5조", Status.RESOLVED),
        (", 다음 ", None),
        ("「국제항로법」 제2조", Status.UNRESOLVED),
        (".", None),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "{}(제3조)",
        "{} (제3조)",
        "{}[제3조]",
        "「{}」(제3조)",
        "{}: 제3조",
        "{}도 같다. 제3조",
        '{}(이하 "영"이라 한다)(제3조)',
    ],
)
@pytest.mark.parametrize("title", [ACT, DECREE, RULE])
def test_a_place_in_brackets_is_one_of_the_instrument_before_them(text: str, title: str) -> None:
    """Never the act's article of that number, where its decree is named."""
    assert units(text.format(title)) in ([unit(title, "3조")], [])
    assert units(f"{title}(제3조)") == [unit(title, "3조")]
    assert only(text.format(title)).instrument_title in (title, None)
