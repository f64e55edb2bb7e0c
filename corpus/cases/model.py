"""A judgment and its sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Section(StrEnum):
    """What a part of a judgment is about (002, section 2.2.1)."""

    HEAD = "head"  # court, parties, charges, and the order where it comes first
    FACTS = "facts"
    CLAIMS = "claims"  # what the defendant pleads
    REASONING = "reasoning"  # why the court decides so, and under which provisions
    SENTENCING = "sentencing"  # what weighs for and against the defendant
    CONCLUSION = "conclusion"
    REST = "rest"  # what no pattern names


@dataclass(frozen=True, slots=True)
class JudgmentPart:
    """A stretch of a judgment's text, [start, end) in code points, and what it is about."""

    section: Section
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Judgment:
    """A judgment: what a file says of it, and its text.

    `date` is ISO 8601, or empty where nobody says. `charges` and `provisions` are as written. The
    parts lie in order in the text and do not overlap. `source` says where in the file it stood.
    """

    external_id: str
    court: str
    date: str
    title: str
    charges: tuple[str, ...]
    provisions: tuple[str, ...]
    language: str
    text: str
    parts: tuple[JudgmentPart, ...]
    source: Mapping[str, Any] = field(default_factory=dict)
