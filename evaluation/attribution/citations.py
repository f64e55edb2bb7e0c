"""Citation precision, recall and F1, and what kinds of wrong citations there are.

What is cited and what is gold are compared as sets of ids: at the level of articles, for which both
are rolled up beforehand, or exactly as cited (RegOps-Bench 2026, §5.1). Means are over questions.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from evaluation.attribution.scores import PERFECT, Score


@dataclass(frozen=True, slots=True)
class Mistakes:
    """Counts of one answer. `inside` and `outside` are false citations by whether it was shown.

    `unused` is gold that was shown and is not cited. All are None where nobody knows what was
    shown.
    """

    inside: int | None
    outside: int | None
    unused: int | None


UNKNOWN = Mistakes(None, None, None)


def citation_score(cited: Collection[str], gold: Collection[str]) -> Score:
    """Return the score of a question. Duplicates count once.

    Where nothing is gold and nothing is cited the answer is right, and scores 1; where only one of
    them is empty it scores 0.
    """
    wanted, found = set(gold), set(cited)
    if not wanted and not found:
        return PERFECT
    return Score.of(len(wanted & found), len(found), len(wanted))


def mistakes(
    cited: Collection[str], gold: Collection[str], shown: Collection[str] | None
) -> Mistakes:
    """Return the counts of an answer; `shown` is what stood in its context, None if unknown.

    All three are ids of the same level. The order of what was shown plays no part.
    """
    if shown is None:
        return UNKNOWN
    wanted, found, context = set(gold), set(cited), set(shown)
    false = found - wanted
    return Mistakes(len(false & context), len(false - context), len((wanted & context) - found))
