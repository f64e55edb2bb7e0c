"""English words cut to their stems, by the Snowball stemmer for English (Porter 2001)."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

from retrieval.text.function_words import ENGLISH
from retrieval.text.runs import RUN, pairs_of

_guard = threading.Lock()


def stems_and_bigrams(text: str) -> list[str]:
    """Return the stems of the words of a text in normal form, and the pairs of its other runs.

    English function words are left out. Runs of Hangul, Han and Kana are cut into overlapping
    pairs, so that a text of two languages is searched in both.
    """
    tokens: list[str] = []
    for run, word in RUN.findall(text):
        if word:
            tokens.extend(stem_of(word))
        else:
            tokens.extend(pairs_of(run))
    return tokens


@lru_cache(maxsize=65_536)
def stem_of(word: str) -> tuple[str, ...]:
    """Return the stem of a word or number, in a tuple; nothing for an English function word.

    Numbers and words of other languages mostly come back as they are.
    """
    if word in ENGLISH:
        return ()
    with _guard:  # a stemmer keeps state while it works
        return (_stemmer().stemWord(word),)


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")
