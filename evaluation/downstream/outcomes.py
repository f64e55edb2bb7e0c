"""Outcome per question and setting, and which of several passages counts.

Top-k by the most confident passage (Zheng et al. 2025, §5.4 and Table 30): the model answers with
each of the first k passages alone; the answer that it gives the highest probability is its answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite


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
    sure = {place: _known(each.confidence) for place, each in said.items()}
    known = {place: value for place, value in sure.items() if value is not None}
    if len(known) < len(sure):
        return Picked(0, Outcome.UNRANKED.value, None, *counts)
    best = min(known, key=lambda place: (-known[place], place))
    return Picked(best, ANSWERED, said[best].choice, *counts)


def _known(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None
