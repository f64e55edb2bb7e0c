"""What a parameter of a method is, in a line for who has to choose its value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from messages import catalogue, say
from retrieval.core.describe import describe
from retrieval.core.parameters import Parameter


def help_of(method: str, parameter: Parameter, language: str = "en") -> str:
    """Return what the parameter does in that method. Raises KeyError where nobody has said it."""
    own = f"parameter.{method}.{parameter.name}"
    known = own if own in catalogue() else f"parameter.any.{parameter.name}"
    return say(known, language)


def values_of(parameter: Parameter, language: str = "en") -> str:
    """Return what the parameter may be and what it is unless given: ``0 to 1; default 0.75``."""
    said = [parameter.bounds(language), _default(parameter, language)]
    return "; ".join(each for each in said if each)


def _default(parameter: Parameter, language: str) -> str:
    if parameter.default is None:
        return say("parameter.required", language)
    return say("parameter.default", language, value=_said(parameter.default, language))


def _said(value: Any, language: str) -> str:
    if isinstance(value, bool):
        return say("parameter.on" if value else "parameter.off", language)
    if isinstance(value, Mapping):
        return describe(value)
    if isinstance(value, list | tuple) and value:
        return ", ".join(_said(each, language) for each in value)
    if isinstance(value, int | float):
        return f"{value:,.10g}"
    return str(value) if value else say("parameter.nothing", language)
