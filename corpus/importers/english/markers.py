"""Nested markers of English law: (a)(1)(ii)(A), put into their levels.

(i) may be a letter or a numeral, and (1) may stand at two depths (CFR: (a)(1)(i)(A)(1)(i); U.S.
Code: (a)(1)(A)(i)(I)). A marker that continues an open count belongs to it, the innermost first;
a first marker of a count opens a level below; where a marker could be a letter and a numeral,
the marker that comes next tells which.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum

_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_ROMAN_SHAPE = re.compile(r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
MARKER = re.compile(r"\(([0-9]{1,3}|[a-z]{1,2}|[A-Z]{1,2}|[ivxlc]{1,8}|[IVXLC]{1,8})\)")


class Count(Enum):
    """A way of counting."""

    LOWER = "a"
    NUMBER = "1"
    ROMAN = "i"
    UPPER = "A"
    UPPER_ROMAN = "I"


@dataclass(frozen=True, slots=True)
class Step:
    """A marker read as the `value`-th of a count, from 1."""

    count: Count
    value: int


def readings(token: str) -> tuple[Step, ...]:
    """Return the ways in which what stands between the brackets can count; letters first."""
    if token.isdecimal():
        return (Step(Count.NUMBER, int(token)),)
    small = token.lower()
    upper = token.isupper()
    found: list[Step] = []
    if len(set(small)) == 1 and len(small) <= 2:  # a … z, aa … zz
        letter = ord(small[0]) - ord("a") + 1 + 26 * (len(small) - 1)
        found.append(Step(Count.UPPER if upper else Count.LOWER, letter))
    if _ROMAN_SHAPE.fullmatch(small):
        found.append(Step(Count.UPPER_ROMAN if upper else Count.ROMAN, _roman(small)))
    return tuple(found)


def _roman(text: str) -> int:
    values = [_ROMAN[char] for char in text]
    following = [*values[1:], 0]
    return sum(-v if v < after else v for v, after in zip(values, following, strict=True))


DEEPEST = 8
"""Most levels of markers; the Code of Federal Regulations has six, (a)(1)(i)(A)(1)(i)."""


class _Fit(IntEnum):
    CONTINUES = 0
    BEGINS = 1
    GAP = 2


@dataclass(frozen=True, slots=True)
class _Option:
    """A reading of a marker with the depth it would stand at."""

    fit: _Fit
    depth: int
    step: Step


class Ladder:
    """The open levels while the markers of a unit are read in order."""

    def __init__(self) -> None:
        self._open: list[Step] = []

    def place(self, token: str, coming: Sequence[str]) -> int | None:
        """Return the depth (from 0) at which a marker stands; None if it is no marker.

        `coming` holds the next markers of the unit. The levels below the depth are closed.
        """
        options = [self._option(step) for step in readings(token)]
        known = sorted((o for o in options if o is not None), key=lambda option: option.fit)
        if not known:
            return None
        sound = [option for option in known if option.fit is not _Fit.GAP] or known[:1]
        chosen = sound[0] if len(sound) == 1 else _told_apart(sound, coming)
        self._open[chosen.depth :] = [chosen.step]
        return chosen.depth

    def _option(self, step: Step) -> _Option | None:
        same = [d for d, level in enumerate(self._open) if level.count is step.count]
        for depth in reversed(same):
            if step.value == self._open[depth].value + 1:
                return _Option(_Fit.CONTINUES, depth, step)
        if step.value == 1 and len(self._open) < DEEPEST:
            return _Option(_Fit.BEGINS, len(self._open), step)
        for depth in reversed(same):
            if step.value > self._open[depth].value:
                return _Option(_Fit.GAP, depth, step)  # something between was repealed
        return None


def _told_apart(options: list[_Option], coming: Sequence[str]) -> _Option:
    """Return the option that the next markers go on from, else the first.

    (1) right below goes on from a letter, never from a numeral.
    """
    if coming and coming[0] == "1":
        return next((o for o in options if o.step.count is Count.LOWER), options[0])
    for token in coming:
        later = readings(token)
        for option in options:
            if Step(option.step.count, option.step.value + 1) in later:
                return option
    return options[0]
