"""A full-text index over token ids: every run of tokens of a corpus, and what may follow it.

The suffix array (Manber and Myers 1990; made by libdivsufsort) has where each rest of the corpus
begins, in the order of the rests. All places at which a run of tokens stands are neighbours in it,
so a run is a `Span`: from row `low` to before row `high`, `depth` tokens long. What follows the run
ascends along its rows; where it changes begins the next longer run. This gives what the FM-index of
SEAL gives (Bevilacqua et al. 2022), in more space and less time.

A separator stands after each piece of text and sorts before every token. No span has it within, and
nothing that follows a span is a separator, so no run reaches from one piece into another.

Which tokens there are, and which follow one of them, is looked up in tables: those spans are the
widest. In a wide span of two tokens or more only every STRIDE-th row is read at first, and then the
rows between two that differ.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

STRIDE = 64
NARROW = 4_096  # rows of a span that are all read
SEPARATOR = -1
"""What stands for a separator among token ids; models number theirs from 0."""
_FILES = ("vocabulary", "text", "suffixes", "starts", "firsts", "seconds", "second_rows")

Numbers = NDArray[np.int64]


class Span(NamedTuple):
    """The rows of the suffix array that begin with one run of `depth` tokens."""

    low: int
    high: int
    depth: int

    @property
    def times(self) -> int:
        """How often the run stands in the corpus."""
        return self.high - self.low


class Following(NamedTuple):
    """What follows a run: token ids, ascending, and from and to before which row each one does."""

    tokens: Numbers
    lows: Numbers
    highs: Numbers


class TokenIndex:
    """The suffix array of pieces of tokens, with tables for the first and the second token."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take what :meth:`build` makes or :meth:`load` reads.

        ``vocabulary`` are the token ids, ascending, after SEPARATOR; ``text`` the pieces in a row,
        each token by its place in the vocabulary; ``suffixes`` the suffix array; ``starts`` where
        each piece begins, and the end of the text; ``firsts`` the first row of each token, and the
        number of rows; ``seconds`` what follows one token, and ``second_rows`` from which row on.
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
        ids, starts = array("i"), array("q", [0])
        for piece in pieces:
            ids.extend(piece)
            ids.append(SEPARATOR)
            starts.append(len(ids))
        return cls.of(np.frombuffer(ids, dtype=np.int32), np.array(starts, dtype=np.int64))

    @classmethod
    def of(cls, ids: NDArray[np.int32], starts: Numbers) -> TokenIndex:
        """Index the pieces that stand in `ids` in a row, SEPARATOR after each."""
        vocabulary, text = _numbered(ids)
        suffixes = _sorted_suffixes(text)
        counts = np.bincount(text, minlength=len(vocabulary))
        firsts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        seconds, rows = _second_table(text, suffixes, int(firsts[1]))
        arrays = (vocabulary, text, suffixes, starts, firsts, seconds, rows)
        return cls(dict(zip(_FILES, arrays, strict=True)))

    def save(self, folder: Path) -> None:
        """Write one file per array into `folder`, which is there."""
        for name, values in self._arrays.items():
            np.save(folder / f"{name}.npy", values)

    @classmethod
    def load(cls, folder: Path) -> TokenIndex:
        """Open what `save` wrote, memory-mapped.

        Raises OSError and ValueError for files that are not there or not sound.
        """
        opened = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in _FILES}
        # Plain views of the mapped memory: indexing a memmap costs more than the reading.
        return cls({name: np.asarray(values) for name, values in opened.items()})

    def __len__(self) -> int:
        """Return the number of tokens, separators aside."""
        return len(self._text) - self.pieces

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return len(self.starts) - 1

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        return sum(values.nbytes for values in self._arrays.values())

    @property
    def whole(self) -> Span:
        """The span of the empty run."""
        return Span(0, len(self._suffixes), 0)

    def following(self, span: Span) -> Following:
        """Return what follows the run of `span` within its pieces, and the rows of each."""
        if span.depth == 0:
            numbers = np.arange(1, len(self.vocabulary))
            return Following(self._ids(numbers), self._firsts[1:-1], self._firsts[2:])
        if span.depth == 1:
            # Of the same kind of numbers: numpy would make a copy of the whole table otherwise.
            ends = np.array((span.low, span.high), dtype=self._second_rows.dtype)
            a, b = np.searchsorted(self._second_rows, ends)
            rows = self._second_rows[a:b].astype(np.int64)
            return self._described(self._seconds[a:b], rows, span.high)
        rows = self._rows_to_read(span)
        numbers = self._after(rows, span.depth)
        begins = np.concatenate([[True], numbers[1:] != numbers[:-1]])
        return self._described(numbers[begins], rows[begins], span.high)

    def narrowed(self, span: Span, token: int) -> Span | None:
        """Return the span of the run with `token` behind it, None where that stands nowhere."""
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
        """Return the span of a run of tokens, None where it stands nowhere."""
        span: Span | None = self.whole
        for token in tokens:
            span = self.narrowed(span, token) if span else None
        return span

    def places(self, span: Span) -> Numbers:
        """Return where the run stands, ascending, counted in tokens and separators of the text."""
        return np.sort(self._suffixes[span.low : span.high]).astype(np.int64)

    def pieces_at(self, places: Numbers) -> Numbers:
        """Return in which piece each place lies."""
        return np.asarray(np.searchsorted(self.starts, places, side="right") - 1, dtype=np.int64)

    def _described(self, numbers: NDArray[Any], lows: Numbers, high: int) -> Following:
        highs = np.append(lows[1:], high)
        ends = int(len(numbers) > 0 and numbers[0] == 0)  # a separator sorts first
        return Following(self._ids(numbers[ends:]), lows[ends:], highs[ends:])

    def _ids(self, numbers: NDArray[Any]) -> Numbers:
        return np.asarray(self.vocabulary[numbers], dtype=np.int64)

    def _after(self, rows: Numbers, depth: int) -> NDArray[Any]:
        """Return what stands `depth` tokens behind the beginning of each row."""
        return np.asarray(self._text[self._suffixes[rows].astype(np.int64) + depth])

    def _rows_to_read(self, span: Span) -> Numbers:
        """Return rows of `span`, ascending, among them its first and each where a change is."""
        if span.times <= NARROW:
            return np.arange(span.low, span.high)
        last = span.high - 1
        marks = np.append(np.arange(span.low, last, STRIDE), last)
        numbers = self._after(marks, span.depth)
        changed = marks[:-1][numbers[1:] != numbers[:-1]]
        between = np.minimum(changed[:, None] + np.arange(1, STRIDE + 1), last)
        return np.concatenate([[span.low], between.ravel()])


def _numbered(ids: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """Return the ids that occur, ascending after SEPARATOR, and `ids` by their places among them.

    The numbers have as few bytes as will do: the time that sorting takes goes with them.
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
    """Return what follows one token, in the order of rows, and from which row on."""
    tokens = suffixes[separators:]
    first, second = text[tokens], text[tokens + 1]  # a separator is the last of all
    changes = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    begins = np.flatnonzero(np.concatenate([np.ones(min(1, len(tokens)), dtype=bool), changes]))
    return second[begins], (begins + separators).astype(suffixes.dtype)
