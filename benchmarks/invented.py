"""A statute of equal articles and questions on it, for what is measured whatever the law says."""

from __future__ import annotations

from corpus.model import Level, Question, Statute, Tier, Unit


def invented_statute(articles: int) -> Statute:
    """Return an act of so many short articles."""
    units = tuple(
        Unit(
            semantic_id=f"lake-act_article-{number}",
            statute_id="lake-act",
            level=Level.ARTICLE,
            label=f"Article {number}",
            heading="Lamps",
            text=f"Boats of class {number} need a lamp after dark.",
            order=number,
        )
        for number in range(1, articles + 1)
    )
    return Statute("lake-act", "Lake Act", "act", Tier.ACT, "en", units, file="lake.md")


def invented_question(number: int) -> Question:
    """Return question `number` on it."""
    return Question(f"q{number}", f"Which boats need a lamp, case {number}?", "See it.", "en")
