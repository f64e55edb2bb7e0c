"""Accuracy by context, the gap closed by retrieval, and paired tests.

All are over questions. Questions of one group, such as yes/no questions that were made of the
options of one question, are no independent observations: intervals and tests go by groups.

The gap closed is (context − none) / (ceiling − none) over the questions that count under all three.
A ratio whose denominator may be 0 has no bounded interval: Fieller's (1954) is bounded only where
the denominator differs from 0 at the chosen level. Here too: where the interval of
ceiling − none covers 0, or lies below it, a reason replaces the figure. Otherwise the interval
is the percentile bootstrap over questions, each drawn with its three scores together.

Outcome per question and setting, and which of several passages counts.

Top-k by the most confident passage (Zheng et al. 2025, §5.4 and Table 30): the model answers with
each of the first k passages alone; the answer that it gives the highest probability is its answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import isfinite

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from evaluation.figure import CONFIDENCE, RESAMPLES, Figure, percentile, share_of
from evaluation.ranking.compare import Comparison
from evaluation.significance import Tally, holm, paired_tests, tally


class Outcome(StrEnum):
    """The outcome of an answer."""

    RIGHT = "right"
    WRONG = "wrong"
    REFUSED = "refused"
    EMPTY = "empty"
    CUT_OFF = "cut_off"
    INVALID = "invalid"
    UNREAD = "unread"
    NO_LOGPROBS = "no_logprobs"  # the server gave none, so no option is the likeliest
    UNRANKED = "unranked"  # answers with several passages, not all with a log-probability
    UNJUDGED = "unjudged"  # a free-text answer that nobody has judged
    FAILED = "failed"
    NOT_ASKED = "not_asked"

    @property
    def answers(self) -> bool:
        """Whether it is an answer known to be right or wrong."""
        return self in (Outcome.RIGHT, Outcome.WRONG)

    @property
    def missing(self) -> bool:
        """Whether the model's answer is unknown, so that it does not count as a reply.

        A call that failed or was never made, an unjudged answer, passages whose answers
        cannot be compared, a server without log-probabilities: they count in no share.
        """
        return self in (
            *(Outcome.NO_LOGPROBS, Outcome.UNRANKED, Outcome.UNJUDGED),
            *(Outcome.FAILED, Outcome.NOT_ASKED),
        )


class Of(StrEnum):
    """The denominator of a share of right answers."""

    ALL = "all"  # all replies: a reply without an answer is not right
    READABLE = "readable"  # replies that are an answer


def score(outcome: Outcome, of: Of) -> bool | None:
    """Return whether an outcome counts as right, None if it does not count."""
    if outcome.missing or (of is Of.READABLE and not outcome.answers):
        return None
    return outcome is Outcome.RIGHT


@dataclass(frozen=True, slots=True)
class Attempt:
    """A model's reply with one passage: a state, and the choice if ``answered``.

    `confidence` is the log-probability of the chosen label, None if unknown.
    """

    state: str
    choice: str | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Picked:
    """The passage that counts (from 1, 0 for none) and the reply with it.

    `state` is that of the attempt, or ``unranked``. `answered` of the `seen` passages led to one.
    """

    passage: int
    state: str
    choice: str | None
    seen: int
    answered: int


ANSWERED = "answered"


def most_confident(attempts: Mapping[int, Attempt], k: int) -> Picked:
    """Return the most confident answer among those with passages 1 to `k`.

    Ties go to the first passage. A single answer needs no
    comparison, so it counts without a log-probability too; if one of several has none, the most
    confident is unknown: the state is ``unranked``. If no passage led to an
    answer the state is that with the first passage, and ``not_asked`` without any.
    """
    first = {place: attempts[place] for place in sorted(attempts) if 1 <= place <= k}
    said = {place: each for place, each in first.items() if each.state == ANSWERED}
    counts = len(first), len(said)
    if not said:
        states = [each.state for each in first.values()]
        return Picked(0, states[0] if states else Outcome.NOT_ASKED.value, None, *counts)
    if len(said) == 1:
        ((place, only),) = said.items()
        return Picked(place, ANSWERED, only.choice, *counts)
    sure = {place: each.confidence for place, each in said.items()}
    known = {place: value for place, value in sure.items() if value is not None and isfinite(value)}
    if len(known) < len(sure):
        return Picked(0, Outcome.UNRANKED.value, None, *counts)
    best = min(known, key=lambda place: (-known[place], place))
    return Picked(best, ANSWERED, said[best].choice, *counts)


Outcomes = Mapping[str, Outcome]
"""The outcome of each question, by its id."""
Groups = Mapping[str, str]
"""The group of each question; an unnamed one is its own group."""
Array = NDArray[np.float64]


def scores(outcomes: Outcomes, of: Of) -> dict[str, bool]:
    """Return whether each question that counts is answered correctly, by ascending id."""
    found = {question: score(outcomes[question], of) for question in sorted(outcomes)}
    return {question: value for question, value in found.items() if value is not None}


def counts(outcomes: Outcomes) -> dict[Outcome, int]:
    """Return the number of questions per outcome, zeros included."""
    counted = Counter(outcomes.values())
    return {outcome: counted[outcome] for outcome in Outcome}


def accuracy(outcomes: Outcomes, of: Of, groups: Groups | None = None) -> Figure:
    """Return the share of right answers with Wilson's interval over independent questions."""
    found = scores(outcomes, of)
    named = groups or {}
    return share_of("accuracy", list(found.values()), [named.get(q, q) for q in found])


class NoGap(StrEnum):
    """The reason why the gap closed is undefined."""

    NO_BASE = "no_base"  # the model was not asked without context
    NO_CEILING = "no_ceiling"  # nor with the gold
    NO_QUESTIONS = "no_questions"  # no questions that count under all three
    ONE_QUESTION = "one_question"  # a single question
    NOT_ABOVE = "not_above"  # the gold helps no more than by chance: the interval covers 0
    BELOW = "below"  # the gold makes it worse


@dataclass(frozen=True, slots=True)
class Gap:
    """The share of the gap between no context and gold that a context closes; 1 equals the gold.

    `gain` is context − none and `room` ceiling − none, over the same questions, with their
    intervals. `closed` has no value if there is a `reason`. `undefined` counts resamples in
    which the ceiling was no better than no context; they are left out of the interval.
    """

    closed: Figure
    gain: Figure
    room: Figure
    reason: NoGap | None = None
    undefined: int = 0


def no_gap(reason: NoGap) -> Gap:
    """Return an undefined gap."""
    closed, gain, room = (Figure(name, None, 0) for name in ("gap_closed", "gain", "room"))
    return Gap(closed, gain, room, reason)


def gap(
    base: Outcomes | None,
    context: Outcomes,
    ceiling: Outcomes | None,
    of: Of,
    groups: Groups | None = None,
    n: int = RESAMPLES,
    seed: int = 0,
) -> Gap:
    """Return the share of the gap from `base` (no context) to `ceiling` (gold) that closes.

    It is over the questions that count under all three.
    """
    if base is None or ceiling is None:
        return no_gap(NoGap.NO_BASE if base is None else NoGap.NO_CEILING)
    sides = [scores(each, of) for each in (base, context, ceiling)]
    common = [q for q in sides[0] if q in sides[1] and q in sides[2]]
    if not common:
        return no_gap(NoGap.NO_QUESTIONS)
    low, mid, high = (np.array([side[q] for q in common], dtype=np.float64) for side in sides)
    drawn = _Drawn(np.stack([mid - low, high - low]), common, groups or {}, n, seed)
    gain, room = drawn.figure("gain", 0), drawn.figure("room", 1)
    nothing = Figure("gap_closed", None, len(common))
    if drawn.groups == 1:
        return Gap(nothing, gain, room, NoGap.ONE_QUESTION)
    reason = _reason_for_no_gap(drawn.sums[:, 1])
    if reason is not None:
        return Gap(nothing, gain, room, reason)
    return _gap_closed(drawn, gain, room)


def _gap_closed(drawn: _Drawn, gain: Figure, room: Figure) -> Gap:
    """Return the share of the gap that is closed, with its interval."""
    usable = drawn.sums[:, 1] > 0
    ratios = np.full(len(usable), np.nan)
    np.divide(drawn.sums[:, 0], drawn.sums[:, 1], out=ratios, where=usable)
    around = percentile(ratios)
    value = float(drawn.total[0] / drawn.total[1])
    closed = Figure("gap_closed", value, drawn.questions, around.low, around.high)
    return Gap(closed, gain, room, None, around.undefined)


def _reason_for_no_gap(rooms: Array) -> NoGap | None:
    """Return why the gap has no ratio, given its resampled sizes; None if it has one."""
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(rooms, (tail, 1 - tail))
    if high < 0:
        return NoGap.BELOW
    return None if low > 0 else NoGap.NOT_ABOVE


class _Drawn:
    """Sums of differences over resamples of groups.

    Groups with equal sums are drawn by frequency, which gives the same distribution with
    fewer draws: of single questions there are at most nine kinds.
    """

    def __init__(
        self, differences: Array, questions: Sequence[str], named: Groups, n: int, seed: int
    ) -> None:
        """Take differences of shape (kinds of difference, questions); draw `n` resamples."""
        number: dict[str, int] = {}
        at = [number.setdefault(named.get(q, q), len(number)) for q in questions]
        rows = np.zeros((len(number), len(differences) + 1))
        np.add.at(rows, at, np.vstack([differences, np.ones(len(questions))]).T)
        kinds, often = np.unique(rows, axis=0, return_counts=True)
        draws = np.random.default_rng(seed).multinomial(len(rows), often / len(rows), size=n)
        self.groups, self.questions = len(rows), len(questions)
        self.rows, self.total = rows, rows.sum(axis=0)
        self.sums: Array = draws @ kinds

    def figure(self, name: str, at: int) -> Figure:
        """Return the mean of the kind of difference at index `at`, with its interval."""
        value = float(self.total[at] / self.questions)
        if self.groups == 1:
            return Figure(name, value, self.questions)
        around = percentile(self.sums[:, at] / self.sums[:, -1])
        return Figure(name, value, self.questions, around.low, around.high)


def compare(
    settings: Mapping[str, Outcomes],
    pairs: Sequence[tuple[str, str]],
    of: Of,
    groups: Groups | None = None,
    n: int = RESAMPLES,
) -> dict[tuple[str, str], Comparison]:
    """Compare the second setting of each pair with the first, corrected by Holm over all pairs.

    The test is McNemar's (exact, two-sided) on the questions that count under both or, where
    questions come in groups, the paired randomisation test over groups.
    """
    found = {
        (one, other): _compare_pair(
            scores(settings[one], of), scores(settings[other], of), groups or {}, n
        )
        for one, other in pairs
    }
    corrected = holm([each.p for each in found.values()])
    return {
        pair: replace(each, p_holm=p)
        for (pair, each), p in zip(found.items(), corrected, strict=True)
    }


def _compare_pair(
    first: Mapping[str, bool], second: Mapping[str, bool], groups: Groups, n: int
) -> Comparison:
    """Compare two settings' right answers by McNemar's test, in groups by randomisation."""
    common = [question for question in first if question in second]
    if not common:
        return Comparison(Figure("difference", None, 0), None, None, True, Tally(0, 0, 0), _MCNEMAR)
    gains = np.array([float(second[q]) - float(first[q]) for q in common])
    drawn, counts = _Drawn(gains[np.newaxis, :], common, groups, n, 0), tally(gains)
    difference = drawn.figure("difference", 0)
    if drawn.groups == len(common):
        p = mcnemar(counts.wins, counts.losses)
        return Comparison(difference, p, None, True, counts, _MCNEMAR)
    test = paired_tests([drawn.rows[:, 0]])[0]
    return Comparison(difference, test.p, None, test.exact, counts)


_MCNEMAR = "mcnemar"


def mcnemar(higher: int, lower: int) -> float:
    """Return the exact two-sided p of McNemar's test: 1 if no pair differs.

    `higher` and `lower` count the pairs that differ one way and the other.
    """
    differ = higher + lower
    return float(binomtest(higher, differ).pvalue) if differ else 1.0
