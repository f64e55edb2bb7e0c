""""""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from corpus.importers.papers import read_articles, read_documents
from corpus.model import Level, Link, Tier, Unit
from tests.conftest import ROOT
from tests.support.refusals import refusal

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


LINKED = {"semantic_id": "가_1조", "text": "x"}
DOCUMENTS = ROOT / "tests" / "fixtures" / "searchfiresafety" / "documents.jsonl"


def units() -> dict[str, Unit]:
    return {u.semantic_id: u for s in read_documents(DOCUMENTS).statutes for u in s.units}


def test_laws_are_put_together_with_their_tiers() -> None:
    found = [(s.semantic_id, s.title, s.kind, s.tier) for s in read_documents(DOCUMENTS).statutes]
    assert found == [
        ("나루터-안전법", "나루터 안전법", "법률", Tier.ACT),
        ("나루터-안전법-시행령", "나루터 안전법 시행령", "시행령", Tier.DECREE),
        ("등불의-안전기술기준-NFTC-901", "등불의 안전기술기준(NFTC 901)", "고시", Tier.NOTICE),
    ]


def test_semantic_ids_are_kept_and_give_level_and_label() -> None:
    found = [(u.semantic_id, u.level, u.label, u.heading) for u in units().values()]
    assert found == [
        ("나루터-안전법_1조", Level.ARTICLE, "제1조", "목적"),
        ("나루터-안전법_2조의2", Level.ARTICLE, "제2조의2", "구명조끼"),
        ("나루터-안전법-시행령_3조", Level.ARTICLE, "제3조", "등불"),
        ("나루터-안전법-시행령_별표1-2호의가", Level.ANNEX, "별표 1 제2호가목", "구명조끼의 수"),
        ("등불의-안전기술기준-NFTC-901_2.1", Level.SECTION, "2.1", "등불의 밝기"),
    ]


def test_paragraphs_and_items_are_addressable() -> None:
    unit = units()["나루터-안전법_2조의2"]
    texts = {part.path: unit.text[part.start : part.end] for part in unit.parts}
    assert list(texts) == ["1항", "2항", "2항/1호", "2항/2호", "2항/2호/가목", "2항/2호/나목"]
    assert texts["1항"] == "① 사공은 나룻배에 구명조끼를 갖추어야 한다."
    assert texts["2항/2호/가목"] == "가. 노로 젓는 배: 열 벌"


def test_links_are_kept_by_semantic_id_and_those_that_lead_nowhere_are_noted() -> None:
    found = units()
    assert found["나루터-안전법_2조의2"].links == (
        Link(0, 0, "나루터-안전법-시행령_별표1-2호의가"),
        Link(0, 0, "나루터-안전법_1조"),
    )
    assert found["나루터-안전법-시행령_별표1-2호의가"].links[0].href == "나루터-안전법_2조의2"
    notes = read_documents(DOCUMENTS).notes
    assert [(note.code, note.where.line) for note in notes] == [("link_missing", 3)]
    assert "99" in notes[0].render("ko")


def test_without_a_semantic_id_one_is_made_from_law_and_chapter(tmp_path: Path) -> None:
    file = tmp_path / "d.jsonl"
    row = {"law_name": "등대 법", "chapter": "제12조의3(빛)", "text": "빛난다."}
    other = {"law_name": "등대 법", "chapter": "제1장", "chapter_description": "총칙", "text": "글"}
    file.write_text(json.dumps(row) + "\n" + json.dumps(other), encoding="utf-8")
    first, second = read_documents(file).statutes[0].units
    assert (first.semantic_id, first.heading) == ("등대-법_12조의3", "빛")
    assert (second.semantic_id, second.path) == ("등대-법_2", ("제1장 총칙",))


@pytest.mark.parametrize(
    ("read", "row", "code", "field"),
    [
        (read_articles, {"article_no": "1", "text": "x"}, "field_missing", "doc_title"),
        (read_articles, {"law": "X", "article_no": "1"}, "field_missing", "text"),
        (read_articles, {"law": "X", "paragraphs": [[]]}, "field_not_text", "text"),
        (read_articles, {"law": "X", "text": "x", "tier": 9}, "kind_unknown", None),
        (read_documents, {"semantic_id": "가_1조", "law_name": "가"}, "field_missing", "text"),
        (read_documents, {"text": "x"}, "field_missing", "law_name"),
        (read_documents, {"semantic_id": "가", "text": "x"}, "semantic_id_form", "semantic_id"),
        (read_documents, {"semantic_id": "가 나_1조", "text": "x"}, "id_form", "semantic_id"),
        (read_documents, LINKED | {"related_doc_ids": 3}, "field_not_texts", "related_doc_ids"),
        (read_documents, LINKED | {"law_level": "??"}, "kind_unknown", None),
        (read_documents, {"law_name": "( )", "text": "x"}, "title_unusable", None),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, read: Callable[[Path], Any], row: dict[str, Any], code: str, field: str | None
) -> None:
    file = tmp_path / "docs.jsonl"
    first = {"semantic_id": "나_1조", "law": "나", "article_no": "1", "text": "y"}
    file.write_text(f"{json.dumps(first)}\n{json.dumps(row)}\n", "utf-8")
    error = refusal(read, file)
    assert (error.code, error.where.file, error.where.line) == (code, "docs.jsonl", 2)
    assert field is None or error.where.field == field
