"""A typology of crimes: categories, their charge titles, and the provisions that refine these.

A leaf of it is a standard group (002, section 2.1.2, steps 1 to 3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Group:
    """A standard group: one charge, under one of these provisions.

    `key` is ``<category>.<charge>`` or ``<category>.<charge>.<group>``. Provisions joined by " + "
    must all be there. A group without provisions is the charge by its title alone: it takes the
    cases that no other group of the charge takes.
    """

    key: str
    label: Mapping[str, str]
    provisions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Charge:
    """A charge: every title that judgments give it, and its groups, at least one.

    `titles` holds its labels too. `source` says where it is from: ``paper`` (listed there) or
    ``written`` (for this product, or by its users).
    """

    key: str
    label: Mapping[str, str]
    titles: tuple[str, ...]
    groups: tuple[Group, ...]
    source: str = "written"


@dataclass(frozen=True, slots=True)
class Category:
    """A category of crimes and its charges."""

    key: str
    label: Mapping[str, str]
    charges: tuple[Charge, ...]


@dataclass(frozen=True, slots=True)
class Typology:
    """All categories, in the order in which they are shown.

    Each of `statutes` holds the names of one statute, in whichever language or length.
    """

    categories: tuple[Category, ...]
    statutes: tuple[tuple[str, ...], ...] = ()

    def charges(self) -> Iterator[tuple[Category, Charge]]:
        """Yield every charge with its category, in order."""
        for category in self.categories:
            for charge in category.charges:
                yield category, charge

    def groups(self) -> Iterator[tuple[Category, Charge, Group]]:
        """Yield every group with its category and charge, in order."""
        for category, charge in self.charges():
            for group in charge.groups:
                yield category, charge, group
