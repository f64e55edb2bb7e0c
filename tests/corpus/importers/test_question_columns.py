"""Short fields of a question are columns; content is not."""

from __future__ import annotations

import json

from corpus.importers.beir import MOST, question_columns, read_questions


def test_categories_are_kept_as_text_by_name():
    fields = {
        "type": " audit ",
        "level": 3,
        "share": 0.5,
        "real": True,
        "topics": ["fire", "water"],
        "question": "own",
    }
    assert question_columns(fields, {"question"}) == (
        ("level", "3"),
        ("real", "true"),
        ("share", "0.5"),
        ("topics", ("fire", "water")),
        ("type", "audit"),
    )


def test_content_and_what_cannot_be_kept_is_left_out():
    fields = {
        "long": "가" * 61,
        "lines": "a\nb",
        "blank": " ",
        "none": None,
        "nested": {"a": 1},
        "mixed": [1, "a"],
        "empty": [],
        "nan": float("nan"),
        "huge": 10**80,
        "n" * 61: "x",
        "surrogate": "\ud800",
    }
    assert question_columns(fields, ()) == ()
    assert len(question_columns({f"c{at:03}": "x" for at in range(99)}, ())) == MOST


def test_the_reader_of_questions_keeps_them(tmp_path):
    row = {
        "question_id": 1,
        "question": "Q?",
        "answer": "A",
        "difficulty": "L3",
        "law_references": [],
    }
    (tmp_path / "q.jsonl").write_text(json.dumps(row))
    (question,) = read_questions(tmp_path / "q.jsonl")
    assert question.columns == (("difficulty", "L3"),)
