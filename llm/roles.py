"""What models are used for, and where the model of each role is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Role(StrEnum):
    """What a model is asked to do. Each role may have a server and a model of its own."""

    DRAFT_OCR = "draft_ocr"  # read an image of a page into structured text
    GENERATE = "generate"  # write items for people to check
    SOLVE = "solve"  # answer them
    JUDGE = "judge"  # say whether an answer is right
    TAG_FACTORS = "tag_factors"  # suggest what a court case says of each factor
    EMBED = "embed"  # turn texts into vectors


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a server is asked. A limit per minute of None is none."""

    concurrency: int = 32
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    attempts: int = 6
    timeout_s: float = 120.0


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in whatever currency the budget is in. None: not known."""

    tokens_in: float | None = None
    tokens_out: float | None = None

    def of(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return what a call costs, None where the price is not known."""
        if self.tokens_in is None or self.tokens_out is None:
            return None
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1_000_000


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The model of one role.

    `parameters` go to the server as they are (temperature, top_p, seed …). `max_tokens` bounds
    every answer, so that what a call can cost is known before it is made; `image_tokens` is what
    one image counts for at most.
    """

    role: Role
    base_url: str
    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    max_tokens: int = 1024
    image_tokens: int = 4096
    stream: bool = False
    price: Price = Price()
    pace: Pace = Pace()
