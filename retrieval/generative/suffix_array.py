"""A full-text index over token ids: finds every n-gram of a corpus and its possible next tokens.

The suffix array (Manber and Myers 1990; made by libdivsufsort) has the start of each suffix of the
corpus, in the order of the suffixes. All occurrences of an n-gram are neighbours in it,
so an n-gram is a `Span`: from row `low` to before row `high`, `depth` tokens long. The next token
ascends along its rows; each change begins the next longer n-gram. This gives the same as the
FM-index of SEAL (Bevilacqua et al. 2022), in more space and less time.

A separator stands after each piece of text and sorts before every token. No span contains it, and
it is never a next token, so no n-gram reaches from one piece into another.

The tokens, and the next tokens of one token, are looked up in tables: those spans are the
widest. In a wide span of two tokens or more only every STRIDE-th row is read at first, and then the
rows between two that differ.

Cache of a corpus's token ids, by tokeniser and corpus: tokenising takes longer than indexing.

So other beam or weighting settings with the same tokeniser need not tokenise the law again.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from normalization.hashing import text_hash
from retrieval.core.method import replacing

STRIDE = 64
NARROW = 4_096  # spans of up to this many rows are read completely
SEPARATOR = -1
"""The separator among token ids; models number theirs from 0."""
_FILES = ("vocabulary", "text", "suffixes", "starts", "firsts", "seconds", "second_rows")

Numbers = NDArray[np.int64]


class Span(NamedTuple):
    """The rows of the suffix array that begin with one n-gram of `depth` tokens."""

    low: int
    high: int
    depth: int

    @property
    def times(self) -> int:
        """The number of occurrences of the n-gram."""
        return self.high - self.low


class Following(NamedTuple):
    """The possible next tokens of an n-gram: ascending ids, half-open row ranges."""

    tokens: Numbers
    lows: Numbers
    highs: Numbers


class TokenIndex:
    """The suffix array of pieces of tokens, with tables for the first and the second token."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take the arrays of :meth:`build` or :meth:`load`.

        ``vocabulary`` are the token ids, ascending, after SEPARATOR; ``text`` the pieces in a row,
        each token by its place in the vocabulary; ``suffixes`` the suffix array; ``starts`` where
        each piece begins, and the end of the text; ``firsts`` the first row of each token, and the
        number of rows; ``seconds`` the next tokens of each token, ``second_rows`` their first rows.
        """
        self._arrays = {name: arrays[name] for name in _FILES}
        self.vocabulary: NDArray[np.int32] = arrays["vocabulary"]
        self.starts: Numbers = arrays["starts"]
        self._text: NDArray[Any] = arrays["text"]
        self._suffixes: NDArray[Any] = arrays["suffixes"]
        self._firsts: Numbers = arrays["firsts"]
        self._seconds: NDArray[Any] = arrays["seconds"]
        self._second_rows: NDArray[Any] = arrays["second_rows"]
        if len(self._suffixes) != len(self._text) or self.starts[-1] != len(self._text):
            raise ValueError("the suffix array is not that of the text")

    @classmethod
    def build(cls, pieces: Iterable[Sequence[int]]) -> TokenIndex:
        """Index `pieces`, each the token ids of one text; one may be empty."""
        return cls.of(joined(pieces))

    @classmethod
    def of(cls, ids: NDArray[np.int32]) -> TokenIndex:
        """Index concatenated pieces, each followed by SEPARATOR."""
        vocabulary, text = _vocabulary_and_indices(ids)
        suffixes = _sorted_suffixes(text)
        counts = np.bincount(text, minlength=len(vocabulary))
        firsts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        seconds, rows = _second_table(text, suffixes, int(firsts[1]))
        starts = np.concatenate([[0], np.flatnonzero(ids == SEPARATOR) + 1]).astype(np.int64)
        arrays = (vocabulary, text, suffixes, starts, firsts, seconds, rows)
        return cls(dict(zip(_FILES, arrays, strict=True)))

    def save(self, folder: Path) -> None:
        """Write one file per array into an existing `folder`."""
        for name, values in self._arrays.items():
            np.save(folder / f"{name}.npy", values)

    @classmethod
    def load(cls, folder: Path) -> TokenIndex:
        """Open what `save` wrote, memory-mapped.

        Raises OSError and ValueError for missing or damaged files.
        """
        opened = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in _FILES}
        # Plain views of the mapped memory: indexing a memmap costs more than the reading.
        return cls({name: np.asarray(values) for name, values in opened.items()})

    def __len__(self) -> int:
        """Return the number of tokens, without separators."""
        return len(self._text) - self.pieces

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return len(self.starts) - 1

    @property
    def bytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(values.nbytes for values in self._arrays.values())

    @property
    def whole(self) -> Span:
        """The span of the empty n-gram."""
        return Span(0, len(self._suffixes), 0)

    def following(self, span: Span) -> Following:
        """Return the possible next tokens of an n-gram within its pieces, and their rows."""
        if span.depth == 0:
            numbers = np.arange(1, len(self.vocabulary))
            return Following(self._ids(numbers), self._firsts[1:-1], self._firsts[2:])
        if span.depth == 1:
            # The same dtype: numpy would copy the whole table otherwise.
            ends = np.array((span.low, span.high), dtype=self._second_rows.dtype)
            a, b = np.searchsorted(self._second_rows, ends)
            rows = self._second_rows[a:b].astype(np.int64)
            return self._following_of_rows(self._seconds[a:b], rows, span.high)
        rows = self._rows_to_read(span)
        numbers = self._tokens_at_depth(rows, span.depth)
        begins = np.concatenate([[True], numbers[1:] != numbers[:-1]])
        return self._following_of_rows(numbers[begins], rows[begins], span.high)

    def narrowed(self, span: Span, token: int) -> Span | None:
        """Return the span of the n-gram extended by `token`, None if it does not occur."""
        if span.depth == 0:
            number = int(np.searchsorted(self.vocabulary, np.int32(token)))
            if not 0 < number < len(self.vocabulary) or self.vocabulary[number] != token:
                return None
            return Span(int(self._firsts[number]), int(self._firsts[number + 1]), 1)
        found = self.following(span)
        at = int(np.searchsorted(found.tokens, token))
        if at == len(found.tokens) or found.tokens[at] != token:
            return None
        return Span(int(found.lows[at]), int(found.highs[at]), span.depth + 1)

    def find(self, tokens: Sequence[int]) -> Span | None:
        """Return the span of an n-gram, None if it does not occur."""
        span: Span | None = self.whole
        for token in tokens:
            span = self.narrowed(span, token) if span else None
        return span

    def places(self, span: Span) -> Numbers:
        """Return the ascending positions of an n-gram in the text, separators included."""
        return np.sort(self._suffixes[span.low : span.high]).astype(np.int64)

    def pieces_at(self, places: Numbers) -> Numbers:
        """Return the piece of each position."""
        return np.asarray(np.searchsorted(self.starts, places, side="right") - 1, dtype=np.int64)

    def _following_of_rows(self, numbers: NDArray[Any], lows: Numbers, high: int) -> Following:
        """Return the tokens that follow, with the row range of each."""
        highs = np.append(lows[1:], high)
        ends = int(len(numbers) > 0 and numbers[0] == 0)  # a separator sorts first
        return Following(self._ids(numbers[ends:]), lows[ends:], highs[ends:])

    def _ids(self, numbers: NDArray[Any]) -> Numbers:
        """Return the token ids of vocabulary numbers."""
        return np.asarray(self.vocabulary[numbers], dtype=np.int64)

    def _tokens_at_depth(self, rows: Numbers, depth: int) -> NDArray[Any]:
        """Return the token at offset `depth` of each suffix."""
        return np.asarray(self._text[self._suffixes[rows].astype(np.int64) + depth])

    def _rows_to_read(self, span: Span) -> Numbers:
        """Return ascending rows of `span` with its first and each change of the next token."""
        if span.times <= NARROW:
            return np.arange(span.low, span.high)
        last = span.high - 1
        marks = np.append(np.arange(span.low, last, STRIDE), last)
        numbers = self._tokens_at_depth(marks, span.depth)
        changed = marks[:-1][numbers[1:] != numbers[:-1]]
        between = np.minimum(changed[:, None] + np.arange(1, STRIDE + 1), last)
        return np.concatenate([[span.low], between.ravel()])


def joined(pieces: Iterable[Sequence[int]]) -> NDArray[np.int32]:
    """Concatenate the token ids of all pieces, each followed by SEPARATOR."""
    ids = array("i")
    for piece in pieces:
        ids.extend(piece)
        ids.append(SEPARATOR)
    return np.frombuffer(ids, dtype=np.int32)


def _vocabulary_and_indices(ids: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """Return the vocabulary, ascending after SEPARATOR, and `ids` as indices into it.

    The indices have the smallest possible type, as sorting time depends on it.
    """
    there = np.zeros(int(ids.max(initial=SEPARATOR)) + 2, dtype=bool)
    there[0] = True
    there[ids + 1] = True
    vocabulary = (np.flatnonzero(there) - 1).astype(np.int32)
    kind = np.uint16 if len(vocabulary) <= 2**16 else np.uint32
    numbers = (np.cumsum(there) - 1).astype(kind)
    return vocabulary, numbers[ids + 1]


def _sorted_suffixes(text: NDArray[Any]) -> NDArray[Any]:
    if not len(text):
        return np.zeros(0, dtype=np.int32)
    from pydivsufsort import divsufsort

    return np.asarray(divsufsort(text))


def _second_table(
    text: NDArray[Any], suffixes: NDArray[Any], separators: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the next tokens of each token, in row order, and their first rows."""
    tokens = suffixes[separators:]
    first, second = text[tokens], text[tokens + 1]  # a separator comes last
    changes = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    begins = np.flatnonzero(np.concatenate([np.ones(min(1, len(tokens)), dtype=bool), changes]))
    return second[begins], (begins + separators).astype(suffixes.dtype)


_FOLDER = "token_ids"
_RULE = 1  # raise it when other texts of a unit are tokenised
_PARTS = ("token", "vocab", "merges")  # in the names of a tokeniser's files

Ids = NDArray[np.int32]


def tokeniser_identity(folder: Path) -> str:
    """Return a hash of a tokeniser's files, "" if none is recognised by its name.

    Weights are not included: models that were trained from one another share a tokeniser.
    """
    files = [
        file
        for file in sorted(folder.iterdir())
        if file.is_file() and (file.suffix == ".model" or any(part in file.name for part in _PARTS))
    ]
    said = sha256()
    for file in files:
        content = file.read_bytes()
        said.update(f"{file.name}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
        said.update(content)
    return said.hexdigest() if files else ""


def kept_ids(cache: Path | None, key: Sequence[str], pieces: int, cut: Callable[[], Ids]) -> Ids:
    """Return token ids from the cache, or else from `cut`.

    `key` is all that they depend on; with an empty part, or no `cache`, nothing is cached. A
    file that is damaged, or has not `pieces` pieces, is replaced.
    """
    if cache is None or not all(key):
        return cut()
    said = text_hash(repr([_RULE, *key]))
    file = cache / _FOLDER / f"{said[:32]}.npy"
    with suppress(OSError, ValueError):
        ids: Ids = np.load(file)
        if ids.dtype == np.int32 and int((ids == SEPARATOR).sum()) == pieces:
            return ids
    made = cut()
    with suppress(OSError), replacing(file) as part:  # without the cache only time is lost
        np.save(part, made)
    return made
