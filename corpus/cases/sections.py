"""Cutting the text of a judgment into its sections."""

from __future__ import annotations

from bisect import bisect_right
from itertools import groupby

from corpus.cases.model import JudgmentPart, Section
from corpus.cases.patterns import Patterns
from corpus.cases.safe_pattern import Budget

_CLOSING = "”’」』）)】] \t"


def split(text: str, patterns: Patterns, budget: Budget | None = None) -> tuple[JudgmentPart, ...]:
    """Return the parts of a text: they cover it without gap or overlap, in order.

    A part runs from what begins its section to what begins the next; what stands before the first
    is the head. Neighbours of one section are one part. A text in which nothing begins a section is
    one part that nobody named. Raises UserError for a pattern that takes longer than `budget`
    allows.
    """
    if not text:
        return ()
    begins = _begins(text, patterns, budget or Budget())
    if not begins:
        return (JudgmentPart(Section.REST, 0, len(text)),)
    if begins[0][0] > 0:
        begins.insert(0, (0, Section.HEAD))
    runs = [next(run) for _, run in groupby(begins, key=lambda each: each[1])]
    ends = [start for start, _ in runs[1:]] + [len(text)]
    return tuple(
        JudgmentPart(section, start, end) for (start, section), end in zip(runs, ends, strict=True)
    )


def _begins(text: str, patterns: Patterns, budget: Budget) -> list[tuple[int, Section]]:
    """Return where sections begin, in order; of two at one place the pattern that stands first."""
    direct = [
        (found.start(), order, each.section)
        for order, each in enumerate(patterns.begins)
        if not each.sentence
        for found in each.pattern.finditer(text, budget)
    ]
    starts = sorted(start for start, _, _ in direct)
    sentences = _sentences(text, patterns, budget)
    by_sentence = [
        (start, order, each.section)
        for order, each in enumerate(patterns.begins)
        if each.sentence
        for found in each.pattern.finditer(text, budget)
        for start in [sentences[bisect_right(sentences, found.start()) - 1]]
        if not _between(starts, start, found.start())
    ]
    first: dict[int, Section] = {}
    for start, _, section in sorted(direct + by_sentence):
        first.setdefault(start, section)
    return sorted(first.items())


def _sentences(text: str, patterns: Patterns, budget: Budget) -> list[int]:
    """Return where sentences start: after each end and the quotation marks that close it."""
    starts = [0]
    for found in patterns.sentence_end.finditer(text, budget):
        at = found.end()
        while at < len(text) and text[at] in _CLOSING:
            at += 1
        starts.append(at)
    return starts


def _between(sorted_starts: list[int], low: int, high: int) -> bool:
    """Whether a section begins inside the sentence before the match: it then has the sentence."""
    at = bisect_right(sorted_starts, low - 1)
    return at < len(sorted_starts) and sorted_starts[at] <= high
