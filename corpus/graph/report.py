"""Statistics of a citation graph: the tables usual in papers on legal corpora.

Degrees, components, orphans and communities are those of the simple graph of the traversed edges:
several edges between two nodes count once, PART_OF and DEFINES not at all. Paragraphs are nodes
with PART_OF edges only: they cite and are cited as their unit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from corpus.citations.model import Reason, Status
from corpus.graph.communities import Communities, communities
from corpus.graph.model import Edge, EdgeType, Form, Origin
from corpus.model import Level, Tier
from normalization.grouping import grouped

HUBS = 10
STATUTES = 50
STATUTE, PARAGRAPH = "statute", "paragraph"  # the kinds of nodes that are no units
FARTHEST = 4  # the hop count that includes all larger ones
_Pairs = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class UnitFacts:
    """The data of a unit for the report. `characters` and `tokens` are 0 without text.

    `deleted` is whether the law has repealed it and only its number remains. `paragraphs` counts
    the parts directly below it, `sub_items` all its paragraphs and items (항, 호), `provisions` its
    paragraphs alone (항), 1 without any.
    """

    unit_id: str
    statute_id: str
    level: Level
    tier: Tier
    characters: int
    tokens: int
    deleted: bool = False
    paragraphs: int = 0
    sub_items: int = 0
    provisions: int = 1


@dataclass(frozen=True, slots=True)
class ReferenceFacts:
    """The number of references of one form, status and reason."""

    form: Form
    status: Status
    count: int
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """The distribution of a length over `n` units; percentiles interpolate linearly."""

    n: int
    mean: float
    p50: float
    p75: float
    p95: float
    largest: int


@dataclass(frozen=True, slots=True)
class Components:
    """Weakly connected components; `statutes` is the number of statutes in the largest one.

    `single` counts those of one node, `bridging` those with units of several statutes.
    """

    count: int
    largest: int
    statutes: int
    single: int
    bridging: int


@dataclass(frozen=True, slots=True)
class Hub:
    """A unit with its number of neighbours in one direction."""

    unit_id: str
    degree: int


@dataclass(frozen=True, slots=True)
class FormCount:
    """The number of references of one form by outcome."""

    form: str
    resolved: int
    ambiguous: int
    unresolved: int


@dataclass(frozen=True, slots=True)
class GoldPlace:
    """How the gold of one question lies in the graph; see :class:`GoldTopology`."""

    provisions: int
    documents: int
    hops: int
    is_chain: bool


@dataclass(frozen=True, slots=True)
class GoldTopology:
    """The topology of questions' gold in the graph; only questions with gold units count.

    Two gold provisions are joined if a traversed edge leads from one to the other. `hops` is the
    number of provisions on the longest shortest path among the joined ones, 1 without any.
    `several` counts the questions of more than one provision, `chains` those of them whose
    provisions are all connected, directly or not. `cited` are the provisions that are gold most
    often, with the number of questions. `places` has each question, `units` counts the provisions
    that are gold of any, `outside` the pairs of a question and a unit that the graph lacks,
    `levels` the others by the unit's level.
    """

    questions: int
    provisions: Spread | None
    documents: Spread | None
    hops: Spread | None
    by_hops: dict[str, int]
    several: int
    chains: int
    cited: tuple[Hub, ...]
    places: Mapping[str, GoldPlace] = field(default_factory=dict)
    units: int = 0
    outside: int = 0
    levels: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StatuteFacts:
    """The number of articles of a statute, repealed ones too, and of their paragraphs.

    An article without paragraphs is one itself.
    """

    statute_id: str
    tier: int
    articles: int
    paragraphs: int


@dataclass(frozen=True, slots=True)
class GraphReport:
    """The whole report. Counts by name are in the order of the enumerations.

    `edges` counts by type and origin. `degrees` counts the units by the number of units that cite
    them, and that they cite; `between` the pairs of a citing and a cited unit by tiers. `cited` and
    `citing` are the hubs by in- and out-degree. `orphans` counts units with PART_OF edges only, by
    level, and `orphans_deleted` the repealed ones among them. `reasons` counts the unresolved
    references by reason. `cites` are the units that each unit cites. `tokeniser` names the
    tokenizer of the token counts. `gold` is set for readers with access to it, of the gold set
    `gold_set`; `parts` has the questions of each stratum where it is `split` by a column,
    `conditional` those whose gold or type has an exception. `largest` are the statutes
    with most articles.
    """

    statutes: int
    units: int
    nodes: dict[str, int]
    tiers: dict[int, int]
    edges: dict[str, dict[str, int]]
    degrees: dict[str, tuple[int, int]]
    between: dict[tuple[int, int], int]
    characters: Spread | None
    tokens: Spread | None
    sub_items: Spread | None
    cites: Spread | None
    with_part_of: Components
    without_part_of: Components
    orphans: dict[str, int]
    orphans_deleted: int
    cited: tuple[Hub, ...]
    citing: tuple[Hub, ...]
    communities: Communities
    references: tuple[FormCount, ...]
    reasons: dict[str, int]
    tokeniser: str
    gold: GoldTopology | None = None
    gold_set: str = ""
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """What readers call the units of `cited`, `citing` and of gold: label with heading, statute."""
    largest: tuple[StatuteFacts, ...] = ()
    paragraphs: Spread | None = None
    split: str = ""
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    conditional: frozenset[str] = frozenset()


def describe(
    units: Sequence[UnitFacts],
    edges: Iterable[Edge],
    references: Iterable[ReferenceFacts],
    tokeniser: str = "whitespace",
) -> GraphReport:
    """Compute the report on a graph whose nodes are `units` and their statutes.

    `tokeniser` names the tokenizer of the units' token counts. Raises KeyError for an edge whose
    end is neither.
    """
    statutes = sorted({unit.statute_id for unit in units})
    at = {name: n for n, name in enumerate([*(unit.unit_id for unit in units), *statutes])}
    counts, citing, belonging = _count_edges(edges, at)
    paragraphs = sum(unit.paragraphs for unit in units)
    if paragraphs:
        structure = counts[EdgeType.PART_OF].get(Origin.STRUCTURE, 0)
        counts[EdgeType.PART_OF] = {str(Origin.STRUCTURE): structure + paragraphs}
    joined = np.bincount(citing.ravel(), minlength=len(units))
    orphans = [unit for unit, count in zip(units, joined, strict=False) if not count]
    told = list(references)
    alone = _components(units, citing, len(units))
    return GraphReport(
        statutes=len(statutes),
        units=len(units),
        nodes=_by_level(units) | {STATUTE: len(statutes), PARAGRAPH: paragraphs},
        tiers={int(tier): sum(unit.tier is tier for unit in units) for tier in Tier},
        edges=counts,
        degrees=_degrees(citing, len(units)),
        between=_between(units, citing),
        characters=spread([unit.characters for unit in units if unit.characters]),
        tokens=spread([unit.tokens for unit in units if unit.tokens]),
        sub_items=spread(
            [unit.sub_items for unit in units if unit.level is Level.ARTICLE and unit.characters]
        ),
        cites=spread(np.bincount(citing[:, 0], minlength=len(units))[: len(units)].tolist()),
        with_part_of=_components(units, np.vstack([citing, belonging]), len(at), whole=True),
        without_part_of=replace(
            alone, count=alone.count + paragraphs, single=alone.single + paragraphs
        ),
        orphans=_by_level(orphans),
        orphans_deleted=sum(unit.deleted for unit in orphans),
        cited=_hubs(units, citing[:, 1]),
        citing=_hubs(units, citing[:, 0]),
        communities=communities(citing, [unit.statute_id for unit in units]),
        references=_forms(told),
        reasons=_reasons(told),
        tokeniser=tokeniser,
        largest=_largest(units),
        paragraphs=spread([unit.provisions for unit in units if unit.level is Level.ARTICLE]),
    )


def _largest(units: Sequence[UnitFacts]) -> tuple[StatuteFacts, ...]:
    """Return the statutes with the most articles, at most STATUTES; equal ones by id."""
    articles = (unit for unit in units if unit.level in (Level.ARTICLE, Level.SECTION))
    of_statute = grouped(((unit.statute_id, int(unit.tier)), unit) for unit in articles)
    found = [
        StatuteFacts(statute, tier, len(mine), sum(each.provisions for each in mine))
        for (statute, tier), mine in of_statute.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.articles, each.statute_id))[:STATUTES])


def _degrees(citing: _Pairs, units: int) -> dict[str, tuple[int, int]]:
    """Count units by in- and out-degree, in ranges that double: 0, 1, 2, 3–4, 5–8 …"""
    ends = [np.bincount(citing[:, at], minlength=units)[:units] for at in (1, 0)]
    most = max((int(each.max(initial=0)) for each in ends), default=0)
    found, low, high = {}, 0, 0
    while units and low <= most:
        name = str(low) if low == high else f"{low}–{high}"
        inward, outward = (int(((low <= each) & (each <= high)).sum()) for each in ends)
        found[name] = (inward, outward)
        low, high = high + 1, max(1, 2 * high)
    return found


def _between(units: Sequence[UnitFacts], citing: _Pairs) -> dict[tuple[int, int], int]:
    """Count the pairs of a citing and a cited unit, by (tier, tier); zeros are left out."""
    tiers = np.array([int(unit.tier) for unit in units], dtype=np.int64)
    within = citing[(citing < len(units)).all(axis=1)]  # a statute has no tier of its own here
    counts = Counter(map(tuple, tiers[within].tolist())) if len(within) else Counter()
    return {(one, other): count for (one, other), count in sorted(counts.items())}


def spread(lengths: Sequence[int]) -> Spread | None:
    """Summarize the distribution of `lengths`; None if empty."""
    if not lengths:
        return None
    p50, p75, p95 = (float(value) for value in np.percentile(lengths, [50, 75, 95]))
    return Spread(len(lengths), float(np.mean(lengths)), p50, p75, p95, max(lengths))


def _count_edges(
    edges: Iterable[Edge], at: dict[str, int]
) -> tuple[dict[str, dict[str, int]], _Pairs, _Pairs]:
    """Count edges by type and origin; return distinct pairs of those traversed and of PART_OF."""
    counts: Counter[tuple[EdgeType, Origin]] = Counter()
    citing: set[tuple[int, int]] = set()
    belonging: set[tuple[int, int]] = set()
    for edge in edges:
        counts[edge.type, edge.origin] += 1
        pair = (at[edge.source], at[edge.target])
        if pair[0] != pair[1] and edge.type is not EdgeType.DEFINES:
            (belonging if edge.type is EdgeType.PART_OF else citing).add(pair)
    by_type = {
        str(kind): {str(o): counts[kind, o] for o in Origin if counts[kind, o]} for kind in EdgeType
    }
    return by_type, _array(citing), _array(belonging)


def _array(pairs: set[tuple[int, int]]) -> _Pairs:
    """Return pairs as a sorted array."""
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def _components(
    units: Sequence[UnitFacts], pairs: _Pairs, nodes: int, *, whole: bool = False
) -> Components:
    """Return the components of the units and further nodes; `whole` includes paragraphs."""
    if not nodes:
        return Components(0, 0, 0, 0, 0)
    from scipy.sparse import coo_array  # here: most of what imports this never counts them
    from scipy.sparse.csgraph import connected_components

    joined = coo_array((np.ones(len(pairs)), tuple(pairs.T)), (nodes, nodes))
    count, labels = connected_components(joined, directed=False)
    weights = np.ones(nodes, dtype=np.int64)
    if whole:
        weights[: len(units)] += np.array([unit.paragraphs for unit in units], dtype=np.int64)
    sizes = np.bincount(labels, weights).astype(np.int64)
    largest = int(sizes.argmax())
    named = zip(labels.tolist(), (unit.statute_id for unit in units), strict=False)
    spanned = {label: set(statutes) for label, statutes in grouped(named).items()}
    bridging = sum(len(statutes) > 1 for statutes in spanned.values())
    single = int((sizes == 1).sum())
    return Components(count, int(sizes[largest]), len(spanned[largest]), single, bridging)


def _by_level(units: Sequence[UnitFacts]) -> dict[str, int]:
    """Count the units by level."""
    levels = Counter(unit.level for unit in units)
    return {str(level): levels[level] for level in Level}


def _hubs(units: Sequence[UnitFacts], ends: _Pairs) -> tuple[Hub, ...]:
    """Return the units that stand most often in `ends`, at most HUBS; equal ones by id."""
    degrees = np.bincount(ends, minlength=len(units))
    least = int(np.sort(degrees)[-HUBS:][0]) if len(degrees) else 0
    found = [
        Hub(units[n].unit_id, int(degrees[n]))
        for n in np.flatnonzero(degrees >= max(least, 1)).tolist()
        if n < len(units)
    ]
    return tuple(sorted(found, key=lambda hub: (-hub.degree, hub.unit_id))[:HUBS])


def _forms(references: Iterable[ReferenceFacts]) -> tuple[FormCount, ...]:
    """Count the references by form and status."""
    counts: Counter[tuple[Form, Status]] = Counter()
    for reference in references:
        counts[reference.form, reference.status] += reference.count
    rows = [FormCount(str(form), *(counts[form, status] for status in Status)) for form in Form]
    return tuple(row for row in rows if row.resolved + row.ambiguous + row.unresolved)


def _reasons(references: Iterable[ReferenceFacts]) -> dict[str, int]:
    """Count the references without result, unresolved or ambiguous, by reason."""
    counts: Counter[Reason] = Counter()
    for reference in references:
        if reference.reason is not None:
            counts[reference.reason] += reference.count
    return {str(reason): counts[reason] for reason in Reason if counts[reason]}


def topology(
    gold: Mapping[str, Collection[str]],
    statutes: Mapping[str, str],
    pairs: Iterable[tuple[str, str]],
) -> GoldTopology:
    """Compute how the gold units of questions lie in a graph.

    `gold` gives each question's units, `statutes` the statute of each unit, `pairs` are the
    traversed edges among them; units that `statutes` lacks do not count.
    """
    joined: dict[str, set[str]] = defaultdict(set)
    for one, other in pairs:
        joined[one].add(other)
        joined[other].add(one)
    sets = {name: {u for u in units if u in statutes} for name, units in gold.items()}
    sets = {name: units for name, units in sets.items() if units}
    places = {}
    for name, units in sets.items():
        hops, whole = _diameter(units, joined)
        documents = len({statutes[unit] for unit in units})
        places[name] = GoldPlace(len(units), documents, hops, len(units) > 1 and whole)
    times = Counter(unit for units in sets.values() for unit in units)
    most = sorted(times.items(), key=lambda each: (-each[1], each[0]))[:HUBS]
    counts = Counter(min(each.hops, FARTHEST) for each in places.values())
    names = {n: str(n) if n < FARTHEST else f"{n}+" for n in range(1, FARTHEST + 1)}
    return GoldTopology(
        questions=len(places),
        provisions=spread([each.provisions for each in places.values()]),
        documents=spread([each.documents for each in places.values()]),
        hops=spread([each.hops for each in places.values()]),
        by_hops={name: counts[n] for n, name in names.items()},
        several=sum(each.provisions > 1 for each in places.values()),
        chains=sum(each.is_chain for each in places.values()),
        cited=tuple(Hub(unit, count) for unit, count in most),
        places=places,
        units=len(times),
        outside=sum(unit not in statutes for units in gold.values() for unit in units),
    )


def _diameter(units: set[str], joined: Mapping[str, set[str]]) -> tuple[int, bool]:
    """Return the length of the longest shortest path, in provisions, and if all are connected."""
    longest, whole = 1, True
    for start in units:
        seen, ring, steps = {start}, {start}, 0
        while ring := {end for one in ring for end in joined.get(one, ())} & units - seen:
            seen |= ring
            steps += 1
        longest = max(longest, steps + 1)
        whole = whole and seen == units
    return longest, whole
