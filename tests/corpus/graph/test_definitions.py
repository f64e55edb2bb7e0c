"""Which provisions define a term, and which use it in that meaning."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.graph.build import build_graph
from corpus.graph.definitions import terms_of
from corpus.graph.model import Edge, EdgeType
from corpus.model import Level, Statute, Tier, Unit
from tests.corpus.graph.ferry_law import ACT, DECREE, article, ferry_law, statute


def defines(statutes: list[Statute]) -> list[Edge]:
    return [edge for edge in build_graph(statutes).edges if edge.type is EdgeType.DEFINES]


def users(*texts: str, decree: str = "") -> set[str]:
    """Return the places that the definitions of an act of these articles lead to."""
    units = [article(ACT, f"{n}조", n, text) for n, text in enumerate(texts, 1)]
    law = [statute(ACT, "나루안전법", Tier.ACT, *units)]
    if decree:
        below = article(DECREE, "1조", 1, decree)
        law.append(statute(DECREE, "나루안전법 시행령", Tier.DECREE, below))
    return {edge.target for edge in defines(law)}


def test_a_definition_leads_to_who_uses_the_term_with_both_places() -> None:
    law = ferry_law()
    texts = {unit.semantic_id: unit.text for one in law for unit in one.units}
    found = defines(law)
    assert all(texts[e.source][e.start : e.end] == e.term for e in found)
    assert all(e.source == f"{ACT}_2조" for e in found)
    ends = {(e.term, e.part, e.target, e.pinpoint) for e in found}
    assert ("나룻배", "1호", f"{ACT}_5조", "1항") in ends
    assert ("사공", "2호", f"{DECREE}_3조", "2항") in ends
    assert not [e for e in found if e.target == e.source]


WHOLE = '이 법에서 "구명조끼"란 물에 뜨는 옷을 말한다.'


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("배에는 구명조끼를 둔다.", True),
        ("구명조끼", True),
        ("구명조끼ㆍ구명줄 및 노", True),
        ("구명조끼로부터 떼어 낸 것", True),
        ("구명조끼보관함을 둔다.", False),  # another word
        ("간이구명조끼를 둔다.", False),
        ("「구명조끼 관리법」 제1조에 따른다.", False),  # only a title
        ("노를 둔다.", False),
    ],
)
def test_a_term_counts_as_a_word_of_its_own(text: str, used: bool) -> None:
    assert users(WHOLE, text) == ({f"{ACT}_2조"} if used else set())


@pytest.mark.parametrize(
    ("definition", "before", "behind", "below"),
    [
        (WHOLE, True, True, True),
        ('"구명조끼"라 함은 물에 뜨는 옷을 말한다.', True, True, True),
        ('물에 뜨는 옷(이하 "구명조끼"라 한다)을 둔다.', False, True, False),
        ('이 조에서 "구명조끼"란 물에 뜨는 옷을 말한다.', False, False, False),
        ('물에 뜨는 옷(이하 이 조에서 "구명조끼"라 한다)을 둔다.', False, False, False),
    ],
)
def test_where_a_definition_holds(definition: str, before: bool, behind: bool, below: bool) -> None:
    uses = "구명조끼를 둔다."
    wanted = {f"{ACT}_1조": before, f"{ACT}_3조": behind, f"{DECREE}_1조": below}
    assert users(uses, definition, uses, decree=uses) == {at for at, used in wanted.items() if used}


def test_the_nearest_definition_counts() -> None:
    own = '이 영에서 "구명조끼"란 조끼를 말한다. 구명조끼는 붉다.'
    assert users(WHOLE, "구명조끼를 둔다.", decree=own) == {f"{ACT}_2조"}
    again = '물에 뜨는 옷(이하 "구명조끼"라 한다)을 둔다.'
    units = [article(ACT, f"{n}조", n, t) for n, t in enumerate([WHOLE, again, "구명조끼"], 1)]
    (edge,) = defines([statute(ACT, "나루안전법", Tier.ACT, *units)])
    assert (edge.source, edge.target) == (f"{ACT}_2조", f"{ACT}_3조")


def test_a_term_inside_a_longer_one_does_not_count() -> None:
    terms = '이 법에서 "구명 조끼 함"이란 함을, "조끼"란 옷을, "구명 조끼"란 뜨는 옷을 말한다.'
    units = [article(ACT, "1조", 1, terms), article(ACT, "2조", 2, "구명 조끼를 둔다.")]
    found = defines([statute(ACT, "나루안전법", Tier.ACT, *units)])
    assert [edge.term for edge in found] == ["구명 조끼"]


def test_what_is_defined_for_a_chapter_holds_there() -> None:
    def at(number: int, chapter: str, text: str) -> Unit:
        return replace(article(ACT, f"{number}조", number, text), path=(chapter,))

    told = '이 장에서 "구명조끼"란 물에 뜨는 옷을 말한다.'
    units = [
        at(1, "제1장 총칙", told),
        at(2, "제1장 총칙", "구명조끼"),
        at(3, "제2장 배", "구명조끼"),
    ]
    found = defines([statute(ACT, "나루안전법", Tier.ACT, *units)])
    assert [edge.target for edge in found] == [f"{ACT}_2조"]


def test_english_terms() -> None:
    def unit(number: int, text: str) -> Unit:
        label = f"Article {number}"
        return Unit(f"ferry_art.{number}", "ferry", Level.ARTICLE, label, "", text, number)

    texts = [
        '"Life jacket" means a garment that floats.',
        "A ferry carries life jackets.",
        "A ferry carries oars.",
    ]
    units = tuple(unit(n, text) for n, text in enumerate(texts, 1))
    law = Statute("ferry", "Ferry Act", "act", Tier.ACT, "en", units)
    assert [edge.target for edge in defines([law])] == ["ferry_art.2"]


@pytest.mark.parametrize(
    "text",
    [
        '「배법」(이하 "법"이라 한다) 제1조',
        '법 제1조에서 "대통령령으로 정하는 자"란 사공을 말한다.',
        '법 제1조에서 "소방청장이 정하여 고시하는 배"란 뗏목을 말한다.',
        "이 법의 목적",
    ],
)
def test_names_of_instruments_and_quotations_are_no_terms(text: str) -> None:
    assert list(terms_of(text)) == []


@given(
    st.lists(
        st.sampled_from([WHOLE, "구명조끼", '(이하 "구명조끼"라 한다)', "노를", " 이 조에서 "]),
        min_size=1,
    )
)
def test_no_provision_is_led_to_itself_and_spans_are_the_term(pieces: list[str]) -> None:
    units = [article(ACT, f"{n}조", n, text) for n, text in enumerate(pieces, 1)]
    for edge in defines([statute(ACT, "나루안전법", Tier.ACT, *units)]):
        source = next(unit for unit in units if unit.semantic_id == edge.source)
        assert edge.source != edge.target and source.text[edge.start : edge.end] == edge.term
