"""What the scopes of a codebook name: parts of a typology, with their labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from construction.cases.typology import Typology
from construction.tagging.codebook import EVERYWHERE, Codebook

Labels = Mapping[str, Mapping[str, str]]  # key of a part → language → label


def parts(typology: Typology) -> dict[str, Mapping[str, str]]:
    """Return every category, charge and group by the key that a scope names it by."""
    found: dict[str, Mapping[str, str]] = {}
    for category in typology.categories:
        found[category.key] = category.label
        for charge in category.charges:
            found[f"{category.key}.{charge.key}"] = charge.label
            found |= {each.key: each.label for each in charge.groups if each.key not in found}
    return found


def unknown_parts(book: Codebook, known: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the factors with each part of their scope that the typology does not have.

    That is no fault of a codebook: a typology may be saved later. But nothing is asked for it.
    """
    names = {*known, EVERYWHERE}
    return tuple(
        (factor.key, part) for factor in book.factors for part in factor.scope if part not in names
    )


def by_category(scope: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the parts of a scope by category, in its order; none for a category as a whole."""
    found: dict[str, tuple[str, ...]] = {}
    for part in scope:
        category, _, rest = part.partition(".")
        found[category] = (*found.get(category, ()), part) if rest else ()
    return found
