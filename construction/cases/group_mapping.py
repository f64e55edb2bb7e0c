"""Mapping of court cases to standard groups, with reasons.

1. Titles. The charges that the case lists are looked up one by one; where none of them is known,
   the title of the case is. White space, punctuation, numbering and a closing 죄, 罪 or 등 are
   ignored, and the court's finding (인정된 죄명) replaces the charge.
2. Provisions. Of the groups of a charge, those apply whose provisions the case applies; a provision
   covers its parts. A group with more specific provisions replaces one with fewer.
3. The rest. A case of a charge that fits none of its provisions belongs to the group without
   provisions, if the charge has one.

A case of several charges is in the groups of each. A title without a group is listed with the
reason. Coverage of a corpus by a typology is counted as in Table 4 of LEGAR BENCH.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from construction.cases.charges import (
    CaseTitle,
    Provision,
    fold_title,
    read_charge,
    read_provisions,
    read_titles,
)
from construction.cases.typology import JOIN, Charge, Typology, statute_names
from normalization.grouping import grouped

Rule = Literal["title", "provision", "remaining"]
Reason = Literal["no_title", "unknown_title", "no_provision"]
_LONGEST = 2_000  # characters of one charge, title or provision that are read
_REMEMBERED = 200_000  # texts whose reading is kept, so that memory stays bounded


@dataclass(frozen=True, slots=True)
class Why:
    """The reason for a case's group: the title as written in the case, and where.

    `rule` is what decided: the title alone, `provisions` (as the case writes them), or that no
    other group of the charge applied.
    """

    group: str
    title: str
    where: Literal["charges", "title"]
    rule: Rule
    provisions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Missed:
    """A title of a case without a group; `charge` is its ``<category>.<charge>`` if known."""

    title: str
    reason: Reason
    charge: str = ""


@dataclass(frozen=True, slots=True)
class Mapped:
    """A case's groups in the typology's order, with reasons, and its titles without a group."""

    groups: tuple[str, ...]
    why: tuple[Why, ...]
    missed: tuple[Missed, ...]

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories of the groups, each once."""
        return tuple(dict.fromkeys(key.partition(".")[0] for key in self.groups))


_Alternative = tuple[Provision, ...]
_Applied = tuple[tuple[Provision, str], ...]  # each with the text of the case that names it


@dataclass(frozen=True, slots=True)
class _Known:
    """A charge prepared for look-up: for each group its alternatives, each a set of provisions."""

    key: str
    groups: tuple[tuple[str, tuple[_Alternative, ...]], ...]


class Mapper:
    """Maps court cases to the groups of a typology."""

    def __init__(self, typology: Typology) -> None:
        self._names = statute_names(typology.statutes)
        self._charges: dict[str, _Known] = {}
        self._order = {group.key: at for at, (*_, group) in enumerate(typology.groups())}
        for category, charge in typology.charges():
            known = self._ready(f"{category.key}.{charge.key}", charge)
            self._charges |= dict.fromkeys((fold_title(title) for title in charge.titles), known)
        # Titles and provisions repeat from case to case.
        remembered = lru_cache(_REMEMBERED)
        self._listed = remembered(lambda text: tuple(read_charge(text[:_LONGEST], self._charges)))
        self._titles = remembered(lambda text: tuple(read_titles(text[:_LONGEST], self._charges)))
        self._provisions = remembered(lambda text: read_provisions(text[:_LONGEST], self._names))

    def map(self, title: str, charges: Iterable[str], provisions: Iterable[str]) -> Mapped:
        """Return the groups of a case, given its title, charges and provisions as written."""
        listed = [said for charge in charges for said in self._listed(charge)]
        where: Literal["charges", "title"] = "charges"
        if not any(said.known for said in listed) and title:
            in_title = self._titles(title)
            if not listed or any(said.known for said in in_title):
                listed, where = list(in_title), "title"
        if not listed:
            return Mapped((), (), (Missed("", "no_title"),))
        return self._placed(listed, where, provisions)

    def _placed(
        self,
        listed: Sequence[CaseTitle],
        where: Literal["charges", "title"],
        provisions: Iterable[str],
    ) -> Mapped:
        """Map the titles of a case to groups, noting those that fit none."""
        applied = self._applied(provisions)
        why: list[Why] = []
        missed: list[Missed] = []
        for said in dict.fromkeys(listed):
            known = self._charges.get(said.known)
            if known is None:
                missed.append(Missed(said.text, "unknown_title"))
            elif found := _fitting(known, applied, said.text, where):
                why += found
            else:
                missed.append(Missed(said.text, "no_provision", known.key))
        why.sort(key=lambda each: self._order[each.group])
        return Mapped(tuple(dict.fromkeys(each.group for each in why)), tuple(why), tuple(missed))

    def _applied(self, provisions: Iterable[str]) -> _Applied:
        """Return the provisions applied; a bare article belongs to the previous statute."""
        found: list[tuple[Provision, str]] = []
        statute = ""
        for text in provisions:
            for one in self._provisions(text):
                statute = one.statute or statute
                found.append((one if one.statute else replace(one, statute=statute), text))
        return tuple(found)

    def _ready(self, key: str, charge: Charge) -> _Known:
        """Return a charge with its provisions parsed."""
        groups = tuple(
            (group.key, tuple(self._alternative(provision) for provision in group.provisions))
            for group in charge.groups
        )
        return _Known(key, groups)

    def _alternative(self, text: str) -> _Alternative:
        """Parse the provisions that a group asks for together."""
        parts = (read_provisions(part, self._names) for part in text.split(JOIN))
        return tuple(one for part in parts for one in part)


def _fitting(
    known: _Known, applied: _Applied, title: str, where: Literal["charges", "title"]
) -> list[Why]:
    """Return the reasons for a case's groups under the charge; [] if none applies."""
    if len(known.groups) == 1 and not known.groups[0][1]:
        return [Why(known.groups[0][0], title, where, "title")]
    named = tuple(one for one, _ in applied)
    fits = [
        (key, alternative)
        for key, alternatives in known.groups
        for alternative in alternatives
        if _within(alternative, named)
    ]
    if not fits:
        return [Why(key, title, where, "remaining") for key, each in known.groups if not each]
    best: dict[str, Why] = {}
    for key, alternative in fits:
        if not any(_says_more(other, alternative) for _, other in fits):
            best.setdefault(key, Why(key, title, where, "provision", _texts(alternative, applied)))
    return list(best.values())


def _says_more(more: _Alternative, less: _Alternative) -> bool:
    """Return whether `more` is stricter: it asks for all that `less` does, not vice versa."""
    return _within(less, more) and not _within(more, less)


def _within(alternative: _Alternative, other: _Alternative) -> bool:
    """Return whether each provision of `alternative` covers one of `other`."""
    return all(any(one.covers(each) for each in other) for one in alternative)


def _texts(alternative: _Alternative, applied: _Applied) -> tuple[str, ...]:
    """Return the case's texts that name provisions of the alternative, each once."""
    found = (text for one, text in applied if any(wanted.covers(one) for wanted in alternative))
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """A category: number of groups, of groups with a case, and of cases, each counted once."""

    key: str
    groups: int
    filled: int
    cases: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of a corpus by a typology.

    `cases` are all cases, `mapped` those with at least one group, `multiple` those with several.
    `assigned` sums the categories, so that it counts a case once for each of its categories.
    `missed` counts the titles without a group, most frequent first, then by title, whether or not
    another title of the case has one.
    """

    rows: tuple[CategoryRow, ...]
    groups: int
    filled: int
    cases: int
    mapped: int
    multiple: int
    assigned: int
    by_group: dict[str, int]
    missed: tuple[tuple[Missed, int], ...]

    @property
    def share(self) -> float | None:
        """The mapped share of all cases; None without cases."""
        return self.mapped / self.cases if self.cases else None


def coverage(typology: Typology, cases: Iterable[Mapped]) -> Coverage:
    """Compute how much of `cases` the typology covers, one by one: a corpus may be large."""
    groups, categories = Counter[str](), Counter[str]()
    missed = Counter[Missed]()
    count = mapped = multiple = 0
    for each in cases:
        count, mapped = count + 1, mapped + bool(each.groups)
        multiple += len(each.groups) > 1
        groups.update(each.groups)
        categories.update(each.categories)
        missed.update(each.missed)
    keys = grouped((place.category.key, place.group.key) for place in typology.groups())
    rows = tuple(
        CategoryRow(category.key, len(own), sum(groups[key] > 0 for key in own), in_category)
        for category in typology.categories
        for own, in_category in [(keys.get(category.key, ()), categories[category.key])]
    )
    frequent = sorted(missed.items(), key=lambda each: (-each[1], each[0].title, each[0].charge))
    return Coverage(
        rows=rows,
        groups=sum(row.groups for row in rows),
        filled=sum(row.filled for row in rows),
        cases=count,
        mapped=mapped,
        multiple=multiple,
        assigned=sum(row.cases for row in rows),
        by_group={key: groups[key] for own in keys.values() for key in own},
        missed=tuple(frequent),
    )
