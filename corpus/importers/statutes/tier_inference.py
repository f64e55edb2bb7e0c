"""The kind and tier of an instrument whose source states them loosely or not at all."""

from __future__ import annotations

import re

from corpus.importers.statutes.tiers import tier_of
from corpus.model import Tier
from errors import Where

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

    Raises UserError for words that are none of these.
    """
    if written in {"1", "2", "3", "4", "5"}:
        return Tier(int(written))
    return _LEVEL_NAMES.get(written.lower()) or tier_of(written, where)


def tier_by_title(title: str) -> Tier | None:
    """Return the tier that a title ends in or names, None where it says nothing."""
    return next((tier for pattern, tier in _BY_TITLE if pattern.search(title)), None)


def kind_name(tier: Tier, language: str) -> str:
    """Return the plain name of a tier's instruments."""
    return _KINDS[language][tier]
