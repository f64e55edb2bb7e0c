"""The parameters of retrieval methods: what each may be, and its default.

A method is described by plain data, a spec: ``{"method": "bm25", "k1": 1.2}``. Whatever reads specs
(the command line, experiment files, the form on screen) learns here what they may say.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from errors import UserError
from messages import Localized, say

Spec = Mapping[str, Any]
Kind = Literal["int", "float", "bool", "choice", "text", "numbers", "texts", "method", "methods"]
TEXT_LENGTH = 500


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a method.

    `default` None means that it must be given. `low` and `high` bound numbers (each of several),
    `choices` says what a choice (or each of several texts, where not empty) may be. A ``method``
    is the spec of another method, ``methods`` a list of at least one.
    """

    name: str
    kind: Kind
    default: Any = None
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()

    def check(self, method: str, value: Any) -> Any:
        """Return `value` in its canonical form. Raises UserError for one that cannot be."""
        read = _READERS[self.kind](self, value)
        if read is None:
            raise UserError(
                "method_parameter",
                method=method,
                name=self.name,
                value=_shown(value),
                wanted=Localized(self.takes),
            )
        return read

    def takes(self, language: str = "en") -> str:
        """Say what it may be: ``a whole number, 1 to 100``."""
        bounds = self.bounds(language)
        if self.choices and self.kind != "texts":
            return bounds
        kind = say(f"parameter.kind_{self.kind}", language)
        return f"{kind}, {bounds}" if bounds else kind

    def bounds(self, language: str = "en") -> str:
        """Say its range or its choices: ``0 to 1``; "" where it has neither."""
        if self.choices:
            several = "any_of" if self.kind == "texts" else "one_of"
            return say(f"parameter.{several}", language, choices=", ".join(self.choices))
        if math.isfinite(self.low) and math.isfinite(self.high):
            low, high = (f"{each:,.10g}" for each in (self.low, self.high))
            return say("parameter.range", language, low=low, high=high)
        return ""


def _shown(value: Any) -> str:
    return repr(value)[:80]


def _number(parameter: Parameter, value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not abs(value) <= sys.float_info.max:  # NaN, infinite, or a whole number that no float holds
        return None
    return float(value) if parameter.low <= value <= parameter.high else None


def _whole(parameter: Parameter, value: Any) -> int | None:
    number = _number(parameter, value)
    return int(number) if number is not None and number == int(number) else None


def _text(parameter: Parameter, value: Any) -> str | None:
    if not isinstance(value, str) or len(value) > TEXT_LENGTH:
        return None
    return value if not parameter.choices or value in parameter.choices else None


def _truth(_: Parameter, value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _several(one: Any, value: Any) -> list[Any] | None:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return None
    read = [one(each) for each in value]
    return None if any(each is None for each in read) else read


def _method(_: Parameter, value: Any) -> dict[str, Any] | None:
    # Read further by `retrieval.core.registry`, which knows the methods.
    return (
        dict(value) if isinstance(value, Mapping) and isinstance(value.get("method"), str) else None
    )


_READERS: dict[Kind, Callable[[Parameter, Any], Any]] = {
    "int": _whole,
    "float": _number,
    "bool": _truth,
    "choice": _text,
    "text": _text,
    "numbers": lambda p, value: _several(lambda each: _number(p, each), value),
    "texts": lambda p, value: _several(lambda each: _text(p, each), value),
    "method": _method,
    "methods": lambda p, value: _several(lambda each: _method(p, each), value) or None,
}
