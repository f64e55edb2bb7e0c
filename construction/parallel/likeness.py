"""Parallel groups proposed by similarity: provisions of one tier with one heading and similar text.

A proposal is a starting point for a person, who confirms or refuses it; nothing follows from it by
itself. Two provisions are compared if they have the same heading, ignoring the names of slots
(대학, 비영리기관) and all but letters and digits, and are in different statutes or in different
chapters of one. Their likeness is the cosine of the counts of character trigrams in their texts
(character n-grams: Damashek 1995), 0 to 1. Within one heading those are grouped that are all at
least `at_least` alike (complete linkage), the most alike first; the score of a group is the lowest
likeness in it. Headings that every statute has (ROUTINE: 목적, 벌칙), or that more than `most`
provisions of a tier have, are routine: they are left out, and counted.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

from construction.parallel.declaration import Group, Member, Slot
from corpus.model import Tier

AT_LEAST, MOST = 0.6, 12  # the defaults
ROUTINE = frozenset(
    {
        *("목적", "정의", "벌칙", "과태료", "양벌규정", "시행일", "적용범위", "다른법률과의관계"),
        *("purpose", "definitions", "penalty", "penaltyprovisions", "administrativefine"),
        *("administrativefines", "jointpenaltyprovisions", "scopeofapplication"),
    }
)
"""Headings that nearly every statute has, in compared form."""
READ = 4_000  # letters of a text that are compared
_GRAM = 3
_TITLE = 300  # letters of a label
_OTHER = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Provision:
    """A possible member of a group. `path` are the chapters above it, outermost first."""

    unit: str
    statute: str
    tier: Tier
    heading: str
    text: str
    path: tuple[str, ...] = ()

    @property
    def place(self) -> tuple[str, ...]:
        """Its statute and outermost chapter: provisions of one place are no parallels."""
        return (self.statute, *self.path[:1])


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed group, `members` by their ids.

    `score` is the lowest likeness of two members, `highest` the highest. `heading` is their common
    heading, in compared form; `without` the names of slots ignored for that.
    """

    tier: Tier
    members: tuple[Member, ...]
    score: float
    highest: float
    heading: str
    headings: tuple[str, ...]
    without: tuple[str, ...]

    @property
    def units(self) -> tuple[str, ...]:
        """The ids of its members, in order: the key of the proposal."""
        return tuple(member.unit for member in self.members)

    def group(self, key: str) -> Group:
        """Return it as a group to declare, labelled by its title."""
        return Group(key, {"en": self.title, "ko": self.title}, self.tier, self.members)

    @property
    def title(self) -> str:
        """Its first heading without the names of slots: 대학의 간접비 계상 becomes 간접비 계상."""
        said = unicodedata.normalize("NFC", self.headings[0])
        for name in sorted(self.without, key=len, reverse=True):
            said = re.sub(
                rf"{re.escape(name)}(?:의|은|는)?(?=\s|$)", " ", said, flags=re.IGNORECASE
            )
        return " ".join(said.split())[:_TITLE] or self.heading[:_TITLE]


@dataclass(frozen=True, slots=True)
class Proposals:
    """The proposals, the most alike first, and the number of routine headings per tier."""

    found: tuple[Proposal, ...]
    compared: int
    too_common: int


def propose(
    provisions: Iterable[Provision],
    slots: Sequence[Slot] = (),
    at_least: float = AT_LEAST,
    most: int = MOST,
) -> Proposals:
    """Propose groups of provisions of one tier and heading by the likeness of their texts."""
    names = _names(slots)
    by_heading: dict[tuple[Tier, str], list[Provision]] = defaultdict(list)
    for each in provisions:
        folded = _folded(each.heading, names)
        if folded:
            by_heading[each.tier, folded].append(each)
    found: list[Proposal] = []
    compared = too_common = 0
    for (tier, heading), same in sorted(by_heading.items()):
        if heading in ROUTINE or len(same) > most:
            too_common += 1
        elif len({each.place for each in same}) > 1:
            compared += len(same)
            found += _proposals(tier, heading, same, slots, names, at_least)
    found.sort(key=lambda each: (-each.score, -len(each.members), each.units))
    return Proposals(tuple(found), compared, too_common)


def _proposals(
    tier: Tier,
    heading: str,
    same: Sequence[Provision],
    slots: Sequence[Slot],
    names: Mapping[str, str],
    at_least: float,
) -> Iterator[Proposal]:
    """Yield a proposal for each cluster of similar provisions of a tier and heading."""
    ordered = sorted(same, key=lambda each: each.unit)
    alike = _likeness(ordered, names)
    for cluster in _clusters(ordered, alike, at_least):
        scores = [alike[pair] for pair in combinations(cluster, 2)]
        chosen = [ordered[at] for at in cluster]
        members = [Member(each.unit, _slot(each, slots)) for each in chosen]
        if len({member.slot for member in members}) < len(members):
            members = [Member(member.unit) for member in members]
        without = {name for each in chosen for name in names if name in _plain(each.heading)}
        yield Proposal(
            tier=tier,
            members=tuple(members),
            score=round(min(scores), 4),
            highest=round(max(scores), 4),
            heading=heading,
            headings=tuple(dict.fromkeys(each.heading for each in chosen)),
            without=tuple(sorted(without)),
        )


def _likeness(same: Sequence[Provision], names: Mapping[str, str]) -> dict[tuple[int, int], float]:
    """Return the likeness of each pair of different places, by their indices."""
    grams = [_grams(_folded(each.text[:READ], names)) for each in same]
    lengths = [sqrt(sum(n * n for n in each.values())) for each in grams]
    found = {}
    for one, other in combinations(range(len(same)), 2):
        if same[one].place != same[other].place and lengths[one] and lengths[other]:
            less, more = sorted((grams[one], grams[other]), key=len)
            shared = sum(n * more[gram] for gram, n in less.items())
            found[one, other] = shared / (lengths[one] * lengths[other])
    return found


def _clusters(
    same: Sequence[Provision], alike: Mapping[tuple[int, int], float], at_least: float
) -> list[list[int]]:
    """Cluster the indices by complete linkage; single ones are left out."""
    of = {at: [at] for at in range(len(same))}
    for one, other in sorted(alike, key=lambda pair: (-alike[pair], pair)):
        left, right = of[one], of[other]
        crossing = [tuple(sorted((a, b))) for a in left for b in right]
        if left is not right and all(alike.get((a, b), -1.0) >= at_least for a, b in crossing):
            joined = sorted([*left, *right])
            of |= dict.fromkeys(joined, joined)
    return [cluster for at, cluster in of.items() if cluster[0] == at and len(cluster) > 1]


def _slot(each: Provision, slots: Sequence[Slot]) -> str:
    """Return the only slot that its heading names, else its chapters, else its statute; "" if none.

    Where the name of one slot is within that of another (영리기관, 비영리기관), the longer counts.
    """
    for said in (each.heading, " ".join(each.path), each.statute):
        plain, found = _plain(said), []
        for name, key in sorted(_names(slots).items(), key=lambda one: (-len(one[0]), one)):
            if name in plain:
                plain = plain.replace(name, " ")
                found.append(key)
        if len(set(found)) == 1:
            return found[0]
    return ""


def _names(slots: Iterable[Slot]) -> dict[str, str]:
    """Return the slot of each slot name, the longest names first."""
    named = {_plain(label): slot.key for slot in slots for label in slot.label.values()}
    return dict(sorted(named.items(), key=lambda one: (-len(one[0]), one)))


def _folded(text: str, names: Mapping[str, str]) -> str:
    """Return a text's letters and digits, folded, without the `names` of slots."""
    plain = _plain(text)
    for name in names:
        plain = plain.replace(name, "")
    return plain


def _plain(text: str) -> str:
    """Return the letters and digits of a text, in lower case and composed."""
    return _OTHER.sub("", unicodedata.normalize("NFC", text)).casefold()


def _grams(text: str) -> Counter[str]:
    """Count the character n-grams of a text."""
    return Counter(text[at : at + _GRAM] for at in range(max(1, len(text) - _GRAM + 1)) if text)
