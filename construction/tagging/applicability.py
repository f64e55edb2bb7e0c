"""Which questions a court case is asked: those of its groups whose conditions hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from graphlib import TopologicalSorter

from construction.tagging.codebook import EVERYWHERE, Codebook, SubFactor


def in_scope(book: Codebook, groups: Iterable[str]) -> tuple[SubFactor, ...]:
    """Return the sub-factors that apply to any of the standard groups, in the lawyers' order.

    Conditions are not looked at. A scope names a category, a charge or a group and takes in
    whatever stands below it; a case of no group is asked only what applies everywhere.
    """
    return _scoped(book, tuple(groups))[0]


@lru_cache(maxsize=1024)  # many cases share their groups
def _scoped(
    book: Codebook, named: tuple[str, ...]
) -> tuple[tuple[SubFactor, ...], tuple[str, ...]]:
    """Return what applies to the groups, and all keys, conditions before what hangs on them."""
    found = {
        each.key: each
        for factor in book.factors
        if applies(factor.scope, named)
        for each in factor.sub_factors
    }
    applying = tuple(found[key] for key in book.order if key in found)
    conditions = TopologicalSorter({each.key: each.when for each in applying})
    return applying, tuple(conditions.static_order())


def asked(
    book: Codebook, groups: Iterable[str], answers: Mapping[str, tuple[str, ...]]
) -> tuple[SubFactor, ...]:
    """Return those of :func:`in_scope` whose conditions all hold under the answers.

    A condition on a sub-factor that is itself not asked does not hold, whatever was once answered
    to it: an answer that no question stands behind any more moves nothing.
    """
    found, conditions_first = _scoped(book, tuple(groups))
    by_key = {each.key: each for each in found}
    holding: set[str] = set()
    for key in conditions_first:
        each = by_key.get(key)
        if each is not None and _holds(each, holding, answers):
            holding.add(key)
    return tuple(each for each in found if each.key in holding)


def applies(scope: Iterable[str], groups: Iterable[str]) -> bool:
    """Return whether a scope takes in any of the groups."""
    named = tuple(groups)
    return any(within(group, each) for each in scope for group in named or (EVERYWHERE,))


def within(group: str, part: str) -> bool:
    """Return whether a group is, or stands below, that part of the typology."""
    return part == EVERYWHERE or group == part or group.startswith(f"{part}.")


def _holds(each: SubFactor, holding: set[str], answers: Mapping[str, tuple[str, ...]]) -> bool:
    return all(
        other in holding and not set(options).isdisjoint(answers.get(other, ()))
        for other, options in each.when.items()
    )
