"""Claim and citation scores of an answer: precision, recall, F1, mistakes.

F1 is that of each question and then averaged (macro), so the mean F1 is not the harmonic mean of
mean precision and mean recall: RegOps-Bench (2026), Table 4, does the same.

Citation precision, recall and F1, and counts of citation mistakes.

Cited and gold provisions are compared as sets of ids: at the level of articles, for which both
are rolled up beforehand, or exactly as cited (RegOps-Bench 2026, §5.1). Means are over questions.

Claim precision, recall and F1 from labels of predicted claims (RegOps-Bench 2026, §5.1, A.1).

Each predicted claim is labelled against every gold claim: a match counts 1, a partial match, which
lacks a condition, an exception or a number, 0.5. Claims are then paired one to one: greedily as
published, all matches before any partial match, or so that the credit is largest.

Claim scores of one answer from the labels of its claims, by people or a model.

Each claim is labelled match, partial or none against the gold claims. Claims and gold claims are
paired one to one, matches before partials, in the order of the claims, then of the gold claims:

  precision = (match + ½ partial) ÷ claims,    recall = (match + ½ partial) ÷ gold claims.

Claim and citation scores of an answer, and their counts over the answers of a system.

An answer that could not be scored is missing and counted by the reason, never zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from scipy.optimize import linear_sum_assignment

MEASURES = ("precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and their harmonic mean, each from 0 to 1."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, credit: float, predicted: int, gold: int) -> Score:
        """Compute the score from the credit and the numbers of predicted and gold items.

        Where either is 0 its share is 0: counting no predictions as perfect precision
        would reward silence. Raises ValueError for more credit than items.
        """
        if credit < 0 or credit > min(predicted, gold):
            raise ValueError(f"a credit of {credit} for {predicted} predicted and {gold} gold")
        precision = credit / predicted if predicted else 0.0
        recall = credit / gold if gold else 0.0
        # This form of the harmonic mean needs no case for 0.
        f1 = 2 * credit / (predicted + gold) if predicted + gold else 0.0
        return cls(precision, recall, f1)


PERFECT = Score(1.0, 1.0, 1.0)


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
    cited: Collection[str], gold: Collection[str], context_ids: Collection[str] | None
) -> Mistakes:
    """Count false citations in and outside a context, and gold shown but uncited; None without it.

    All three are ids of the same level. The order of `context_ids` does not matter.
    """
    if context_ids is None:
        return UNKNOWN
    wanted, found, context = set(gold), set(cited), set(context_ids)
    false = found - wanted
    return Mistakes(len(false & context), len(false - context), len((wanted & context) - found))


MATCH, PARTIAL, NONE = "match", "partial", "none"
CREDIT = {MATCH: 1.0, PARTIAL: 0.5}
Relations = Sequence[Sequence[tuple[int, str]]]
"""For each predicted claim the indices of gold claims that it matches, with labels."""


class Pairing(StrEnum):
    """The method of pairing claims."""

    GREEDY = "greedy"  # matches before partial matches, in the order of the claims
    OPTIMAL = "optimal"  # the largest possible credit


@dataclass(frozen=True, slots=True)
class Pair:
    """A paired predicted and gold claim, by index, with their label."""

    predicted: int
    gold: int
    label: str


def pair_greedily(relations: Relations) -> list[Pair]:
    """Pair claims greedily: matches, then partials; by predicted, then gold claim."""
    wanted = [
        Pair(at, place, label)
        for at, each in enumerate(relations)
        for place, label in each
        if label in CREDIT
    ]
    wanted.sort(key=lambda each: (-CREDIT[each.label], each.predicted, each.gold))
    predicted: set[int] = set()
    gold: set[int] = set()
    found = []
    for each in wanted:
        if each.predicted not in predicted and each.gold not in gold:
            predicted.add(each.predicted)
            gold.add(each.gold)
            found.append(each)
    return sorted(found, key=lambda each: each.predicted)


def pair_optimally(relations: Relations, gold: int) -> list[Pair]:
    """Pair claims for the largest credit (linear sum assignment); `gold` counts gold claims."""
    if not relations or not gold:
        return []
    best: dict[tuple[int, int], str] = {}
    for at, each in enumerate(relations):
        for place, label in each:
            if CREDIT.get(label, 0.0) > CREDIT.get(best.get((at, place), NONE), 0.0):
                best[at, place] = label
    credit = np.zeros((len(relations), gold))
    for key, label in best.items():
        credit[key] = CREDIT[label]
    rows, columns = linear_sum_assignment(credit, maximize=True)
    chosen = zip(rows.tolist(), columns.tolist(), strict=True)
    return [Pair(*key, best[key]) for key in chosen if key in best]


def claim_score(relations: Relations, gold: int, pairing: Pairing = Pairing.GREEDY) -> Score | None:
    """Return the claim score of a question; None without gold claims.

    An answer without any claim scores 0. Raises ValueError for an unknown gold claim.
    """
    if any(not 0 <= place < gold for each in relations for place, _ in each):
        raise ValueError("a label names a gold claim that is not there")
    if not gold:
        return None
    pairs = (
        pair_greedily(relations) if pairing is Pairing.GREEDY else pair_optimally(relations, gold)
    )
    return Score.of(sum(CREDIT[each.label] for each in pairs), len(relations), gold)


SUPPORT = {"yes": 1.0, "partly": 0.5, "no": 0.0, "uncited": 0.0}


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim with the gold claims that it matches, by index, with labels.

    `supported` is a key of :data:`SUPPORT`, None if not labelled.
    """

    says: tuple[tuple[int, str], ...] = ()
    supported: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimScores:
    """Shares of an answer, 0 to 1; None without gold claims, or without labels."""

    precision: float | None
    recall: float | None
    f1: float | None
    supported: float | None


def claim_scores(claims: Sequence[LabelledClaim], gold: int) -> ClaimScores:
    """Return the scores of an answer against `gold` gold claims; 0 for an answer without claims.

    Indices beyond `gold` earn nothing. `supported` needs claims, and a label
    of each.
    """
    borne = [SUPPORT[each.supported] for each in claims if each.supported is not None]
    supported = sum(borne) / len(claims) if claims and len(borne) == len(claims) else None
    there = [[said for said in each.says if 0 <= said[0] < gold] for each in claims]
    found = claim_score(there, gold)
    if found is None:
        return ClaimScores(None, None, None, supported)
    return ClaimScores(found.precision, found.recall, found.f1, supported)


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
    `evaluation.attribution.Mistakes`), None where there is none. `invalid` is a sum over
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
    """Count the mistakes, sources and states of a system's answers, one answer per question."""
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
