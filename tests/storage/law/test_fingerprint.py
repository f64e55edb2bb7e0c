from __future__ import annotations

from dataclasses import fields, replace
from datetime import date
from typing import Any

from corpus.model import Link, Part, Statute, Tier
from storage.law.fingerprint import content_hash
from tests.annotation.house import statute


def _other() -> Statute:
    return replace(statute(), semantic_id="b-act", units=())


def test_the_hash_knows_no_order_of_statutes_and_no_file() -> None:
    expected = content_hash([statute(), _other()])
    assert content_hash([_other(), statute()]) == expected
    assert content_hash([_other(), replace(statute(), file="x/y.md")]) == expected


def test_every_other_field_of_a_statute_counts() -> None:
    changed: dict[str, Any] = {
        "title": "Sea Act",
        "kind": "decree",
        "tier": Tier.DECREE,
        "language": "ko",
        "promulgated": date(2020, 1, 1),
        "number": "7",
        "effective": None,
        "source": "gazette",
        "jurisdiction": "kr",
        "units": statute().units[::-1],
    }
    assert {*changed, "file", "semantic_id"} == {each.name for each in fields(Statute)}
    for field, value in changed.items():
        edited = replace(statute(), **{field: value})
        assert content_hash([edited]) != content_hash([statute()]), field


def test_every_field_of_a_unit_counts() -> None:
    changed: dict[str, Any] = {
        "semantic_id": "lake-act_article-9",
        "level": "annex",
        "label": "Article 9",
        "heading": "",
        "text": "x",
        "order": 9,
        "path": ("Chapter I",),
        "parts": (Part("(1)", 0, 3),),
        "deleted": True,
        "text_missing": True,
        "effective": date(2026, 1, 1),
        "links": (Link(0, 3, "https://law.example"),),
    }
    first, *rest = statute().units
    assert {*changed, "statute_id"} == {each.name for each in fields(first)}
    for field, value in changed.items():
        edited = replace(statute(), units=(replace(first, **{field: value}), *rest))
        assert content_hash([edited]) != content_hash([statute()]), field


def test_text_cannot_pass_for_structure() -> None:
    first, second, *_ = statute().units
    joined = replace(first, text=f'{first.text}"\n["unit","{second.semantic_id}"')
    assert content_hash([replace(statute(), units=(joined,))]) != content_hash(
        [replace(statute(), units=(first, second))]
    )
