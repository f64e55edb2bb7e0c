"""Scores of one answer by its claims' labels, against values worked by hand."""

from __future__ import annotations

import pytest

from evaluation.attribution.reviewed_claims import ClaimScores, LabelledClaim, claim_scores


def claims(*said: tuple[str, int | None, str | None]) -> list[LabelledClaim]:
    return [
        LabelledClaim(() if gold is None else ((gold, label),), bears)
        for label, gold, bears in said
    ]


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
        # A gold claim that is not there earns nothing.
        (claims(("match", 7, "yes"), ("none", None, "yes")), 2, ClaimScores(0.0, 0.0, 0.0, 1.0)),
        (claims(("none", 0, "no")), 1, ClaimScores(0.0, 0.0, 0.0, 0.0)),
        # A claim that says two gold claims gives one of them to the next.
        (
            [LabelledClaim(((0, "match"), (1, "match"))), LabelledClaim(((0, "partial"),))],
            2,
            ClaimScores(0.5, 0.5, 0.5, None),
        ),
        (
            [LabelledClaim(((1, "partial"), (0, "match"))), LabelledClaim(((1, "partial"),))],
            2,
            ClaimScores(0.75, 0.75, 0.75, None),
        ),
        ([], 2, ClaimScores(0.0, 0.0, 0.0, None)),
        (claims(("match", 0, "yes")), 0, ClaimScores(None, None, None, 1.0)),
    ],
)
def test_scores_by_hand(said: list[LabelledClaim], gold: int, wanted: ClaimScores) -> None:
    found = claim_scores(said, gold)
    for name in ("precision", "recall", "f1", "supported"):
        assert getattr(found, name) == pytest.approx(getattr(wanted, name)), name
