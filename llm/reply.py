"""What became of one call, as it is kept, and which option a token says."""

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
    """What a call came to. Only an answer counts; the others are missing, never wrong or zero."""

    ANSWERED = "answered"
    REFUSED = "refused"  # the model or the server's filter declined
    INVALID = "invalid"  # answered, but not in the form that was asked for
    FAILED = "failed"  # no answer came


FINAL = frozenset({Status.ANSWERED, Status.REFUSED, Status.INVALID})
"""What stands: asking again would cost the same and say the same. A failure may be asked again."""


class Problem(StrEnum):
    """Why there is no answer, or none that can be used."""

    TIMEOUT = "timeout"
    CONNECTION = "connection"
    CUT_OFF = "cut_off"  # the answer broke off on its way
    RATE_LIMITED = "rate_limited"
    QUOTA = "quota"  # the account has nothing left
    SERVER = "server"
    UNREADABLE = "unreadable"  # the server's reply is not what the protocol says
    UNAUTHORISED = "unauthorised"
    NOT_FOUND = "not_found"  # no such model, or no such address
    BAD_REQUEST = "bad_request"
    TOO_LONG = "too_long"  # more than the model can read
    UNFINISHED = "unfinished"  # the model reached `max_tokens`
    DECLINED = "declined"
    FORM = "form"  # no JSON, or not of the schema
    UNLOADABLE = "unloadable"  # the files of a local model are not whole, or of another kind
    MEMORY = "memory"  # a local model needs more than there is
    NOT_FINITE = "not_finite"  # a local model computes what is no number


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
"""What may be over when the call is made again."""

HOPELESS = frozenset({Problem.QUOTA, Problem.UNAUTHORISED, Problem.NOT_FOUND, Problem.UNLOADABLE})
"""What every other call to the same model would meet as well."""

Alternatives = tuple[tuple[str, float], ...]
"""Tokens that could have stood at one place of the answer, with their log-probabilities. The
first is the one that stands there."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A call as it is kept. `key` is `llm.request.Request.key`.

    `text` is the answer, or what the server gave as its reason where the call failed.
    `tokens_in`, `tokens_out` and `cost` are None where the server or the settings do not tell;
    `seconds` is how long the last of the `attempts` took. `form` says how JSON was asked for.
    `logprobs` is None where the server gave none.
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
    """Return each vector as base64 of little-endian 32-bit floats."""
    return [
        base64.b64encode(struct.pack(f"<{len(each)}f", *each)).decode("ascii") for each in vectors
    ]


def unpacked(texts: list[str]) -> tuple[tuple[float, ...], ...]:
    """Return the vectors that `packed` wrote."""
    raw = (base64.b64decode(text) for text in texts)
    return tuple(struct.unpack(f"<{len(each) // 4}f", each) for each in raw)


def packed_logprobs(
    logprobs: tuple[Alternatives, ...] | None,
) -> list[list[list[str | float | None]]] | None:
    """Return log-probabilities as JSON values; that of the impossible, minus infinity, as null."""
    if logprobs is None:
        return None
    return [[[t, v if math.isfinite(v) else None] for t, v in place] for place in logprobs]


def unpacked_logprobs(values: list[Any] | None) -> tuple[Alternatives, ...] | None:
    """Return the log-probabilities that `packed_logprobs` wrote."""
    if values is None:
        return None
    return tuple(
        tuple((token, -math.inf if v is None else v) for token, v in place) for place in values
    )


_BEFORE = re.compile(r"^[\s\"'`(\[*]++")
_AFTER = re.compile(r"(?<![\s\"'`)\].:*])[\s\"'`)\].:*]++$")


def option_said(token: str, options: Sequence[str]) -> str | None:
    """Return the option that a token says, white space, quotes and brackets aside.

    Case counts only where options differ in nothing else.
    """
    said = _AFTER.sub("", _BEFORE.sub("", token))
    if said in options:
        return said
    alike = [option for option in options if option.casefold() == said.casefold()]
    return alike[0] if len(alike) == 1 else None
