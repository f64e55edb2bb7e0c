"""Claim and citation scores of an answer, and their counts over the answers of a system.

An answer that could not be scored is missing and counted by the reason, never zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from evaluation.attribution.scores import MEASURES, UNKNOWN, Mistakes, Pairing, Score

SCORED = "scored"
ARTICLE, EXACT = "article", "exact"  # levels of citations: rolled up, or as cited
KINDS = (*map(str, Pairing), ARTICLE, EXACT)
"""Kinds of score: of claims by how they are paired, of citations by their level."""
NAMES = tuple(f"{kind}_{part}" for kind in KINDS for part in MEASURES)
CLAIMS = tuple(name for name in NAMES if name.split("_")[0] in list(Pairing))
TESTED = ("greedy_precision", "greedy_f1", "article_precision", "article_f1")
"""The measures by which systems are compared."""


@dataclass(frozen=True, slots=True)
class AnswerScores:
    """The scores of a system's answer to a question, by kind.

    `states` has an entry for ``claims`` and ``citations``: `SCORED`, or the reason why not.
    `scores` has what was scored. `invalid` counts unresolvable references, `source` is
    where citations were read, "" if they were not.
    """

    question: str
    states: Mapping[str, str]
    scores: Mapping[str, Score] = field(default_factory=dict)
    mistakes: Mistakes = UNKNOWN
    invalid: int = 0
    source: str = ""

    def numbers(self) -> Iterator[tuple[str, float]]:
        """Yield the names of `NAMES` that were scored, with their values."""
        for kind, score in self.scores.items():
            yield from ((f"{kind}_{part}", getattr(score, part)) for part in MEASURES)


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """Counts over the answers of a system.

    `inside`, `outside` and `unused` are sums over the `known` answers whose context is known (see
    `evaluation.attribution.scores.Mistakes`), None where there is none. `invalid` is a sum over
    all. `states` counts the answers by state.
    """

    known: int
    inside: int | None
    outside: int | None
    unused: int | None
    invalid: int
    sources: Mapping[str, int]
    states: Mapping[str, Mapping[str, int]]


def answer_counts(answers: Sequence[AnswerScores]) -> AnswerCounts:
    """Return the counts of a system's answers, one per question."""
    known = [each.mistakes for each in answers if each.mistakes.inside is not None]
    return AnswerCounts(
        len(known),
        inside=_sum(each.inside for each in known),
        outside=_sum(each.outside for each in known),
        unused=_sum(each.unused for each in known),
        invalid=sum(each.invalid for each in answers),
        sources=_sorted_counts(each.source for each in answers if each.source),
        states={
            of: _sorted_counts(each.states[of] for each in answers)
            for of in ("claims", "citations")
        },
    )


def _sum(counts: Iterable[int | None]) -> int | None:
    """Return the sum of the known counts, None if none is known."""
    told = [each for each in counts if each is not None]
    return sum(told) if told else None


def _sorted_counts(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
