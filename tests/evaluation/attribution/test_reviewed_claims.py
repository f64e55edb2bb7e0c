"""Scores of one answer by its claims' labels, against values worked by hand."""

from __future__ import annotations

import pytest

from evaluation.attribution.reviewed_claims import ClaimScores, LabelledClaim, claim_scores


def claims(*said: tuple[str, int | None, str | None]) -> list[LabelledClaim]:
    return [LabelledClaim(*each) for each in said]


@pytest.mark.parametrize(
    ("said", "gold", "wanted"),
    [
        # 1.5 of 3 claims, 1.5 of 2 gold claims; F1 = 2 · .5 · .75 ÷ 1.25
        (
            claims(("match", 0, "yes"), ("partial", 1, "partly"), ("none", None, "uncited")),
            2,
            ClaimScores(0.5, 0.75, 0.6, 0.5),
        ),
        # One gold claim named twice counts once, for the match, whichever comes first.
        (
            claims(("partial", 0, "no"), ("match", 0, None)),
            4,
            ClaimScores(0.5, 0.25, 1 / 3, None),
        ),
        # A gold claim that is not there, or is not named, earns nothing.
        (claims(("match", 7, "yes"), ("match", None, "yes")), 2, ClaimScores(0.0, 0.0, 0.0, 1.0)),
        (claims(("none", 0, "no")), 1, ClaimScores(0.0, 0.0, 0.0, 0.0)),
        ([], 2, ClaimScores(None, 0.0, None, None)),
        (claims(("match", 0, "yes")), 0, ClaimScores(0.0, None, None, 1.0)),
    ],
)
def test_scores_by_hand(said: list[LabelledClaim], gold: int, wanted: ClaimScores) -> None:
    found = claim_scores(said, gold)
    for name in ("precision", "recall", "f1", "supported"):
        assert getattr(found, name) == pytest.approx(getattr(wanted, name)), name
