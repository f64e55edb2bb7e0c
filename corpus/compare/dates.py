"""Which of two versions of the law is of the later date, statute by statute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

Dates = tuple[date | None, date | None]
"""When a statute was promulgated and when it comes into force, each None where not known."""


@dataclass(frozen=True, slots=True)
class DateOrder:
    """How many of the statutes in both versions are of a later, earlier or equal date in the newer.

    A statute is dated by its promulgation, else, or where that is equal, by the day it comes into
    force, in the future or not. Statutes without dates to compare count as `same`.
    """

    later: int
    earlier: int
    same: int

    @property
    def backwards(self) -> bool:
        """Whether the version said to be newer is the older one: more statutes are earlier."""
        return self.earlier > self.later


def date_order(old: Mapping[str, Dates], new: Mapping[str, Dates]) -> DateOrder:
    """Compare the dates of the statutes in both, by semantic id."""
    signs = [_sign(old[name], new[name]) for name in old.keys() & new.keys()]
    return DateOrder(signs.count(1), signs.count(-1), signs.count(0))


def _sign(old: Dates, new: Dates) -> int:
    for before, after in zip(old, new, strict=True):
        if before and after and before != after:
            return 1 if after > before else -1
    return 0
