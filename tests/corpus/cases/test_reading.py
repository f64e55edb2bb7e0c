from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.cases.model import (
    SECTIONS,
    CaseRules,
    Judgment,
    Section,
    read_case_rules,
    suggested,
    with_choices,
)
from corpus.cases.patterns import packaged
from corpus.cases.reading import _Reader, judgment_columns, read_judgments, survey
from corpus.files.rows import RowReader
from errors import UserError, Where
from tests.corpus.cases.texts import CHINESE, ENGLISH, KOREAN
from tests.support.refusals import code_of, refusal


def lines(tmp_path: Path, *rows: dict[str, Any] | str, name: str = "cases.jsonl") -> Path:
    file = tmp_path / name
    said = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    file.write_text("\n".join(said), encoding="utf-8")
    return file


def judgments(file: Path, rules: CaseRules | None = None) -> list[Judgment]:
    return [read.judgment for read in read_judgments(file, rules)]


def test_full_texts_give_what_they_say(tmp_path):
    rows = ({"id": n, "text": text} for n, text in enumerate((KOREAN, ENGLISH, CHINESE)))
    korean, english, chinese = judgments(lines(tmp_path, *rows))
    assert [each.language for each in (korean, english, chinese)] == ["ko", "en", "zh"]
    assert (korean.court, korean.date) == ("가온지방법원", "2025-09-04")
    assert chinese.source["number"] == "（2019）某0101刑初12号"
    assert chinese.source["found"]["charges"] == "pattern"
    assert (korean.source["file"], english.source["line"]) == ("cases.jsonl", 2)


def test_columns_count_before_patterns(tmp_path):
    row = {"id": "a", "text": KOREAN, "court": "Other court", "date": "2020. 1. 2."}
    (found,) = judgments(lines(tmp_path, row | {"charges": ["절도"], "provisions": "형법 제329조"}))
    assert (found.court, found.date) == ("Other court", "2020-01-02")
    assert (found.charges, found.provisions) == (("절도",), ("형법 제329조",))
    assert found.source["found"]["court"] == "column"


def test_columns_of_sections_make_the_text_and_blank_ones_are_told(tmp_path):
    row = {"id": "a", "facts": "It happened.", "claims": " ", "conclusion": "Guilty.", "head": None}
    file = lines(tmp_path, row)
    (read,) = read_judgments(file)
    found = read.judgment
    assert found.text == "It happened.\n\nGuilty."
    assert [part.section for part in found.parts] == [Section.FACTS, Section.CONCLUSION]
    assert found.text[found.parts[1].start : found.parts[1].end] == "Guilty."
    assert read.empty == ("head", "claims")
    counts = {each.name: each for each in survey([read]).sections}
    assert (counts["claims"].judgments, counts["claims"].empty) == (0, 1)


def test_a_csv_with_quoted_line_breaks_and_listed_charges(tmp_path):
    file = tmp_path / "cases.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["사건번호", "id", "판결문", "죄명", "적용법조"])
        provisions = "형법 제347조 제1항, 제37조; 제38조"
        writer.writerow(["2025고단9", "c1", KOREAN, "사기; 절도", provisions])
    (found,) = judgments(file)
    assert found.charges == ("사기", "절도")
    assert found.provisions == ("형법 제347조 제1항", "형법 제37조", "제38조")
    assert found.source["number"] == "2025고단9"
    assert found.text == KOREAN.strip()


def test_a_language_without_patterns_is_one_part(tmp_path):
    (found,) = judgments(lines(tmp_path, {"id": 1, "text": "Tatbestand", "language": "de-DE"}))
    assert (found.language, [part.section for part in found.parts]) == ("de", [Section.REST])


def test_a_very_long_judgment_is_read_whole(tmp_path):
    text = CHINESE + "证" * 40_000
    (found,) = judgments(lines(tmp_path, {"id": 1, "text": text}))
    assert found.text == text


@pytest.mark.parametrize(
    ("rows", "code", "line", "field"),
    [
        ([{"id": "a", "text": "x"}, {"id": "b", "text": "  "}], "court_case_no_text", 2, "text"),
        ([{"id": "a", "text": "x"}, {"id": "a", "text": "y"}], "court_case_repeated", 2, "id"),
        ([{"id": "a", "text": "x"}, {"text": "y"}], "field_missing", 2, "id"),
        ([{"id": "a b", "text": "x"}], "id_form", 1, "id"),
        ([{"id": "a", "text": 7}], "field_not_text", 1, "text"),
        ([{"id": "a", "text": "x", "date": "soon"}], "field_not_date", 1, "date"),
        ([{"id": "a", "text": "x", "language": "English!"}], "court_case_language", 1, "language"),
        ([{"id": "a", "text": "x", "court": "c" * 501}], "court_case_field_long", 1, "court"),
        ([{"id": "a", "text": "x", "charges": ["c" * 301]}], "court_case_list_long", 1, "charges"),
        ([{"id": "a", "text": "x", "charges": [[]]}], "field_not_text", 1, "charges"),
        ([{"id": "a", "text": "x" * 1_000_001}], "court_case_text_long", 1, "text"),
        ([{"id": "a", "body_": "x"}], "court_case_no_text_column", None, None),
        ([{"text": "x"}], "court_case_column", None, None),
    ],
)
def test_bad_input_is_refused_with_its_place(tmp_path, rows, code, line, field):
    error = refusal(judgments, lines(tmp_path, *rows))
    assert (error.code, error.where) == (code, Where("cases.jsonl", line, field))


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        ({"id": "id", "text": "gone"}, "column_missing"),
        ({"id": "id", "txt": "text"}, "court_case_field"),
        ({"id": "id", "text": "text", "facts": "fact"}, "court_case_text_twice"),
    ],
)
def test_a_mapping_that_does_not_fit_is_refused(tmp_path, columns, code):
    file = lines(tmp_path, {"id": 1, "text": "x", "fact": "y"})
    assert code_of(judgments, file, CaseRules(columns)) == code


def test_columns_are_suggested_and_full_text_keeps_sections_out(tmp_path):
    file = lines(
        tmp_path, {"id": 1, "query": "x", "fact": "y"}, {"id": 2, "query": "x", "죄명": "z"}
    )
    columns = judgment_columns(file)
    assert suggested(columns) == {"id": "id", "text": "query", "charges": "죄명"}
    assert suggested(["id", "fact"]) == {"id": "id", "facts": "fact"}
    assert suggested(["Case ID", "court name", "Full text"]) == {
        "id": "Case ID",
        "court": "court name",
        "text": "Full text",
    }


def test_what_somebody_says_takes_the_place_of_what_excludes_it():
    base = {"id": "id", "text": "query", "title": "t"}
    assert with_choices(base, {"facts": "fact"}) == {"id": "id", "title": "t", "facts": "fact"}
    assert with_choices({"id": "id", "facts": "fact"}, {"text": "q"}) == {"id": "id", "text": "q"}
    assert with_choices(base, {"title": ""}) == {"id": "id", "text": "query"}


def test_a_mapping_file_comes_back(tmp_path):
    rules = CaseRules({"id": "no", "text": "t"}, "ko", "[ko.sections]\nfacts = ['^사실$']\n")
    file = tmp_path / "mapping.json"
    file.write_text(json.dumps(rules.as_dict()), encoding="utf-8")
    assert read_case_rules(file) == rules
    for wrong, code in (
        ({"column": {}}, "mapping_key"),
        ({"columns": []}, "court_case_field"),
        ({"columns": {"txt": "a"}}, "court_case_field"),
        ({"language": 1}, "field_not_text"),
    ):
        file.write_text(json.dumps(wrong), encoding="utf-8")
        assert code_of(read_case_rules, file) == code


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(SECTIONS, st.text(max_size=30))))
def test_sections_from_columns_cover_the_text(given_sections):
    rules = CaseRules({"id": "id"} | {name: name for name in SECTIONS})
    row = RowReader("f", 1, {"id": "a", "rest": "…"} | given_sections)
    try:
        found = _Reader(rules, packaged()).read(row).judgment
    except UserError as error:
        assert error.code in ("court_case_no_text", "text_unstorable")
        return
    assert "".join(found.text[p.start : p.end] for p in found.parts) == found.text
    kept = {str(p.section): found.text[p.start : p.end].strip() for p in found.parts}
    for name, body in given_sections.items():
        assert kept.get(name, "") == body.replace("\r\n", "\n").replace("\r", "\n").strip()


@pytest.mark.real_data
def test_real_judgments_are_found_in_sections_with_their_charges(shared_data):
    file = shared_data / "lecardv2" / "cases.jsonl"
    found = survey(read_judgments(file))
    sections = {each.name: each.judgments for each in found.sections}
    fields = {each.name: each.pattern for each in found.fields}
    assert (found.judgments, found.languages, found.longest) == (240, {"zh": 240}, 34_150)
    assert (found.uncut, sections["facts"], fields["court"], fields["number"]) == (0, 240, 240, 240)
    assert fields["charges"] >= 238
    assert fields["title"] >= 211
    assert fields["provisions"] >= 149
    assert sections["claims"] >= 168


@pytest.mark.real_data
def test_what_the_file_calls_the_facts_is_found_as_facts(shared_data):
    file = shared_data / "lecardv2" / "cases.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    shares = []
    for row, read in zip(rows, read_judgments(file), strict=True):
        text, at = read.judgment.text, read.judgment.text.find(row["fact"].strip())
        if at < 0:
            continue
        end = at + len(row["fact"].strip())
        facts = [p for p in read.judgment.parts if p.section is Section.FACTS]
        covered = sum(max(0, min(p.end, end) - max(p.start, at)) for p in facts)
        shares.append(covered / (end - at))
        assert text[at:end]
    assert len(shares) == 182
    assert sum(shares) / len(shares) > 0.95
