"""A codebook with one thing changed; whether it still holds together, reading its text tells."""

from __future__ import annotations

from dataclasses import replace

from construction.tagging.codebook import Codebook, Factor, SubFactor


def find(book: Codebook, key: str) -> tuple[Factor, SubFactor]:
    """Return a sub-factor and the factor it stands in. Raises KeyError for none of that key."""
    for factor in book.factors:
        for each in factor.sub_factors:
            if each.key == key:
                return factor, each
    raise KeyError(key)


def put(book: Codebook, factor: str, each: SubFactor, position: int) -> Codebook:
    """Return the codebook with the sub-factor in that factor, new or in place of the one before.

    `position` is its place in the lawyers' order, from 1. One that was in another factor moves.
    """
    known = {one.key for one in next(f for f in book.factors if f.key == factor).sub_factors}
    factors = []
    for one in book.factors:
        inner = tuple(
            each if old.key == each.key else old
            for old in one.sub_factors
            if old.key != each.key or one.key == factor
        )
        if one.key == factor and each.key not in known:
            inner = (*inner, each)
        factors.append(replace(one, sub_factors=inner))
    order = [key for key in book.order if key != each.key]
    order.insert(max(0, min(position - 1, len(order))), each.key)
    return Codebook(_kept(factors), tuple(order))


def without(book: Codebook, key: str) -> Codebook:
    """Return the codebook without the sub-factor, nor a factor that is empty then.

    Conditions that name it stay, so that whoever reads the text is told of them.
    """
    factors = [
        replace(one, sub_factors=tuple(each for each in one.sub_factors if each.key != key))
        for one in book.factors
    ]
    return Codebook(_kept(factors), tuple(each for each in book.order if each != key))


def with_factor(book: Codebook, factor: Factor) -> Codebook:
    """Return the codebook with the label, help and scope of a factor as given.

    A factor of a new key comes last, with its sub-factors last in the order.
    """
    if all(one.key != factor.key for one in book.factors):
        order = (*book.order, *(each.key for each in factor.sub_factors))
        return Codebook((*book.factors, factor), order)
    factors = tuple(
        replace(one, label=factor.label, help=factor.help, scope=factor.scope)
        if one.key == factor.key
        else one
        for one in book.factors
    )
    return Codebook(factors, book.order)


def _kept(factors: list[Factor]) -> tuple[Factor, ...]:
    return tuple(each for each in factors if each.sub_factors)
