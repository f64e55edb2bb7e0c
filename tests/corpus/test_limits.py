"""Every text that comes in is bounded, and what is too long is named with line and field."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.mcq.model import read_written
from corpus import limits
from corpus.importers.beir import read_beir_questions, read_questions
from corpus.importers.registry import read_statutes
from errors import UserError, Where
from messages import LANGUAGES
from services.judging.reading import read_cases, read_ratings, read_verdicts
from tests.support.refusals import code_of, fault_of, refusal

AT = Where("a.jsonl", 1, "text")
QUESTION = {"question_id": "q", "question": "Why?", "answer": "So.", "law_references": ["A 1"]}
DOCUMENT = {"_id": "a_1", "title": "One", "text": "Text."}
MCQ: dict[str, Any] = {
    **{"id": "m", "query": "Which?", "options": ["a", "b", "c", "d"], "answer": 1},
    **{"explanation": "So.", "a": "law_1", "b": "law_2"},
}
CASE = {"id": "q", "system": "s", "question": "Why?", "reference": "So.", "answer": "No."}
VERDICT = {"id": "q", "system": "s", "judge": "j", "raw": "Correct"}
RATING = {"id": "q", "system": "s", "person": "p", "rating": 1, "comment": "So."}


def test_a_text_of_the_limit_passes_and_one_more_does_not() -> None:
    assert limits.within("가" * 10, 10, AT) == "가" * 10
    error = refusal(limits.within, "가" * 11, 10, AT)
    assert (error.code, error.where) == ("field_long", AT)
    for language in LANGUAGES:
        assert "11" in error.what(language) and "10" in error.what(language)


@given(st.text(alphabet="가각힣한글法a\u0301é𠮷\u0958", max_size=40), st.integers(0, 40))
def test_a_text_counts_the_same_however_it_is_composed(text: str, limit: int) -> None:
    def passes(form: str) -> bool:
        try:
            return limits.within(form, limit, AT) == form
        except UserError:
            return False

    forms = [unicodedata.normalize(name, text) for name in ("NFC", "NFD")]
    assert {passes(form) for form in (*forms, text)} == {len(forms[0]) <= limit}


def lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("read", "row", "field", "limit"),
    [
        (read_questions, QUESTION, "question", limits.QUESTION),
        (read_questions, QUESTION, "answer", limits.OFFICIAL_ANSWER),
        (read_questions, QUESTION, "law_references", limits.CITATION),
        (read_written, MCQ, "query", limits.MCQ_QUERY),
        (read_written, MCQ, "options", limits.MCQ_OPTION),
        (read_written, MCQ, "explanation", limits.MCQ_EXPLANATION),
        (read_cases, CASE, "question", limits.QUESTION),
        (read_cases, CASE, "reference", limits.OFFICIAL_ANSWER),
        (read_cases, CASE, "answer", limits.ANSWER),
        (read_verdicts, VERDICT, "raw", limits.ANSWER),
        (read_ratings, RATING, "comment", limits.COMMENT),
        (read_statutes, DOCUMENT, "text", limits.UNIT_TEXT),
        (read_statutes, DOCUMENT, "title", limits.UNIT_HEADING),
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_what_is_too_long_is_refused_with_its_line_and_field(
    tmp_path: Path,
    read: Callable[[Path], Any],
    row: dict[str, Any],
    field: str,
    limit: int,
    form: Any,
) -> None:
    def with_text(size: int) -> Path:
        text: Any = unicodedata.normalize(form, "각" * size)
        if isinstance(row[field], list):
            text = [text, *row[field][1:]]
        key = next(name for name in row if name in ("question_id", "id", "_id"))
        return lines(tmp_path / "corpus.jsonl", row, {**row, key: "other", field: text})

    read(with_text(limit))
    error = refusal(read, with_text(limit + 1))
    told = Where("corpus.jsonl", 2, {"title": "heading"}.get(field, field))
    assert (error.code, error.where) == ("field_long", told)


def test_an_article_that_is_too_long_is_named(tmp_path: Path) -> None:
    file = tmp_path / "law.txt"
    file.write_text("Title: Act\n\n§ 1. A\nText.\n§ 2. B\n" + "a b\n" * 300_000)
    assert fault_of(read_statutes, file) == ("field_long", 5, "text")


def test_questions_of_a_beir_folder_and_their_citations_are_bounded(tmp_path: Path) -> None:
    lines(tmp_path / "queries.jsonl", {"_id": "q", "text": "a" * (limits.QUESTION + 1)})
    assert fault_of(read_beir_questions, tmp_path)[:2] == ("field_long", 1)
    many = {**QUESTION, "law_references": ["A 1"] * (limits.CITATIONS + 1)}
    assert code_of(read_questions, lines(tmp_path / "q.jsonl", many)) == "list_long"


def test_every_limit_is_told_in_the_documents() -> None:
    table = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    named = {name: value for name, value in vars(limits).items() if name.isupper()}
    assert len(named) > 20
    assert [name for name, value in named.items() if f"| {value:,} |" not in table] == []
