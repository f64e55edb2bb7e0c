"""How often a model says of a sub-factor what people decided.

Only what a model said and can be read counts; a refusal and an unreadable answer are missing, never
wrong. Cases that people answered with the model's suggestion before them say little about it: they
have a figure of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from evaluation.agreement.sets import jaccard
from evaluation.figure import Figure
from evaluation.interval import RESAMPLES, mean_figure
from evaluation.proportion import share_figure
from evaluation.tagging.ratings import Answer

_CONFUSIONS = 3  # as many as are worth reading in a report


@dataclass(frozen=True, slots=True)
class Compared:
    """A case: what people decided, and what the model said of it, None where nothing readable.

    `quoted` says that its quotation stands in the text, `aided` that people saw the suggestion
    before they answered.
    """

    case: Hashable
    decided: Answer
    said: Answer | None
    quoted: bool = False
    aided: bool = False


@dataclass(frozen=True, slots=True)
class Confusion:
    """What people decided, what the model said instead, and on how many cases."""

    decided: tuple[str, ...]
    said: tuple[str, ...]
    n: int


@dataclass(frozen=True, slots=True)
class ModelAccuracy:
    """A model on one sub-factor.

    `right` is the share of unaided cases on which it says exactly what people decided, `baseline`
    that of always saying what people decided most often; `likeness` the mean Jaccard of the sets.
    `aided` is as `right`, of cases that were answered with the suggestion in sight. `quoted` is the
    share of what it said that stands on a quotation found in the text. `missing` cases it was
    asked about and said nothing readable.
    """

    right: Figure
    baseline: Figure
    likeness: Figure
    aided: Figure
    quoted: Figure
    missing: int
    confusions: tuple[Confusion, ...]


def accuracy(
    compared: Sequence[Compared], silent: str = "", resamples: int = RESAMPLES, seed: int = 0
) -> ModelAccuracy:
    """Return how far a model says what people decided.

    `silent` is the answer that nothing is stated, for which there is nothing to quote.
    """
    said = [(each, each.said) for each in compared if each.said is not None]
    unaided = [(each, answer) for each, answer in said if not each.aided]
    aided = [(each, answer) for each, answer in said if each.aided]
    likeness = [jaccard(each.decided, answer) for each, answer in unaided]
    stating = [each for each, answer in said if answer != {silent}]
    return ModelAccuracy(
        right=_right("model_right", unaided),
        baseline=_baseline(unaided),
        likeness=mean_figure("model_likeness", likeness, resamples, seed),
        aided=_right("model_right_aided", aided),
        quoted=share_figure("model_quoted", sum(each.quoted for each in stating), len(stating)),
        missing=len(compared) - len(said),
        confusions=_confusions(unaided),
    )


def _right(name: str, pairs: Sequence[tuple[Compared, Answer]]) -> Figure:
    return share_figure(name, sum(each.decided == said for each, said in pairs), len(pairs))


def _baseline(pairs: Sequence[tuple[Compared, Answer]]) -> Figure:
    counts = Counter(each.decided for each, _ in pairs)
    return share_figure("model_baseline", max(counts.values(), default=0), len(pairs))


def _confusions(pairs: Sequence[tuple[Compared, Answer]]) -> tuple[Confusion, ...]:
    """Return the commonest mistakes, then by their names."""
    counts = Counter(
        (tuple(sorted(each.decided)), tuple(sorted(said)))
        for each, said in pairs
        if each.decided != said
    )
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple(Confusion(*pair, n) for pair, n in ordered[:_CONFUSIONS])
