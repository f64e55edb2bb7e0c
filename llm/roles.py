"""The roles of models, their endpoints, and their keys, which are never shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NoReturn

from llm.local.files import identity, is_local


class Role(StrEnum):
    """The task of a model. Each role may have a server and a model of its own."""

    DRAFT_OCR = "draft_ocr"  # transcribe a page image into structured text
    GENERATE = "generate"  # write items for people to review
    SOLVE = "solve"  # answer questions
    JUDGE = "judge"  # judge whether an answer is right
    TAG_FACTORS = "tag_factors"  # suggest the factors of a court case
    EMBED = "embed"  # embed texts


@dataclass(frozen=True, slots=True)
class Pace:
    """Rate limits of a server. A limit per minute of None is none."""

    concurrency: int = 32
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    attempts: int = 6
    timeout_s: float = 120.0


@dataclass(frozen=True, slots=True)
class Price:
    """Price of a million tokens, in the currency of the budget. None: unknown."""

    tokens_in: float | None = None
    tokens_out: float | None = None

    def of(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return the cost of a call, None where the price is unknown."""
        if self.tokens_in is None or self.tokens_out is None:
            return None
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1_000_000


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The model of one role: on a server, or in files on this machine (`llm.local.files`).

    `parameters` go to the server unchanged (temperature, top_p, seed …). `max_tokens` bounds
    every answer, so that the maximum cost of a call is known beforehand; `image_tokens` is the
    maximum of one image.
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

    @property
    def local(self) -> bool:
        """Whether the model runs on this machine."""
        return is_local(self.base_url)

    @property
    def server(self) -> str:
        """The server's name in stored calls: the address, for a local model with its files' hash.

        So other weights in the same folder are another model.
        """
        if not self.local:
            return self.base_url
        return f"{self.base_url}#{identity(self.base_url, self.model)}"


PREFIX = "TOUCHSTONE_MODELS_KEY"
HIDDEN = "[key]"
_SHORTEST = 6  # shorter values ("none", "EMPTY") are placeholders for local servers, not secrets


class Secret:
    """A key that is never shown by ``repr``, ``str``, a format or a pickle."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the key itself, only for use in a request."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({HIDDEN})"

    def __bool__(self) -> bool:
        return bool(self._value)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not written anywhere")

    def scrub(self, text: str) -> str:
        """Return the text without the key, which some servers repeat in their error messages."""
        return text.replace(self._value, HIDDEN) if len(self._value) >= _SHORTEST else text


def key_of(role: Role, source: Mapping[str, str]) -> Secret:
    """Return a role's own key in `source`, else the key of all roles; an empty one without either.

    ``TOUCHSTONE_MODELS_KEY_JUDGE`` is the judge's; ``TOUCHSTONE_MODELS_KEY`` is that of every role
    without its own. An empty key is for a server without authentication.
    """
    own = source.get(f"{PREFIX}_{role.upper()}", "").strip()
    return Secret(own or source.get(PREFIX, "").strip())
