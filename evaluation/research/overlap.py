"""How far the gold passages agree that two people marked for one question.

Passages are compared as sets of characters of authorities, so that one long passage and two that
cover the same are alike. `token_f1` counts the words that both marked (SQuAD's F1, Rajpurkar et al.
2016, by place instead of by word: the same word marked elsewhere is another one), `exact` asks
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
    """A stretch of an authority: `quote` stands at `start` of its text."""

    authority: str
    start: int
    quote: str


@dataclass(frozen=True, slots=True)
class Overlap:
    """How alike the passages of two people are, each 0 to 1."""

    token_f1: float
    exact: float
    authority: float


def overlap(one: Iterable[Passage], other: Iterable[Passage]) -> Overlap | None:
    """Return how alike two people's passages are; None where neither marked any.

    `authority` is 1 where both marked in the same authorities. Where only one marked anything,
    nothing is alike.
    """
    mine, theirs = tuple(one), tuple(other)
    if not mine and not theirs:
        return None
    ours, others = _words(mine), _words(theirs)
    both, all_ = len(ours & others), len(ours) + len(others)
    same = {each.authority for each in mine} == {each.authority for each in theirs}
    return Overlap(2 * both / all_ if all_ else 0.0, float(ours == others), float(same))


def overlap_figures(found: Sequence[Overlap]) -> tuple[Figure, Figure, Figure]:
    """Return the means over pairs of people and questions, with intervals."""
    return (
        mean_figure("token_f1", [each.token_f1 for each in found]),
        share_of("exact_passage", [each.exact for each in found]),
        share_of("same_authority", [each.authority for each in found]),
    )


def _words(passages: Iterable[Passage]) -> set[tuple[str, int]]:
    return {
        (each.authority, each.start + found.start())
        for each in passages
        for found in _WORD.finditer(each.quote)
    }
