"""The authority tier of an instrument by the kind its source states."""

from __future__ import annotations

import re

from corpus.importers.statutes.bounds import KIND_CHARACTERS
from corpus.model import Tier
from errors import UserError, Where

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
    """Return the tier of `kind` (법률, 국토교통부령, Presidential Decree …), letter case ignored.

    `where` is the place named in the UserError for a kind that is not known.
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
