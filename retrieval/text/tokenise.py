"""Text to index terms, one function per way of cutting.

Korean glues particles and endings to words, so whole words match badly. Character n-grams need no
dictionary and reach nearly what a morphological analyser reaches. All tokenisers read text in
composed form (NFC) and lower case. The same function must cut the corpus and the question.

========== =====================================================================================
bigram     runs of Hangul, Han and Kana in overlapping pairs of characters, other words whole
char3 …    the same with three or more characters
jamo3 …    runs of Hangul decomposed into letters, these in overlapping n-grams
whitespace what stands between white space, punctuation and all
stemmed    English words cut to their stems, without function words; the rest as bigrams
morphemes  Korean words cut to the morphemes that carry content; English as above
========== =====================================================================================
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from errors import UserError
from retrieval.text.morphemes import RUN, normal_form, pairs_of

DEFAULT = "bigram"

Cut = Callable[[str], list[str]]


def bigrams(text: str) -> list[str]:
    """Cut runs of Hangul, Han and Kana into overlapping pairs; keep other words and numbers whole.

    A run of one character yields that character: ``제12조`` gives 제, 12, 조.
    """
    tokens: list[str] = []
    for run, word in RUN.findall(normal_form(text)):
        if word:
            tokens.append(word)
        else:
            tokens += pairs_of(run)
    return tokens


def character_ngrams(n: int) -> Cut:
    """Return the tokeniser that cuts runs into overlapping stretches of `n` characters.

    Runs of fewer characters, and other words and numbers, stay whole.
    """
    return lambda text: _ngrams(text, n, lambda run: run)


def jamo_ngrams(n: int) -> Cut:
    """Return the tokeniser that decomposes Hangul into letters (NFD) and cuts these by `n`.

    Runs of fewer letters, and other words and numbers, stay whole.
    """
    return lambda text: _ngrams(text, n, lambda run: unicodedata.normalize("NFD", run))


def words(text: str) -> list[str]:
    """Split at white space, punctuation and all."""
    return normal_form(text).split()


def stemmed(text: str) -> list[str]:
    """Cut English to stems, without its function words; everything else as `bigrams` does."""
    from retrieval.text.morphemes import stems_and_bigrams

    return stems_and_bigrams(normal_form(text))


def morphemes(text: str) -> list[str]:
    """Cut Korean words to the morphemes that carry content; see `retrieval.text.morphemes`."""
    from retrieval.text.morphemes import cut

    return cut(normal_form(text))


TOKENISERS: dict[str, Cut] = {
    "bigram": bigrams,
    "whitespace": words,
    "jamo3": jamo_ngrams(3),
    "jamo5": jamo_ngrams(5),
    "char3": character_ngrams(3),
    "char4": character_ngrams(4),
    "stemmed": stemmed,
    "morphemes": morphemes,
}

STEMMING = frozenset({"stemmed", "morphemes"})
"""The tokenisers that cut English words to their stems."""


def tokeniser(name: str) -> Cut:
    """Return the tokeniser called `name`. Raises UserError for a name that is not offered.

    What it needs to load (a dictionary of morphemes: seconds, once) it loads when it first cuts.
    """
    if name not in TOKENISERS:
        raise UserError("unknown_tokeniser", name=name, known=", ".join(TOKENISERS))
    return TOKENISERS[name]


def cut_all(name: str, texts: Iterable[str], folder: Path | None = None) -> Iterator[list[str]]:
    """Yield the terms of each text, as `tokeniser(name)` gives them, faster for many texts.

    What is dear to find out is kept in `folder` and taken from there the next time. Raises
    UserError for an unknown name at once.
    """
    one = tokeniser(name)
    if name != "morphemes":
        return map(one, texts)
    from retrieval.text.morphemes import cut_many

    return cut_many(map(normal_form, texts), folder)


def _ngrams(text: str, n: int, letters_of: Callable[[str], str]) -> list[str]:
    tokens: list[str] = []
    for run, word in RUN.findall(normal_form(text)):
        letters = word or letters_of(run)
        if word or len(letters) < n:
            tokens.append(letters)
        else:
            tokens.extend(letters[i : i + n] for i in range(len(letters) - n + 1))
    return tokens
