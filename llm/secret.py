"""Keys of model servers: held, sent, and never shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from llm.roles import Role

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
