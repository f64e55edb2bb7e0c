"""Systems side by side: means of claim and citation scores, what went wrong, and paired tests.

An answer that could not be scored is missing and counted by the reason, never zero. Two systems are
compared on the questions on which both have a score (paired randomisation test, Holm's correction
over the pairs of systems of one measure).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from evaluation.attribution.citations import UNKNOWN, Mistakes
from evaluation.attribution.claims import Pairing
from evaluation.attribution.scores import MeanScore, Score, mean_score
from evaluation.figure import RESAMPLES
from evaluation.ranking.compare import Comparison, Inference, compare_each

SCORED = "scored"


class Level(StrEnum):
    """At what level citations are compared."""

    ARTICLE = "article"  # rolled up
    EXACT = "exact"  # as cited


Kind = tuple[str, str]
"""A column of scores: ``claims`` with a pairing, or ``citations`` with a level."""
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
    """An answer of a system to a question.

    `states` says of ``claims`` and of ``citations`` what became of them: `SCORED`, or why not.
    `scores` has what was scored. `invalid` counts references that lead to nothing, `source` says
    where citations were read, "" where they were not.
    """

    question: str
    states: Mapping[str, str]
    scores: Mapping[Kind, Score] = field(default_factory=dict)
    mistakes: Mistakes = UNKNOWN
    invalid: int = 0
    source: str = ""


@dataclass(frozen=True, slots=True)
class SystemScores:
    """A system over its answers.

    `inside`, `outside` and `unused` are sums over the `known` answers whose context is known (see
    `evaluation.attribution.citations.Mistakes`), None where there is none. `invalid` is a sum over
    all. `states` counts the answers by what became of them.
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
    """How a system compares with another by a measure of a kind of score."""

    kind: Kind
    measure: str
    system: str
    against: str
    result: Comparison


def system_scores(
    answers: Sequence[AnswerScores], resamples: int = RESAMPLES, seed: int = 0
) -> SystemScores:
    """Return what a system's answers come to, one per question."""
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
        sources=_counted(each.source for each in answers if each.source),
        states={
            of: _counted(each.states[of] for each in answers) for of in ("claims", "citations")
        },
    )


def pair_tests(
    systems: Mapping[str, Sequence[AnswerScores]], resamples: int = RESAMPLES, seed: int = 0
) -> list[PairTest]:
    """Compare every two systems by every measure of `TESTED`, each pair told once.

    The system that comes later in the order given is told against the one before it.
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


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
