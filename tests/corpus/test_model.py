""""""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.importers.beir import read_beir_questions, read_questions
from corpus.importers.registry import read_statutes
from corpus.importers.table import ReadingRules
from corpus.model import (
    CHARACTERS,
    Choice,
    Level,
    in_jurisdiction,
    judgment_language,
    jurisdiction_of,
    parse_place,
    place_id,
    slug,
    split_id,
)
from errors import UserError
from tests.corpus.cases.texts import CHINESE, ENGLISH, KOREAN
from tests.support.refusals import code_of, fault_of

NUMBERS = st.builds(
    lambda base, branch: f"{base}의{branch}" if branch else str(base),
    st.integers(1, 999),
    st.none() | st.integers(1, 99),
)
NUMBERED = st.sampled_from([Level.ARTICLE, Level.ANNEX, Level.FORM])


@given(NUMBERED, NUMBERS, st.sampled_from(["ko", "en"]))
def test_place_ids_are_read_back(level: Level, number: str, language: str) -> None:
    assert parse_place(place_id(level, number, language)) == (level, number)


@given(st.integers(0, 99), st.integers(0, 99), st.sampled_from(["ko", "en"]))
def test_sections_are_read_back(first: int, second: int, language: str) -> None:
    number = f"{first}.{second}"
    assert place_id(Level.SECTION, number, language) == number
    assert parse_place(number) == (Level.SECTION, number)


@pytest.mark.parametrize(
    ("level", "number", "language", "place"),
    [
        (Level.ARTICLE, "12", "ko", "12조"),
        (Level.ARTICLE, "2의2", "ko", "2조의2"),
        (Level.ARTICLE, "2의2", "en", "article-2-2"),
        (Level.ANNEX, "4의2", "ko", "별표4의2"),
        (Level.FORM, "1의2", "ko", "별지1의2서식"),
        (Level.FORM, "1", "en", "form-1"),
    ],
)
def test_place_ids_are_written_as_documented(
    level: Level, number: str, language: str, place: str
) -> None:
    assert place_id(level, number, language) == place


def test_addenda_have_no_numbered_place() -> None:
    with pytest.raises(ValueError, match="addendum"):
        place_id(Level.ADDENDUM, "1")


@pytest.mark.parametrize(
    "place",
    ["", "부칙-법률-제1호", "별표4-1호의나", "12", "조", "１２조", "article-", "본문", "2.1.1"],
)
def test_other_forms_are_not_places(place: str) -> None:
    assert parse_place(place) is None


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("건축법", "건축법"),
        ("소방시설 설치 및 관리에 관한 법률", "소방시설-설치-및-관리에-관한-법률"),
        ("지진ㆍ화산재해대책법", "지진-화산재해대책법"),
        (
            "유도등 및 유도표지의 화재안전기술기준(NFTC 303)",
            "유도등-및-유도표지의-화재안전기술기준-NFTC-303",
        ),
        ("Test_Fire  Act", "Test-Fire-Act"),
        (" ( ) ", ""),
    ],
)
def test_slug(title: str, expected: str) -> None:
    assert slug(title) == expected


@given(st.text(), st.text(alphabet="0123456789조별표의부칙-."))
def test_ids_split_where_they_were_joined(title: str, place: str) -> None:
    assert split_id(f"{slug(title)}_{place}") == (slug(title), place)


@given(st.text())
def test_slug_is_stable_and_without_separators(title: str) -> None:
    once = slug(title)
    assert slug(once) == once
    assert not any(c in once for c in " _()[]ㆍ·,\n")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (KOREAN, "ko"),
        (ENGLISH, "en"),
        (CHINESE, "zh"),
        ("뢫" + CHINESE, "zh"),  # a stray syllable, as damaged files have
        ("피고인은 大法院 判決에 따라 무죄", "ko"),
        ("The court cites 형법 in passing, and nothing else in Korean.", "en"),
        ("123", "en"),
    ],
)
def test_the_script_of_most_letters_tells(text, language):
    assert judgment_language(text) == language


_FRONT = "---\n제목: 배법\n법령구분: 법률\n{}---\n\n# 배법\n\n##### 제1조 (목적)\n\n배를 정한다.\n"


@pytest.mark.parametrize(
    ("written", "key"),
    [("kr", "kr"), (" US_NY ", "us-ny"), ("New  York", "new-york"), ("", ""), ("us--ca", "us-ca")],
)
def test_what_is_written_is_brought_to_one_form(written: str, key: str) -> None:
    assert jurisdiction_of(written) == key


@pytest.mark.parametrize("written", ["한국", "a/b", "-", "-kr", "x" * (CHARACTERS + 1), "k.r"])
def test_anything_else_is_refused(written: str) -> None:
    assert code_of(jurisdiction_of, written) == "jurisdiction_form"


@given(st.text(alphabet="abzAZ09 _-", max_size=30))
def test_a_key_is_its_own_key(written: str) -> None:
    try:
        key = jurisdiction_of(written)
    except UserError:
        return
    assert jurisdiction_of(key) == key


def _rows(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def test_statutes_of_every_format_say_whose_law_they_are(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "법률.md").write_text(_FRONT.format("jurisdiction: KR\n"), "utf-8")
    lake = "Title: Lake Act\nJurisdiction: US NY\n\n§ 1. Lakes\n\nA lake is wet.\n"
    (tmp_path / "lake.txt").write_text(lake, "utf-8")
    table = tmp_path / "rows.csv"
    table.write_text("law,place,text,jurisdiction\nSee,§ 1,Nass.,de\nSee,§ 2,Tief.,\n", "utf-8")
    beir = tmp_path / "lakes"
    beir.mkdir()
    _rows(beir / "corpus.jsonl", {"_id": "1", "text": "Wet.", "metadata": {"jurisdiction": "fr"}})
    sources = {"legalize-kr": tree, "english": tmp_path / "lake.txt", "table": table, "beir": beir}
    found = {
        name: [each.jurisdiction for each in read_statutes(path, name)[1].statutes]
        for name, path in sources.items()
    }
    assert found == {"legalize-kr": ["kr"], "english": ["us-ny"], "table": ["de"], "beir": ["fr"]}


def test_a_statute_of_two_jurisdictions_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "rows.csv"
    table.write_text("law,place,text,state\nSee,§ 1,Nass.,de\nSee,§ 2,Tief.,at\n", "utf-8")
    names = ("statute", "law"), ("place", "place"), ("text", "text"), ("jurisdiction", "state")
    found = fault_of(read_statutes, table, "table", ReadingRules(dict(names)))
    assert found[:2] == ("jurisdictions_differ", 3)


def test_what_a_source_says_is_kept_and_the_rest_is_filled_in(tmp_path: Path) -> None:
    table = tmp_path / "rows.csv"
    table.write_text("law,place,text,jurisdiction\nA,§ 1,x,de\nB,§ 1,x,\n", "utf-8")
    statutes = read_statutes(table, "table")[1].statutes
    assert [each.jurisdiction for each in in_jurisdiction(statutes, "at")] == ["de", "at"]


_OPTIONS = (Choice("A", "Yes"), Choice("B", "No"))


@pytest.mark.parametrize(
    ("said", "choices"),
    [
        ({}, ()),
        ({"choices": ["Yes", "No"]}, _OPTIONS),
        ({"choices": {"A": "Yes", "B": "No"}}, _OPTIONS),
        (
            {"choices": [{"label": "1", "text": "Yes", "correct": True}]},
            (Choice("1", "Yes", True),),
        ),
        (
            {"choices": ["Yes", "No"], "correct_choices": ["B"]},
            (Choice("A", "Yes", False), Choice("B", "No", True)),
        ),
        (
            {"choices": ["Yes", "No"], "correct_choices": "A"},
            (Choice("A", "Yes", True), Choice("B", "No", False)),
        ),
    ],
)
def test_questions_have_a_jurisdiction_and_choices(said, choices, tmp_path: Path) -> None:
    row = {"question_id": 1, "question": "Wet?", "answer": "", "jurisdiction": "us ny"} | said
    (question,) = read_questions(_rows(tmp_path / "q.jsonl", row))
    assert (question.jurisdiction, question.choices, question.columns) == ("us-ny", choices, ())
    beir = {"_id": "1", "text": "Wet?", "metadata": {"jurisdiction": "us ny"} | said}
    _rows(tmp_path / "queries.jsonl", beir)
    (question,) = read_beir_questions(tmp_path)
    assert (question.jurisdiction, question.choices, question.columns) == ("us-ny", choices, ())


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"choices": "Yes"}, "choices_form"),
        ({"choices": ["Yes", 3]}, "choices_form"),
        ({"choices": [{"text": "Yes", "correct": "yes"}]}, "choices_form"),
        ({"choices": ["Yes", " "]}, "field_missing"),
        ({"choices": [{"label": "B", "text": "x"}, "y"]}, "choices_repeated"),
        ({"choices": ["Yes"], "correct_choices": ["B"]}, "choice_unknown"),
        ({"choices": ["x"] * 27}, "list_long"),
        ({"jurisdiction": "대한민국"}, "jurisdiction_form"),
    ],
)
def test_what_is_wrong_is_named_with_its_field(said, code, tmp_path: Path) -> None:
    row = {"question_id": 1, "question": "Wet?", "answer": ""} | said
    file = _rows(tmp_path / "q.jsonl", row)
    assert fault_of(read_questions, file) == (code, 1, list(said)[-1])
