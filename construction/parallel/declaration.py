"""What a project declares of its law, read from YAML: parallel groups, successors of instruments.

A group is one duty as several provisions of one authority tier lay it down, each for a kind of
institution: its slot. RegOps-Bench (001, section 3.2, closure rule R2) has fourteen such topics
with four slots each: government-funded institutes, universities, non-profit and for-profit
institutions. Its list is not published; which provisions of a corpus make groups is for its users
to say. What is wrong in the text is refused with the line it stands on::

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

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from pathlib import Path

from corpus.citations.successors import FILE as SUCCESSORS
from corpus.citations.successors import Successors, read_successors
from corpus.files.yaml_fields import Fields, read_value
from corpus.limits import FACTOR_BOOK
from corpus.model import Tier, split_id
from errors import UserError, Where
from messages import LANGUAGES

TEXT_LIMIT = FACTOR_BOOK
MOST_MEMBERS = 50  # of a group: each is joined to all others
TIERS = {tier.name.lower(): tier for tier in Tier}
_LABEL_LIMIT, _UNIT_LIMIT, _DEEPEST = 300, 1_000, 12
_KEY = re.compile(r"[a-z][a-z0-9_]{0,63}")


@dataclass(frozen=True, slots=True)
class Slot:
    """A kind of institution, called so in each language."""

    key: str
    label: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Member:
    """A provision of a group by its semantic id; `slot` is "" where it stands for itself."""

    unit: str
    slot: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """One duty in several slots at one tier; at least two members stand in different slots."""

    key: str
    label: Mapping[str, str]
    tier: Tier
    members: tuple[Member, ...]

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield (unit, unit) for any two members in different slots, both ways round."""
        for one, other in permutations(self.members, 2):
            if not one.slot or one.slot != other.slot:
                yield one.unit, other.unit


@dataclass(frozen=True, slots=True)
class Declaration:
    """The slots and the groups of a project, in the order of its text.

    `successors` are its own, None where the text lists none: then the product's hold.
    """

    slots: tuple[Slot, ...] = ()
    groups: tuple[Group, ...] = ()
    successors: Successors | None = None


FILE = Path(__file__).parent / "starter.yaml"


def starter() -> str:
    """Return the text to start from: the product's successors, the paper's slots, no group."""
    return SUCCESSORS.read_text(encoding="utf-8") + FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=8)
def parse(text: str, file: str | None = None) -> Declaration:
    """Return the declaration that the text says; `file` stands for it in messages.

    Raises UserError, with the line, for what is no YAML, an unknown, missing or empty field, a key
    that is repeated or not in small letters, a label that lacks a language, an unknown slot or
    tier, a unit that stands twice in a group, and a group of fewer than two slots or more than
    MOST_MEMBERS members.
    """
    if len(text) > TEXT_LIMIT:
        where = Where(file, field="text")
        raise UserError("text_too_long", where, limit=TEXT_LIMIT, length=len(text))
    value = read_value(text, file, deepest=_DEEPEST)
    if not isinstance(value.content, dict):
        raise UserError("parallel_empty", Where(file, value.line))
    fields = Fields(file, value.line, value.content)
    fields.only(("successors", "slots", "groups"))
    slots = _slots(fields)
    successors = read_successors(fields) if "successors" in fields.values else None
    return Declaration(slots, _groups(fields, [slot.key for slot in slots]), successors)


def write_group(group: Group) -> str:
    """Return the lines of one group as they stand under ``groups:``."""
    lines = [
        f"- key: {group.key}",
        f"  label: {_label_text(group.label)}",
        f"  tier: {group.tier.name.lower()}",
        "  members:",
    ]
    for member in group.members:
        slot = f"slot: {member.slot}, " if member.slot else ""
        lines.append(f"  - {{{slot}unit: {_quoted(member.unit)}}}")
    return "\n".join(lines) + "\n"


def with_groups(text: str, groups: Iterable[Group]) -> str:
    """Return the declaration with groups added at its end; all else stays as it was written.

    Raises UserError for a text that is no declaration, and for a group that cannot be added to it.
    """
    parse(text)
    added = "".join(map(write_group, groups))
    head = re.sub(r"(?m)^groups:[ \t]*(?:\[[ \t]*\][ \t]*)?(?:#.*)?$", "groups:", text)
    if not re.search(r"(?m)^groups:", head):
        head = f"{head.rstrip()}\ngroups:\n"
    result = f"{head.rstrip()}\n{added}"
    parse(result)
    return result


def free_key(wanted: str, taken: Iterable[str]) -> str:
    """Return `wanted`, with a number behind it where a group has that key already."""
    known, number = set(taken), 1
    key = wanted
    while key in known:
        number += 1
        key = f"{wanted}_{number}"
    return key


def _slots(fields: Fields) -> tuple[Slot, ...]:
    seen: dict[str, int] = {}
    found = []
    for row in fields.rows("slots", "parallel_list"):
        row.only(("key", "label"))
        found.append(Slot(read_key(row, seen), read_label(row)))
    return tuple(found)


def _groups(fields: Fields, slots: list[str]) -> tuple[Group, ...]:
    seen: dict[str, int] = {}
    found = []
    for row in fields.rows("groups", "parallel_list"):
        row.only(("key", "label", "tier", "members"))
        group = Group(read_key(row, seen), read_label(row), _tier(row), _members(row, slots))
        if not any(group.pairs()):
            raise UserError("parallel_alone", Where(row.file, row.line), group=group.key)
        found.append(group)
    return tuple(found)


def _members(row: Fields, slots: list[str]) -> tuple[Member, ...]:
    seen: dict[str, int] = {}
    found = []
    for each in row.rows("members", "parallel_list"):
        each.only(("slot", "unit"))
        unit, slot = each.text("unit"), each.optional_text("slot")
        once(unit, seen, each.where("unit"), "parallel_unit_twice")
        if len(unit) > _UNIT_LIMIT or not all(split_id(unit)):
            raise UserError("parallel_unit", each.where("unit"), unit=unit[:100])
        if slot and slot not in slots:
            known = ", ".join(slots) or "–"
            raise UserError("parallel_slot", each.where("slot"), slot=slot, known=known)
        found.append(Member(unit, slot))
    if len(found) > MOST_MEMBERS:
        where = Where(row.file, row.line)
        raise UserError("parallel_many", where, limit=MOST_MEMBERS, count=len(found))
    return tuple(found)


def _tier(row: Fields) -> Tier:
    said = row.text("tier")
    if said not in TIERS:
        raise UserError("parallel_tier", row.where("tier"), tier=said, known=", ".join(TIERS))
    return TIERS[said]


def read_key(row: Fields, seen: dict[str, int]) -> str:
    """Return the key of an entry; `seen` has those before it with their lines. Raises UserError."""
    key = row.text("key")
    if not _KEY.fullmatch(key):
        raise UserError("parallel_key", row.where("key"), key=key)
    once(key, seen, row.where("key"), "parallel_key_twice")
    return key


def once(what: str, seen: dict[str, int], where: Where, code: str) -> None:
    """Raise UserError where `what` was there before, with the line where it stood first."""
    if what in seen:
        raise UserError(code, where, shown=what, first=seen[what])
    seen[what] = where.line or 0


def read_label(row: Fields, field: str = "label", limit: int = _LABEL_LIMIT) -> Mapping[str, str]:
    """Return what an entry is called in each language.

    Raises UserError where one is missing, or longer than `limit` characters.
    """
    said = row.inside(field)
    said.only(LANGUAGES)
    found = {}
    for language in LANGUAGES:
        label = said.text(language)
        if len(label) > limit:
            where = said.where(language)
            raise UserError("text_too_long", where, limit=limit, length=len(label))
        found[language] = label
    return found


def _label_text(label: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{name}: {_quoted(text)}" for name, text in label.items()) + "}"


def _quoted(text: str) -> str:
    """Return the text in double quotes, what YAML does not print escaped."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in quoted)
