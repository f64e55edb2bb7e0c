"""Whether the texts of a statute are as long as they may be (`corpus.limits`).

A title is part of each unit's id and chapter headings are kept with each unit, so that a long one
would make a database a thousand times as large as its source.
"""

from __future__ import annotations

from corpus.limits import (
    CHAPTER_HEADING,
    STATUTE_KIND,
    STATUTE_TITLE,
    UNIT_HEADING,
    UNIT_LABEL,
    UNIT_TEXT,
    length,
    within,
)
from corpus.model import Unit
from corpus.place import slug
from errors import UserError, Where

KIND_CHARACTERS = STATUTE_KIND

_SHOWN = 80


def statute_name(title: str, where: Where) -> str:
    """Return the statute's half of its units' ids.

    Raises UserError for a title without letters or digits, and for one that is too long.
    """
    name = slug(title)
    if not name:
        raise UserError("title_unusable", where, title=title[:_SHOWN])
    if length(title) > STATUTE_TITLE:
        raise UserError("title_long", where, title=title[:_SHOWN], limit=STATUTE_TITLE)
    return name


def check_headings(path: tuple[str, ...], where: Where) -> None:
    """Raise UserError if the heading of a chapter is too long."""
    for heading in path:
        if length(heading) > CHAPTER_HEADING:
            limit = CHAPTER_HEADING
            raise UserError("chapter_long", where, heading=heading[:_SHOWN], limit=limit)


def check_unit(unit: Unit, where: Where) -> None:
    """Raise UserError for a unit whose text, heading, place or path is too long."""
    check_headings(unit.path, where)
    texts = (("text", unit.text, UNIT_TEXT), ("heading", unit.heading, UNIT_HEADING))
    for field, text, limit in (*texts, ("place", unit.label, UNIT_LABEL)):
        within(text, limit, Where(where.file, where.line, field))
