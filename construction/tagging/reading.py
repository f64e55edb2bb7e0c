"""Parser of a codebook of factors in YAML.

``order`` lists the sub-factors in their order of priority (left out: as written); ``factors`` is a
list of ``key``, ``label``, ``help``, ``scope`` and ``sub_factors``, and each of these of ``key``,
``label``, ``help``, ``options`` and, as in `construction.tagging.codebook`, ``claim``,
``required``, ``exclusive``, ``ordered``, ``when``, ``source`` and ``options_source``. A claim has
no ``options``: its three are fixed. Labels and helps are in every language.

Inconsistent keys, conditions and orders are refused with the line and the place, and a remedy. A
place is named ``factors[2].sub_factors[1].when``, counted from 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter

from construction.tagging.codebook import EVERYWHERE, Codebook, SubFactor
from construction.tagging.editing import write as write
from corpus.files.declarations import FieldPath, fault, once, read_declaration
from corpus.files.rows import is_storable
from corpus.limits import FACTOR_BOOK
from errors import UserError


@lru_cache(maxsize=32)
def parse(text: str) -> Codebook:
    """Parse a codebook.

    Raises UserError, with line and place, for invalid YAML, for a field that is missing, unknown or
    of another form, and for an inconsistent codebook (`check`).
    """
    if not is_storable(text):
        raise UserError("text_unstorable")
    return read_declaration(
        Codebook,
        text,
        limit=FACTOR_BOOK,
        empty="field_not_mapping",
        listed="factors_list",
        numbered=True,
        check=check,
    )


def sub_factors_with_place(book: Codebook) -> Iterator[tuple[FieldPath, SubFactor]]:
    """Yield every sub-factor with its place, in document order."""
    for n, factor in enumerate(book.factors):
        for m, each in enumerate(factor.sub_factors):
            yield ("factors", n, "sub_factors", m), each


def check(book: Codebook) -> None:
    """Raise the fault of the first inconsistency.

    That is a repeated key (of factors, of all sub-factors, of the options of one), a condition that
    names an unknown key, is circular or can never hold, and an order that omits, repeats or invents
    a sub-factor.
    """
    _refuse_repeated(book)
    _refuse_order(book)
    _refuse_conditions(book)
    _refuse_unreachable(book, _conditions_first(book))


def _refuse_repeated(book: Codebook) -> None:
    """Raise UserError for a repeated key of factors, sub-factors or options."""
    found: list[list[tuple[FieldPath, str]]] = [
        [(("factors", n, "key"), each.key) for n, each in enumerate(book.factors)],
        [((*place, "key"), each.key) for place, each in sub_factors_with_place(book)],
    ]
    for place, each in sub_factors_with_place(book):
        if not each.claim:
            keys = [option.key for option in each.options]
            found.append([((*place, "options", n, "key"), key) for n, key in enumerate(keys)])
    for named in found:
        once(named, "factors_twice", called="key")


def _refuse_order(book: Codebook) -> None:
    """Raise UserError unless the order names every sub-factor once."""
    known = book.places
    seen: set[str] = set()
    for n, key in enumerate(book.order):
        if key not in known:
            raise fault("factors_order_unknown", "order", n, key=key)
        if key in seen:
            raise fault("factors_order_twice", "order", n, key=key)
        seen.add(key)
    missing = [key for key in known if key not in seen]
    if missing:
        raise fault("factors_order_omits", "order", keys=", ".join(missing))


def _refuse_conditions(book: Codebook) -> None:
    """Raise UserError for a condition on an unknown sub-factor, or an answer it cannot get."""
    by_key = book.places
    for place, each in sub_factors_with_place(book):
        for other, options in each.when.items():
            at = (*place, "when", other)
            if other not in by_key:
                raise fault("factors_when_unknown", *at, key=other)
            if not options:
                raise fault("factors_when_empty", *at)
            can = by_key[other][1].givable
            for option in options:
                if option not in can:
                    known = ", ".join(can)
                    raise fault("factors_when_option", *at, option=option, key=other, known=known)


def _conditions_first(book: Codebook) -> tuple[SubFactor, ...]:
    """Return the sub-factors with every condition before its dependents."""
    needed = {key: each.when for key, (_, each) in book.places.items()}
    try:
        order = tuple(TopologicalSorter(needed).static_order())
    except CycleError as error:
        circle: list[str] = error.args[1]
        place, each = next((p, e) for p, e in sub_factors_with_place(book) if e.key in circle)
        path = _cycle_from(circle, each.key)
        raise fault("factors_cycle", *place, "when", path[1], path=" → ".join(path)) from error
    return tuple(book.places[key][1] for key in order)


def _cycle_from(circle: list[str], first: str) -> list[str]:
    """Return a cycle (its first key repeated at the end) starting at `first`, as "depends on"."""
    keys = list(reversed(circle[:-1]))
    start = keys.index(first)
    return [*keys[start:], *keys[:start], first]


def _refuse_unreachable(book: Codebook, order: tuple[SubFactor, ...]) -> None:
    """Raise UserError for a sub-factor that no court case and no answers can reach."""
    reach = {key: factor.scope for key, (factor, _) in book.places.items()}
    needs: dict[str, dict[str, frozenset[str]]] = {}
    places = {each.key: place for place, each in sub_factors_with_place(book)}
    exclusive = {each.key for each in order if each.exclusive}
    for each in order:
        own: dict[str, frozenset[str]] = {}
        for other, options in each.when.items():
            at = (*places[each.key], "when", other)
            reach[each.key] = shared(reach[each.key], reach[other])
            if not reach[each.key]:
                raise fault("factors_when_scope", *at, key=each.key, other=other)
            for key, wanted in (*needs[other].items(), (other, frozenset(options))):
                own[key] = own.get(key, wanted) & wanted if key in exclusive else wanted
                if not own[key]:
                    raise fault("factors_when_against", *at, key=each.key, other=key)
        needs[each.key] = own


def shared(one: Iterable[str], two: Iterable[str]) -> tuple[str, ...]:
    """Return the intersection of two scopes: of nested parts, the inner one."""
    left, right = tuple(one), tuple(two)
    in_left, in_right = set(left), set(right)
    inner = [part for part in left if _covered(part, in_right)]
    inner += [part for part in right if _covered(part, in_left)]
    return tuple(dict.fromkeys(inner))


def _covered(part: str, scope: Collection[str]) -> bool:
    """Return whether a part of a typology is within a scope."""
    if EVERYWHERE in scope:
        return True
    steps = part.split(".")
    return any(".".join(steps[:depth]) in scope for depth in range(1, len(steps) + 1))
