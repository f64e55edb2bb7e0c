from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, Statute, Tier, Unit, parse_place, split_id
from errors import UserError, Where
from tests.corpus.importers.fixtures import by_place, law_of, parse_statute
from tests.corpus.importers.layout import ENGLISH, FRONT, STANDARD, STATUTE, with_annexes
from tests.support.examples import scaled
from tests.support.refusals import code_of, refusal


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_front_matter_becomes_the_statute() -> None:
    statute = parse_statute(STATUTE, "시험법/법률.md")
    assert (statute.semantic_id, statute.title, statute.kind) == ("시험법", "시험법", "법률")
    assert (statute.tier, statute.language, statute.number) == (Tier.ACT, "ko", "123")
    assert statute.promulgated == date(2024, 2, 3)
    assert statute.effective == date(2024, 8, 4)
    assert statute.source == "https://law.example/시험법"
    assert statute.file == "시험법/법률.md"


def test_units_stand_in_document_order_with_ids_and_chapters() -> None:
    statute = parse_statute(STATUTE, "f")
    assert [u.semantic_id for u in statute.units] == [
        "시험법_1조",
        "시험법_2조의3",
        "시험법_3조",
        "시험법_부칙-법률-제5호",
        "시험법_부칙-법률-제123호",
    ]
    assert [u.order for u in statute.units] == [0, 1, 2, 3, 4]
    units = by_place(statute)
    assert units["2조의3"].label == "제2조의3"
    assert units["2조의3"].heading == "정의"
    assert units["2조의3"].path == ("제1장 총칙",)
    assert units["3조"].path == ("제1장 총칙", "제1절 잡칙")


def test_text_is_clean_and_indented_by_depth() -> None:
    text = by_place(parse_statute(STATUTE, "f"))["2조의3"].text
    assert text.split("\n") == [
        "① 뜻은 다음과 같다. <개정 2020.1.1>",
        '  1. "하나"란 것을 말한다.',
        '  1의2. "하나 반"이란 다음의 것을 말한다.',
        "    가. 첫째",
        "    나. 둘째",
        "      1) 세부",
        "        가) 더 세부",
        '  2. "둘"이란 표와 같다.',
        "┌──┐",
        "│1. 표 │",
        "② 그 밖의 것은 별표 1과 같다.",
        "[본조신설 2020.1.1]",
    ]


def test_parts_address_paragraphs_items_and_below() -> None:
    unit = by_place(parse_statute(STATUTE, "f"))["2조의3"]
    spans = {part.path: unit.text[part.start : part.end] for part in unit.parts}
    assert list(spans) == [
        "1항",
        "1항/1호",
        "1항/1호의2",
        "1항/1호의2/가목",
        "1항/1호의2/나목",
        "1항/1호의2/나목/1)",
        "1항/1호의2/나목/1)/가)",
        "1항/2호",
        "2항",
    ]
    assert spans["1항/1호의2/나목"] == "나. 둘째\n      1) 세부\n        가) 더 세부"
    assert spans["1항/2호"].endswith("│1. 표 │")  # a table belongs to the item it stands in
    assert spans["2항"] == "② 그 밖의 것은 별표 1과 같다."  # the note on the article does not


def test_deleted_and_textless_articles_are_marked() -> None:
    units = by_place(parse_statute(STATUTE.replace("이 법은 시험을 위한 것이다.", ""), "f"))
    assert units["3조"].deleted
    assert units["3조"].text == "삭제 <2019.1.1>"
    assert (units["1조"].deleted, units["1조"].text_missing) == (False, True)


def test_addenda_carry_number_day_and_amending_law() -> None:
    unit = by_place(parse_statute(STATUTE, "f"))["부칙-법률-제123호"]
    assert unit.level is Level.ADDENDUM
    assert (unit.label, unit.heading) == ("부칙 <제123호, 2024.2.3>", "다른 법")
    assert unit.text == "제1조 생략"


def test_addenda_of_one_number_are_counted() -> None:
    text = STATUTE.replace("<제5호,2018.1.1>", "<제123호,2009.1.1>")
    places = [place for place in by_place(parse_statute(text, "f")) if "부칙" in place]
    assert places == ["부칙-법률-제123호", "부칙-법률-제123호-2"]


def test_attachments_become_annexes_and_forms_without_text() -> None:
    text = with_annexes(
        ("0004", "00", "별표", "기준"),
        ("0001", "02", "별표", "삭제 &lt;2019. 1. 1.&gt;"),
        ("0001", "00", "서식", "신청서"),
        ("0012", "03", "서식", "대장"),
        ("0000", "00", "별표", "하나뿐인 별표"),
        ("0002", "00", "도식", "표찰"),
    )
    statute = parse_statute(text, "f")
    found = [(split_id(u.semantic_id)[1], u.level, u.label, u.deleted) for u in statute.units[-6:]]
    assert found == [
        ("별표4", Level.ANNEX, "별표 4", False),
        ("별표1의2", Level.ANNEX, "별표 1의2", True),
        ("별지1서식", Level.FORM, "별지 제1호서식", False),
        ("별지12의3서식", Level.FORM, "별지 제12호의3서식", False),
        ("별표", Level.ANNEX, "별표", False),
        ("도식2", Level.ANNEX, "도식 2", False),
    ]
    assert all(u.text == "" and u.text_missing for u in statute.units[-6:])
    assert statute.units[-5].heading == "삭제 <2019. 1. 1.>"


def test_english_statute() -> None:
    statute = parse_statute(ENGLISH, "f")
    assert (statute.language, statute.tier) == ("en", Tier.ACT)
    article, addendum = statute.units
    assert article.semantic_id == "Test-Fire-Act_article-5-2"
    assert (article.label, article.heading) == ("Article 5-2", "Duties")
    assert article.path == ("Chapter 1 General",)
    assert [p.path for p in article.parts] == ["(1)", "(1)/1", "(1)/1/(a)", "(1)/2", "(2)"]
    assert addendum.semantic_id == "Test-Fire-Act_addendum-Act-no-12"
    assert addendum.label == "Addendum <No. 12, Jan. 2, 2020>"


def test_technical_standard_has_sections_with_decimal_parts() -> None:
    statute = parse_statute(STANDARD, "f")
    assert statute.tier is Tier.NOTICE
    section = statute.units[0]
    assert section.semantic_id == "시험설비의-화재안전기술기준-NFTC-999_2.1"
    assert (section.level, section.label, section.heading) == (Level.SECTION, "2.1", "설치")
    assert [p.path for p in section.parts] == ["2.1.1", "2.1.1.1", "2.1.1.1/(1)", "2.1.2"]
    last = section.parts[-1]  # the stray 2.2.1 opens no part here
    assert section.text[last.start :].startswith("2.1.2 2.2.1에 따른다.\n2.2.1")


def test_instrument_too_short_for_articles_is_one_unit() -> None:
    text = (
        FRONT + "\n# 시험법\n\n이 날은 휴일로 한다.\n\n## 부칙\n\n부칙 <제1호,2020.1.1>\n\n생략\n"
    )
    unit = parse_statute(text, "f").units[0]
    assert (unit.semantic_id, unit.label, unit.text) == (
        "시험법_본문",
        "본문",
        "이 날은 휴일로 한다.",
    )


def test_preamble_before_the_articles_is_kept() -> None:
    unit = parse_statute(STATUTE.replace("# 시험법\n", "# 시험법\n\n유구한 역사\n", 1), "f").units[
        0
    ]
    assert (unit.semantic_id, unit.text, unit.order) == ("시험법_전문", "유구한 역사", 0)


@pytest.mark.parametrize(
    ("text", "code", "line", "field"),
    [
        ("# 제목만\n", "front_matter_missing", 1, None),
        ("---\n제목: 가\n", "front_matter_open", 1, None),
        ("---\n- 가\n---\n", "front_matter_not_mapping", 2, None),
        ("---\n제목: 가\n제목: 나\n---\n", "field_repeated", 3, "제목"),
        (STATUTE.replace("제목: 시험법\n", ""), "field_missing", 1, "제목"),
        (STATUTE.replace("법령구분: 법률\n", ""), "field_missing", 1, "법령구분"),
        (STATUTE.replace("제목: 시험법\n", "제목: ''\n"), "field_missing", 2, "제목"),
        (STATUTE.replace("제목: 시험법\n", '제목: "가\\0"\n'), "text_unstorable", 2, "제목"),
        (STATUTE.replace("제목: 시험법\n", "제목: '()'\n"), "title_unusable", 2, "제목"),
        (STATUTE.replace("구분: 법률", "구분: 조례"), "kind_unknown", 3, "법령구분"),
        (STATUTE.replace("2024-02-03", "2024-13-03"), "field_not_date", 4, "공포일자"),
        (STATUTE.replace("첨부파일: []", "첨부파일: 셋"), "field_not_list", 8, "첨부파일"),
        (with_annexes(("", "00", "별표", "가")), "field_missing", 9, "별표번호"),
        (with_annexes(("일", "00", "별표", "가")), "field_not_number", 9, "별표번호"),
        (with_annexes(("0001", "x", "별표", "가")), "field_not_number", 10, "별표가지번호"),
        (with_annexes(*[("0001", "00", "별표", "가")] * 2), "place_repeated", 13, None),
        (FRONT + "\n# 시험법\n", "no_article", None, None),
        (FRONT + "\n# 시험법\n\n설명\n", "no_article", None, None),
        (FRONT + "\n제1조(목적) 무엇\n\n## 부칙\n\n생략\n", "no_article", None, None),
        (STATUTE.replace("##### 제1조 (", "##### 1조 ("), "heading_unreadable", 15, None),
        (STATUTE.replace("##### 제1조 (목적)", ""), "text_outside_article", 17, None),
        (STATUTE.replace("제2조의3", "제1조"), "place_repeated", 19, None),
    ],
)
def test_faults_are_named(text: str, code: str, line: int | None, field: str | None) -> None:
    error = refusal(parse_statute, text, "x/법률.md")
    assert error.where == Where("x/법률.md", line, field) and error.code == code


def test_tree_is_sorted_and_reports_progress(tmp_path: Path) -> None:
    write(tmp_path, "b/법률.md", STATUTE)
    write(tmp_path, "a/standard.MD", STANDARD)
    write(tmp_path, "README.md", "no statute")
    write(tmp_path, ".git/x.md", "no statute")
    write(tmp_path, "a/notes.txt", "no statute")
    calls: list[tuple[int, int]] = []
    statutes = read_tree(tmp_path, lambda done, total: calls.append((done, total)))
    assert [s.file for s in statutes] == ["a/standard.MD", "b/법률.md"]
    assert calls == [(1, 2), (2, 2)]


def test_namesakes_are_told_apart_by_kind_and_number(tmp_path: Path) -> None:
    old = STATUTE.replace("법률\n공포일자: 2024-02-03", "군정법령\n공포일자: 1948-04-01")
    write(tmp_path, "시험법/군정법령.md", old)
    write(tmp_path, "시험법/법률.md", STATUTE)
    first, second = read_tree(tmp_path)
    assert first.semantic_id == "시험법-군정법령-제123호"
    assert first.units[0].semantic_id == "시험법-군정법령-제123호_1조"
    assert {u.statute_id for u in first.units} == {first.semantic_id}
    assert second.semantic_id == "시험법"


def test_copy_of_a_statute_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "a/법률.md", STATUTE)
    write(tmp_path, "b/법률.md", STATUTE)
    error = refusal(read_tree, tmp_path)
    assert (error.code, error.where.file, error.where.line) == ("title_repeated", "b/법률.md", 2)
    assert "a/법률.md" in error.what()


def test_links_out_of_the_tree_are_not_followed(tmp_path: Path) -> None:
    outside = write(tmp_path, "outside/법률.md", STATUTE)
    tree = tmp_path / "tree"
    write(tree, "standard.md", STANDARD)
    (tree / "link.md").symlink_to(outside)
    (tree / "folder").symlink_to(outside.parent)
    (tree / "circle.md").symlink_to(tree / "circle.md")
    assert [s.file for s in read_tree(tree)] == ["standard.md"]


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda folder: folder / "absent", "path_missing"),
        (lambda folder: folder, "tree_empty"),
        (lambda folder: Path("/dev/null"), "not_a_folder"),
        (lambda folder: folder / "a\0b", "file_unreadable"),
    ],
)
def test_unusable_paths(tmp_path: Path, make, code: str) -> None:
    assert code_of(read_tree, make(tmp_path)) == code


def test_pipe_in_the_tree_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    error = refusal(read_tree, tmp_path)
    assert (error.code, error.where.file) == ("not_a_file", "pipe.md")


PIECES = st.sampled_from(
    [
        *("##### 제1조 (가)", "##### 제2조의2", "##### Article 3 (B)", "##### 2.1 (나)", "##### x"),
        *("# 시험법", "## 제1장 총칙", "### 제1절", "**제1속 가**", "## 부칙", "## Addenda", ""),
        *("부칙 <제1호,2020.1.1>", "부칙(가) <제1호,2020.1.1>", "삭제 <2020.1.1>", "[본조신설]"),
        *("**①** 가", "**②** 나", "**㊿** 다", "**(1)** a", "  1\\. 가", "  2의2\\. 나"),
        *("    가\\. 다", "    a\\. b", " 1) 라", " 1)의2 라", " 가) 마", "  (1) 바", "  (가) 사"),
        *("\t\t│ 표", "2.1.1 가", "2.1.1.1 나", "2.1.2 다", "제1조 생략", "<img id='1'></img>"),
        *("　", "**a** \\* &lt;b&gt;"),
    ]
)


def assert_sound(statute: Statute) -> None:
    ids = [unit.semantic_id for unit in statute.units]
    assert len(set(ids)) == len(ids)
    assert [unit.order for unit in statute.units] == list(range(len(ids)))
    for unit in statute.units:
        assert unit.statute_id == statute.semantic_id
        assert_parts_sound(unit)


def assert_parts_sound(unit: Unit) -> None:
    """Spans lie in the text, open with their marker, nest, and stand in document order."""
    paths = [part.path for part in unit.parts]
    assert len(set(paths)) == len(paths)
    starts = [part.start for part in unit.parts]
    assert starts == sorted(starts)
    spans = {part.path: part for part in unit.parts}
    for part in unit.parts:
        assert 0 <= part.start < part.end <= len(unit.text)
        first = unit.text[part.start : part.end].split("\n")[0]
        name = part.path.rpartition("/")[2]
        assert opens_with(first, name), (first, name)
        assert unit.text[: part.start].rpartition("\n")[2].strip() == ""
        parent = spans.get(part.path.rpartition("/")[0])
        if parent:
            assert parent.start < part.start and part.end <= parent.end


def opens_with(line: str, name: str) -> bool:
    marker = line.split(" ")[0]
    if name.endswith("항"):
        return "①" <= marker[0] <= "㊿" or marker[0] == "("
    if "①" <= marker[0] <= "㊿":  # English names ① as (1)
        return name[0] == "("
    bare = name.replace("호", "").replace("목", "").strip("()")
    return marker.replace("(", "").startswith(bare)


@given(st.lists(PIECES, max_size=25))
@settings(max_examples=scaled(300), deadline=None)
def test_any_order_of_lines_gives_sound_units_or_a_user_error(lines: list[str]) -> None:
    for front in (FRONT, ENGLISH.split("# Test")[0], STANDARD.split("# 시험")[0]):
        try:
            statute = parse_statute(front + "\n".join(lines), "f.md")
        except UserError:
            continue
        assert_sound(statute)


@given(st.text())
def test_arbitrary_text_raises_nothing_but_user_errors(text: str) -> None:
    for whole in (
        text,
        FRONT + "##### 제1조\n" + text,
        f"---\n{text}\n---\n",
        f"---\n제목: {text}",
    ):
        try:
            assert_sound(parse_statute(whole, "f.md"))
        except UserError as error:
            assert error.where.file == "f.md"


@given(st.text(alphabet="제목ab:-[]{},&*!|>'\"#%@? \n\t\\0", max_size=60))
def test_arbitrary_front_matter_raises_nothing_but_user_errors(text: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_statute(f"---\n{text}\n---\n", "f.md")
    assert caught.value.where.file == "f.md"


def test_huge_front_matter_is_refused() -> None:
    huge = "---\n" + "a" * 2_000_000 + "\n---\n"
    assert code_of(parse_statute, huge, "f") == "front_matter_large"


def test_hostile_white_space_costs_no_time() -> None:
    text = STATUTE + "부칙" + " " * 300_000 + "x\n"
    assert parse_statute(text, "f").units[-1].text.endswith("x")


# The real law


@pytest.fixture
def fire_safety_law(shared_data: Path) -> list[Statute]:
    law = law_of(shared_data / "korean-law" / "fire-safety")
    return [each for each in law if each.file.startswith("kr/")]


@pytest.mark.real_data
def test_fire_safety_law_imports_whole(fire_safety_law: list[Statute]) -> None:
    assert len(fire_safety_law) == 155
    units = [unit for statute in fire_safety_law for unit in statute.units]
    levels = {level: sum(u.level is level for u in units) for level in Level}
    assert levels[Level.ARTICLE] == 6839  # every heading; ten of them have no text in the source
    assert sum(u.text_missing for u in units if u.level is Level.ARTICLE) == 10
    assert (levels[Level.ANNEX], levels[Level.FORM]) == (615, 1192)
    assert levels[Level.ADDENDUM] == 3359
    assert len({u.semantic_id for u in units}) == len(units)
    for statute in fire_safety_law:
        assert_sound(statute)
    for unit in units:
        assert "**" not in unit.text and "\\." not in unit.text
        if unit.level is Level.ARTICLE:
            assert unit.deleted == unit.text.startswith("삭제")


@pytest.mark.real_data
def test_real_articles_read_as_the_law_does(fire_safety_law: list[Statute]) -> None:
    units = {u.semantic_id: u for s in fire_safety_law for u in s.units}
    definitions = units["건축법_2조"]
    assert (definitions.heading, definitions.path) == ("정의", ("제1장 총칙",))
    spans = {p.path: definitions.text[p.start : p.end] for p in definitions.parts}
    assert spans["1항/8호의2"].startswith('8의2. "결합건축"이란 제56조에 따른 용적률을')
    assert spans["1항/11호/나목"].startswith("나. 건축허가 또는 신고 시에")
    assert units["건축사법_42조"].text_missing
    deepest = units["건축법-시행령_6조"]
    assert any(p.path == "1항/6호/다목/1)/가)" for p in deepest.parts)
    annex = units["건축물의-설비기준-등에-관한-규칙_별표1의2"]
    assert (annex.label, annex.heading) == ("별표 1의2", "승용승강기의 설치기준(제5조 본문 관련)")
    branch = units["소방시설-설치-및-관리에-관한-법률-시행령_별표4"]
    assert parse_place(split_id(branch.semantic_id)[1]) == (Level.ANNEX, "4")
    addendum = units["건축법_부칙-법률-제8974호"]
    assert addendum.label == "부칙 <제8974호, 2008.3.21>"
    assert addendum.text.startswith("제1조(시행일) 이 법은 공포한 날부터 시행한다.")


def test_paragraphs_beyond_the_circled_numbers_have_parts() -> None:
    lines = "**㉑** 스물하나\n\n**㊿** 쉰\n\n**<54>** 쉰넷\n\n**②의2** 가지\n"
    text = STATUTE.replace("이 법은 시험을 위한 것이다.\n", lines)
    unit = by_place(parse_statute(text, "f"))["1조"]
    assert [part.path for part in unit.parts] == ["21항", "50항", "54항", "2항의2"]
    assert unit.text.split("\n")[2] == "<54> 쉰넷"
