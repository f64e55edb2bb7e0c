"""Whether people rest the answers to a sub-factor on the same passages."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

from evaluation.figure import Figure
from evaluation.interval import RESAMPLES, mean_figure

Spans = tuple[tuple[int, int], ...]  # start and end, end exclusive, in characters of the text
Marked = tuple[Hashable, Hashable, Spans]  # case, person, passages


@dataclass(frozen=True, slots=True)
class Overlap:
    """How far passages overlap, over the cases of which two or more people marked any.

    `likeness` is the mean share of characters that both marked among those that either did,
    `meeting` that of pairs whose passages touch each other at all. On `one_sided` cases some
    marked passages and others none.
    """

    likeness: Figure
    meeting: Figure
    one_sided: int


def overlap(marked: Sequence[Marked], resamples: int = RESAMPLES, seed: int = 0) -> Overlap:
    """Return how far the passages of people who answered the same cases overlap."""
    by_case: dict[Hashable, list[Spans]] = {}
    for case, _, spans in marked:
        by_case.setdefault(case, []).append(joined(spans))
    shares = [_pairs([each for each in spans if each]) for spans in by_case.values()]
    alike = [sum(pairs) / len(pairs) for pairs in shares if pairs]
    meeting = [sum(share > 0 for share in pairs) / len(pairs) for pairs in shares if pairs]
    return Overlap(
        likeness=mean_figure("evidence_likeness", alike, resamples, seed),
        meeting=mean_figure("evidence_meeting", meeting, resamples, seed),
        one_sided=sum(any(spans) and not all(spans) for spans in by_case.values()),
    )


def likeness(first: Spans, second: Spans) -> float:
    """Return shared ÷ all characters of two non-empty lists of passages."""
    a, b = joined(first), joined(second)
    both = _size(a) + _size(b) - _size(joined((*a, *b)))
    return both / _size(joined((*a, *b)))


def joined(spans: Spans) -> Spans:
    """Return the passages in order, those that overlap or touch as one, empty ones left out."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(each for each in spans if each[0] < each[1]):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return tuple(found)


def _pairs(spans: Sequence[Spans]) -> list[float]:
    return [likeness(a, b) for a, b in combinations(spans, 2)]


def _size(spans: Spans) -> int:
    return sum(end - start for start, end in spans)
