"""Precision, recall and F1 of one question, and their means over questions.

F1 is that of each question and then averaged (macro), so the mean F1 is not the harmonic mean of
mean precision and mean recall: RegOps-Bench (2026), Table 4, does the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.figure import RESAMPLES, Figure, mean_figure

PRECISION, RECALL, F1 = MEASURES = ("precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and their harmonic mean, each from 0 to 1."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, credit: float, predicted: int, gold: int) -> Score:
        """Compute the score from the credit and the numbers of predicted and gold items.

        Where either is 0 its share is 0: counting no predictions as perfect precision
        would reward silence. Raises ValueError for more credit than items.
        """
        if credit < 0 or credit > min(predicted, gold):
            raise ValueError(f"a credit of {credit} for {predicted} predicted and {gold} gold")
        precision = credit / predicted if predicted else 0.0
        recall = credit / gold if gold else 0.0
        # This form of the harmonic mean needs no case for 0.
        f1 = 2 * credit / (predicted + gold) if predicted + gold else 0.0
        return cls(precision, recall, f1)


PERFECT = Score(1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class MeanScore:
    """Means over questions with their intervals; without value if there is no question."""

    precision: Figure
    recall: Figure
    f1: Figure

    def __iter__(self) -> Iterator[Figure]:
        """Yield precision, recall and F1."""
        yield from (self.precision, self.recall, self.f1)


def mean_score(scores: Sequence[Score], resamples: int = RESAMPLES, seed: int = 0) -> MeanScore:
    """Return the mean scores of questions, with bootstrap intervals over the questions."""
    figures = (
        mean_figure(name, [getattr(each, name) for each in scores], resamples, seed)
        for name in MEASURES
    )
    return MeanScore(*figures)
