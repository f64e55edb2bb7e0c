"""A project's declaration on its law, read from YAML: parallel groups, successors of instruments.

A group is one duty in several provisions of one authority tier, each for a kind of institution: its
slot. RegOps-Bench (001, section 3.2, closure rule R2) has fourteen such topics with four slots
each: government-funded institutes, universities, non-profit and for-profit institutions. Its list
is not published; the groups of a corpus are for its users to declare. Errors in the text are
reported with their line::

    slots:
    - {key: university, label: {en: University, ko: 대학}}
    groups:
    - key: indirect_costs
      label: {en: Indirect costs, ko: 간접비}
      tier: notice
      members:
      - {slot: university, unit: 연구개발비-사용-기준_80조}
      - {unit: 연구개발비-사용-기준_93조}    # without a slot it stands for itself
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, count, permutations
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, model_validator

from corpus.citations.successors import FILE as SUCCESSORS
from corpus.citations.successors import Successors
from corpus.files.declarations import (
    Declared,
    Label,
    Text,
    choice_of,
    fault,
    key_form,
    label_text,
    quoted,
    read_declaration,
    unique,
)
from corpus.limits import FACTOR_BOOK
from corpus.model import Tier, split_id

TEXT_LIMIT = FACTOR_BOOK
MOST_MEMBERS = 50  # in a group: each is joined to all others
TIERS = {tier.name.lower(): tier for tier in Tier}
_UNIT_LIMIT = 1_000


def _unit(unit: str) -> str:
    """Return a unit's id. Raises the fault of what can be none."""
    if len(unit) > _UNIT_LIMIT or not all(split_id(unit)):
        raise fault("parallel_unit", unit=unit[:100])
    return unit


Key = Annotated[Text, key_form("parallel_key")]
Unit = Annotated[Text, AfterValidator(_unit)]
OneTier = Annotated[Tier, choice_of(TIERS, "parallel_tier", "tier")]


@dataclass(frozen=True, slots=True)
class Slot(Declared):
    """A kind of institution, with its label in each language."""

    key: Key
    label: Label = field(hash=False)


@dataclass(frozen=True, slots=True)
class Member(Declared):
    """A provision of a group by its semantic id; `slot` is "" for a slot of its own."""

    unit: Unit
    slot: Text = ""


@dataclass(frozen=True, slots=True)
class Group(Declared):
    """One duty in several slots at one tier; at least two members are in different slots."""

    key: Key
    label: Label
    tier: OneTier
    members: Annotated[tuple[Member, ...], unique("parallel_unit_twice", "unit")] = ()

    @model_validator(mode="after")
    def _check_members(self) -> Self:
        """Check that a group has members that form pairs, within the limit."""
        if len(self.members) > MOST_MEMBERS:
            raise fault("parallel_many", limit=MOST_MEMBERS, count=len(self.members))
        if not any(self.pairs()):
            raise fault("parallel_alone", group=self.key)
        return self

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield (unit, unit) for any two members in different slots, in both directions."""
        for one, other in permutations(self.members, 2):
            if not one.slot or one.slot != other.slot:
                yield one.unit, other.unit


@dataclass(frozen=True, slots=True)
class Declaration(Declared):
    """The slots and the groups of a project, in the order of its text.

    `successors` are its own, None where the text lists none: then the packaged ones apply.
    """

    slots: Annotated[tuple[Slot, ...], unique("parallel_key_twice", "key")] = ()
    groups: Annotated[tuple[Group, ...], unique("parallel_key_twice", "key")] = ()
    successors: Annotated[Successors | None, BeforeValidator(lambda rows: {"successors": rows})] = (
        None
    )

    @model_validator(mode="after")
    def _check_slots(self) -> Self:
        """Check that members name declared slots."""
        known = [slot.key for slot in self.slots]
        for n, group in enumerate(self.groups):
            for m, member in enumerate(group.members):
                if member.slot and member.slot not in known:
                    shown = {"slot": member.slot, "known": ", ".join(known) or "–"}
                    raise fault("parallel_slot", "groups", n, "members", m, "slot", **shown)
        return self


FILE = Path(__file__).parent / "starter.yaml"


def starter() -> str:
    """Return the packaged text: the packaged successors, the paper's slots, no group."""
    return SUCCESSORS.read_text(encoding="utf-8") + FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=8)
def parse(text: str, file: str | None = None) -> Declaration:
    """Parse the declaration; `file` is the text's name in messages.

    Raises UserError, with the line, for invalid YAML, an unknown, missing or empty field, a key
    that is repeated or not in small letters, a label that lacks a language, an unknown slot or
    tier, a unit twice in a group, and a group of fewer than two slots or more than MOST_MEMBERS
    members.
    """
    empty, listed = "parallel_empty", "parallel_list"
    return read_declaration(Declaration, text, file, limit=TEXT_LIMIT, empty=empty, listed=listed)


def write_group(group: Group) -> str:
    """Return one group as YAML lines under ``groups:``."""
    lines = [
        f"- key: {group.key}",
        f"  label: {label_text(group.label)}",
        f"  tier: {group.tier.name.lower()}",
        "  members:",
    ]
    for member in group.members:
        slot = f"slot: {member.slot}, " if member.slot else ""
        lines.append(f"  - {{{slot}unit: {quoted(member.unit)}}}")
    return "\n".join(lines) + "\n"


def with_groups(text: str, groups: Iterable[Group]) -> str:
    """Return the declaration with groups added at its end; all else stays as written.

    Raises UserError for an invalid declaration, and for a group that cannot be added to it.
    """
    parse(text)
    added = "".join(map(write_group, groups))
    head = re.sub(r"(?m)^groups:[ \t]*(?:\[[ \t]*\][ \t]*)?(?:#.*)?$", "groups:", text)
    if not re.search(r"(?m)^groups:", head):
        head = f"{head.rstrip()}\ngroups:\n"
    result = f"{head.rstrip()}\n{added}"
    parse(result)
    return result


def free_key(base: str, taken: Iterable[str]) -> str:
    """Return `base`, with a number appended if a group has that key."""
    known = set(taken)
    keys = chain([base], (f"{base}_{number}" for number in count(2)))
    return next(key for key in keys if key not in known)
