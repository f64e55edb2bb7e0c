from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from corpus.importers.law_center import drf
from corpus.model import Level, Statute, Tier, Unit, split_id
from tests.corpus.importers.fixtures import FIXTURES, by_place, fixture, parse_statute
from tests.support.refusals import code_of, refusal

ACT = fixture("drf/act.xml")
RULE = fixture("drf/rule.xml")


def act(*rows: str, effective: str = "20240804", tail: str = "") -> Statute:
    """Return the law that holds these rows."""
    return drf.parse(
        "<법령><기본정보><법령명_한글>시험법</법령명_한글><법종구분>법률</법종구분>"
        f"<시행일자>{effective}</시행일자></기본정보><조문>{''.join(rows)}</조문>{tail}</법령>",
        "시험.xml",
    )


def row(number: str, content: str, inside: str = "", sort: str = "조문", title: str = "") -> str:
    return (
        f'<조문단위 조문키="0001001"><조문번호>{number}</조문번호><조문여부>{sort}</조문여부>'
        f"<조문제목>{title}</조문제목><조문내용><![CDATA[{content}]]></조문내용>{inside}</조문단위>"
    )


def spans(unit: Unit) -> dict[str, str]:
    return {part.path: unit.text[part.start : part.end] for part in unit.parts}


def test_equal_law_has_equal_units_in_xml_and_markdown() -> None:
    xml = drf.parse(ACT.encode(), "act.xml")
    markdown = parse_statute(fixture("drf/act.md"), "act.md")
    assert replace(xml, units=()) == replace(markdown, units=(), file="act.xml")
    assert len(xml.units) == len(markdown.units) == 9
    for one, other in zip(xml.units, markdown.units, strict=True):
        if other.level in (Level.ANNEX, Level.FORM):  # their text is only in the XML
            other = replace(other, text=one.text, text_missing=one.text_missing)
        assert one == other
    branch = by_place(xml)["2조의2"]
    assert (branch.heading, branch.path) == (
        "등대(작은 등대를 포함한다)의 등급",
        ("제1장 총칙",),
    )
    assert list(spans(branch)) == [
        "1항",
        "1항/1호",
        "1항/1호/가목",
        "1항/1호/나목의2",
        "1항/2호",
        "2항",
    ]


def test_a_ministry_names_the_kind_of_its_rules() -> None:
    text = ACT.replace(">법률<", ">부령<")
    assert (drf.parse(text, "f").kind, drf.parse(text, "f").tier) == ("가온등대부령", Tier.RULE)


def test_a_preamble_before_the_articles_is_kept() -> None:
    statute = act(row("0", "유구한 등대의 빛", sort="전문"), row("1", "제1조 등대는 하나다."))
    assert [(u.label, u.text) for u in statute.units] == [
        ("전문", "유구한 등대의 빛"),
        ("제1조", "등대는 하나다."),
    ]


def test_items_directly_under_an_article_need_no_paragraph() -> None:
    item = "<호><호번호>1.</호번호><호내용>1. 하나</호내용></호>"
    bare = act(row("1", "제1조 다음과 같다.", item)).units[0]
    empty = act(row("1", "제1조 다음과 같다.", f"<항>{item}</항>")).units[0]
    assert bare == empty
    assert spans(bare) == {"1호": "1. 하나"}


@pytest.mark.parametrize(
    ("number", "content", "path", "text"),
    [
        ("①", "① 하나", "1항", "① 하나"),
        ("① ", "①하나", "1항", "① 하나"),
        ("㉑", "㉑ 스물하나", "21항", "㉑ 스물하나"),
        ("<54>", "<54> 쉰넷", "54항", "<54> 쉰넷"),
        ("54", "쉰넷", "54항", "<54> 쉰넷"),
        ("", "<51> 쉰하나", "51항", "<51> 쉰하나"),
        ("②", "번호 없는 글", "2항", "② 번호 없는 글"),
        ("②", "② ① 둘 속의 하나", "2항", "② ① 둘 속의 하나"),
        ("②", "②의2 가지", "2항의2", "②의2 가지"),
    ],
)
def test_paragraph_numbers_are_read_and_kept_once(
    number: str, content: str, path: str, text: str
) -> None:
    cdata = f"<항번호><![CDATA[{number}]]></항번호><항내용><![CDATA[{content}]]></항내용>"
    unit = act(row("1", "제1조(갑)", f"<항>{cdata}</항>", title="갑")).units[0]
    assert (unit.text, [p.path for p in unit.parts]) == (text, [path])


@pytest.mark.parametrize(
    ("number", "branch", "content", "path", "text"),
    [
        ("1.", "", "1. 하나", "1호", "  1. 하나"),
        ("1.", "", "1.삭제 <2020.2.4>", "1호", "  1. 삭제 <2020.2.4>"),
        ("1.", "2", "1의2. 하나 반", "1호의2", "  1의2. 하나 반"),
        ("1.", "2", "하나 반", "1호의2", "  1의2. 하나 반"),
        ("1의2.", "", "1의2. 하나 반", "1호의2", "  1의2. 하나 반"),
        ("", "", "3. 셋", "3호", "  3. 셋"),
        ("4.", "", "10. 열 배", "4호", "  4. 10. 열 배"),
        ("2.", "", "", "2호", "  2."),
    ],
)
def test_item_numbers_are_read_and_kept_once(
    number: str, branch: str, content: str, path: str, text: str
) -> None:
    fields = f"<호번호>{number}</호번호><호가지번호>{branch}</호가지번호>"
    item = f"<호>{fields}<호내용><![CDATA[{content}]]></호내용></호>"
    unit = act(row("1", "제1조(갑)", item, title="갑")).units[0]
    assert (unit.text, [p.path for p in unit.parts]) == (text, [path])


def test_notes_stay_pictures_leave_a_mark_and_nothing_is_taken_for_markdown() -> None:
    content = (
        '제1조(식) 값은 <img src="http://x/1.png" alt="a"></img> **×** \\* 2<br/>이다. <개정 1.>'
    )
    unit = act(row("1", content, title="식")).units[0]
    assert unit.text == "값은 <그림> **×** \\* 2\n이다. <개정 1.>"


def test_a_label_that_is_not_the_article_s_own_stays() -> None:
    statute = act(
        row("1", "제5조에 따라 한다."),
        row("2", "제2조에 따라 한다."),
        row("3", "제3조(갑을)에 따라", title="병"),
    )
    assert [u.text for u in statute.units] == [
        "제5조에 따라 한다.",
        "제2조에 따라 한다.",
        "(갑을)에 따라",
    ]


def test_articles_keep_their_order_whatever_their_keys() -> None:
    statute = act(row("2", "제2조 둘"), row("1", "제1조 하나"), row("3", "제3조 셋"))
    assert [u.text for u in statute.units] == ["둘", "하나", "셋"]


def test_versions_of_an_article_stand_side_by_side() -> None:
    def version(day: str, text: str) -> str:
        return row("5", f"제5조 {text}", f"<조문시행일자>{day}</조문시행일자>")

    statute = act(
        version("20230101", "옛 글"),
        version("20240804", "지금 글"),
        version("20270101", "새 글"),
        version("20270101", "새 글"),
        version("20270101", "다른 새 글"),
    )
    assert [(split_id(u.semantic_id)[1], u.text, u.effective) for u in statute.units] == [
        ("5조-시행20230101", "옛 글", date(2023, 1, 1)),
        ("5조", "지금 글", None),
        ("5조-시행20270101", "새 글", date(2027, 1, 1)),
        ("5조-2", "다른 새 글", date(2027, 1, 1)),
    ]


def test_an_annex_keeps_its_drawing() -> None:
    units = by_place(drf.parse(ACT, "f"))
    assert units["별표1"].text.split("\n") == [
        "■ [별표 1]",
        "┌──┬────┐",
        "│등급│  높이  │",
        "└──┴────┘",
        "  1. 높이는  바닷물 위에서 잰다.",
    ]
    assert not units["별표1"].text_missing
    assert (units["별표1의2"].heading, units["별표1의2"].deleted) == ("삭제 <2021. 1. 1.>", True)
    assert units["별지1서식"].label == "별지 제1호서식"


def test_annexes_of_one_number_are_counted() -> None:
    annex = "<별표단위><별표번호>0001</별표번호><별표구분>별표</별표구분></별표단위>"
    statute = act(row("1", "제1조 하나"), tail=f"<별표>{annex * 3}</별표>")
    assert list(by_place(statute)) == ["1조", "별표1", "별표1-2", "별표1-3"]


def test_an_administrative_rule_is_read_from_its_text() -> None:
    statute = drf.parse(RULE, "f")
    assert (statute.kind, statute.tier, statute.number) == ("고시", Tier.NOTICE, "2026-13")
    units = by_place(statute)
    assert list(units) == [
        "1조",
        "6조",
        "6조의2",
        "부칙-고시-제2024-1호",
        "부칙-고시-제2026-13호",
        "별표1",
        "별지1서식",
    ]
    assert (units["6조"].heading, units["6조"].path) == ("점검 기준", ("제1장 총칙",))
    assert list(spans(units["6조"])) == [
        "1항",
        "1항/1호",
        "1항/1호/가목",
        "1항/1호/나목",
        "1항/2호",
        "2항",
    ]
    assert units["6조의2"].deleted
    assert units["부칙-고시-제2024-1호"].label == "부칙 <제2024-1호, 2024.1.1>"
    assert units["부칙-고시-제2026-13호"].label == "부칙 <제2026-13호, 2026.3.18>"
    assert units["별표1"].text == "┏━┓\n┃등┃\n┗━┛"


def rule(*texts: str) -> Statute:
    info = "<행정규칙기본정보><행정규칙명>시험 기준</행정규칙명></행정규칙기본정보>"
    inside = "".join(f"<조문내용><![CDATA[{text}]]></조문내용>" for text in texts)
    return drf.parse(f"<AdmRulService>{info}{inside}</AdmRulService>", "f")


def test_a_technical_standard_is_read_by_its_sections() -> None:
    first = "2.1 설치\n2.1.1 다음과 같이 둔다.\n2.1.1.1 높이는 1.5 m로 한다.\n (1) 벽"
    section, last = rule(f"2. 기술기준\n{first}\n2.2 배선").units
    assert (section.level, section.label, section.heading) == (Level.SECTION, "2.1", "설치")
    assert section.path == ("2. 기술기준",)
    assert list(spans(section)) == ["2.1.1", "2.1.1.1", "2.1.1.1/(1)"]
    assert (last.label, last.heading, last.text_missing) == ("2.2", "배선", True)


def test_articles_with_hyphens_and_a_rule_in_one_text() -> None:
    statute = rule("제1장 총칙\n제1-1조(목적) 목적이다.\n제2-6조의2 (예금)\n ① 예금은 다음과 같다.")
    assert [(u.label, u.heading) for u in statute.units] == [
        ("제1-1조", "목적"),
        ("제2-6조의2", "예금"),
    ]


def test_a_rule_without_articles_is_one_unit() -> None:
    (unit,) = rule("1. 일반 원칙\n  가. 성실히 한다.\n2. 세부 지침").units
    assert (unit.label, unit.level) == ("본문", Level.ARTICLE)
    assert list(spans(unit)) == ["1호", "1호/가목", "2호"]


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        ("<Response><result>사용자 정보 검증 실패</result></Response>", "drf_refused", None),
        ("<법령><result>실패</result></법령>", "drf_refused", None),
        ("<!DOCTYPE html><html><body>로그인</body></html>", "drf_page", None),
        ('<?xml version="1.0"?>\n<html><body>점검 중</body></html>', "drf_page", None),
        ('{"result": "사용자 정보 검증에 실패하였습니다."}', "drf_json", None),
        ("<Law>일치하는 법령이 없습니다. 법령명을 확인하여 주십시오.</Law>", "drf_other", None),
        ("<LawSearch><totalCnt>0</totalCnt></LawSearch>", "drf_search", None),
        ("<법령><기본정보/></법령>", "field_missing", 1),
        (ACT.replace("등대 관리법", "()"), "title_unusable", 9),
        (ACT.replace(">법률<", "><"), "field_missing", 8),
        (ACT.replace(">법률<", ">조례<"), "kind_unknown", 8),
        (ACT.replace(">20240203<", ">20241303<"), "field_not_compact_day", 5),
        (ACT.replace("<조문번호>1<", "<조문번호>하나<"), "field_not_number", 22),
        (ACT.replace("조문단위", "조문없음").replace("조문내용", "글"), "drf_no_article", None),
        (ACT[:2000], "xml_broken", None),
        ("\ud800", "not_utf8", 1),
    ],
)
def test_faults_are_named(content: str | bytes, code: str, line: int | None) -> None:
    error = refusal(drf.parse, content, "x/답.xml")
    assert (error.code, error.where.file) == (code, "x/답.xml")
    assert line is None or error.where.line == line


def test_the_service_s_own_words_are_passed_on() -> None:
    said = "<Response><result>실패</result><msg>주소를 등록하세요</msg></Response>"
    error = refusal(drf.parse, said, "답.xml")
    assert error.code == "drf_refused" and "주소를 등록하세요" in error.what("ko")


def test_a_tree_is_read_in_order(tmp_path: Path) -> None:
    assert code_of(drf.read_tree, tmp_path) == "tree_without"
    assert [s.title for s in drf.read_tree(FIXTURES / "drf")] == [
        "등대 관리법",
        "등대 점검에 관한 고시",
    ]


def test_editions_of_a_law_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "new.xml").write_text(ACT, encoding="utf-8")
    old = ACT.replace("20240203", "20200101").replace("00123", "00077")
    (tmp_path / "old.xml").write_text(old, encoding="utf-8")
    assert [s.semantic_id for s in drf.read_tree(tmp_path)] == [
        "등대-관리법",
        "등대-관리법-법률-제77호",
    ]
