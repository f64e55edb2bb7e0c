"""The authority tier of an instrument, by its stated kind or title, and length checks.

Length limits of statutes' texts are in `corpus.limits`. A title is part of each unit's id and
chapter headings are stored with each unit, so that a long one would make a database a thousand
times as large as its source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

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
from corpus.model import Tier, Unit, slug
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


def check_units(units: Iterable[tuple[Unit, int]], file: str) -> None:
    """Raise UserError for an invalid unit, or for two at one place; each comes with its line."""
    first: dict[str, int] = {}
    for unit, line in units:
        where = Where(file, line)
        check_unit(unit, where)
        if unit.semantic_id in first:
            earlier = first[unit.semantic_id]
            raise UserError("place_repeated", where, label=unit.label, first=earlier)
        first[unit.semantic_id] = line


def check_unit(unit: Unit, where: Where) -> None:
    """Raise UserError for a unit whose text, heading, place or path is too long."""
    for heading in unit.path:
        if length(heading) > CHAPTER_HEADING:
            limit = CHAPTER_HEADING
            raise UserError("chapter_long", where, heading=heading[:_SHOWN], limit=limit)
    texts = (("text", unit.text, UNIT_TEXT), ("heading", unit.heading, UNIT_HEADING))
    for field, text, limit in (*texts, ("place", unit.label, UNIT_LABEL)):
        within(text, limit, Where(where.file, where.line, field))


_EXACT = {
    # Instruments with the force of an act, those before 1948 included.
    "법률": Tier.ACT,
    "헌법": Tier.ACT,
    "군정법률": Tier.ACT,
    "군정법령": Tier.ACT,
    "조선총독부법률": Tier.ACT,
    "조선총독부법령": Tier.ACT,
    "대통령긴급명령": Tier.ACT,
    "대통령긴급재정경제명령": Tier.ACT,
    "act": Tier.ACT,
    "대통령령": Tier.DECREE,
    "각령": Tier.DECREE,
    "국무원령": Tier.DECREE,
    "칙령": Tier.DECREE,
    "presidential decree": Tier.DECREE,
    "enforcement decree": Tier.DECREE,
    "decree": Tier.DECREE,
    "총리령": Tier.RULE,
    "ministerial rule": Tier.RULE,
    "ministerial ordinance": Tier.RULE,
    "enforcement rule": Tier.RULE,
    "rule": Tier.RULE,
    "notice": Tier.NOTICE,
    "directive": Tier.NOTICE,
    "technical standard": Tier.NOTICE,
    "매뉴얼": Tier.MANUAL,
    "manual": Tier.MANUAL,
}
_ENDING = (
    (re.compile(r".(부령|원령|처령|규칙)$|^규칙$"), Tier.RULE),
    (re.compile(r"(고시|훈령|예규|지침|기준|공고|규정|세칙)$"), Tier.NOTICE),
)


def tier_of(kind: str, where: Where) -> Tier:
    """Return the tier of `kind` (법률, 국토교통부령, Presidential Decree …), ignoring case.

    `where` is the place in the UserError about an unknown kind.
    """
    if len(kind) > KIND_CHARACTERS:
        raise UserError("kind_unknown", where, kind=kind[:KIND_CHARACTERS])
    known = _EXACT.get(kind.lower())
    if known is not None:
        return known
    for pattern, tier in _ENDING:
        if pattern.search(kind):
            return tier
    raise UserError("kind_unknown", where, kind=kind)


_LEVEL_NAMES = {
    "법": Tier.ACT,
    "시행령": Tier.DECREE,
    "규칙": Tier.RULE,
    "시행규칙": Tier.RULE,
    "부령": Tier.RULE,
    "행정규칙": Tier.NOTICE,
    "해설서": Tier.MANUAL,
    "law": Tier.ACT,
    "statute": Tier.ACT,
    "regulation": Tier.RULE,
    "guideline": Tier.MANUAL,
    "guide": Tier.MANUAL,
}
_KINDS = {
    "ko": {
        Tier.ACT: "법률",
        Tier.DECREE: "대통령령",
        Tier.RULE: "시행규칙",
        Tier.NOTICE: "고시",
        Tier.MANUAL: "매뉴얼",
    },
    "en": {
        Tier.ACT: "Act",
        Tier.DECREE: "Presidential Decree",
        Tier.RULE: "Rule",
        Tier.NOTICE: "Notice",
        Tier.MANUAL: "Manual",
    },
}
_BY_TITLE = (
    (re.compile(r"시행령$|(?<!훈)(?<!법)령$|\bdecree\b", re.IGNORECASE), Tier.DECREE),
    (
        re.compile(r"규칙$|\b(?:rules?|regulations?|cfr)\b|c\.\s?f\.\s?r\.", re.IGNORECASE),
        Tier.RULE,
    ),
    (re.compile(r"매뉴얼|해설|안내서|길라잡이|\b(?:manual|guide)\b", re.IGNORECASE), Tier.MANUAL),
    (
        re.compile(
            r"기준|고시|지침|훈령|예규|요령|규정|NF[PTS]C|\b(?:standards?|notice|directive)\b",
            re.IGNORECASE,
        ),
        Tier.NOTICE,
    ),
    (re.compile(r"법$|법률$|헌법|\b(?:act|code|law)\b|u\.\s?s\.\s?c\.", re.IGNORECASE), Tier.ACT),
)


def stated_tier(written: str, where: Where) -> Tier:
    """Return the tier that a source states: 1 to 5, a kind (대통령령) or a level (시행령).

    Raises UserError for any other words.
    """
    if written in {"1", "2", "3", "4", "5"}:
        return Tier(int(written))
    return _LEVEL_NAMES.get(written.lower()) or tier_of(written, where)


def tier_by_title(title: str) -> Tier | None:
    """Return the tier by a title's ending or words, None if it has no clue."""
    return next((tier for pattern, tier in _BY_TITLE if pattern.search(title)), None)


def kind_name(tier: Tier, language: str) -> str:
    """Return the plain name of a tier's instruments."""
    return _KINDS[language][tier]
