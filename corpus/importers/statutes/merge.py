"""Merging of imported statutes with those in use, and unique ids for namesakes.

A title may recur: a repealed predecessor beside the law in force. The statute promulgated last
keeps the plain slug as its id; the others get ``-<kind>-제N호`` appended (``-<kind>-no-N`` in
English). If kind and promulgation number are equal, one file is a copy of the other, and the user
must choose.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from corpus.model import Statute, slug
from errors import UserError, Where
from normalization.grouping import grouped

TITLE = "제목"


def lengthen_ids(read: Iterable[tuple[Statute, int | None]]) -> list[Statute]:
    """Return the statutes, in order, with longer ids for all but the newest of each id.

    Each comes with the line of its title, None if it has none, for the UserError about a copy.
    """
    pairs = list(read)
    lines = {one.file: line for one, line in pairs}
    names: dict[str, str] = {}  # file → semantic id
    for group in grouped((one.semantic_id, one) for one, _ in pairs).values():
        _refuse_alike(group, lambda one: (slug(one.kind), one.number), lines)
        group.sort(key=lambda s: (s.promulgated or date.min, s.file))
        names |= {older.file: longer_id(older) for older in group[:-1]}
        names[group[-1].file] = group[-1].semantic_id
    found = [renamed(one, names[one.file]) for one, _ in pairs]
    _refuse_alike(found, lambda one: one.semantic_id, lines)
    return found


def _refuse_alike(
    statutes: Iterable[Statute], mark: Callable[[Statute], object], lines: Mapping[str, int | None]
) -> None:
    """Raise UserError for a statute with the mark of an earlier one."""
    seen: dict[object, str] = {}
    for one in statutes:
        other = seen.setdefault(mark(one), one.file)
        if other != one.file:
            raise UserError("title_repeated", Where(one.file, lines[one.file], TITLE), other=other)


def longer_id(statute: Statute) -> str:
    """Return the id of a statute whose plain id belongs to another of its title."""
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


@dataclass(frozen=True, slots=True)
class Meeting:
    """The overlap of imported statutes and those in use, counted by semantic id.

    `common` are in both, `new` only among the imported, `others` only in use.
    """

    common: int
    new: int
    others: int

    @property
    def in_use(self) -> int:
        """The number of statutes in use before."""
        return self.common + self.others

    def after(self, add: bool) -> int:
        """Return the number of statutes after adding, or after replacing those in use."""
        return self.common + self.new + (self.others if add else 0)


def meeting(in_use: Collection[str], imported: Collection[str]) -> Meeting:
    """Count the overlap of statutes, given the semantic ids of both."""
    common = len(set(in_use) & set(imported))
    return Meeting(common, len(set(imported)) - common, len(set(in_use)) - common)


def added(in_use: Sequence[Statute], imported: Sequence[Statute]) -> tuple[Statute, ...]:
    """Return the statutes in use merged with the imported ones, by semantic id.

    An imported one replaces the one with its id. Two statutes of one title that differ in kind are
    namesakes and both stay, under the ids that an import of both would give them.
    """
    law = {statute.semantic_id: statute for statute in in_use}
    for statute in with_ids_in_use(law, imported):
        there = law.get(statute.semantic_id)
        if there is not None and _namesakes(there, statute):
            older, statute = sorted((there, statute), key=lambda s: str(s.promulgated or ""))
            law[longer_id(older)] = renamed(older, longer_id(older))
        law[statute.semantic_id] = statute
    return tuple(law[name] for name in sorted(law))


def with_ids_in_use(in_use: Collection[str], imported: Iterable[Statute]) -> list[Statute]:
    """Return the imported statutes, each namesake under the longer id already in use for it."""
    return [renamed(s, longer_id(s)) if longer_id(s) in in_use else s for s in imported]


def _namesakes(one: Statute, other: Statute) -> bool:
    """Return whether two statutes of one id are of different kinds, both stated."""
    kinds = slug(one.kind), slug(other.kind)
    return all(kinds) and kinds[0] != kinds[1]
