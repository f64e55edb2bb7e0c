"""A codebook of factors read from its text, which is YAML."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import yaml

from construction.factors.model import Codebook, Factor, Option, SubFactor


@lru_cache(maxsize=8)
def parse(text: str) -> Codebook:
    """Return the codebook that the text says."""
    said = yaml.safe_load(text)
    factors = tuple(_factor(each) for each in said["factors"])
    known = [each.key for factor in factors for each in factor.sub_factors]
    return Codebook(factors, tuple(said.get("order", known)))


def _factor(said: Mapping[str, Any]) -> Factor:
    subs = tuple(_sub_factor(each) for each in said["sub_factors"])
    return Factor(said["key"], said["label"], said["help"], tuple(said["scope"]), subs)


def _sub_factor(said: Mapping[str, Any]) -> SubFactor:
    options = tuple(Option(each["key"], each["label"], each["help"]) for each in said["options"])
    return SubFactor(said["key"], said["label"], said["help"], options)
