"""Tell statutes of one title apart, so that ids are unique within a tree.

A title may come back: a repealed predecessor stands beside the law in force. The statute
promulgated last keeps the plain slug as its id; the others get ``-<kind>-제N호`` behind it
(``-<kind>-no-N`` in English). Where kind and promulgation number do not differ, one file is a
copy of the other, and the user must choose.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from corpus.model import Statute
from corpus.place import slug
from errors import UserError, Where

TITLE = "제목"


def tell_apart(statutes: list[Statute], title_lines: dict[str, int]) -> list[Statute]:
    """Return the statutes with namesakes renamed, in the same order.

    `title_lines` gives the line of the title in each file, for the UserError that a copy raises.
    """
    groups: dict[str, list[Statute]] = {}
    for statute in statutes:
        groups.setdefault(statute.semantic_id, []).append(statute)
    names: dict[str, str] = {}  # file → semantic id
    for group in groups.values():
        _refuse_copies(group, title_lines)
        group.sort(key=lambda s: (s.promulgated or date.min, s.file))
        names |= {older.file: longer_id(older) for older in group[:-1]}
        names[group[-1].file] = group[-1].semantic_id
    holders: dict[str, str] = {}
    for statute in statutes:
        name = names[statute.file]
        if name in holders:
            raise _title_repeated(statute, holders[name], title_lines)
        holders[name] = statute.file
    return [renamed(statute, names[statute.file]) for statute in statutes]


def _refuse_copies(group: list[Statute], title_lines: dict[str, int]) -> None:
    """Raise UserError if kind and number do not tell statutes of one title apart."""
    seen: dict[tuple[str, str], str] = {}
    for statute in group:
        mark = (slug(statute.kind), statute.number)
        if mark in seen:
            raise _title_repeated(statute, seen[mark], title_lines)
        seen[mark] = statute.file


def _title_repeated(statute: Statute, other: str, title_lines: dict[str, int]) -> UserError:
    at = Where(statute.file, title_lines.get(statute.file), TITLE)
    return UserError("title_repeated", at, other=other)


def longer_id(statute: Statute) -> str:
    """Return the id of a statute whose plain id another of its title has."""
    name = f"{statute.semantic_id}-{slug(statute.kind)}"
    if not statute.number:
        return name
    number = f"제{statute.number}호" if statute.language == "ko" else f"no-{statute.number}"
    return f"{name}-{number}"


def renamed(statute: Statute, name: str) -> Statute:
    """Return the statute, and its units, under another semantic id."""
    if name == statute.semantic_id:
        return statute
    units = tuple(
        replace(u, statute_id=name, semantic_id=name + u.semantic_id[len(statute.semantic_id) :])
        for u in statute.units
    )
    return replace(statute, semantic_id=name, units=units)
