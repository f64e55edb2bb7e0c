"""Every English form."""

from __future__ import annotations

import pytest

from corpus.citations.find import find
from corpus.citations.model import NameKind, Role
from tests.corpus.citations.law import meanings

MEANINGS = """
all parts | Article 24(1)3 of the LIGHT applies | LIGHT article-24 (1)/3
a sub-item | See Article 24(1)3(a) of the LIGHT | LIGHT article-24 (1)/3/(a)
behind the name | LIGHT, Article 24(1) | LIGHT article-24 (1)
in brackets | the LIGHT (Article 24) | LIGHT article-24
a branch | Article 9-2 of the LIGHT | LIGHT article-9-2
two | Articles 5 and 7 of the LIGHT | LIGHT article-5; LIGHT article-7
three | Articles 5, 7 and 8 of the LIGHT | LIGHT article-5; LIGHT article-7; LIGHT article-8
a range | Articles 9-3 to 9-4 of the LIGHT | LIGHT article-9-3 + LIGHT article-9-4
two paragraphs | Article 12(1) and (3) of the LIGHT | LIGHT article-12 (1) + LIGHT article-12 (3)
a heading | Article 5 (Heading 5) of the LIGHT | LIGHT article-5
a paragraph | Article 12, paragraph (2) of the LIGHT | LIGHT article-12 (2)
its decree | LIGHT, Article 3. Article 5 of the Enforcement Decree of the same Act | … BY article-5
the same act | Article 5 of the BY; Article 4 of the same Act | … LIGHT article-4
the same decree | Article 5 of the BY; Annex 4 of the same Decree | … BY annex-4
the decree | Article 3 of the LIGHT; Article 7 of the Enforcement Decree | … BY article-7
hereinafter | Article 9 of the LIGHT (hereinafter "HLA"). Article 8 of the HLA | … LIGHT article-8
the article | Article 9(1) of the LIGHT, paragraph (2) of the same Article | … LIGHT article-9 (2)
addenda | Addenda Article 2 of the LIGHT | no_such_place
"""


@pytest.mark.parametrize("line", MEANINGS.strip().splitlines())
def test_what_is_meant(line: str) -> None:
    _, text, expected = (cell.strip() for cell in line.split("|"))
    assert meanings(text, last=expected.startswith("… ")) == expected


@pytest.mark.parametrize(
    "text", ["this article 5 minutes ago", "Section A", "an Act of God", "Form follows"]
)
def test_nothing_where_nothing_is(text: str) -> None:
    assert [c for c in find(text) if c.mention.kind is not NameKind.NONE] == []


def test_the_enforcement_rule_has_the_role_of_a_rule() -> None:
    (citation,) = find("Article 2 of the Enforcement Rule of the same Act")
    assert (citation.mention.kind, citation.mention.role) == (NameKind.SAME, Role.RULE)
