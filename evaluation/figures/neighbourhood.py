"""The neighbourhood of one question, in two dimensions: a graph of nearest neighbours beside ours.

The units are the seeds (the best of a ranking), the gold units, and what one step from a seed leads
to in either graph. They are embedded, and projected by principal component analysis once for both
panels, so that a unit stands at the same place in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

LIMIT = 60  # units drawn in one panel beyond seeds and gold units
_DIGITS = 9  # of coordinates: what differs beyond is the arithmetic of the machine

Vectors = NDArray[np.float32]


class Role(StrEnum):
    """What a point is to the question."""

    QUERY = "query"
    SEED = "seed"
    GOLD = "gold"
    SEED_GOLD = "seed_gold"  # found and right
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Point:
    """A unit (or the question, with an empty id) where it is drawn.

    `rank` is a seed's place in the ranking, from 1; None for any other.
    """

    unit_id: str
    role: Role
    x: float
    y: float
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """An edge from a seed; `hits` says that it leads to a gold unit."""

    source: str
    target: str
    hits: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """One graph of the neighbourhood: what it draws beyond seeds and gold, and its edges.

    `left_out` counts units that one step leads to and that are not drawn.
    """

    others: tuple[str, ...]
    links: tuple[Link, ...]
    left_out: int

    @property
    def hits(self) -> int:
        """How many edges lead from a seed to a gold unit."""
        return sum(link.hits for link in self.links)


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The neighbourhood of a question.

    `points` begins with the question; then come seeds by rank, gold units, and others, by id.
    `explained` are the shares of the variance along the two axes.
    """

    points: tuple[Point, ...]
    cosine: Panel
    explicit: Panel
    explained: tuple[float, float]

    @property
    def by_id(self) -> dict[str, Point]:
        """The points of units by unit id."""
        return {point.unit_id: point for point in self.points if point.unit_id}


Edges = Mapping[str, Sequence[str]]
"""Seed → the units that its edges lead to, the most important first."""


def units_of(
    seeds: Sequence[str], gold: Iterable[str], cosine: Edges, explicit: Edges
) -> list[str]:
    """Return the units to embed for :func:`neighbourhood`, in its order."""
    wanted = set(gold)
    others = {unit for edges in (cosine, explicit) for unit in _panel(seeds, wanted, edges).others}
    return [*seeds, *sorted(wanted - set(seeds)), *sorted(others)]


def neighbourhood(
    seeds: Sequence[str],
    gold: Iterable[str],
    cosine: Edges,
    explicit: Edges,
    vectors: Vectors,
    query: Vectors,
) -> Neighbourhood:
    """Return the neighbourhood whose units, those of :func:`units_of`, have these `vectors`.

    `query` is the question's vector. Raises ValueError for another number of vectors.
    """
    wanted = set(gold)
    units = units_of(seeds, wanted, cosine, explicit)
    if len(vectors) != len(units):
        raise ValueError(f"{len(units)} units and {len(vectors)} vectors")
    placed, asked, explained = project(vectors, query)
    ranks = {unit: rank for rank, unit in enumerate(seeds, 1)}
    points = [Point("", Role.QUERY, float(asked[0]), float(asked[1]))]
    for unit, (x, y) in zip(units, placed.tolist(), strict=True):
        points.append(Point(unit, _role(unit, ranks, wanted), x, y, ranks.get(unit)))
    left, right = (_panel(seeds, wanted, edges) for edges in (cosine, explicit))
    return Neighbourhood(tuple(points), left, right, explained)


def project(
    vectors: Vectors, query: Vectors
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[float, float]]:
    """Return `vectors` and `query` on the first two principal components of `vectors`.

    The third value is the share of the variance along each. An axis points to where the unit
    farthest out along it lies, the first of equal ones: a component has no direction of its own.
    """
    rows = np.asarray(vectors, dtype=np.float64).reshape(len(vectors), -1)
    middle = rows.mean(axis=0) if len(rows) else np.zeros(rows.shape[1])
    _, sizes, axes = np.linalg.svd(rows - middle, full_matrices=False)
    axes = _two(axes)
    placed = (rows - middle) @ axes.T
    for axis in range(2):
        far = placed[np.abs(placed[:, axis]).argmax(), axis] if len(placed) else 0.0
        if far < 0:
            axes[axis] *= -1
    total = float((sizes**2).sum())
    shares = [float(size**2) / total if total else 0.0 for size in (*sizes, 0.0, 0.0)[:2]]
    asked = (np.asarray(query, dtype=np.float64).reshape(-1) - middle) @ axes.T
    placed = (rows - middle) @ axes.T
    return np.round(placed, _DIGITS), np.round(asked, _DIGITS), (shares[0], shares[1])


def _two(axes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the first two axes; where there are fewer, an axis along which nothing moves."""
    found = np.zeros((2, axes.shape[1]))
    found[: min(2, len(axes))] = axes[:2]
    return found


def _role(unit: str, ranks: Mapping[str, int], gold: set[str]) -> Role:
    if unit in ranks:
        return Role.SEED_GOLD if unit in gold else Role.SEED
    return Role.GOLD if unit in gold else Role.OTHER


def _panel(seeds: Sequence[str], gold: set[str], edges: Edges) -> Panel:
    """Return the panel of a graph; where units must be left out, those of the last edges are."""
    fixed = gold | set(seeds)
    links = [(seed, unit) for seed in seeds for unit in edges.get(seed, ()) if unit != seed]
    longest = max((len(edges.get(seed, ())) for seed in seeds), default=0)
    # Every seed gives its first neighbour before any gives its second.
    turns = [
        edges[seed][turn]
        for turn in range(longest)
        for seed in seeds
        if turn < len(edges.get(seed, ()))
    ]
    reached = list(dict.fromkeys(unit for unit in turns if unit not in fixed))
    shown = set(reached[:LIMIT])
    drawn = [Link(seed, unit, unit in gold) for seed, unit in links if unit in shown | fixed]
    return Panel(tuple(sorted(shown)), tuple(dict.fromkeys(drawn)), len(reached) - len(shown))
