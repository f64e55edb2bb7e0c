"""Every English form."""

from __future__ import annotations

import pytest

from corpus.citations.find import find
from corpus.citations.model import NameKind, Role
from tests.corpus.citations.law import ENGLISH, ENGLISH_DECREE, targets, unit

FORMS = [
    ("Article 24(1)3 of the Harbour Light Act applies", [("article-24", "(1)/3")]),
    ("See Article 24(1)3(a) of the Harbour Light Act", [("article-24", "(1)/3/(a)")]),
    ("Harbour Light Act, Article 24(1)", [("article-24", "(1)")]),
    ("the Harbour Light Act (Article 24)", [("article-24", "")]),
    ("Article 9-2 of the Harbour Light Act", [("article-9-2", "")]),
    ("Articles 5 and 7 of the Harbour Light Act", [("article-5", ""), ("article-7", "")]),
    ("Articles 5, 7 and 8 of the Harbour Light Act", [(f"article-{n}", "") for n in (5, 7, 8)]),
    (
        "Articles 9-2 to 9-4 of the Harbour Light Act",
        [("article-9-2", ""), ("article-9-3", ""), ("article-9-4", "")],
    ),
    (
        "Article 12(1) and (3) of the Harbour Light Act",
        [("article-12", "(1)"), ("article-12", "(3)")],
    ),
    ("Article 5 (Heading 5) of the Harbour Light Act", [("article-5", "")]),
    ("Article 12, paragraph (2) of the Harbour Light Act", [("article-12", "(2)")]),
]


@pytest.mark.parametrize(("text", "expected"), FORMS)
def test_forms(text: str, expected: list[tuple[str, str]]) -> None:
    assert targets(text) == [(unit(ENGLISH, place), pinpoint) for place, pinpoint in expected]


def test_the_same_act_and_its_decree() -> None:
    text = (
        "Article 3 of the Harbour Light Act; Article 5 of the Enforcement Decree of the same Act; "
        "Article 4 of the same Act; Annex 4 of the same Decree; "
        "Article 7 of the Enforcement Decree."
    )
    assert [t for t, _ in targets(text)] == [
        unit(ENGLISH, "article-3"),
        unit(ENGLISH_DECREE, "article-5"),
        unit(ENGLISH, "article-4"),
        unit(ENGLISH_DECREE, "annex-4"),
        unit(ENGLISH_DECREE, "article-7"),
    ]


def test_an_abbreviation_that_the_answer_defines() -> None:
    text = (
        'Article 9 of the Harbour Light Act (hereinafter referred to as the "HLA"). '
        "Article 8 of the HLA."
    )
    assert [t for t, _ in targets(text)] == [unit(ENGLISH, "article-9"), unit(ENGLISH, "article-8")]


def test_paragraph_of_the_same_article() -> None:
    text = "Article 9(1) of the Harbour Light Act and paragraph (2) of the same Article"
    assert targets(text) == [
        (unit(ENGLISH, "article-9"), "(1)"),
        (unit(ENGLISH, "article-9"), "(2)"),
    ]


def test_addenda_are_not_articles_of_the_body() -> None:
    assert targets("Addenda Article 2 of the Harbour Light Act") == []


@pytest.mark.parametrize(
    "text", ["this article 5 minutes ago", "Section A", "an Act of God", "Form follows"]
)
def test_nothing_where_nothing_is(text: str) -> None:
    assert [c for c in find(text) if c.mention.kind is not NameKind.NONE] == []


def test_the_enforcement_rule_has_the_role_of_a_rule() -> None:
    (citation,) = find("Article 2 of the Enforcement Rule of the same Act")
    assert (citation.mention.kind, citation.mention.role) == (NameKind.SAME, Role.RULE)
