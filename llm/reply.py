"""The stored result of one LLM call, and the option that a token denotes.

Removal of a model's reasoning from its reply, by the marks that models put around it.

One parser for every reply. A template may write the opening mark into the prompt, so that a reply
has the closing one alone; a reply that was truncated has the opening one alone.
"""

from __future__ import annotations

import base64
import math
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    """The outcome of a call. Only an answer counts; the others are missing, never wrong or zero."""

    ANSWERED = "answered"
    REFUSED = "refused"  # declined by the model or the server's filter
    INVALID = "invalid"  # answered, but not in the required form
    FAILED = "failed"  # no answer


FINAL = frozenset({Status.ANSWERED, Status.REFUSED, Status.INVALID})
"""Final outcomes: a repeated call would cost and return the same. Failures may be repeated."""


class Problem(StrEnum):
    """The reason for a missing or unusable answer."""

    TIMEOUT = "timeout"
    CONNECTION = "connection"
    CUT_OFF = "cut_off"  # the answer was interrupted in transit
    RATE_LIMITED = "rate_limited"
    QUOTA = "quota"  # the account's quota is used up
    SERVER = "server"
    UNREADABLE = "unreadable"  # the server's reply violates the protocol
    UNAUTHORISED = "unauthorised"
    NOT_FOUND = "not_found"  # unknown model or address
    BAD_REQUEST = "bad_request"
    TOO_LONG = "too_long"  # more than the model can read
    UNFINISHED = "unfinished"  # the model reached `max_tokens`
    DECLINED = "declined"
    FORM = "form"  # no JSON, or not of the schema
    UNLOADABLE = "unloadable"  # the files of a local model are incomplete, or of another kind
    MEMORY = "memory"  # not enough memory for a local model
    NOT_FINITE = "not_finite"  # a local model computes NaN


PASSING = frozenset(
    {
        Problem.TIMEOUT,
        Problem.CONNECTION,
        Problem.CUT_OFF,
        Problem.RATE_LIMITED,
        Problem.SERVER,
        Problem.UNREADABLE,
    }
)
"""Transient problems, which a retry may solve."""

HOPELESS = frozenset({Problem.QUOTA, Problem.UNAUTHORISED, Problem.NOT_FOUND, Problem.UNLOADABLE})
"""Problems that every call to the same model would have."""

Alternatives = tuple[tuple[str, float], ...]
"""Possible tokens at one place of the answer, with log-probabilities; the actual one first."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A stored call. `key` is `llm.request.Request.key`.

    `text` is the answer, or the server's reason where the call failed.
    `tokens_in`, `tokens_out` and `cost` are None if the server or the settings lack them;
    `seconds` is the duration of the last of the `attempts`. `form` is the form in which JSON was
    requested. `logprobs` is None where the server gave none.
    """

    key: str
    role: str
    prompt: str
    server: str
    model: str
    parameters: Mapping[str, Any]
    status: Status
    at: datetime
    problem: Problem | None = None
    text: str = ""
    finish_reason: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    seconds: float = 0.0
    attempts: int = 0
    form: str = ""
    logprobs: tuple[Alternatives, ...] | None = None
    vectors: tuple[tuple[float, ...], ...] = field(default=(), repr=False)


def packed(vectors: tuple[tuple[float, ...], ...]) -> list[str]:
    """Encode each vector as base64 of little-endian 32-bit floats."""
    return [
        base64.b64encode(struct.pack(f"<{len(each)}f", *each)).decode("ascii") for each in vectors
    ]


def unpacked(texts: list[str]) -> tuple[tuple[float, ...], ...]:
    """Decode the vectors of `packed`."""
    raw = (base64.b64decode(text) for text in texts)
    return tuple(struct.unpack(f"<{len(each) // 4}f", each) for each in raw)


def packed_logprobs(
    logprobs: tuple[Alternatives, ...] | None,
) -> list[list[list[str | float | None]]] | None:
    """Encode log-probabilities as JSON values; minus infinity as null."""
    if logprobs is None:
        return None
    return [[[t, v if math.isfinite(v) else None] for t, v in place] for place in logprobs]


def unpacked_logprobs(values: list[Any] | None) -> tuple[Alternatives, ...] | None:
    """Decode the log-probabilities of `packed_logprobs`."""
    if values is None:
        return None
    return tuple(
        tuple((token, -math.inf if v is None else v) for token, v in place) for place in values
    )


_BEFORE = re.compile(r"^[\s\"'`(\[*]++")
_AFTER = re.compile(r"(?<![\s\"'`)\].:*])[\s\"'`)\].:*]++$")


def option_said(token: str, options: Sequence[str]) -> str | None:
    """Return the option that a token means, without white space, quotes and brackets; else None.

    Case counts only where options differ in nothing else.
    """
    said = _AFTER.sub("", _BEFORE.sub("", token))
    if said in options:
        return said
    alike = [option for option in options if option.casefold() == said.casefold()]
    return alike[0] if len(alike) == 1 else None


def log_sum_exp(values: Sequence[float]) -> float:
    """Return the logarithm of the sum of exponentials, minus infinity for none."""
    most = max(values, default=-math.inf)
    if most == -math.inf:
        return most
    return most + math.log(sum(math.exp(value - most) for value in values))


_NAMES = r"(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis)"
_SPACE = r"[ \t]{0,3}"
_ANGLE = rf"(?:<|&lt;|◁|⟨){_SPACE}", rf"{_SPACE}(?:>|&gt;|▷|⟩)"
_OPENING = (
    rf"{_ANGLE[0]}{_NAMES}(?:[ \t][^<>\n]{{0,60}})?{_ANGLE[1]}",  # also with attributes
    r"\[THINK\]",
    r"<\|(?:begin_of_thought|START_THINKING|thinking|think)\|>",
    r"<unused94>",
    r"<\|channel\|>\s?(?:analysis|commentary)\b[^<>\n]{0,80}<\|message\|>",
    r"<\|channel>thought\b",
    r"\A(?-i:analysis(?=[A-Z\"'“]))",  # channel marks whose special tokens were removed in decoding
)
_CLOSING = (
    rf"{_ANGLE[0]}/{_SPACE}{_NAMES}{_ANGLE[1]}",
    r"\[/THINK\]",
    r"<\|(?:end_of_thought|END_THINKING|/thinking|/think|START_RESPONSE|begin_of_solution)\|>",
    r"<unused95>",
    r"<\|channel\|>\s?final\b[^<>\n]{0,80}<\|message\|>",
    r"<channel\|>",
    r"(?-i:assistantfinal)",
)
_MARK = re.compile(
    rf"(?P<opening>{'|'.join(_OPENING)})|(?P<closing>{'|'.join(_CLOSING)})", re.IGNORECASE
)
_CONTROL = re.compile(
    r"<\|(?:start\|>\s?assistant\b|im_start\|>\s?assistant\b|(?:end|return|call|im_start|im_end|eot_id"
    r"|eom_id|endoftext|end_of_text|end_of_solution|END_RESPONSE|END_OF_TURN_TOKEN|eos)\|>)"
    r"|<(?:end_of_turn|eos)>|</s>\s*\Z"
)


def without_thought(text: str) -> str:
    """Return a reply without reasoning, and without marks of its template.

    A closing mark without an opening one ends reasoning that began with the reply; an opening mark
    without a closing one begins reasoning that never ended.
    """
    return _CONTROL.sub("", "".join(text[start:end] for start, end in _answer_spans(text)))


def answer_start(text: str) -> int:
    """Return the offset of the answer after the last reasoning; the length if there is none."""
    return next((start for start, _ in reversed(_answer_spans(text))), len(text))


def _answer_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of a reply outside reasoning."""
    kept: list[tuple[int, int]] = []
    at, thinking = 0, False
    for mark in _MARK.finditer(text):
        if mark["closing"]:
            kept = kept if thinking else []
            at, thinking = mark.end(), False
        elif not thinking:
            kept += [(at, mark.start())] if mark.start() > at else []
            thinking = True
    return kept if thinking else [*kept, (at, len(text))]
