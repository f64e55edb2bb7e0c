from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.importers.plain import KNOWN, best_known, compiled, parse_plain, read_plain
from corpus.importers.table import ReadingRules
from errors import UserError
from tests.conftest import ROOT
from tests.support.refusals import code_of, refused

FIXTURES = ROOT / "tests" / "fixtures" / "text"


def test_korean_articles_are_found_without_a_pattern() -> None:
    statute = read_plain(FIXTURES / "rules.txt").statutes[0]
    assert statute.title == "나루터 운영 규정"
    found = [(u.semantic_id.partition("_")[2], u.heading, u.deleted) for u in statute.units]
    assert found == [("1", "", False), ("1조", "목적", False), ("2조", "사공", False),
                     ("3조", "", True)]  # fmt: skip
    assert statute.units[1].text == "이 규정은 나루터의 운영을 정한다."
    assert [part.path for part in statute.units[2].parts] == ["1항", "2항", "2항/1호", "2항/2호"]


def test_a_pattern_of_the_users_own() -> None:
    rules = ReadingRules(pattern="Rule {number}: {heading}", title="Harbour", kind="Manual")
    statute = read_plain(FIXTURES / "handbook.txt", rules).statutes[0]
    assert (statute.title, int(statute.tier)) == ("Harbour", 5)
    found = [(u.semantic_id, u.label, u.heading) for u in statute.units]
    assert found == [
        ("Harbour_1", "–", ""),
        ("Harbour_Rule-1", "Rule 1", "Lamps"),
        ("Harbour_Rule-2", "Rule 2", "Whistles"),
    ]


def test_no_heading_asks_for_a_pattern(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Title\nOnly words.\n", encoding="utf-8")
    assert code_of(read_plain, file) == "no_heading"
    with refused("pattern_no_match"):
        read_plain(file, ReadingRules(pattern="Rule {number}"))


@pytest.mark.parametrize("pattern", ["", "Rule", "{number} {number}", "x" * 300 + "{number}"])
def test_patterns_that_are_none(pattern: str) -> None:
    assert code_of(compiled, pattern) == "heading_pattern"


def test_a_pattern_is_no_regular_expression() -> None:
    shape = compiled("(a+)+ {number}")
    assert shape.match("(a+)+ 5 x") is not None
    assert shape.match("aaaa 5 x") is None
    assert compiled("{number}.{heading}").match("9" * 50_000) is None


def test_the_pattern_that_fits_most_lines_is_taken() -> None:
    assert best_known(["제1조(목적) x", "제2조 y", "1. z"]) == KNOWN[0]
    assert best_known(["# A", "# B"]) == "# {heading}"
    assert best_known(["words"]) == ""


@given(st.text(max_size=300), st.sampled_from(KNOWN))
def test_any_text_gives_records_or_a_user_error(text: str, pattern: str) -> None:
    try:
        records = parse_plain("T\n" + text, "a.txt", ReadingRules(pattern=pattern))
    except UserError as error:
        assert error.code == "pattern_no_match"
    else:
        assert records and all(record.statute == "T" for record in records)
