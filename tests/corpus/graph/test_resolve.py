""""""

from __future__ import annotations

from dataclasses import replace

import pytest

from corpus.graph.build import build_graph
from corpus.graph.model import Form, Reference
from corpus.graph.resolve import find_in_law
from corpus.model import Level, Statute, Unit
from tests.corpus.citations.law import marked
from tests.corpus.graph.ferry_law import ACT, DECREE, RULE, article, ferry_law, one_article

OWN = f"{ACT}_10조"


def read(*lines: str, also: list[Statute] | None = None) -> list[Reference]:
    """Return the references of article 10 of an act whose text is `lines`."""
    built = build_graph([*one_article(*lines), *(also or [])])
    return [one for one in built.references if one.unit_id == OWN]


def meant(one: Reference) -> list[str]:
    """Return the targets of a reference: place, and pinpoint where there is one."""
    return [
        " ".join(part for part in (t.unit_id.rpartition("_")[2], t.pinpoint) if part)
        for t in one.targets
    ]


WITHIN = """
⟦제3조제2항제1호⟧ → 3조 2항/1호
⟦이 법 제3조⟧ → 3조
⟦제2조부터 제4조까지⟧ → 2조; 3조; 4조
⟦제2조부터 제4조제1항까지⟧ → 2조; 3조; 4조
⟦제3조⟧ 및 ⟦제5조제2항⟧ → 3조 | 5조 2항
⟦제3조제1항⟧, ⟦같은 조 제2항⟧ → 3조 1항 | 3조 2항
⟦제3조제1항제2호⟧ 및 ⟦같은 항 제4호⟧ → 3조 1항/2호 | 3조 1항/4호
⟦전조⟧의 죄 → 9조
⟦전2조⟧의 죄 → 8조; 9조
⟦전 2조⟧를 준용한다 → 8조; 9조
⟦전조제1항 및 제2항⟧ → 9조 1항; 9조 2항
⟦제8조⟧ 또는 ⟦전조⟧단서의 경우 → 8조 | 9조
⟦제8조⟧ 내지 ⟦전조⟧의 죄 → 8조 | 9조
전조등과 운항 전 조치, 전조 현상
⟦제3조제2항⟧ 및 ⟦동조동항제1호⟧ → 3조 2항 | 3조 2항/1호
⟦제3조제2항제1호⟧와 ⟦동호 가목⟧ → 3조 2항/1호 | 3조 2항/1호/가목
동호회와 동호인의 배
⟦제3조제1항⟧ 후단이나 ⟦제5항⟧ → 3조 1항 | 3조 5항
⟦제3조제1항⟧(⟦제2호⟧는 제외한다) → 3조 1항 | 3조 1항/2호
한 자(이하 자라 한다)이 ⟦법 제3조⟧ → 3조
⟦본조⟧의 죄 → 10조
⟦제2조⟧, ⟦제3조⟧(⟦제5조⟧를 위반한 경우만을 말한다), ⟦제4조⟧ → 2조 | 3조 | 5조 | 4조
⟦제3조⟧(⟦제2항⟧은 제외한다) → 3조 | 3조 2항
**①** 배 ⏎   1. 큰 배 ⏎   2. ⟦제1호⟧보다 작은 배 → 10조 1항/1호
**①** 배 ⏎   1. 큰 배 ⏎     가. 돛배 ⏎     나. ⟦가목⟧과 같은 배 → 10조 1항/1호/가목
**①** 배 ⏎ **②** ⟦제1항 및 제3항⟧의 배 ⏎ **③** ⟦전항⟧의 배 → 10조 1항; 10조 3항 | 10조 2항
**①** 배 ⏎   1. 배 ⏎     가. 배 ⏎ **②** ⟦제1항제1호가목⟧의 배 → 10조 1항/1호/가목
**①** 배 ⏎ **②** 배 ⏎ **③** ⟦전 2항⟧의 배 → 10조 1항; 10조 2항
**①** 배 ⏎   1. 큰 배 ⏎   2. 작은 배 ⏎   3. ⟦전 각 호⟧ 외의 배 → 10조 1항/1호; 10조 1항/2호
**①** ⟦전항⟧의 배 ⏎ **②** ⟦제9항⟧의 배 → no_antecedent | no_such_place
배를 둔다. <개정 2020.1.1 제3조> ⏎ [제4조에서 이동, 종전 제5조는 제6조로 이동]
**①** 배 ⏎   1. 배 ⏎     가. 배[⟦나목1)⟧의 배] ⏎     나. 배 ⏎       1) 배 → 10조 1항/1호/나목/1)
**①** 배 ⏎ **②** ⟦제1항⟧의 배와 ⟦제1항제2호가목⟧의 배 → 10조 1항 | no_such_place
**①** 배 ⏎   1. 배 ⏎ **②** ⟦제1항제1호⟧의 배와 ⟦나목⟧의 배 → 10조 1항/1호 | no_such_place
**①** 배 ⏎ **②** ⟦제1항⟧ 후단이나 ⟦제9항⟧의 배와 ⟦제2항⟧의 배 → 10조 1항 | no_such_place | 10조 2항
**①** 배 ⏎ **②** ⟦전항⟧의 배(⟦제3호⟧는 제외한다) → 10조 1항 | no_such_place
다음 배 ⏎   1. 배 ⏎   2. 배 ⏎     가. 배 ⏎     나. ⟦제1호⟧, ⟦가목⟧의 배 → 10조 1호 | 10조 2호/가목
⟦「어디에도없는법」⟧ 제33장 죄 중 ⟦제3조(모욕)⟧ → no_such_instrument | no_such_instrument
⟦「어디에도없는법」⟧ ⟦별표⟧를 본다. → no_such_instrument | no_such_instrument
"""


@pytest.mark.parametrize(("text", "expected"), marked(WITHIN))
def test_references_within_a_statute(text: str, expected: list[tuple[str, str]]) -> None:
    found = read(*text.split(" ⏎ "))
    assert [(one.text, "; ".join(meant(one)) or str(one.reason)) for one in found] == expected


def test_the_article_after_is_read_where_there_is_one() -> None:
    act = one_article("다음 조의 배", others=9)
    after = article(ACT, "11조", 11, "다음 조의 배, 다음 조치의 배")
    built = build_graph([replace(act[0], units=(*act[0].units, after))])
    assert [(one.text, meant(one)) for one in built.references] == [
        ("다음 조", ["11조"]),
        ("다음 조", []),
    ]


def test_a_place_after_an_unknown_statute_is_not_taken_for_an_own_one() -> None:
    found = read("「어디에도없는법」 제3조 및 제4조, 같은 법 제5조, 같은 조 제2항")
    assert {one.reason for one in found} == {"no_such_instrument"}
    assert len(found) == 4


def test_lower_instruments_point_upwards() -> None:
    built = build_graph(ferry_law())
    found = {(one.unit_id, one.text): [t.unit_id for t in one.targets] for one in built.references}
    assert found[f"{DECREE}_2조", "별표 1"] == [f"{DECREE}_별표1"]
    assert found[f"{DECREE}_2조", "이 영 제3조"] == [f"{DECREE}_3조"]
    assert found[f"{DECREE}_2조", "법 제2조제2호"] == [f"{ACT}_2조"]
    assert found[f"{DECREE}_3조", "같은 법 제4조"] == [f"{ACT}_4조"]
    assert found[f"{DECREE}_3조", "같은 조"] == [f"{ACT}_4조"]
    assert found[f"{RULE}_3조", "영 제3조제1항"] == [f"{DECREE}_3조"]
    assert found[f"{RULE}_3조", "영 별표 1"] == [f"{DECREE}_별표1"]
    assert found[f"{RULE}_2조", "법 제5조제2항"] == [f"{ACT}_5조"]


def test_a_decree_knows_its_act_without_naming_it() -> None:
    act, decree, _ = ferry_law()
    bare = article(DECREE, "1조", 0, "법 제5조에 따른다.")
    built = build_graph([act, replace(decree, units=(bare,))])
    mine = [one for one in built.references if one.unit_id == f"{DECREE}_1조"]
    assert [(one.form, [t.unit_id for t in one.targets]) for one in mine] == [
        (Form.LEVEL, [f"{ACT}_5조"])
    ]


def test_a_short_name_holds_from_where_it_is_defined() -> None:
    act, decree, _ = ferry_law()
    early = article(DECREE, "1조", 0, "배법 제5조에 따른다.")
    later = article(
        DECREE, "2조", 1, '「나루안전법」(이하 "배법"이라 한다) 제1조와 배법 제5조를 본다.'
    )
    built = build_graph([act, replace(decree, units=(early, later))])
    found = [(o.text, o.form, str(o.reason or "")) for o in built.references if DECREE in o.unit_id]
    assert found == [
        ("배법 제5조", Form.TITLE, "no_such_instrument"),
        ('「나루안전법」(이하 "배법"이라 한다) 제1조', Form.TITLE, ""),
        ("배법 제5조", Form.SHORT, ""),
    ]


def test_what_is_quoted_in_brackets_is_of_the_instrument_cited_before_them() -> None:
    act, decree, _ = ferry_law()
    text = (
        "법 제4조(제5조제2항에서 준용하는 경우를 포함한다), 제3조(법 제1조에 따른 경우만)에 따른다."
    )
    here = article(DECREE, "5조", 0, "나룻배를 둔다.")
    built = build_graph([act, replace(decree, units=(here, article(DECREE, "9조", 1, text)))])
    mine = [one for one in built.references if one.unit_id == f"{DECREE}_9조"]
    assert [(one.text, [t.unit_id for t in one.targets]) for one in mine] == [
        ("법 제4조", [f"{ACT}_4조"]),
        ("제5조제2항", [f"{ACT}_5조"]),
        ("제3조", [f"{ACT}_3조"]),
        ("법 제1조", [f"{ACT}_1조"]),
    ]


@pytest.mark.parametrize(
    "written",
    [
        "법률 제123호 나루안전법 일부개정법률 부칙 제3조",
        "법률 제123호 나루안전법중개정법률 부칙 제5항",
        "법률 제123호 「나루안전법 전부개정법률」 부칙 제3조제1항",
        "법률 제123호 나루안전법 부칙 제3조",
    ],
)
def test_the_addendum_of_an_amending_act_is_found_by_its_number(written: str) -> None:
    act, *_ = ferry_law()
    addenda = [
        Unit(f"{ACT}_부칙-법률-제{n}호", ACT, Level.ADDENDUM, "부칙", "", "배", 90 + order)
        for order, n in enumerate((122, 123, 1123))
    ]
    citing = article(ACT, "10조", 9, f"{written}에 따른 배는 배로 본다.")
    built = build_graph([replace(act, units=(*act.units, citing, *addenda))])
    (found,) = (one for one in built.references if one.unit_id == OWN)
    assert (found.text, found.form) == (written, Form.ADDENDUM)
    assert [target.unit_id for target in found.targets] == [f"{ACT}_부칙-법률-제123호"]


def test_a_form_can_leave_out_what_it_is() -> None:
    text = "별지 제1호의2의 명세서와 별지 제3호도식을 낸다."
    form = Unit(f"{ACT}_별지1의2서식", ACT, Level.FORM, "별지 제1호의2서식", "명세서", "", 99)
    (act,) = one_article(text)
    built = build_graph([replace(act, units=(*act.units, form))])
    assert [meant(one) for one in built.references] == [["별지1의2서식"]]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('"그 밖의 배"란 제1항에 따른 배를 말한다.', ["1항"]),
        ('"배의 기준"이란 제2항제2호의 기준을 말한다.', ["2항/2호"]),
        ("배의 품명란 제10호에 적는다.", []),
        ("가목 이외의 배", ["가목"]),
        ("제18호(다목은 제외한다)의 배", ["18호", "다목"]),
        ("제1호가목1) 및 3)에 따른 배", ["1호/가목/1)", "1호/가목/3)"]),
        ("나목1), 2), 4)에 따른 배", ["나목/1)", "나목/2)", "나목/4)"]),
        ("가목1)부터 3)까지의 서류", ["가목/1)", "가목/2)", "가목/3)"]),
        ("제4호파목(뗏목은 제외한다)ㆍ더목ㆍ러목의 배", ["4호/파목", "더목", "러목"]),
        ("제4호하목부터 너목까지의 배", ["4호/하목", "4호/거목", "4호/너목"]),
        ("과목과 항목은 뗏목에 따른다.", []),
    ],
)
def test_parts_of_the_own_article(text: str, parts: list[str]) -> None:
    found = find_in_law(text, "ko")
    assert [place.pinpoint for one in found for place in one.places] == parts
    assert all(text[one.start : one.end] == one.text for one in found)
