"""The likeliest option of a question, by the log-probabilities of a model's tokens.

The second way to read a choice, beside the text (`evaluation.replies.choices`): small models
are read by the argmax of the likelihood of the answer letters. Tokens of the same option are
added up: with a space or a line before it, in brackets, in lower case.

The place that is read: the beginning of the reply's answer (white space, quotes and brackets
aside; reasoning before it is skipped), if every option is listed there, as for a
local model; else the first place with an option; else the beginning again. An option
that is not among the alternatives of that place is *missing*: servers list only the likeliest
tokens, so each token of a missing option is less likely than every listed token. Nothing is
assumed of it, and it cannot be chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from llm.reply import Alternatives, answer_start, log_sum_exp, option_said

_EQUAL = 1e-9  # log-probabilities that differ by less are a tie


class LikelihoodState(StrEnum):
    """The result of reading; only `CHOSEN` and `CHOSEN_OF_SOME` have a label."""

    CHOSEN = "chosen"
    CHOSEN_OF_SOME = "chosen_of_some"  # the likeliest of those listed; others are missing
    TIE = "tie"  # the likeliest are equally likely
    NONE_TOLD = "none_told"  # log-probabilities exist, but none of an option
    NO_LOGPROBS = "no_logprobs"  # the server gave none, or none were requested


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The choice by a reply's log-probabilities.

    `label` is None unless one is chosen; `logprobs` hold the listed options, in order;
    `missing` the others. `place` is its position in the reply, from 0, None if nothing was read.
    """

    state: LikelihoodState
    label: str | None = None
    logprobs: Mapping[str, float] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    place: int | None = None


class Told(Protocol):
    """A reply with optional log-probabilities, such as `llm.reply.Reply`."""

    @property
    def logprobs(self) -> tuple[Alternatives, ...] | None:
        """The alternatives at each of the reply's first places; None if there are none."""


def choice_by_likelihood(reply: Told, labels: Sequence[str]) -> Likelihood:
    """Return the reply's likeliest label, or the state that says why there is none.

    Raises ValueError without labels and for duplicates.
    """
    if not labels or len(set(labels)) < len(labels):
        raise ValueError("labels are needed, each once")
    if not reply.logprobs:
        return Likelihood(LikelihoodState.NO_LOGPROBS, missing=tuple(labels))
    text = "".join(place[0][0] if place else "" for place in reply.logprobs)
    at, length, begins = 0, 0, answer_start(text)
    while at < len(reply.logprobs) and length < begins:
        length += len(reply.logprobs[at][0][0]) if reply.logprobs[at] else 0
        at += 1
    if at == len(reply.logprobs):  # reasoning that never ended
        return Likelihood(LikelihoodState.NONE_TOLD, missing=tuple(labels))
    at += _answer_place(reply.logprobs[at:], labels)
    return likeliest(_label_logprobs(reply.logprobs[at], labels), labels, at)


def likeliest(logprobs: Mapping[str, float], labels: Sequence[str], place: int = 0) -> Likelihood:
    """Return the choice by these log-probabilities of labels; absent labels are missing."""
    known = {label: logprobs[label] for label in labels if label in logprobs}
    missing = tuple(label for label in labels if label not in known)
    if not any(value > -math.inf for value in known.values()):
        return Likelihood(LikelihoodState.NONE_TOLD, None, known, missing, place)
    most = max(known.values())
    best = [label for label, value in known.items() if most - value <= _EQUAL]
    if len(best) > 1:
        return Likelihood(LikelihoodState.TIE, None, known, missing, place)
    state = LikelihoodState.CHOSEN_OF_SOME if missing else LikelihoodState.CHOSEN
    return Likelihood(state, best.pop(), known, missing, place)


def _answer_place(places: Sequence[Alternatives], labels: Sequence[str]) -> int:
    """Return the position at which the reply states its label."""
    begins = next((at for at, place in enumerate(places) if _has_content(place)), 0)
    if len(_label_logprobs(places[begins], labels)) == len(labels):
        return begins
    named = (at for at, place in enumerate(places) if place and option_said(place[0][0], labels))
    return next(named, begins)


def _has_content(place: Alternatives) -> bool:
    """Return True if a token is more than quotes and blanks."""
    return bool(place) and bool(place[0][0].strip(" \t\r\n\"'`([*"))


def _label_logprobs(place: Alternatives, labels: Sequence[str]) -> dict[str, float]:
    """Return the log-probability of each label listed at a place."""
    told: dict[str, list[float]] = {}
    for token, value in place:
        label = option_said(token, labels)
        if label is not None and not math.isnan(value):
            told.setdefault(label, []).append(min(0.0, value))
    return {label: min(0.0, log_sum_exp(values)) for label, values in told.items()}
