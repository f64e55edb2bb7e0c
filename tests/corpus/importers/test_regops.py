from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from corpus.importers.regops import read_articles
from corpus.model import Tier
from errors import UserError
from tests.conftest import ROOT

FIXTURE = ROOT / "tests" / "fixtures" / "regops" / "articles.jsonl"


def test_articles_of_every_spelling_are_read() -> None:
    act, manual = read_articles(FIXTURE).statutes
    assert (act.title, act.tier, act.kind) == ("나루터 연구개발법", Tier.ACT, "법률")
    found = [(u.semantic_id, u.label, u.heading) for u in act.units]
    assert found == [
        ("나루터-연구개발법_1조", "제1조", "목적"),
        ("나루터-연구개발법_2조의3", "제2조의3", "정의"),
    ]
    assert [part.path for part in act.units[1].parts] == ["1항", "2항"]
    assert (manual.tier, manual.effective) == (Tier.MANUAL, date(2026, 3, 1))
    assert manual.units[0].label == "제1장 1절"


def test_a_folder_is_read_for_its_articles() -> None:
    assert len(read_articles(FIXTURE.parent).statutes) == 2


@pytest.mark.parametrize(
    ("row", "code", "field"),
    [
        ({"article_no": "1", "text": "x"}, "field_missing", "doc_title"),
        ({"law": "X", "article_no": "1"}, "field_missing", "text"),
        ({"law": "X", "article_no": "1", "paragraphs": "x"}, "field_not_texts", "paragraphs"),
        ({"law": "X", "article_no": "1", "paragraphs": [[]]}, "field_not_text", "text"),
        ({"law": "X", "article_no": "1", "text": "x", "tier": 9}, "kind_unknown", None),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, row: dict[str, Any], code: str, field: str | None
) -> None:
    file = tmp_path / "articles.jsonl"
    file.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(UserError) as caught:
        read_articles(file)
    error = caught.value
    assert (error.code, error.where.line, error.where.field) == (code, 1, field)
