"""How a place within a codebook is named: ``factors[2].sub_factors[1].when``, counted from 1."""

from __future__ import annotations

from collections.abc import Iterator

from construction.tagging.codebook import Codebook, SubFactor


def placed(book: Codebook) -> Iterator[tuple[str, SubFactor]]:
    """Yield every sub-factor with its place, as they stand in the tree."""
    for number, factor in enumerate(book.factors, 1):
        for count, each in enumerate(factor.sub_factors, 1):
            yield f"factors[{number}].sub_factors[{count}]", each
