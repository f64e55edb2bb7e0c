"""Comparison of systems: mean claim and citation scores, mistakes, and paired tests.

An answer that could not be scored is missing and counted by the reason, never zero. Two systems are
compared on the questions on which both have a score (paired randomisation test, Holm's correction
over the pairs of systems of one measure).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from evaluation.attribution.scores import UNKNOWN, MeanScore, Mistakes, Pairing, Score, mean_score
from evaluation.figure import RESAMPLES
from evaluation.ranking.compare import Comparison, Inference, compare_each

SCORED = "scored"


class Level(StrEnum):
    """The level at which citations are compared."""

    ARTICLE = "article"  # rolled up
    EXACT = "exact"  # as cited


Kind = tuple[str, str]
"""A kind of score: ``claims`` with a pairing, or ``citations`` with a level."""
KINDS: tuple[Kind, ...] = (
    *(("claims", str(each)) for each in Pairing),
    *(("citations", str(each)) for each in Level),
)
TESTED: tuple[tuple[Kind, str], ...] = (
    (("claims", "greedy"), "precision"),
    (("claims", "greedy"), "f1"),
    (("citations", "article"), "precision"),
    (("citations", "article"), "f1"),
)
"""The measures by which systems are compared."""


@dataclass(frozen=True, slots=True)
class AnswerScores:
    """The scores of a system's answer to a question.

    `states` has an entry for ``claims`` and ``citations``: `SCORED`, or the reason why not.
    `scores` has what was scored. `invalid` counts unresolvable references, `source` is
    where citations were read, "" if they were not.
    """

    question: str
    states: Mapping[str, str]
    scores: Mapping[Kind, Score] = field(default_factory=dict)
    mistakes: Mistakes = UNKNOWN
    invalid: int = 0
    source: str = ""


@dataclass(frozen=True, slots=True)
class SystemScores:
    """The scores of a system over its answers.

    `inside`, `outside` and `unused` are sums over the `known` answers whose context is known (see
    `evaluation.attribution.scores.Mistakes`), None where there is none. `invalid` is a sum over
    all. `states` counts the answers by state.
    """

    means: Mapping[Kind, MeanScore]
    known: int
    inside: int | None
    outside: int | None
    unused: int | None
    invalid: int
    sources: Mapping[str, int]
    states: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class PairTest:
    """The comparison of a system with another by one measure of one kind of score."""

    kind: Kind
    measure: str
    system: str
    against: str
    result: Comparison


def system_scores(
    answers: Sequence[AnswerScores], resamples: int = RESAMPLES, seed: int = 0
) -> SystemScores:
    """Summarise a system's answers, one per question."""
    means = {
        kind: mean_score([e.scores[kind] for e in answers if kind in e.scores], resamples, seed)
        for kind in KINDS
    }
    known = [each.mistakes for each in answers if each.mistakes.inside is not None]
    return SystemScores(
        means,
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


def pair_tests(
    systems: Mapping[str, Sequence[AnswerScores]], resamples: int = RESAMPLES, seed: int = 0
) -> list[PairTest]:
    """Test every pair of systems by every measure of `TESTED`.

    The later system of a pair is compared with the earlier one.
    """
    names = list(systems)
    if len(names) < 2:
        return []
    families = [
        (
            {
                name: {e.question: getattr(e.scores[kind], measure) for e in of if kind in e.scores}
                for name, of in systems.items()
            },
            names,
        )
        for kind, measure in TESTED
    ]
    found = compare_each(families, seed, inference=Inference(resamples))
    return [
        PairTest(kind, measure, name, against, results[against][name])
        for (kind, measure), results in zip(TESTED, found, strict=True)
        for at, against in enumerate(names)
        for name in names[at + 1 :]
    ]


def _sum(counts: Iterable[int | None]) -> int | None:
    told = [each for each in counts if each is not None]
    return sum(told) if told else None


def _sorted_counts(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
