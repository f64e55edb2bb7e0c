"""Resolving: what each form means in a corpus, and the reason when it means nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.citations.find import find
from corpus.citations.model import Reason, Resolution, Status
from corpus.citations.resolve import annotate, resolve
from tests.corpus.citations.law import (
    ACT,
    CATALOGUE,
    DECREE,
    OTHER,
    RULE,
    STANDALONE,
    STANDARD,
    SUCCESSOR,
    entries,
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


def test_a_name_unlike_every_title_does_not_resolve() -> None:
    found = only("「수로의 준설 및 매립에 관한 법률」 제5조")
    assert (found.status, found.reason) == (Status.UNRESOLVED, Reason.NO_SUCH_INSTRUMENT)
    assert found.instrument_title == "수로의 준설 및 매립에 관한 법률"


def test_bare_titles_lose_the_words_in_front() -> None:
    found = only(f"이 경우 시설의 설치는 {STANDALONE} 제5조에 따른다")
    assert found.targets[0].unit_id == unit(STANDALONE, "5조")
    assert found.citation.text == f"{STANDALONE} 제5조"


def test_lists_continue_the_instrument() -> None:
    assert units(f"{STANDALONE} 제5조, 제6조에서") == [unit(STANDALONE, p) for p in ("5조", "6조")]


def test_a_range_is_every_article_between() -> None:
    assert units(f"「{ACT}」 제9조부터 제10조까지") == [
        unit(ACT, p) for p in ("9조", "9조의2", "9조의3", "9조의4", "10조")
    ]


def test_a_range_with_an_end_that_is_not_there_does_not_resolve() -> None:
    assert only(f"「{ACT}」 제9조부터 제99조까지").reason is Reason.NO_SUCH_PLACE


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


def test_the_most_recent_act_is_the_same_act() -> None:
    text = f"「{ACT}」 제1조 및 「{OTHER}」 제2조에 따라 같은 법 제3조"
    assert units(text)[-1] == unit(OTHER, "3조")


def test_an_article_that_the_most_recent_act_lacks_is_looked_for_in_the_one_before() -> None:
    text = f"「{OTHER}」 제1조, 「{ACT}」 제2조에 따라 같은 법 제40조"
    assert units(text)[-1] == unit(OTHER, "40조")


def test_a_rule_of_its_own_is_no_act() -> None:
    text = f"「{ACT}」 제1조, 「{STANDALONE}」 제5조에 따라 같은 법 제5조와 같은 규칙 제6조"
    assert units(text)[-2:] == [unit(ACT, "5조"), unit(STANDALONE, "6조")]


def test_a_title_without_brackets_and_place_is_an_antecedent() -> None:
    assert units(f"{OTHER}에 따른 등대는 같은 법 제7조") == [unit(OTHER, "7조")]


def test_the_heading_written_tells_decree_from_act() -> None:
    text = f"「{DECREE}」 제2조에 해당되어 같은법 제31조(등화의 종류)에 따른"
    assert units(text)[-1] == unit(DECREE, "31조")


def test_a_heading_finds_the_one_article_where_nothing_is_named() -> None:
    assert units("같은법 시행규칙 제7조(규칙 제목 7)") == [unit(RULE, "7조")]
    assert only("같은법 시행규칙 제7조(다른 제목)").reason is Reason.NO_ANTECEDENT


def test_same_article_and_paragraph() -> None:
    text = f"「{ACT}」 제5조제1항에 따라 같은 조 제2항 및 같은 항 제3호"
    assert targets(text) == [
        (unit(ACT, "5조"), "1항"),
        (unit(ACT, "5조"), "2항"),
        (unit(ACT, "5조"), "2항/3호"),
    ]


@pytest.mark.parametrize(
    "words",
    ['(이하 "수로법"이라 한다)', "(이하 '수로법')", "(이하 “수로법”이라 함)", "(이하 수로법)"],
)
def test_an_abbreviation_that_the_text_defines(words: str) -> None:
    text = f"「{ACT}」{words} 제1조. 수로법 제2조와 수로법 시행령 제3조"
    assert units(text) == [unit(ACT, "1조"), unit(ACT, "2조"), unit(DECREE, "3조")]


def test_the_act_by_the_name_that_the_text_gives_it() -> None:
    text = f'「{ACT}」(이하 "법"이라 한다) 제1조, 「{OTHER}」 제2조, 법 제3조'
    assert units(text)[-1] == unit(ACT, "3조")


def test_a_bare_place_belongs_to_the_only_instrument_named() -> None:
    assert units(f"「{ACT}」 제5조에 따라 제6조제1항의") == [unit(ACT, "5조"), unit(ACT, "6조")]


def test_a_bare_place_among_several_instruments_does_not_resolve() -> None:
    text = f"「{ACT}」 제5조와 「{OTHER}」 제2조에 따른다. 또한 제6조에 따른다."
    assert only(text).reason is Reason.NO_ANTECEDENT


def test_a_bare_place_belongs_to_the_only_instrument_of_its_sentence() -> None:
    text = f"「{ACT}」 제5조에 따른다. 「{OTHER}」 제2조에 따라 제6조에 따른다."
    assert units(text)[-1] == unit(OTHER, "6조")


def test_what_only_the_question_names_is_an_antecedent() -> None:
    question = f"「{ACT}」 제24조의 업무는?"
    assert units("같은 법 제24조 각 호입니다.", question) == [unit(ACT, "24조")]
    assert units(f"「{OTHER}」 제2조와 같은 법 제24조", question)[-1] == unit(OTHER, "24조")


@pytest.mark.parametrize(
    ("text", "place", "pinpoint"),
    [
        ("LBTC 102 2.1.1.3", "2.1", "2.1.1.3"),
        ("LBTC102 2.1", "2.1", ""),
        (f"「{STANDARD}」2.4.5.2", "2.4", "2.4.5.2"),
        ("「등명기의 기술기준」 2.4.5.2", "2.4", "2.4.5.2"),
        ("「등명기 설치의 기준(LBTC 102)」 표 2.5.1", "2.5", "2.5.1"),
        ("Section 2.2.1 of LBTC 102", "2.2", "2.2.1"),
    ],
)
def test_sections_of_a_standard(text: str, place: str, pinpoint: str) -> None:
    assert targets(text) == [(unit(STANDARD, place), pinpoint)]


def test_sections_follow_the_standard_cited_by_sections() -> None:
    text = (
        f"LBTC 102 2.1.1에 따라 「{ACT}」 제5조를 적용하고, "
        "같은 기준 2.2 및 2.4.5에 따르며 2.5.1.1도 같다."
    )
    assert units(text) == [
        unit(STANDARD, "2.1"),
        unit(ACT, "5조"),
        *(unit(STANDARD, n) for n in ("2.2", "2.4", "2.5")),
    ]


def test_the_act_inside_a_quoted_standard_is_not_named_by_the_text() -> None:
    text = f"「{ACT}」 제1조. LBTC 102 2.1.1에 “법 제5조에 따라”라고 규정"
    assert only(text).reason is Reason.NO_ANTECEDENT


REASONS = [
    ("「국제항로법」 제5조", Reason.NO_SUCH_INSTRUMENT),
    ("XYTC 999 2.1.1", Reason.NO_SUCH_INSTRUMENT),
    (f"「{ACT}」 제99조", Reason.NO_SUCH_PLACE),
    ("같은 법 제5조", Reason.NO_ANTECEDENT),
    ("제5조에 따라", Reason.NO_ANTECEDENT),
    ("같은 조 제2항", Reason.NO_ANTECEDENT),
    (f"「{ACT}」에 따라", Reason.NAMES_INSTRUMENT_ONLY),
    ("「국제항로법」에 따라", Reason.NO_SUCH_INSTRUMENT),
    (f"「{DECREE}」 부칙 제2조", Reason.SEVERAL_MATCH),
    (f"「{ACT}」 별표 1", Reason.SEVERAL_MATCH),  # the act has no annexes; decree and rule have
    ("「소방시설 설치ㆍ유지 및 안전관리에 관한 법률」 제23조", Reason.PREDECESSOR),
    (f"「{OTHER}」 제1조와 「국제항로법」 제2조에 따라 같은 법 제3조", Reason.NO_SUCH_INSTRUMENT),
]


@pytest.mark.parametrize(("text", "reason"), REASONS)
def test_reasons(text: str, reason: Reason) -> None:
    found = only(text)
    ambiguous = reason is Reason.SEVERAL_MATCH
    assert found.reason is reason
    assert found.status is (Status.AMBIGUOUS if ambiguous else Status.UNRESOLVED)
    assert found.targets == ()


def test_an_ambiguous_citation_keeps_what_remains() -> None:
    found = only(f"「{ACT}」 별표 1")
    assert found.unit_ids == (unit(DECREE, "별표1"), unit(RULE, "별표1"))


def test_an_annex_of_the_act_by_its_heading_or_as_the_only_one() -> None:
    assert units(f"「{ACT}」 별표 1(등화의 기준)") == [unit(DECREE, "별표1")]
    assert units(f"「{ACT}」 별표 2") == [unit(DECREE, "별표2")]


def test_the_only_annex_needs_no_number() -> None:
    assert units(f"「{OTHER} 시행령」 별표 제1호") == [unit(f"{OTHER} 시행령", "별표")]


def test_addenda_by_the_number_of_the_amending_instrument() -> None:
    assert units(f"「{DECREE}」 부칙 <대통령령 제200호> 제3조") == [
        unit(DECREE, "부칙-대통령령-제200호")
    ]


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
