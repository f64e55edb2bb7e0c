"""1-hop hit rate: how often one step along a graph leads from what was found to what was missed.

A question's seeds are the best units of a ranking. An edge from a seed to a gold unit that is no
seed itself is a hit: the graph reaches what the ranking did not. SearchFireSafety compares its
citation graph with a graph of nearest neighbours this way, and prints one number for each without
saying which questions count; here both readings are given.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from evaluation.figure import Figure
from evaluation.interval import mean_figure

Neighbours = Mapping[str, Collection[str]]
"""Unit → the units that its edges lead to; one left out has no edge."""


@dataclass(frozen=True, slots=True)
class QuestionHits:
    """A question with its seeds, best first, and its gold units."""

    id: str
    seeds: tuple[str, ...]
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class HitRate:
    """The hit rates of one graph.

    `missed` is the share of questions with a hit among those that have a gold unit which is no
    seed; a question whose gold units are all seeds has nothing left to reach and is not counted.
    `linked` is the share of all questions with gold in which any edge leads from a seed to another
    unit that is gold, seed or not. `reached` is the mean number of units, seeds aside, that one
    step leads to: a graph that reaches more hits more by chance.
    """

    graph: str
    missed: Figure
    linked: Figure
    reached: Figure


def hit_rate(graph: str, asked: Sequence[QuestionHits], neighbours: Neighbours) -> HitRate:
    """Return the hit rates of the graph whose edges are `neighbours`."""
    known = [one for one in asked if one.gold]
    ends = [{seed: set(neighbours.get(seed, ())) - {seed} for seed in one.seeds} for one in known]
    reached = [set().union(*each.values()) for each in ends]
    new = [each - set(one.seeds) for each, one in zip(reached, known, strict=True)]
    missed = [_missed(one, each) for one, each in zip(known, new, strict=True)]
    linked = [float(bool(each & one.gold)) for each, one in zip(reached, known, strict=True)]
    return HitRate(
        graph,
        mean_figure("missed", missed),
        mean_figure("linked", linked),
        mean_figure("reached", [float(len(each)) for each in new]),
    )


def _missed(one: QuestionHits, new: Collection[str]) -> float | None:
    wanted = one.gold - set(one.seeds)
    return float(bool(wanted & set(new))) if wanted else None
