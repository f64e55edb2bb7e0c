"""How long the names may be that stand in every unit of a statute.

A title is part of each unit's id and chapter headings are kept with each unit, so that a long one
would make a database a thousand times as large as its source.
"""

from __future__ import annotations

from corpus.place import slug
from errors import UserError, Where

TITLE_CHARACTERS = 500
"""Longest title accepted: the longest of a Korean law has about a hundred characters."""

HEADING_CHARACTERS = 1_000
"""Longest heading of a chapter accepted."""

KIND_CHARACTERS = 100
"""Longest kind of an instrument accepted."""

_SHOWN = 80


def statute_name(title: str, where: Where) -> str:
    """Return the statute's half of its units' ids.

    Raises UserError for a title without letters or digits, and for one that is too long.
    """
    name = slug(title)
    if not name:
        raise UserError("title_unusable", where, title=title[:_SHOWN])
    if len(title) > TITLE_CHARACTERS:
        raise UserError("title_long", where, title=title[:_SHOWN], limit=TITLE_CHARACTERS)
    return name


def check_headings(path: tuple[str, ...], where: Where) -> None:
    """Raise UserError if the heading of a chapter is too long."""
    for heading in path:
        if len(heading) > HEADING_CHARACTERS:
            limit = HEADING_CHARACTERS
            raise UserError("chapter_long", where, heading=heading[:_SHOWN], limit=limit)
