"""Whether a codebook can be worked with: keys, conditions and order hang together.

What cannot is refused with the line and the place, and what to do. What each field may be,
`construction.tagging.reading` checks before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import NoReturn

from construction.tagging.codebook import EVERYWHERE, Codebook, SubFactor
from construction.tagging.places import placed
from errors import UserError, Where

Lines = Mapping[str, int]  # place → line, counted from 1


def check(book: Codebook, lines: Lines) -> None:
    """Raise UserError for the first thing that is wrong.

    That is a key twice (of factors, of all sub-factors, of the options of one), a condition that
    names what there is not, that goes round in a circle or that can never hold, and an order that
    omits, repeats or invents a sub-factor.
    """
    _refuse_repeated(book, lines)
    _refuse_order(book, lines)
    _refuse_conditions(book, lines)
    order = _settled(book, lines)
    _refuse_unreachable(book, lines, order)


def _refuse_repeated(book: Codebook, lines: Lines) -> None:
    _once([(f"factors[{n}]", each.key) for n, each in enumerate(book.factors, 1)], lines)
    _once([(place, each.key) for place, each in placed(book)], lines)
    for place, each in placed(book):
        if not each.claim:
            _once([(f"{place}.options[{n}]", o.key) for n, o in enumerate(each.options, 1)], lines)


def _once(named: Iterable[tuple[str, str]], lines: Lines) -> None:
    seen: dict[str, str] = {}
    for place, key in named:
        where = f"{place}.key"
        if key in seen:
            _refuse("factors_twice", where, lines, key=key, first=lines.get(seen[key], 0))
        seen[key] = where


def _refuse_order(book: Codebook, lines: Lines) -> None:
    known = {each.key for _, each in placed(book)}
    seen: set[str] = set()
    for number, key in enumerate(book.order, 1):
        if key not in known:
            _refuse("factors_order_unknown", f"order[{number}]", lines, key=key)
        if key in seen:
            _refuse("factors_order_twice", f"order[{number}]", lines, key=key)
        seen.add(key)
    missing = [each.key for _, each in placed(book) if each.key not in seen]
    if missing:
        _refuse("factors_order_omits", "order", lines, keys=", ".join(missing))


def _refuse_conditions(book: Codebook, lines: Lines) -> None:
    by_key = {each.key: each for _, each in placed(book)}
    for place, each in placed(book):
        for other, options in each.when.items():
            where = f"{place}.when.{other}"
            if other not in by_key:
                _refuse("factors_when_unknown", where, lines, key=other)
            if not options:
                _refuse("factors_when_empty", where, lines)
            can = by_key[other].givable
            for option in options:
                if option not in can:
                    _refuse("factors_when_option", where, lines, option=option, key=other,
                            known=", ".join(can))  # fmt: skip


def _settled(book: Codebook, lines: Lines) -> tuple[SubFactor, ...]:
    """Return the sub-factors with every condition before what it conditions."""
    by_key = {each.key: each for _, each in placed(book)}
    try:
        order = tuple(TopologicalSorter({k: e.when for k, e in by_key.items()}).static_order())
    except CycleError as error:
        circle: list[str] = error.args[1]
        place, each = next((p, e) for p, e in placed(book) if e.key in circle)
        path = _turned(circle, each.key)
        _refuse("factors_cycle", f"{place}.when.{path[1]}", lines, path=" → ".join(path))
    return tuple(by_key[key] for key in order)


def _turned(circle: list[str], first: str) -> list[str]:
    """Return a circle (its first key again at its end), told from `first`, as "depends on"."""
    keys = list(reversed(circle[:-1]))
    start = keys.index(first)
    return [*keys[start:], *keys[:start], first]


def _refuse_unreachable(book: Codebook, lines: Lines, order: tuple[SubFactor, ...]) -> None:
    """Raise UserError for a sub-factor that no court case and no answers ever lead to."""
    reach = {e.key: factor.scope for factor in book.factors for e in factor.sub_factors}
    needs: dict[str, dict[str, frozenset[str]]] = {}
    places = {each.key: place for place, each in placed(book)}
    exclusive = {each.key for each in order if each.exclusive}
    for each in order:
        own: dict[str, frozenset[str]] = {}
        for other, options in each.when.items():
            where = f"{places[each.key]}.when.{other}"
            reach[each.key] = shared(reach[each.key], reach[other])
            if not reach[each.key]:
                _refuse("factors_when_scope", where, lines, key=each.key, other=other)
            for key, wanted in (*needs[other].items(), (other, frozenset(options))):
                own[key] = own.get(key, wanted) & wanted if key in exclusive else wanted
                if not own[key]:
                    _refuse("factors_when_against", where, lines, key=each.key, other=key)
        needs[each.key] = own


def shared(one: Iterable[str], two: Iterable[str]) -> tuple[str, ...]:
    """Return what two scopes have in common: of two parts, one within the other, the inner one."""
    left, right = tuple(one), tuple(two)
    in_left, in_right = set(left), set(right)
    inner = [part for part in left if _covered(part, in_right)]
    inner += [part for part in right if _covered(part, in_left)]
    return tuple(dict.fromkeys(inner))


def _covered(part: str, scope: Collection[str]) -> bool:
    """Return whether a part of a typology stands within a scope."""
    if EVERYWHERE in scope:
        return True
    steps = part.split(".")
    return any(".".join(steps[:depth]) in scope for depth in range(1, len(steps) + 1))


def _refuse(code: str, field: str, lines: Lines, **params: object) -> NoReturn:
    raise UserError(code, Where(line=lines.get(field), field=field), **params)
