"""What models are used for, where the model of each role is, and its key: held, never shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NoReturn

from llm.local.files import identity, is_local


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
    """The model of one role: on a server, or of files on this machine (`llm.local.files`).

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

    @property
    def local(self) -> bool:
        """Whether the model runs here."""
        return is_local(self.base_url)

    @property
    def server(self) -> str:
        """What calls are kept under: the address, and of a local model what its files hold.

        So other weights in the same folder are another model.
        """
        if not self.local:
            return self.base_url
        return f"{self.base_url}#{identity(self.base_url, self.model)}"


PREFIX = "TOUCHSTONE_MODELS_KEY"
HIDDEN = "[key]"
_SHORTEST = 6  # what is shorter ("none", "EMPTY") is what local servers take, and no secret


class Secret:
    """A key that neither ``repr``, ``str``, a format nor a pickle gives away."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the key itself, for the request that needs it and for nothing else."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({HIDDEN})"

    def __bool__(self) -> bool:
        return bool(self._value)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not written anywhere")

    def scrub(self, text: str) -> str:
        """Return the text without the key, which some servers repeat in their refusals."""
        return text.replace(self._value, HIDDEN) if len(self._value) >= _SHORTEST else text


def key_of(role: Role, source: Mapping[str, str]) -> Secret:
    """Return the key of a role from the environment or from Streamlit's secrets.

    ``TOUCHSTONE_MODELS_KEY_JUDGE`` is the judge's; ``TOUCHSTONE_MODELS_KEY`` is that of every role
    without its own. An empty key stands for a server that asks for none.
    """
    own = source.get(f"{PREFIX}_{role.upper()}", "").strip()
    return Secret(own or source.get(PREFIX, "").strip())
