"""A typology of crimes: categories, their charge titles, and the provisions that refine these.

A leaf of it is a standard group (002, section 2.1.2, steps 1 to 3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Group:
    """A standard group: one charge, under one of these provisions.

    `key` is ``<category>.<charge>`` or ``<category>.<charge>.<group>``; without provisions the
    group is the charge by its title alone.
    """

    key: str
    label: Mapping[str, str]
    provisions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Charge:
    """A charge: every title that judgments give it, and its groups, at least one."""

    key: str
    label: Mapping[str, str]
    titles: tuple[str, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Category:
    """A category of crimes and its charges."""

    key: str
    label: Mapping[str, str]
    charges: tuple[Charge, ...]


@dataclass(frozen=True, slots=True)
class Typology:
    """All categories, in the order in which they are shown."""

    categories: tuple[Category, ...]
