"""Tokenisers: text to index terms.

Korean glues particles and endings to words, so whole words match badly. Character n-grams need no
dictionary and reach nearly what a morphological analyser reaches. All tokenisers read text in
composed form (NFC) and lower case. The same function must cut the corpus and the question.

Every tokeniser first divides a text into words and then cuts each word by itself, whatever the
context. So a corpus is cut when its distinct words are: Korean law has 26 million words, 640,000
of them distinct (`TermCounter` of `retrieval.lexical.lexical_method` counts words first, and
terms by them).

========== =====================================================================================
bigram     runs of Hangul, Han and Kana in overlapping pairs of characters, other words whole
char3 …    the same with three or more characters
jamo3 …    runs of Hangul decomposed into letters, these in overlapping n-grams
whitespace words separated by white space, punctuation included
stemmed    English words cut to their stems, without function words; the rest as bigrams
morphemes  Korean words cut to the morphemes that carry content; English as above
========== =====================================================================================
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from errors import UserError
from retrieval.text.morphemes import CJK, RUN_PATTERN, normal_form, pairs_of

DEFAULT = "bigram"

Terms = Sequence[str]
TermsOf = Callable[[Sequence[str]], Sequence[Terms]]
_BATCH = 4_096  # texts whose words are cut together
_RUN = re.compile(RUN_PATTERN)
_CJK = re.compile(f"[{CJK}]")


@dataclass(frozen=True, slots=True)
class Tokeniser:
    """One way of cutting text into terms.

    `words` divides a text in normal form. `opened` returns a function that cuts each of some words;
    costly analyses are cached in the given folder.
    The terms of a text are those of its words, in order.
    """

    words: Callable[[str], list[str]]
    opened: Callable[[Path | None], TermsOf]

    def __call__(self, text: str) -> list[str]:
        """Return the terms of one text, for example of a question."""
        found = self.opened(None)(self.words(normal_form(text)))
        return [term for terms in found for term in terms]


def _by_word(words: Callable[[str], list[str]], terms: Callable[[str], Terms]) -> Tokeniser:
    """Return a tokeniser that cuts each word by the cheap function `terms`."""
    return Tokeniser(words, lambda folder: lambda found: list(map(terms, found)))


def _of_runs(terms: Callable[[str], Terms]) -> Tokeniser:
    """Return a tokeniser that cuts runs of Hangul, Han and Kana by `terms`; others stay whole."""
    return _by_word(_RUN.findall, lambda run: terms(run) if _CJK.match(run) else (run,))


def _ngrams(letters: str, n: int) -> Terms:
    """Return the overlapping n-grams of `letters`; fewer than `n` letters stay whole."""
    return [letters[i : i + n] for i in range(max(1, len(letters) - n + 1))]


def character_ngrams(n: int) -> Tokeniser:
    """Return a tokeniser of overlapping character n-grams.

    Runs of fewer characters, and other words and numbers, stay whole.
    """
    return _of_runs(lambda run: _ngrams(run, n))


def jamo_ngrams(n: int) -> Tokeniser:
    """Return a tokeniser of overlapping n-grams of Hangul letters (jamo, by NFD).

    Runs of fewer letters, and other words and numbers, stay whole.
    """
    return _of_runs(lambda run: _ngrams(unicodedata.normalize("NFD", run), n))


def _stemmed(run: str) -> Terms:
    from retrieval.text.morphemes import stem_of

    return pairs_of(run) if _CJK.match(run) else stem_of(run)


def _morphemes(folder: Path | None) -> TermsOf:
    from retrieval.text.morphemes import kept_words, remembered_words

    return remembered_words if folder is None else kept_words(folder)


def _pieces(text: str) -> list[str]:
    from retrieval.text.morphemes import pieces

    return pieces(text)


bigrams = _of_runs(pairs_of)
"""Runs of Hangul, Han and Kana in overlapping pairs of characters; other words stay whole.

A run of one character yields that character: ``제12조`` gives 제, 12, 조.
"""

TOKENISERS: dict[str, Tokeniser] = {
    "bigram": bigrams,
    "whitespace": _by_word(str.split, lambda word: (word,)),
    "jamo3": jamo_ngrams(3),
    "jamo5": jamo_ngrams(5),
    "char3": character_ngrams(3),
    "char4": character_ngrams(4),
    "stemmed": _by_word(_RUN.findall, _stemmed),
    "morphemes": Tokeniser(_pieces, _morphemes),
}

STEMMING = frozenset({"stemmed", "morphemes"})
"""The tokenisers that stem English words."""


def tokeniser(name: str) -> Tokeniser:
    """Return the tokeniser called `name`. Raises UserError for an unknown name.

    It loads what it needs (a dictionary of morphemes: seconds, once) at its first use.
    """
    if name not in TOKENISERS:
        raise UserError("unknown_tokeniser", name=name, known=", ".join(TOKENISERS))
    return TOKENISERS[name]


def cut_all(name: str, texts: Iterable[str], folder: Path | None = None) -> Iterator[list[str]]:
    """Yield the terms of each text, as `tokeniser(name)` gives them, faster for many texts.

    Costly analyses are cached in `folder`. Raises UserError for an unknown name at once.
    """
    known: dict[str, Terms] = {}
    cut = _words_of_texts(tokeniser(name), texts, known, folder)
    return ([term for word in words for term in known[word]] for words in cut)


def count_all(name: str, texts: Iterable[str]) -> Iterator[int]:
    """Yield each text's number of terms, as `cut_all` cuts them."""
    known: dict[str, Terms] = {}
    cut = _words_of_texts(tokeniser(name), texts, known)
    return (sum(map(len, map(known.__getitem__, words))) for words in cut)


def _words_of_texts(
    cut: Tokeniser, texts: Iterable[str], known: dict[str, Terms], folder: Path | None = None
) -> Iterator[list[str]]:
    """Yield the words of each text; adds the terms of new words to `known`."""
    terms_of, rest = cut.opened(folder), iter(texts)
    while batch := [cut.words(normal_form(text)) for text in islice(rest, _BATCH)]:
        new = sorted({word for words in batch for word in words}.difference(known))
        known.update(zip(new, terms_of(new), strict=True))
        yield from batch
