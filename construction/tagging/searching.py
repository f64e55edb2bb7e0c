"""Finding questions in a codebook: by words, by what they are asked of, by kind."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from construction.tagging.applicability import within
from construction.tagging.codebook import EVERYWHERE, Codebook, Factor, SubFactor

Found = tuple[tuple[Factor, tuple[SubFactor, ...]], ...]


def matching(book: Codebook, words: str = "", part: str = "", claims: bool = False) -> Found:
    """Return the factors with those of their sub-factors that fit, as they stand.

    Every one of `words` stands in a key, label or help of the sub-factor, its options or its
    factor, in any language, upper or lower case. `part` is a part of a typology, part of whose
    cases are asked; `claims` leaves out what is none.
    """
    wanted = _folded(words).split()
    found = []
    for factor in book.factors:
        if part and not any(meets(part, each) for each in factor.scope):
            continue
        inner = tuple(
            each
            for each in factor.sub_factors
            if (each.claim or not claims) and _says(factor, each, wanted)
        )
        if inner:
            found.append((factor, inner))
    return tuple(found)


def meets(part: str, scope: str) -> bool:
    """Return whether a scope takes in that part of a typology or something within it."""
    return scope == EVERYWHERE or within(part, scope) or within(scope, part)


def _says(factor: Factor, each: SubFactor, wanted: list[str]) -> bool:
    if not wanted:
        return True
    named: list[Factor | SubFactor] = [factor, each]
    text = " ".join(word for one in named for word in _words(one.key, one.label, one.help))
    if not each.claim:
        text += " ".join(w for one in each.options for w in _words(one.key, one.label, one.help))
    folded = _folded(text)
    return all(word in folded for word in wanted)


def _words(key: str, label: Mapping[str, str], said: Mapping[str, str]) -> Iterator[str]:
    yield key
    yield from label.values()
    yield from said.values()


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
