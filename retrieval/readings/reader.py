"""Choice of the reader of units: a language model, or the rules that replace it."""

from __future__ import annotations

from collections.abc import Mapping

from errors import UserError
from retrieval.core.method import Resources
from retrieval.core.model import Parameter, Spec
from retrieval.readings.model import UnitReader
from retrieval.readings.model_reader import ModelReader
from retrieval.readings.stand_in import StandIn

STAND_IN, MODEL = "stand_in", "model"
READER = Parameter("reader", "choice", STAND_IN, choices=(STAND_IN, MODEL))
"""The reader: ``stand_in`` asks no model."""


def reader_of(spec: Spec, resources: Resources, method_name: str) -> UnitReader:
    """Return the reader that ``spec["reader"]`` names; the stand-in if it names none.

    Raises UserError if a model is required and there is none.
    """
    if spec.get(READER.name, STAND_IN) != MODEL:
        return StandIn(resources.graph, resources.settings.get("graph", ""))
    if resources.ask is None:
        raise UserError("method_needs_model", method=method_name)
    return ModelReader(resources.ask)


def readers_in(spec: Spec) -> frozenset[str]:
    """Return the names of the readers used by the method of a complete `spec` and its parts.

    It reads stored specs, also of methods that no longer exist.
    """
    said = spec.get(READER.name)
    found = {said} if said in (STAND_IN, MODEL) else set()
    for value in spec.values():
        for part in value if isinstance(value, list | tuple) else [value]:
            if isinstance(part, Mapping):
                found |= readers_in(part)
    return frozenset(found)
