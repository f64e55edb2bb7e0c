"""Which sub-factors' definitions need work first, and why.

First come those whose agreement may be low: the lower end of its interval, lowest first. Then the
others that give a reason, by the share of cases on which people differ, then by comments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluation.agreement.statistic import Finding
from evaluation.tagging.agreement import FactorAgreement

# What agreement must not fall below: alpha by Krippendorff (2004, p. 241), kappa and AC1 by Landis
# & Koch (1977), who call their bounds arbitrary.
ALPHA_FLOOR = 0.667
KAPPA_FLOOR = 0.6
OFTEN = 0.2  # share of the cases with two answers on which people differ
_TWICE = 2  # cases: one difference alone says nothing about a definition
HARDLY = 0.9  # share of "not stated" from which a sub-factor tells cases hardly apart
_ENOUGH = 10  # cases before that is said


class Why(StrEnum):
    """A reason to work on a definition."""

    LOW = "low"  # the lower end of agreement is below the floor
    DIFFER = "differ"  # people differ often
    CONDITION = "condition"  # asked of some people and not of others
    COMMENTS = "comments"  # people commented on or flagged cases on which they differ
    STALE = "stale"  # answers name options that are gone
    UNSTATED = "unstated"  # hardly ever stated


@dataclass(frozen=True, slots=True)
class Need:
    """A sub-factor whose definition needs work; `bound` is what is held to the floor."""

    key: str
    reasons: tuple[Why, ...]
    bound: Finding
    floor: float
    comments: int


def needs(found: Sequence[FactorAgreement], comments: Mapping[str, int]) -> tuple[Need, ...]:
    """Return those that give a reason, most urgent first; ties in the order given.

    `comments` counts, by sub-factor, the comments and flags on cases on which people differ on it.
    """
    ranked = []
    for place, each in enumerate(found):
        need = _need(each, comments.get(each.key, 0))
        if need.reasons:
            ranked.append((_urgency(need, each, place), need))
    return tuple(need for _, need in sorted(ranked, key=lambda entry: entry[0]))


def _need(each: FactorAgreement, comments: int) -> Need:
    bound, floor = _held(each)
    low = bound.figure.low
    holds = {
        Why.LOW: low is not None and low < floor,
        Why.DIFFER: each.differing >= _TWICE and each.open_share >= OFTEN,
        Why.CONDITION: each.asked_of_some > 0,
        Why.COMMENTS: comments > 0,
        Why.STALE: each.stale > 0,
        Why.UNSTATED: each.cases >= _ENOUGH and (each.unstated.value or 0.0) >= HARDLY,
    }
    reasons = tuple(why for why, is_so in holds.items() if is_so)
    return Need(each.key, reasons, bound, floor, comments)


def _held(each: FactorAgreement) -> tuple[Finding, float]:
    """Return alpha; AC1 where alpha has no interval and AC1 has one."""
    if each.alpha.figure.low is None and each.ac1.figure.low is not None:
        return each.ac1, KAPPA_FLOOR
    return each.alpha, ALPHA_FLOOR


def _urgency(need: Need, each: FactorAgreement, place: int) -> tuple[float, float, int, int]:
    low = need.bound.figure.low
    first = low - need.floor if Why.LOW in need.reasons and low is not None else 1.0
    return first, -each.open_share, -need.comments, place
