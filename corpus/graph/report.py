"""What a citation graph looks like in figures: the tables that papers on legal corpora print.

Degrees, components, orphans and communities are those of the simple graph: several edges between
two nodes count once, an edge from a node to itself (DEFINES) not at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpus.citations.model import Reason, Status
from corpus.graph.communities import Communities, communities
from corpus.graph.model import Edge, EdgeType, Form, Origin
from corpus.model import Level, Tier

HUBS = 10
STATUTE = "statute"  # the kind of node that is no unit
_Pairs = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class UnitFacts:
    """What the report reads of a unit. `characters` and `tokens` are 0 where it has no text.

    `deleted` says that the law has struck it out and only its number stands.
    """

    unit_id: str
    statute_id: str
    level: Level
    tier: Tier
    characters: int
    tokens: int
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class ReferenceFacts:
    """What the report reads of references: how many there are of one form, status and reason."""

    form: Form
    status: Status
    count: int
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """How a length is distributed over `n` units; percentiles interpolate linearly."""

    n: int
    mean: float
    p50: float
    p75: float
    p95: float
    largest: int


@dataclass(frozen=True, slots=True)
class Components:
    """Weakly connected components; `statutes` is how many statutes the largest one spans."""

    count: int
    largest: int
    statutes: int
    single: int


@dataclass(frozen=True, slots=True)
class Hub:
    """A unit with how many other nodes it is joined to in one direction."""

    unit_id: str
    degree: int


@dataclass(frozen=True, slots=True)
class FormCount:
    """References of one form by what became of them."""

    form: str
    resolved: int
    ambiguous: int
    unresolved: int


@dataclass(frozen=True, slots=True)
class GraphReport:
    """Everything the report says. Counts by name are in the order of the enumerations.

    `edges` counts by type and origin. `cited` and `citing` are the hubs by in- and out-degree.
    `orphans` counts units that nothing but PART_OF joins to anything, by level, and
    `orphans_deleted` those among them that the law has struck out. `reasons` counts the references
    that did not resolve by why. `tokeniser` says what tokens were counted by.
    """

    statutes: int
    units: int
    nodes: dict[str, int]
    tiers: dict[int, int]
    edges: dict[str, dict[str, int]]
    characters: Spread | None
    tokens: Spread | None
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


def describe(
    units: Sequence[UnitFacts],
    edges: Iterable[Edge],
    references: Iterable[ReferenceFacts],
    tokeniser: str = "whitespace",
) -> GraphReport:
    """Return the report on a graph whose nodes are `units` and their statutes.

    `tokeniser` is what the tokens of the units were counted by.

    Raises KeyError for an edge whose end is neither.
    """
    statutes = sorted({unit.statute_id for unit in units})
    at = {name: n for n, name in enumerate([*(unit.unit_id for unit in units), *statutes])}
    counts, citing, belonging = _read(edges, at)
    orphans, told = _orphans(units, citing), list(references)
    return GraphReport(
        statutes=len(statutes),
        units=len(units),
        nodes=_nodes(units, len(statutes)),
        tiers={int(tier): sum(unit.tier is tier for unit in units) for tier in Tier},
        edges=counts,
        characters=spread([unit.characters for unit in units if unit.characters]),
        tokens=spread([unit.tokens for unit in units if unit.tokens]),
        with_part_of=_components(units, np.vstack([citing, belonging]), len(at)),
        without_part_of=_components(units, citing, len(units)),
        orphans=_by_level(orphans),
        orphans_deleted=sum(unit.deleted for unit in orphans),
        cited=_hubs(units, citing[:, 1]),
        citing=_hubs(units, citing[:, 0]),
        communities=communities(citing),
        references=_forms(told),
        reasons=_reasons(told),
        tokeniser=tokeniser,
    )


def spread(lengths: Sequence[int]) -> Spread | None:
    """Return how `lengths` are distributed; None when there are none."""
    if not lengths:
        return None
    p50, p75, p95 = (float(value) for value in np.percentile(lengths, [50, 75, 95]))
    return Spread(len(lengths), float(np.mean(lengths)), p50, p75, p95, max(lengths))


def _read(
    edges: Iterable[Edge], at: dict[str, int]
) -> tuple[dict[str, dict[str, int]], _Pairs, _Pairs]:
    """Return edges by type and origin, and the distinct pairs without and of PART_OF."""
    counts: Counter[tuple[EdgeType, Origin]] = Counter()
    citing: set[tuple[int, int]] = set()
    belonging: set[tuple[int, int]] = set()
    for edge in edges:
        counts[edge.type, edge.origin] += 1
        pair = (at[edge.source], at[edge.target])
        if pair[0] != pair[1]:
            (belonging if edge.type is EdgeType.PART_OF else citing).add(pair)
    by_type = {
        str(kind): {str(o): counts[kind, o] for o in Origin if counts[kind, o]} for kind in EdgeType
    }
    return by_type, _array(citing), _array(belonging)


def _array(pairs: set[tuple[int, int]]) -> _Pairs:
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def _nodes(units: Sequence[UnitFacts], statutes: int) -> dict[str, int]:
    return _by_level(units) | {STATUTE: statutes}


def _components(units: Sequence[UnitFacts], pairs: _Pairs, nodes: int) -> Components:
    from scipy.sparse import coo_matrix  # half a second, which no other reader of this needs
    from scipy.sparse.csgraph import connected_components

    if not nodes:
        return Components(0, 0, 0, 0)
    ones = np.ones(len(pairs), dtype=np.int8)
    matrix = coo_matrix((ones, (pairs[:, 0], pairs[:, 1])), shape=(nodes, nodes))
    count, labels = connected_components(matrix.tocsr(), directed=False)
    sizes = np.bincount(labels)
    largest = int(sizes.argmax())
    inside = np.flatnonzero(labels[: len(units)] == largest)
    spanned = {units[index].statute_id for index in inside.tolist()}
    return Components(int(count), int(sizes[largest]), len(spanned), int((sizes == 1).sum()))


def _orphans(units: Sequence[UnitFacts], citing: _Pairs) -> list[UnitFacts]:
    joined = np.bincount(citing.ravel(), minlength=len(units))
    return [unit for unit, n in zip(units, joined, strict=False) if not n]


def _by_level(units: Sequence[UnitFacts]) -> dict[str, int]:
    levels = Counter(unit.level for unit in units)
    return {str(level): levels[level] for level in Level}


def _hubs(units: Sequence[UnitFacts], ends: _Pairs) -> tuple[Hub, ...]:
    """Return the units that most pairs end at; equal ones by id."""
    degrees = np.bincount(ends, minlength=len(units))
    least = int(np.sort(degrees)[-HUBS:][0]) if len(degrees) else 0
    found = [
        Hub(units[n].unit_id, int(degrees[n]))
        for n in np.flatnonzero(degrees >= max(least, 1)).tolist()
        if n < len(units)
    ]
    return tuple(sorted(found, key=lambda hub: (-hub.degree, hub.unit_id))[:HUBS])


def _forms(references: Iterable[ReferenceFacts]) -> tuple[FormCount, ...]:
    counts: Counter[tuple[Form, Status]] = Counter()
    for reference in references:
        counts[reference.form, reference.status] += reference.count
    rows = [FormCount(str(form), *(counts[form, status] for status in Status)) for form in Form]
    return tuple(row for row in rows if row.resolved + row.ambiguous + row.unresolved)


def _reasons(references: Iterable[ReferenceFacts]) -> dict[str, int]:
    counts: Counter[Reason] = Counter()
    for reference in references:
        if reference.reason is not None:
            counts[reference.reason] += reference.count
    return {str(reason): counts[reason] for reason in Reason if counts[reason]}
