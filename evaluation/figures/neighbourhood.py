"""The neighbourhood of one question in two dimensions: nearest neighbours and citation graph.

The units are the seeds (the best of a ranking), the gold units, and the units one step from a seed
in either graph. They are embedded, and projected by principal component analysis once for both
panels, so that a unit has the same place in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

LIMIT = 60  # units drawn in one panel besides seeds and gold units
_DIGITS = 9  # decimals of coordinates: further ones depend on the machine

Vectors = NDArray[np.float32]


class Role(StrEnum):
    """The role of a point for the question."""

    QUERY = "query"
    SEED = "seed"
    GOLD = "gold"
    SEED_GOLD = "seed_gold"  # both seed and gold
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Point:
    """The position of a unit (or of the question, with an empty id) in the figure.

    `rank` is a seed's rank, from 1; None for any other.
    """

    unit_id: str
    role: Role
    x: float
    y: float
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """An edge from a seed; `hits`: it leads to a gold unit."""

    source: str
    target: str
    hits: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """One graph of the neighbourhood: the units besides seeds and gold, and the edges.

    `left_out` counts units one step away that are not drawn.
    """

    others: tuple[str, ...]
    links: tuple[Link, ...]
    left_out: int

    @property
    def hits(self) -> int:
        """The number of edges from a seed to a gold unit."""
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
        """The points of units, by unit id."""
        return {point.unit_id: point for point in self.points if point.unit_id}


Edges = Mapping[str, Sequence[str]]
"""Seed → the units that its edges lead to, the most important first."""


def units_of(
    seeds: Sequence[str], gold: Iterable[str], cosine: Edges, explicit: Edges
) -> list[str]:
    """Return the units to embed for `neighbourhood`: seeds, other gold, others, in its order."""
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
    """Return the neighbourhood from the `vectors` of the units of :func:`units_of`.

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
        points.append(Point(unit, _role_of(unit, ranks, wanted), x, y, ranks.get(unit)))
    left, right = (_panel(seeds, wanted, edges) for edges in (cosine, explicit))
    return Neighbourhood(tuple(points), left, right, explained)


def project(
    vectors: Vectors, query: Vectors
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[float, float]]:
    """Project `vectors` and `query` on the first two principal components of `vectors`.

    The third value is the share of variance of each. The sign of an axis is that of the unit
    farthest out, the first of equal ones, as components have no direction.
    """
    rows = np.asarray(vectors, dtype=np.float64).reshape(len(vectors), -1)
    middle = rows.mean(axis=0) if len(rows) else np.zeros(rows.shape[1])
    _, sizes, axes = np.linalg.svd(rows - middle, full_matrices=False)
    axes = _first_two_axes(axes)
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


def _first_two_axes(axes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the first two axes, padded with zeros."""
    found = np.zeros((2, axes.shape[1]))
    found[: min(2, len(axes))] = axes[:2]
    return found


def _role_of(unit: str, ranks: Mapping[str, int], gold: set[str]) -> Role:
    """Return whether a unit is seed, gold, both or another."""
    if unit in ranks:
        return Role.SEED_GOLD if unit in gold else Role.SEED
    return Role.GOLD if unit in gold else Role.OTHER


def _panel(seeds: Sequence[str], gold: set[str], edges: Edges) -> Panel:
    """Return the panel of a graph; units reached beyond LIMIT are left out with their edges."""
    fixed = gold | set(seeds)
    links = [(seed, unit) for seed in seeds for unit in edges.get(seed, ()) if unit != seed]
    longest = max((len(edges.get(seed, ())) for seed in seeds), default=0)
    # Every seed contributes its first neighbour before any contributes its second.
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
