"""Claim scores of one answer from the labels of its claims, by people or a model.

Each claim is labelled match, partial or none against the gold claims. Claims and gold claims are
paired one to one, matches before partials, in the order of the claims, then of the gold claims:

  precision = (match + ½ partial) ÷ claims,    recall = (match + ½ partial) ÷ gold claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.attribution.claims import CREDIT, pair_greedily

SUPPORT = {"yes": 1.0, "partly": 0.5, "no": 0.0, "uncited": 0.0}


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim with the gold claims that it matches, by index, with labels.

    `supported` is a key of :data:`SUPPORT`, None if not labelled.
    """

    says: tuple[tuple[int, str], ...] = ()
    supported: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimScores:
    """Shares of an answer, 0 to 1; None without gold claims, or without labels."""

    precision: float | None
    recall: float | None
    f1: float | None
    supported: float | None


def claim_scores(claims: Sequence[LabelledClaim], gold: int) -> ClaimScores:
    """Return the scores of an answer against `gold` gold claims; 0 for an answer without claims.

    Indices beyond `gold` earn nothing. `supported` needs claims, and a label
    of each.
    """
    borne = [SUPPORT[each.supported] for each in claims if each.supported is not None]
    supported = sum(borne) / len(claims) if claims and len(borne) == len(claims) else None
    if not gold:
        return ClaimScores(None, None, None, supported)
    earned = _credit(claims, gold)
    precision = earned / len(claims) if claims else 0.0
    return ClaimScores(precision, earned / gold, 2 * earned / (len(claims) + gold), supported)


def _credit(claims: Sequence[LabelledClaim], gold: int) -> float:
    there = [[said for said in each.says if 0 <= said[0] < gold] for each in claims]
    return sum(CREDIT[pair.label] for pair in pair_greedily(there))
