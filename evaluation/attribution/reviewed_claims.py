"""The scores of one answer by the labels of its claims, whoever gave them.

Each claim is labelled match, partial or none against the gold claims. Claims and gold claims are
paired one to one, matches before partials, in the order of the claims, then of the gold claims:

    precision = (match + ½ partial) ÷ claims,    recall = (match + ½ partial) ÷ gold claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CREDIT = {"match": 1.0, "partial": 0.5}
SUPPORT = {"yes": 1.0, "partly": 0.5, "no": 0.0, "uncited": 0.0}


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim by the gold claims that it says, each by its place with the label; none for none.

    `supported` is a key of :data:`SUPPORT`, None where nobody said.
    """

    says: tuple[tuple[int, str], ...] = ()
    supported: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimScores:
    """Shares of an answer, 0 to 1; None where there is no gold claim, or nobody said."""

    precision: float | None
    recall: float | None
    f1: float | None
    supported: float | None


def claim_scores(claims: Sequence[LabelledClaim], gold: int) -> ClaimScores:
    """Return the scores of an answer against so many gold claims; 0 for an answer without claims.

    A gold claim beyond their number earns nothing. `supported` needs claims, and that something is
    said of each.
    """
    borne = [SUPPORT[each.supported] for each in claims if each.supported is not None]
    supported = sum(borne) / len(claims) if claims and len(borne) == len(claims) else None
    if not gold:
        return ClaimScores(None, None, None, supported)
    earned = _earned(claims, gold)
    precision = earned / len(claims) if claims else 0.0
    return ClaimScores(precision, earned / gold, 2 * earned / (len(claims) + gold), supported)


def _earned(claims: Sequence[LabelledClaim], gold: int) -> float:
    wanted = [
        (-CREDIT[label], at, place, label)
        for at, each in enumerate(claims)
        for place, label in each.says
        if label in CREDIT and 0 <= place < gold
    ]
    paired: set[int] = set()
    given: set[int] = set()
    earned = 0.0
    for _, at, place, label in sorted(wanted):
        if at not in paired and place not in given:
            paired.add(at)
            given.add(place)
            earned += CREDIT[label]
    return earned
