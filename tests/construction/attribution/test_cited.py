"""What answers cite: keys, footers and prose, rolled up, with what is invalid told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.attribution import (
    Cited,
    Law,
    Place,
    Source,
    cited_by_keys,
    cited_in_text,
    rolled_up,
    without_footer,
)
from tests.corpus.citations.law import ACT, CATALOGUE, DECREE, ENGLISH, OTHER, STANDARD, unit

LAW = Law.of(CATALOGUE)
NINE, NINE_2, ONE = (unit(ACT, place) for place in ("9조", "9조의2", "1조"))
LAMP = unit(OTHER, "12조")


@pytest.mark.parametrize(
    ("written", "found"),
    [
        (NINE, Place(NINE)),
        (f"[{NINE}]", Place(NINE)),
        (f' "`{NINE}`" ', Place(NINE)),
        (f"{NINE}제1항", Place(NINE, "1항")),
        (f"{NINE} 제1항 제3호 가목", Place(NINE, "1항/3호/가목")),
        (f"{NINE}/1항/3호의2", Place(NINE, "1항/3호의2")),
        (f"{NINE}_1항", Place(NINE, "1항")),
        (f"{NINE}②", Place(NINE, "2항")),
        (f"{NINE}제1항 단서", Place(NINE, "1항")),
        (f"[{NINE}]제1항", None),  # no bracket is closed inside an id
        (NINE_2, Place(NINE_2)),
        (f"{NINE_2}제1항", Place(NINE_2, "1항")),
        (unit(ACT, "8조의2"), None),  # no such article, and none that it is a part of
        (unit(ACT, "9조의12"), None),
        (unit(ACT, "99조"), None),
        (unit(ACT, "9"), None),
        (unit(DECREE, "별표1-2호의나"), Place(unit(DECREE, "별표1"), "2호/나목")),
        (unit(DECREE, "별표1-비고"), Place(unit(DECREE, "별표1"))),
        (unit(DECREE, "별표12"), None),
        (unit(STANDARD, "2.1.1.3"), Place(unit(STANDARD, "2.1"), "2.1.1.3")),
        (unit(STANDARD, "2.15"), None),
        (unit(ENGLISH, "article-9-2(1)(a)"), Place(unit(ENGLISH, "article-9-2"), "(1)/(a)")),
        (unit(ENGLISH, "article-9-7"), None),
        ("", None),
        ("answer", None),
        ("제9조", None),
    ],
)
def test_an_id_is_rolled_up_to_the_unit_it_lies_below_and_to_no_other(
    written: str, found: Place | None
) -> None:
    assert rolled_up(written, LAW.units) == found


@given(
    st.sampled_from(sorted(LAW.units)), st.text(alphabet="제1항호의가목조.-_/ ()[]a", max_size=8)
)
def test_whatever_is_rolled_up_is_a_unit_that_the_id_begins_with(base: str, rest: str) -> None:
    found = rolled_up(base + rest, LAW.units)
    assert found is None or (found.unit in LAW.units and (base + rest).startswith(found.unit))
    assert rolled_up(base, LAW.units) == Place(base)


def test_keys_that_state_something_are_cited_once_and_invalid_ones_told() -> None:
    claims = {
        f"{NINE}제1항": ["[제1항] A boat has a lamp."],
        f"[{NINE}]": ["Always."],
        LAMP: [],
        "소방기본법_1조": ["An act that the corpus lacks."],
    }
    assert cited_by_keys(claims, LAW.units) == Cited(
        Source.KEYS, (NINE,), (NINE, f"{NINE}/1항"), ("소방기본법_1조",)
    )


def test_a_footer_counts_and_prose_beside_it_does_not() -> None:
    text = f"「{OTHER}」 제12조에 따릅니다.\n[참조] {NINE}, {ONE}제2항, [없는법_1조]"
    assert cited_in_text(text, LAW) == Cited(
        Source.FOOTER, (ONE, NINE), (f"{ONE}/2항", NINE), ("없는법_1조",)
    )
    assert without_footer(text) == f"「{OTHER}」 제12조에 따릅니다."


@pytest.mark.parametrize(
    "footer", ["[References] {}", "[참고]: {}", "**[참조]**\n- {}", "【참조】 {}."]
)
def test_footers_are_read_as_models_write_them(footer: str) -> None:
    found = cited_in_text("It does.\n" + footer.format(LAMP), LAW)
    assert (found.source, found.units, found.invalid) == (Source.FOOTER, (LAMP,), ())


@pytest.mark.parametrize("footer", ["[참조]", "[참조] 없음", "[References] none", "[참조] -"])
def test_an_empty_footer_cites_nothing(footer: str) -> None:
    assert cited_in_text(f"「{OTHER}」 제12조.\n{footer}", LAW) == Cited(Source.FOOTER, (), (), ())


def test_a_footer_of_citations_in_words_is_read_as_the_corpus_reads_them() -> None:
    found = cited_in_text(f"예.\n[참조] 「{OTHER}」 제12조제1항, {NINE}, 참 좋은 근거", LAW)
    assert found == Cited(Source.FOOTER, (LAMP, NINE), (f"{LAMP}/1항", NINE), ("참 좋은 근거",))


def test_prose_is_read_where_there_is_no_footer() -> None:
    text = f"「{OTHER}」 제12조제1항과 「없는 기본법」 제3조에 따릅니다."
    found = cited_in_text(text, LAW)
    assert (found.source, found.units, found.exact) == (Source.PROSE, (LAMP,), (f"{LAMP}/1항",))
    assert found.invalid == ("「없는 기본법」 제3조",)
    assert without_footer(text) == text


def test_what_the_question_names_is_what_a_bare_article_is_of() -> None:
    question = f"「{OTHER}」에 따르면 등불이 필요합니까?"
    assert cited_in_text("제12조에 따라 필요합니다.", LAW, question).units == (LAMP,)
    assert cited_in_text("제12조에 따라 필요합니다.", LAW).units == ()


@given(st.text(alphabet=f"[참조]제12조항 ,.\n「」{OTHER}", max_size=60))
def test_reading_never_fails_and_cites_only_units_of_the_corpus(text: str) -> None:
    assert set(cited_in_text(text, LAW).units) <= set(LAW.units)
