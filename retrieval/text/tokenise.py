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

Token counts of texts, by a built-in tokeniser or a user's ``tokenizer.json``.

A corpus is described in the tokens of the model that is to read it, so any file in the format of
Hugging Face's tokenizers will do. Such a file is a program: its regular expressions run on every
text, and its size is unbounded. So it is read and run in a child process under limits
(`corpus.sandbox.pool`; the task is `retrieval.text.token_worker`). Special tokens are not counted,
and a limit on length that a file sets (truncation, padding) is not applied.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from corpus.sandbox.pool import Bounds, ChildError, ChildPool
from errors import UserError, Where, require_known
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
    """Return a tokeniser that finds words by `words` and cuts each by `terms`, a cheap function."""
    return Tokeniser(words, lambda folder: lambda found: list(map(terms, found)))


def _run_tokeniser(terms: Callable[[str], Terms]) -> Tokeniser:
    """Return a tokeniser that cuts runs of Hangul, Han and Kana by `terms`; others stay whole."""
    return _by_word(_RUN.findall, lambda run: terms(run) if _CJK.match(run) else (run,))


def _ngrams(letters: str, n: int) -> Terms:
    """Return the overlapping n-grams of `letters`; fewer than `n` letters stay whole."""
    return [letters[i : i + n] for i in range(max(1, len(letters) - n + 1))]


def character_ngrams(n: int) -> Tokeniser:
    """Return a tokeniser of overlapping character n-grams.

    Runs of fewer characters, and other words and numbers, stay whole.
    """
    return _run_tokeniser(lambda run: _ngrams(run, n))


def jamo_ngrams(n: int) -> Tokeniser:
    """Return a tokeniser of overlapping n-grams of Hangul letters (jamo, by NFD).

    Runs of fewer letters, and other words and numbers, stay whole.
    """
    return _run_tokeniser(lambda run: _ngrams(unicodedata.normalize("NFD", run), n))


def _stemmed(run: str) -> Terms:
    """Return the terms of a run: character pairs or a stem."""
    from retrieval.text.morphemes import stem_of

    return pairs_of(run) if _CJK.match(run) else stem_of(run)


def _morphemes(folder: Path | None) -> TermsOf:
    """Return a function that cuts words into morphemes, cached in a folder if there is one."""
    from retrieval.text.morphemes import cut_with_memory, kept_words

    return cut_with_memory if folder is None else kept_words(folder)


def _pieces(text: str) -> list[str]:
    """Split a text into pieces for morphemes."""
    from retrieval.text.morphemes import pieces

    return pieces(text)


bigrams = _run_tokeniser(pairs_of)
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
    require_known("unknown_tokeniser", TOKENISERS, name=name)
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


WHITESPACE = "whitespace"
OFFERED = (WHITESPACE, "morphemes")
LARGEST = 64 << 20  # bytes of a file; 250,000 pieces in a hundred languages take 17 MB
NAME_LIMIT = 100  # characters of a file's name in a report
BOUNDS = Bounds(seconds=300.0, processor=120.0, sent=4 << 20)  # for a batch of texts
POOL = ChildPool("retrieval.text.token_worker", 1)
_BATCH_OF_TOKEN_COUNTS = 2_000  # texts
_ENDED = {"slow": "tokenizer_slow", "large": "tokenizer_memory", "crashed": "tokenizer_crashed"}

Count = Callable[[Iterable[str]], Iterator[int]]


@dataclass(frozen=True, slots=True)
class TokenCount:
    """A way to count tokens: `name` as shown in reports, `digest` the SHA-256 of a file or "".

    `count` yields the number of tokens of each text, in order. It raises UserError for an
    unusable file.
    """

    name: str
    digest: str = ""
    count: Count = field(compare=False, repr=False, default=lambda texts: map(len, texts))

    @property
    def display_name(self) -> str:
        """The name, with the beginning of a file's digest to distinguish files of one name."""
        return f"{self.name} (SHA-256 {self.digest[:12]})" if self.digest else self.name


def by_tokeniser(name: str) -> TokenCount:
    """Return token counts by a built-in tokeniser. Raises UserError for an unknown name."""
    tokeniser(name)
    return TokenCount(name, count=lambda texts: count_all(name, texts))


def by_file(content: bytes, file: str) -> TokenCount:
    """Return token counts by a ``tokenizer.json``; `file` is its name.

    Raises UserError for a file that is too large; `count` finds other errors.
    """
    if len(content) > LARGEST:
        limit = f"{LARGEST >> 20} MiB"
        raise UserError("tokenizer_large", Where(file), limit=limit)

    def count(texts: Iterable[str]) -> Iterator[int]:
        """Yield each text's number of tokens."""
        left = iter(texts)
        while batch := list(islice(left, _BATCH_OF_TOKEN_COUNTS)):
            yield from _counted(content, file, batch)

    return TokenCount(file[-NAME_LIMIT:], sha256(content).hexdigest(), count)


def _counted(content: bytes, file: str, texts: list[str]) -> list[int]:
    """Count tokens in a child process, bounded in time and memory."""
    blocks = content, json.dumps(texts).encode()
    try:
        made: Any = POOL.run("count", {"file": file}, blocks, BOUNDS).value
    except ChildError as error:
        raise UserError(_ENDED[error.why], Where(file)) from error
    known = isinstance(made, list) and len(made) == len(texts)
    if not known or not all(type(each) is int and each >= 0 for each in made):
        raise UserError("tokenizer_crashed", Where(file))
    return list(made)
