"""Leakage between the parts of split gold: near-duplicate questions and shared law."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Any

from construction.gold.splitting import PARTS
from corpus.model import split_id
from errors import UserError, Where
from services.gold.splits import SplitState, split_state, word_index
from storage.db.workspace import ByDatabase, Workspace
from storage.projects import project_by_slug

_SHOWN = 20  # pairs that are named; all are counted


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two near-duplicate questions of different parts, the earlier part's first."""

    one: str
    other: str
    likeness: float


@dataclass(frozen=True, slots=True)
class Between:
    """Leakage between two parts: counts of `near` pairs, provisions and statutes shared.

    `touched` counts the questions of the second part with a near-duplicate in the first, of `n`.
    """

    one: str
    other: str
    near: int
    touched: int
    n: int
    provisions: int
    statutes: int


@dataclass(frozen=True, slots=True)
class Leakage:
    """Leakage between all parts; `pairs` are the most similar ones, from `above` up."""

    above: float
    between: tuple[Between, ...]
    pairs: tuple[NearPair, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)


def leakage(
    ws: Workspace,
    project_slug: str,
    number: int | None = None,
    above: float | None = None,
    by: int | None = None,
) -> Leakage | None:
    """Return the leakage between the parts of a split, by default the current; None without one.

    None without a split. `above` is the similarity from which questions are near-duplicates, by
    default the version's. Raises UserError as `services.gold.splits.split_state` does, and for an
    invalid similarity.
    """
    if above is not None and not 0 < above <= 1:
        raise UserError("split_near", Where(field="above"), said=above)
    state = split_state(ws, project_slug, number, by)
    if state is None:
        return None
    return leakage_of(ws, project_by_slug(ws, project_slug).id, state, above)


def leakage_of(
    ws: Workspace, project_id: int, state: SplitState, above: float | None = None
) -> Leakage:
    """Return the leakage of a version already read, without the permission check."""
    near = state.view.recipe.near if above is None else above
    key = _State(state.view.id, state.gold.hash, state)
    return _leakage(ByDatabase.of(ws), project_id, key, near)


@dataclass(frozen=True)
class _State:
    """Cache key: a split version on a gold set; the texts of its questions never change."""

    split: int
    gold: str
    state: SplitState = field(compare=False)


@lru_cache(maxsize=8)
def _leakage(source: ByDatabase, project_id: int, key: _State, near: float) -> Leakage:
    """Compare the questions of a split's parts; list the pairs that are too similar."""
    parts = key.state.parts
    found = word_index(source.ws, project_id, parts, near)
    pairs = []
    for one, other, score in found.alike(near):
        first, second = sorted(
            (found.judged[one].id, found.judged[other].id),
            key=lambda each: (PARTS.index(parts[each]), each),
        )
        if parts[first] != parts[second]:
            pairs.append(NearPair(first, second, score))
    pairs.sort(key=lambda each: (-each.likeness, each.one, each.other))
    units = {
        item.external_id: frozenset(item.units)
        for item in key.state.gold.items
        if item.external_id in parts
    }
    between = tuple(
        _leakage_between(one, other, pairs, parts, units)
        for one, other in combinations([line.part for line in key.state.lines], 2)
    )
    return Leakage(near, between, tuple(pairs[:_SHOWN]))


def _leakage_between(
    one: str,
    other: str,
    pairs: Sequence[NearPair],
    parts: Mapping[str, str],
    units: Mapping[str, frozenset[str]],
) -> Between:
    """Count the near-duplicates, provisions and statutes that two parts share."""
    here = [each for each in pairs if (parts[each.one], parts[each.other]) == (one, other)]
    law = [
        {unit for name, gold in units.items() if parts[name] == part for unit in gold}
        for part in (one, other)
    ]
    statutes = [{split_id(unit)[0] for unit in each} for each in law]
    return Between(
        one=one,
        other=other,
        near=len(here),
        touched=len({each.other for each in here}),
        n=sum(part == other for part in parts.values()),
        provisions=len(law[0] & law[1]),
        statutes=len(statutes[0] & statutes[1]),
    )
