from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from corpus.graph.build import build_graph
from corpus.graph.model import EdgeType, Origin
from corpus.importers.law_center import law_html
from corpus.importers.law_center.html_page import MAX_DEPTH, read_page
from corpus.model import Level, Tier, Unit, split_id
from errors import UserError
from tests.corpus.importers.fixtures import by_place, fixture
from tests.support.refusals import code_of, refusal

ACT = fixture("html/act.html")


def page(*articles: str, title: str = "시험법", about: str = "[법률 제1호, 2024. 1. 1.]") -> str:
    """Return a page with these articles, each the inside of its element."""
    inside = "".join(f'<div class="lawcon">{each}</div>' for each in articles)
    head = f'<div id="conTop"><h2>{title}</h2><div class="ct_sub">{about}</div></div>'
    return f"<html><body>{head}{inside}</body></html>"


def article(label: str, text: str) -> str:
    return f'<p><span class="bl"><label>{label}</label></span>{text}</p>'


def links(unit: Unit) -> list[tuple[str, str]]:
    return [(unit.text[link.start : link.end], link.href) for link in unit.links]


def test_the_law_is_described_by_the_lines_under_its_title() -> None:
    statute = law_html.parse(ACT, "등대/act.html")
    assert (statute.semantic_id, statute.title) == ("등대-관리법", "등대 관리법")
    assert (statute.kind, statute.tier, statute.number) == ("법률", Tier.ACT, "123")
    assert (statute.promulgated, statute.effective) == (date(2024, 2, 3), date(2024, 8, 4))
    assert (statute.language, statute.file) == ("ko", "등대/act.html")


def test_articles_stand_under_their_chapters() -> None:
    units = [u for u in law_html.parse(ACT, "f").units if u.level is Level.ARTICLE]
    assert [(u.label, u.heading, u.path) for u in units] == [
        ("제1조", "목적", ("제1장 총칙",)),
        ("제2조의2", "등대(작은 등대를 포함한다)의 등급", ("제1장 총칙",)),
        ("제3조", "", ("제2장 관리",)),
    ]
    assert [u.deleted for u in units] == [False, False, True]


def test_text_has_its_paragraphs_and_tables_and_nothing_of_the_page_around_it() -> None:
    unit = by_place(law_html.parse(ACT, "f"))["2조의2"]
    assert unit.text.split("\n") == [
        "① 등대의 등급은 「바다 안전법」 제5조 에 따라 다음 각 호와 같다. <개정 2020. 1. 1.>",
        "  1. 별표 1의 큰 등대",
        "    가. 높이 20미터 이상인 것",
        "  2. 삭제 <2020. 2. 4.>",
        "② 제1항의 표는 다음과 같다.",
        "등급 | 높이",
        "1. 일 | 20미터",
        "[본조신설 2011. 4. 5.]",
    ]
    assert [part.path for part in unit.parts] == [
        "1항",
        "1항/1호",
        "1항/1호/가목",
        "1항/2호",
        "2항",
    ]
    second = unit.parts[-1]
    assert unit.text[second.start : second.end].endswith("1. 일 | 20미터")


def test_hyperlinks_are_kept_with_the_words_they_stand_on() -> None:
    assert links(by_place(law_html.parse(ACT, "f"))["2조의2"]) == [
        ("「바다 안전법」", "fncLsLawPop('900','ALLJO','')"),
        ("제5조", "fncLsLawPop('901','JO','')"),
        ("별표 1", "https://law.example/x?a=1&b=2"),
        ("제1항", "javascript:;"),
        ("20미터", "#b"),
    ]


def test_addenda_carry_number_and_day() -> None:
    units = [u for u in law_html.parse(ACT, "f").units if u.level is Level.ADDENDUM]
    assert [(u.label, u.heading, u.text) for u in units] == [
        ("부칙 <제5호, 2018.1.1>", "", "제1조(시행일) 이 법은 공포한 날부터 시행한다."),
        ("부칙 <제123호, 2024.2.3>", "등대 이름에 관한 법률", "제1조 생략"),
    ]


def test_a_hyperlink_of_the_source_is_an_edge_of_that_origin() -> None:
    first = article("제1조(갑)", '<a href="/x">「시험법」 제2조</a>와 제3조에 따른다.')
    second = article("제2조(을)", "제1조에 따른다.")
    law = law_html.parse(page(first, second, article("제3조(병)", "셋")), "f")
    edges = build_graph([law]).edges
    found = [
        (split_id(edge.source)[1], split_id(edge.target)[1], edge.origin)
        for edge in edges
        if edge.type is EdgeType.REFERENCES
    ]
    assert found == [
        ("1조", "2조", Origin.HYPERLINK),
        ("1조", "3조", Origin.TEXT),
        ("2조", "1조", Origin.TEXT),
    ]


def test_an_article_that_will_change_stands_twice_with_its_day() -> None:
    about = "[시행 2024. 8. 4.] [법률 제1호, 2024. 1. 1.]"
    now = article("제5조(갑)", "지금 글")
    then = '<p><span class="bl">제5조(갑)</span> 다음 글</p><p>[시행일: 2026. 6. 3.] 제5조</p>'
    only = article("제6조(을)", "글") + "<p>[시행일: 2026. 6. 3.] 제6조</p>"
    statute = law_html.parse(page(now, then, only, about=about), "f")
    assert [(split_id(u.semantic_id)[1], u.text, u.effective) for u in statute.units] == [
        ("5조", "지금 글", None),
        ("5조-시행20260603", "다음 글\n[시행일: 2026. 6. 3.] 제5조", date(2026, 6, 3)),
        ("6조", "글\n[시행일: 2026. 6. 3.] 제6조", None),
    ]


@pytest.mark.parametrize("title", ["시험법 ( 약칭: 시험 )", "시험법(약칭: 시험(임시)법)", "시험법"])
def test_the_short_name_beside_the_title_is_no_part_of_it(title: str) -> None:
    assert law_html.parse(page(article("제1조(갑)", "글"), title=title), "f").title == "시험법"


def test_addenda_outside_of_the_text_s_element_are_read() -> None:
    addenda = (
        '<div id="arDivArea"><div class="pgroup"><p class="pty3"><span>부칙</span>'
        "<span>&lt;법률 제7호, 2026. 6. 2.&gt;</span></p>"
        '<p class="pty3_dep1">제1조(시행일) 이 법은 공포한 날부터 시행한다.</p>'
        '<p class="pty3_dep2">① 다만, 제2조는 그러하지 아니하다.</p></div></div>'
    )
    text = page(article("제1조(갑)", "글")).replace("</body>", addenda + "</body>")
    (_, addendum) = law_html.parse(text, "f").units
    assert addendum.label == "부칙 <제7호, 2026.6.2>"
    assert addendum.text.split("\n") == [
        "제1조(시행일) 이 법은 공포한 날부터 시행한다.",
        "① 다만, 제2조는 그러하지 아니하다.",
    ]


def test_hyperlinks_without_words_leave_no_blank_lines() -> None:
    inside = '<p><a href="#"> </a></p><p><a href="#"><img src="x"></a></p>'
    text = page(inside, article("제1조(갑)", "글" + inside))
    assert [unit.text for unit in law_html.parse(text, "f").units] == ["글"]


def test_an_administrative_rule_is_a_notice() -> None:
    about = "[시행 2024. 1. 1.] [소방청고시 제2024-5호, 2024. 1. 1., 제정]"
    statute = law_html.parse(page(article("제1조(갑)", "글"), about=about), "f")
    assert (statute.kind, statute.tier, statute.number) == ("소방청고시", Tier.NOTICE, "2024-5")


def test_signs_in_the_text_are_not_taken_for_tags_or_markdown() -> None:
    text = "값은 3 < 4 이고 **곱** \\* &lt;개정&gt; a&amp;b<!-- 메모 <p> --> 이다."
    (unit,) = law_html.parse(page(article("제1조(갑)", text)), "f").units
    assert unit.text == "값은 3 < 4 이고 **곱** \\* <개정> a&b 이다."


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("<html><body><form>로그인</form></body></html>", "html_no_law"),
        (page(), "html_no_law"),
        (page(article("제1조", "글"), title="()"), "title_unusable"),
        (page(article("제1조", "글"), about=""), "html_no_number"),
        (page(article("제1조", "글"), about="[법률 제1호, 2024. 13. 1.]"), "html_not_date"),
        (page(article("제1조", "글"), about="[조례 제1호, 2024. 1. 1.]"), "kind_unknown"),
        (page(article("제1조", "글" + "<div>" * (MAX_DEPTH + 1))), "html_deep"),
        (page(article("제1조", "글<a href='" + "x" * 20_000)), "html_broken"),
        (ACT.encode("cp949"), "not_utf8"),
    ],
)
def test_faults_are_named(content: str | bytes, code: str) -> None:
    error = refusal(law_html.parse, content, "x/법.html")
    assert (error.code, error.where.file) == (code, "x/법.html")


def test_frames_and_helpers_beside_a_page_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "등대.html").write_text(ACT, encoding="utf-8")
    (tmp_path / "등대_files").mkdir()
    (tmp_path / "등대_files" / "menu.html").write_text("<p>메뉴</p>", encoding="utf-8")
    (tmp_path / "바깥.html").write_text('<iframe src="a"></iframe>', encoding="utf-8")
    assert [s.title for s in law_html.read_tree(tmp_path)] == ["등대 관리법"]
    (tmp_path / "등대.html").unlink()
    assert code_of(law_html.read_tree, tmp_path) == "html_no_law"


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "noise",
    ["<", "<a", "<!--", "<a href=x>", "</a>", "<p>", "<b><i></b>", "&", "&#", "<td>", "<tr"],
)
def test_time_grows_with_the_page(noise: str) -> None:
    try:
        read_page(ACT.replace("정한다.", noise * 30_000), "f")
    except UserError as error:
        assert error.remedy()
