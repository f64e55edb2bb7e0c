"""Governing provisions of a cell, drawn from the citation graph.

A set starts with one provision and follows its edges: alone, with one that it cites, applies or
delegates to, down a chain of delegation, with several of its targets, or across the slots of a
parallel group. A set fits a cell if it meets the cell's demands and the rubric gives it the cell's
level; which of them are taken is drawn by the seed.

With a seed question (RegOps-Bench 2026, section 3.2) the sets are its gold, alone or with the
targets, sources and parallels of that.

Prompt values for writing questions, and detection of repeated drafts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations

from rapidfuzz.fuzz import ratio

from construction.augmentation.axes import Axes, Wanted, can_be, demands_of, meets
from construction.augmentation.rubric import (
    Governing,
    Groups,
    Marked,
    ReferenceSet,
    Rubric,
    difficulty,
    marked,
    reference_set,
)
from construction.mcq.filters import comparable
from construction.parallel.declaration import Declaration
from corpus.graph.model import Edge, EdgeType
from normalization.grouping import grouped, nested
from normalization.hashing import seeded_hash

LEADING = (EdgeType.DELEGATES_TO, EdgeType.APPLIES, EdgeType.REFERENCES)
"""The edges that a set follows; of several between two provisions the first type here counts."""

ANCHOR = "anchor"  # the role of the first provision of a set; others have their edge's type
GOLD, CITING = "seed", "citing"  # roles: a seed's further gold, and provisions that cite its gold
SHORTEST, LONGEST = 40, 6_000  # characters of a governing provision
MOST = 6  # provisions of a set
_CHAINS = 20  # chains of delegation followed from one provision

Units = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Provision(Governing):
    """A possible governing provision; `head` is its place in words."""

    language: str
    head: str

    @property
    def shown(self) -> str:
        """The provision's text under its heading line."""
        return f"{self.head}\n{self.text}"


@dataclass(frozen=True, slots=True)
class GoverningSet:
    """The provisions that govern a question, starting with its anchor, each with its role.

    `seed` is the id of the question whose gold it contains, "" if drawn from the graph alone.
    """

    units: Units
    roles: tuple[str, ...]
    seed: str = ""

    @property
    def identity(self) -> tuple[str, Units]:
        """The set's key, independent of order."""
        return self.seed, tuple(sorted(self.units))

    def gold(self) -> list[dict[str, str]]:
        """Return the stored gold: unit, pinpoint (empty) and role of each."""
        pairs = zip(self.units, self.roles, strict=True)
        return [{"unit": unit, "pinpoint": "", "role": role} for unit, role in pairs]


def group_slots(declaration: Declaration, only: Collection[str]) -> dict[str, dict[str, str]]:
    """Return the slot of each unit by group; of all groups, or those in `only`."""
    return {
        group.key: {member.unit: member.slot for member in group.members}
        for group in declaration.groups
        if not only or group.key in only
    }


@dataclass(frozen=True)
class Law:
    """The possible governing provisions of a law, and the edges between them.

    Those shorter than SHORTEST or longer than LONGEST characters are left out, except for the gold
    of seeds.
    """

    provisions: Mapping[str, Provision]
    leads: Mapping[str, Mapping[str, EdgeType]]
    groups: Groups
    rubric: Rubric
    marks: Mapping[str, Marked] = field(repr=False)

    @classmethod
    def of(
        cls,
        provisions: Iterable[Provision],
        edges: Iterable[Edge],
        groups: Groups,
        rubric: Rubric,
        gold: Collection[str] = (),
    ) -> Law:
        """Index provisions and edges; `gold` are ids that stay whatever their length."""
        known = {
            each.unit_id: each
            for each in sorted(provisions, key=lambda each: each.unit_id)
            if each.unit_id in gold or SHORTEST <= len(each.text.strip()) <= LONGEST
        }
        inside = {
            key: {unit: slot for unit, slot in members.items() if unit in known}
            for key, members in groups.items()
        }
        marks = {unit: marked(each, rubric) for unit, each in known.items()}
        return cls(known, _leads(known, edges), inside, rubric, marks)

    def sets(self) -> Iterator[GoverningSet]:
        """Yield every governing set once, whatever the order of its provisions.

        Of several possible first provisions, the one that delegates to the others is taken.
        """
        seen: set[Units] = set()
        for found in self._sets():
            units = tuple(sorted(found.units))
            if units not in seen:
                seen.add(units)
                yield found

    def seeded_sets(self, seeds: Mapping[str, Units]) -> Iterator[GoverningSet]:
        """Yield the sets of seed questions, each once: `seeds` are their gold by their ids.

        A seed is left out unless all of its gold can govern.
        """
        into = grouped((end, source) for source, ends in self.leads.items() for end in ends)
        for seed, gold in seeds.items():
            if not gold or not all(unit in self.provisions for unit in gold):
                continue
            seen: set[tuple[str, Units]] = set()
            roles = (ANCHOR, *[GOLD] * (len(gold) - 1))
            for more in self._additions(gold, into):
                units, kinds = zip(*more, strict=True) if more else ((), ())
                found = GoverningSet((*gold, *units), (*roles, *kinds), seed)
                if found.identity not in seen:
                    seen.add(found.identity)
                    yield found

    def _additions(
        self, gold: Units, into: Mapping[str, Sequence[str]]
    ) -> Iterator[list[tuple[str, str]]]:
        """Yield the additions to gold: none, one provision, two down a chain, several."""
        yield []
        leads = {end: str(kind) for unit in gold for end, kind in self.leads.get(unit, {}).items()}
        near = {end: CITING for unit in gold for end in into.get(unit, ())} | leads
        near |= {
            end: EdgeType.PARALLEL.value
            for members in self.groups.values()
            for end in members
            if any(unit in members and members[unit] != members[end] for unit in gold)
        }
        others = [(end, kind) for end, kind in near.items() if end not in gold]
        language = self.provisions[gold[0]].language
        others = [each for each in others if self.provisions[each[0]].language == language]
        yield from ([each] for each in others)
        down = EdgeType.DELEGATES_TO.value
        for end, kind in others:
            for third, further in self.leads.get(end, {}).items() if kind == down else ():
                if further is EdgeType.DELEGATES_TO and third not in gold:
                    yield [(end, down), (third, down)]
        yield from (others[:count] for count in range(2, min(len(others), MOST - len(gold)) + 1))

    def reference_set(self, governing_set: GoverningSet) -> ReferenceSet:
        """Return a set's features for the rubric, for a type without condition or facets."""
        marks = [self.marks[unit] for unit in governing_set.units]
        return reference_set(marks, self.rubric, groups=self.groups)

    def group_of(self, units: Sequence[str]) -> str:
        """Return the key of the parallel group with the most of the units, "" if none has any."""
        counts = {key: sum(unit in group for unit in units) for key, group in self.groups.items()}
        best = max(counts, key=lambda key: counts[key], default="")
        return best if best and counts[best] else ""

    def _sets(self) -> Iterator[GoverningSet]:
        """Yield all sets; of two with the same provisions, the one of the stronger edge first."""
        for unit in self.provisions:
            yield GoverningSet((unit,), (ANCHOR,))
        for kind in LEADING:
            for unit, others in self.leads.items():
                ends = (other for other, leads in others.items() if leads is kind)
                yield from (GoverningSet((unit, end), (ANCHOR, kind)) for end in ends)
        for unit in self.leads:
            yield from self._chains(unit)
        for unit in self.leads:
            yield from self._several(unit)
        for members in self.groups.values():
            yield from _parallels(members)

    def _chains(self, unit: str) -> Iterator[GoverningSet]:
        """Yield the chains of two delegations that begin at a unit, the first `_CHAINS` of them."""
        down = EdgeType.DELEGATES_TO
        made = 0
        for second, kind in self.leads.get(unit, {}).items():
            for third, further in self.leads.get(second, {}).items():
                chain = kind is down and further is down and third != unit
                if chain and made < _CHAINS:
                    made += 1
                    yield GoverningSet((unit, second, third), (ANCHOR, down, down))

    def _several(self, unit: str) -> Iterator[GoverningSet]:
        """Yield the provision with the first two, three … of its targets."""
        others = list(self.leads.get(unit, {}).items())
        for count in range(2, min(len(others), MOST - 1) + 1):
            ends, kinds = zip(*others[:count], strict=True)
            yield GoverningSet((unit, *ends), (ANCHOR, *kinds))


@dataclass(frozen=True, slots=True)
class Drawn:
    """The draw for a cell: the sets to ask about, and how many matching ones the graph has.

    `tried` of them had been asked about. `possible` is False for a cell that no law could fill.
    `lacking` is how many of the wanted sets do not exist.
    """

    wanted: Wanted
    sets: tuple[GoverningSet, ...]
    found: int
    tried: int
    lacking: int
    possible: bool


def draw(
    law: Law,
    axes: Axes,
    targets: Mapping[Wanted, int],
    seed: int,
    tried: Mapping[str, Collection[tuple[str, Units]]] | None = None,
    seeds: Mapping[str, Units] | None = None,
) -> list[Drawn]:
    """Draw the wanted number of sets for each cell, in order; with `seeds` from their gold.

    `tried` are sets of a cell (by its id) that are not to be drawn again, by their identity. Sets
    of different seeds, or with different first provisions, come first; a larger draw of one `seed`
    begins with the smaller one.
    """
    matches: dict[Wanted, list[GoverningSet]] = {each: [] for each in targets}
    tests = [_CellTest(each, axes) for each in targets if _possible(each, axes)]
    sorts = {test.sort for test in tests}
    for found in law.sets() if seeds is None else law.seeded_sets(seeds):
        seen = law.reference_set(found)
        levels = {sort: _level(seen, *sort, axes.rubric) for sort in sorts}
        domain = axes.domain_of(law.provisions[found.units[0]].statute_id)
        for test in tests:
            if levels[test.sort] == test.level and test.takes(found, seen, domain):
                matches[test.wanted].append(found)
    done = tried or {}
    return [
        _draw_sets(
            each, matches[each], count, seed, done.get(each.cell.id, ()), _possible(each, axes)
        )
        for each, count in targets.items()
    ]


def _draw_sets(
    target: Wanted,
    matches: Sequence[GoverningSet],
    count: int,
    seed: int,
    tried: Collection[tuple[str, Units]],
    possible: bool,
) -> Drawn:
    """Draw `count` untried sets by the seed, one of each anchor or seed question first."""
    known = set(tried)
    left = [each for each in matches if each.identity not in known]

    def place(each: GoverningSet) -> tuple[int, Units, str]:
        """Return the sort key of a set's random order."""
        about = (*each.units, each.seed) if each.seed else each.units
        return seeded_hash(seed, target.cell.id, *about), each.units, each.seed

    order = sorted(left, key=place)
    first: dict[str, GoverningSet] = {}
    for each in order:
        first.setdefault(each.seed or each.units[0], each)
    taken = set(first.values())
    sets = tuple([*first.values(), *(each for each in order if each not in taken)][:count])
    return Drawn(target, sets, len(matches), len(matches) - len(left), count - len(sets), possible)


class _CellTest:
    """The conditions of a cell on sets; `sort` are the type's features that affect the level."""

    def __init__(self, target: Wanted, axes: Axes) -> None:
        self.wanted, self.level = target, target.cell.difficulty
        kind = axes.type(target.cell.type)
        self.sort = kind.conditional, kind.facets
        self._demands = demands_of(kind, target)

    def takes(self, governing_set: GoverningSet, reference_set: ReferenceSet, domain: str) -> bool:
        """Return whether a set meets the cell's demands, and begins in its domain if it has one."""
        delegates = EdgeType.DELEGATES_TO in governing_set.roles
        in_domain = self.wanted.domain in ("", domain)
        return in_domain and meets(reference_set, self._demands, delegates)


def _level(reference_set: ReferenceSet, conditional: bool, facets: int, rubric: Rubric) -> str:
    """Return the level of a set for a question of this type."""
    if conditional or facets > 1:
        reference_set = replace(
            reference_set, conditional=conditional or reference_set.conditional, arity=facets
        )
    return difficulty(reference_set, rubric)


def _possible(target: Wanted, axes: Axes) -> bool:
    """Return True if a question of the type can have the level."""
    kind = axes.type(target.cell.type)
    return can_be(kind, target.cell.difficulty, axes.rubric, target.demands)


def _leads(known: Mapping[str, Provision], edges: Iterable[Edge]) -> dict[str, dict[str, EdgeType]]:
    """Return each provision's targets, by unit id, with the first type of LEADING between them.

    Only provisions of one language are joined.
    """
    kinds: dict[tuple[str, str], EdgeType] = {}
    for edge in edges:
        pair = edge.source, edge.target
        if edge.type not in LEADING or edge.source == edge.target:
            continue
        if not all(unit in known for unit in pair):
            continue
        if known[edge.source].language != known[edge.target].language:
            continue
        kinds[pair] = min(edge.type, kinds.get(pair, edge.type), key=LEADING.index)
    return nested((*pair, kind) for pair, kind in sorted(kinds.items()))


def _parallels(members: Mapping[str, str]) -> Iterator[GoverningSet]:
    """Yield all pairs of a group's provisions in different slots, then one of each slot."""
    first: dict[str, str] = {}
    for unit in sorted(members):
        first.setdefault(members[unit] or unit, unit)
    for one, other in combinations(sorted(members), 2):
        if (members[one] or one) != (members[other] or other):
            yield GoverningSet((one, other), (ANCHOR, EdgeType.PARALLEL))
    if 2 < len(first) <= MOST:
        units = tuple(first.values())
        yield GoverningSet(units, (ANCHOR, *[EdgeType.PARALLEL.value] * (len(units) - 1)))


WRITE = "augment_write"  # the id of the prompt
ALIKE = 0.9  # likeness of two questions, 0 to 1, from which one is a repeat
_STYLE = 2_000  # characters of the question that is shown for its style
_SEED = 6_000  # of a question to vary, with its answer
_NONE = {"en": "(none)", "ko": "(없음)"}


def writing_values(
    axes: Axes,
    axis_values: Mapping[str, object],
    provisions: Sequence[Provision],
    style: str = "",
    seed: str = "",
) -> dict[str, str]:
    """Return the values of the writing prompt: the cell in words, the provisions, a style example.

    `seed` is the question to vary, with its answer. `axis_values` are the values of the axes,
    {type, difficulty, facets, domain}. All are in the language of the provisions.
    """
    language = provisions[0].language
    domain = next((each for each in axes.domains if each.key == axis_values["domain"]), None)
    return {
        "type": axes.type(str(axis_values["type"])).about[language],
        "difficulty": axes.level(str(axis_values["difficulty"])).about[language],
        "facets": _facets(axes, axis_values["facets"], language),
        "domain": domain.label[language] if domain else _NONE[language],
        "style": style[:_STYLE] or _NONE[language],
        "seed": seed[:_SEED],
        "provisions": "\n\n".join(f"[{n}] {each.shown}" for n, each in enumerate(provisions, 1)),
    }


def repeats(
    drafts: Sequence[str], known: Iterable[tuple[str, str]], alike: float = ALIKE
) -> dict[int, str]:
    """Return the drafts that repeat known questions: index → name of the repeated one.

    `known` are names and texts. A draft is compared with those and with the earlier drafts that are
    no repeats; such a draft is named by its number, counted from 1. Case, punctuation and runs of
    spaces are ignored.
    """
    there = [(name, comparable(text)) for name, text in known]
    found: dict[int, str] = {}
    for place, draft in enumerate(drafts):
        text = comparable(draft)
        close = partial(ratio, text, score_cutoff=100 * alike)  # 0 below the cutoff
        like = next((name for name, other in there if close(other) > 0), None)
        if like is None:
            there.append((f"#{place + 1}", text))
        else:
            found[place] = like
    return found


def _facets(axes: Axes, facets: object, language: str) -> str:
    """Return the facets of a question in words, one a line."""
    if not isinstance(facets, Mapping) or not facets:
        return _NONE[language]
    lines = []
    for key, value in facets.items():
        facet = axes.facet(key)
        label = next(each.label for each in facet.values if each.key == value)
        lines.append(f"- {facet.label[language]}: {label[language]}")
    return "\n".join(lines)
