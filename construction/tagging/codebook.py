"""A codebook of factors: what lawyers are asked about a court case (002, section 2.3 and Table 17).

A factor holds sub-factors that belong together and apply to the same standard groups; a sub-factor
is one question with its options. `order` is the lawyers' order of all sub-factors, which decides
what counts first when court cases are grouped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

EVERYWHERE = "*"  # the scope of a factor that applies to every group
NOT_STATED = "not_stated"  # the judgment does not say: an answer to whatever is no claim
CLAIM_OPTIONS = ("not_mentioned", "claimed_not_accepted", "claimed_accepted")


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a sub-factor: its key, and per language what it is called and when it fits."""

    key: str
    label: Mapping[str, str]
    help: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SubFactor:
    """One question about a court case.

    `claim` says that it is about what the defendant pleads, with the three fixed options.
    `exclusive` allows one option, otherwise several may hold; `ordered` says that the options are a
    scale. `when` are the conditions, all of which must hold: another sub-factor and the options of
    it, one of which is answered. `source` tells a question of the paper from one written here,
    `options_source` the same of its options.
    """

    key: str
    label: Mapping[str, str]
    help: Mapping[str, str]
    options: tuple[Option, ...]
    claim: bool = False
    required: bool = True
    exclusive: bool = True
    ordered: bool = False
    when: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    source: str = "written"
    options_source: str = "written"

    @property
    def givable(self) -> tuple[str, ...]:
        """Every answer that it takes, in order; "not stated" is the last of what is no claim."""
        options = tuple(option.key for option in self.options)
        return options if self.claim else (*options, NOT_STATED)


@dataclass(frozen=True, slots=True)
class Factor:
    """Sub-factors that belong together; `scope` are keys of categories, charges or groups."""

    key: str
    label: Mapping[str, str]
    help: Mapping[str, str]
    scope: tuple[str, ...]
    sub_factors: tuple[SubFactor, ...]


@dataclass(frozen=True, slots=True)
class Codebook:
    """All factors, and the lawyers' order of all sub-factors."""

    factors: tuple[Factor, ...]
    order: tuple[str, ...]

    def __hash__(self) -> int:
        """Equal codebooks have an equal order; labels, as mappings, have no hash."""
        return hash(self.order)
