"""The scores of one answer by the labels of its claims, whoever gave them.

Each claim is labelled match, partial or none against the gold claims (E6 of
`docs/attribution-review.md`). A gold claim is given to one claim alone, matches before partials, in
the order of the claims:

    precision = (match + ½ partial) ÷ claims,    recall = (match + ½ partial) ÷ gold claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WEIGHTS = {"match": 1.0, "partial": 0.5}
SUPPORT = {"yes": 1.0, "partly": 0.5, "no": 0.0, "uncited": 0.0}


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim by its label, the place of the gold claim it says (from 0), and whether law bears it.

    `gold` is None where the label is none. `supported` is a key of :data:`SUPPORT`, None where
    nobody said.
    """

    label: str
    gold: int | None
    supported: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimScores:
    """Shares of an answer, 0 to 1; None where there is nothing to divide by, or nobody said."""

    precision: float | None
    recall: float | None
    f1: float | None
    supported: float | None


def claim_scores(claims: Sequence[LabelledClaim], gold: int) -> ClaimScores:
    """Return the scores of an answer against so many gold claims.

    A claim that names no gold claim, one beyond their number, or one given away before, counts as
    none. `supported` needs that something is said of every claim.
    """
    earned = _earned(claims, gold)
    precision = earned / len(claims) if claims else None
    recall = earned / gold if gold else None
    borne = [SUPPORT[each.supported] for each in claims if each.supported is not None]
    return ClaimScores(
        precision,
        recall,
        _f1(precision, recall),
        sum(borne) / len(claims) if claims and len(borne) == len(claims) else None,
    )


def _earned(claims: Sequence[LabelledClaim], gold: int) -> float:
    free, earned = set(range(gold)), 0.0
    for label, weight in WEIGHTS.items():
        for each in claims:
            if each.label == label and each.gold in free:
                free.discard(each.gold)
                earned += weight
    return earned


def _f1(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
