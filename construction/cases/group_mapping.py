"""Which standard groups a court case belongs to, by rules that say why.

1. Titles. The charges that the case lists are looked up one by one; where none of them is known,
   the title of the case is. White space, punctuation, numbering and a closing 죄, 罪 or 등 do not
   count, and what the court found (인정된 죄명) stands for what was charged.
2. Provisions. Of the groups of a charge, those hold whose provisions the case applies; a provision
   covers what lies within it. A group whose provisions say more than another's takes its place.
3. What remains. A case of a charge that none of its provisions fits is of the group without
   provisions, where the charge has one.

A case of several charges is in the groups of each. A title that leads to no group is listed with
the reason. How much of a corpus a typology covers is counted as Table 4 of LEGAR BENCH does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from construction.cases.charges import (
    CaseTitle,
    Provision,
    fold_title,
    read_charge,
    read_provisions,
    read_titles,
)
from construction.cases.typology import JOIN, Charge, Typology, statute_names

Rule = Literal["title", "provision", "remaining"]
Reason = Literal["no_title", "unknown_title", "no_provision"]
_LONGEST = 2_000  # characters of one charge, title or provision that are read
_REMEMBERED = 200_000  # texts whose reading is kept, so that memory stays bounded


@dataclass(frozen=True, slots=True)
class Why:
    """What put a case into a group: the title as the case says it, and where it says it.

    `rule` says what decided: the title alone, `provisions` (as the case writes them), or that no
    other group of the charge took it.
    """

    group: str
    title: str
    where: Literal["charges", "title"]
    rule: Rule
    provisions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Missed:
    """A title of a case that led to no group; `charge` is its ``<category>.<charge>`` if known."""

    title: str
    reason: Reason
    charge: str = ""


@dataclass(frozen=True, slots=True)
class Mapped:
    """The groups of a case in the order of the typology, what put it there, and what did not."""

    groups: tuple[str, ...]
    why: tuple[Why, ...]
    missed: tuple[Missed, ...] = ()

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories of the groups, each once."""
        return tuple(dict.fromkeys(key.partition(".")[0] for key in self.groups))


_Alternative = tuple[Provision, ...]
_Applied = tuple[tuple[Provision, str], ...]  # each with the text of the case that names it


@dataclass(frozen=True, slots=True)
class _Known:
    """A charge ready to be looked up: for each group its alternatives, each a set of provisions."""

    key: str
    groups: tuple[tuple[str, tuple[_Alternative, ...]], ...]


class Mapper:
    """Maps court cases by one typology."""

    def __init__(self, typology: Typology) -> None:
        self._names = statute_names(typology.statutes)
        self._charges: dict[str, _Known] = {}
        self._order = {group.key: at for at, (*_, group) in enumerate(typology.groups())}
        for category, charge in typology.charges():
            known = self._ready(f"{category.key}.{charge.key}", charge)
            self._charges |= dict.fromkeys((fold_title(title) for title in charge.titles), known)
        self._listed = _Remembered[CaseTitle](lambda text: tuple(read_charge(text, self._charges)))
        self._titles = _Remembered[CaseTitle](lambda text: tuple(read_titles(text, self._charges)))
        self._provisions = _Remembered[Provision](lambda text: read_provisions(text, self._names))

    def map(self, title: str, charges: Iterable[str], provisions: Iterable[str]) -> Mapped:
        """Return the groups of a case from its title, its charges and its provisions as written."""
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
        """Return the provisions that the case names; a bare article is of the statute before it."""
        found: list[tuple[Provision, str]] = []
        statute = ""
        for text in provisions:
            for one in self._provisions(text):
                statute = one.statute or statute
                found.append((one if one.statute else replace(one, statute=statute), text))
        return tuple(found)

    def _ready(self, key: str, charge: Charge) -> _Known:
        groups = tuple(
            (group.key, tuple(self._alternative(provision) for provision in group.provisions))
            for group in charge.groups
        )
        return _Known(key, groups)

    def _alternative(self, text: str) -> _Alternative:
        parts = (read_provisions(part, self._names) for part in text.split(JOIN))
        return tuple(one for part in parts for one in part)


def _fitting(
    known: _Known, applied: _Applied, title: str, where: Literal["charges", "title"]
) -> list[Why]:
    """Return what puts a case of the charge into its groups; empty if nothing does."""
    if len(known.groups) == 1 and not known.groups[0][1]:
        return [Why(known.groups[0][0], title, where, "title")]
    fits = [
        (key, alternative)
        for key, alternatives in known.groups
        for alternative in alternatives
        if _applies(alternative, applied)
    ]
    if not fits:
        return [Why(key, title, where, "remaining") for key, each in known.groups if not each]
    best: dict[str, Why] = {}
    for key, alternative in fits:
        if len(fits) == 1 or not any(_says_more(other, alternative) for _, other in fits):
            best.setdefault(key, Why(key, title, where, "provision", _texts(alternative, applied)))
    return list(best.values())


def _applies(alternative: _Alternative, applied: _Applied) -> bool:
    """Return whether the case applies everything that the alternative asks for."""
    for wanted in alternative:
        for one, _ in applied:
            if wanted.covers(one):
                break
        else:
            return False
    return True


def _says_more(more: _Alternative, less: _Alternative) -> bool:
    """Return whether everything `less` asks for is asked for by `more`, and not the reverse."""
    return _within(less, more) and not _within(more, less)


def _within(asked: _Alternative, other: _Alternative) -> bool:
    return all(any(one.covers(each) for each in other) for one in asked)


def _texts(alternative: _Alternative, applied: _Applied) -> tuple[str, ...]:
    """Return the texts of the case that name what the alternative asks for, each once."""
    found = (text for one, text in applied if any(wanted.covers(one) for wanted in alternative))
    return tuple(dict.fromkeys(found))


Read = TypeVar("Read")


class _Remembered(Generic[Read]):
    """Reads a text once: titles and provisions repeat from case to case."""

    def __init__(self, read: Callable[[str], tuple[Read, ...]]) -> None:
        self._read = read
        self._known: dict[str, tuple[Read, ...]] = {}

    def __call__(self, text: str) -> tuple[Read, ...]:
        """Return what the text reads as."""
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[text] = self._read(text[:_LONGEST])
        return found


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """A category: its groups, how many of them have a case, and its cases, each counted once."""

    key: str
    groups: int
    filled: int
    cases: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a typology covers.

    `cases` are all cases, `mapped` those with a group at least, `multiple` those with several.
    `assigned` adds up the categories, so that it counts a case once for each category it is in.
    `missed` counts the titles that led to no group, most frequent first, then by title, whether or
    not another title of the case did.
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
        """The mapped share of all cases; None where there is no case."""
        return self.mapped / self.cases if self.cases else None


class Counting:
    """Counts cases one by one, so that a corpus need not be held in memory."""

    def __init__(self, typology: Typology) -> None:
        self._typology = typology
        self._groups: Counter[str] = Counter()
        self._categories: Counter[str] = Counter()
        self._missed: Counter[Missed] = Counter()
        self._cases = self._mapped = self._multiple = 0

    def add(self, mapped: Mapped) -> None:
        """Count one case."""
        self._cases += 1
        self._mapped += bool(mapped.groups)
        self._multiple += len(mapped.groups) > 1
        self._groups.update(mapped.groups)
        self._categories.update(mapped.categories)
        self._missed.update(mapped.missed)

    def result(self) -> Coverage:
        """Return what was counted."""
        rows = tuple(self._rows())
        found = self._missed.items()
        missed = sorted(found, key=lambda each: (-each[1], each[0].title, each[0].charge))
        return Coverage(
            rows=rows,
            groups=sum(row.groups for row in rows),
            filled=sum(row.filled for row in rows),
            cases=self._cases,
            mapped=self._mapped,
            multiple=self._multiple,
            assigned=sum(row.cases for row in rows),
            by_group={group.key: self._groups[group.key] for *_, group in self._typology.groups()},
            missed=tuple(missed),
        )

    def _rows(self) -> Iterable[CategoryRow]:
        for category in self._typology.categories:
            keys = [group.key for charge in category.charges for group in charge.groups]
            filled = sum(self._groups[key] > 0 for key in keys)
            yield CategoryRow(category.key, len(keys), filled, self._categories[category.key])


def coverage(typology: Typology, cases: Iterable[Mapped]) -> Coverage:
    """Return how much of `cases` the typology covers."""
    counting = Counting(typology)
    for case in cases:
        counting.add(case)
    return counting.result()
