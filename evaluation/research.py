"""Agreement of the gold passages that two people marked for one question.

Passages are compared as sets of characters of authorities, so that one long passage equals two that
cover the same. `token_f1` counts the words that both marked (SQuAD's F1, Rajpurkar et al.
2016, by position instead of by word: the same word marked elsewhere is another one), `exact` is
whether the words are the same. Spaces and punctuation at the ends of a passage do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluation.figure import Figure, mean_figure, share_of

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of an authority: `quote` begins at `start` of its text."""

    authority: str
    start: int
    quote: str


@dataclass(frozen=True, slots=True)
class Overlap:
    """Agreement of the passages of two people, each measure 0 to 1."""

    token_f1: float
    exact: float
    authority: float


def overlap(one: Iterable[Passage], other: Iterable[Passage]) -> Overlap | None:
    """Return the agreement of two people's passages; None if neither marked any.

    `authority` is 1 if both marked the same authorities. If only one marked anything,
    all are 0.
    """
    mine, theirs = tuple(one), tuple(other)
    if not mine and not theirs:
        return None
    ours, others = _marked_words(mine), _marked_words(theirs)
    both, all_ = len(ours & others), len(ours) + len(others)
    same = {each.authority for each in mine} == {each.authority for each in theirs}
    return Overlap(2 * both / all_ if all_ else 0.0, float(ours == others), float(same))


def overlap_figures(overlaps: Sequence[Overlap]) -> tuple[Figure, Figure, Figure]:
    """Return the means over pairs of people and questions, with intervals."""
    return (
        mean_figure("token_f1", [each.token_f1 for each in overlaps]),
        share_of("exact_passage", [each.exact for each in overlaps]),
        share_of("same_authority", [each.authority for each in overlaps]),
    )


def _marked_words(passages: Iterable[Passage]) -> set[tuple[str, int]]:
    """Return the (authority, offset) of each word in marked passages."""
    return {
        (each.authority, each.start + found.start())
        for each in passages
        for found in _WORD.finditer(each.quote)
    }
