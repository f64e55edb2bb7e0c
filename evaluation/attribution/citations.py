"""Citation precision, recall and F1, and counts of citation mistakes.

Cited and gold provisions are compared as sets of ids: at the level of articles, for which both
are rolled up beforehand, or exactly as cited (RegOps-Bench 2026, §5.1). Means are over questions.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from evaluation.attribution.scores import PERFECT, Score


@dataclass(frozen=True, slots=True)
class Mistakes:
    """Citation mistakes of one answer. `inside` and `outside` are false citations, shown or not.

    `unused` is gold that was shown and is not cited. All are None if the context is unknown.
    """

    inside: int | None
    outside: int | None
    unused: int | None


UNKNOWN = Mistakes(None, None, None)


def citation_score(cited: Collection[str], gold: Collection[str]) -> Score:
    """Return the citation score of a question. Duplicates count once.

    If nothing is gold and nothing is cited it is 1; if only one of them is empty it is 0.
    """
    wanted, found = set(gold), set(cited)
    if not wanted and not found:
        return PERFECT
    return Score.of(len(wanted & found), len(found), len(wanted))


def mistakes(
    cited: Collection[str], gold: Collection[str], shown: Collection[str] | None
) -> Mistakes:
    """Return the citation mistakes of an answer; `shown` are its context's ids, None if unknown.

    All three are ids of the same level. The order of `shown` does not matter.
    """
    if shown is None:
        return UNKNOWN
    wanted, found, context = set(gold), set(cited), set(shown)
    false = found - wanted
    return Mistakes(len(false & context), len(false - context), len((wanted & context) - found))
