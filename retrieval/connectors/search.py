"""Evaluation of queries on a positional index: matching texts, matches, and counts per part.

Texts are ranked by the number of matches of the whole query, most first, ties in the
order of the collection; or all in that order.

Positional index of every word of a collection, in memory-mapped arrays.

A position is one number for the whole collection: words are counted through all texts in order, and
before each field GAP numbers stay free, so that no connector that counts words reaches from one
field into another. So a word's postings are one ascending array, and unit, paragraph and sentence
of a position are found in the ascending arrays of their first positions. The words are sorted, so
the postings of all words with one prefix are contiguous: a truncated word is a slice.

A base form (see `retrieval.connectors.words`) has no postings of its own but refers to its words.
"""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.connectors import spans as merging
from retrieval.connectors.query import (
    ANY,
    Connected,
    Either,
    Kind,
    Part,
    Phrase,
    Term,
    parse,
    write,
)
from retrieval.connectors.spans import Numbers, Spans
from retrieval.connectors.words import (
    FIELD,
    PARAGRAPH,
    STOPS,
    VERSION,
    Morphemes,
    SearchedText,
    bases_of,
    pieces,
    query_base_form,
    word_offsets,
)
from retrieval.core.method import DamagedIndexError, described, require_sound

GAP = 256  # more than any connector reaches
MANIFEST = "connectors.json"
_MOST = 2**31 - 2 * GAP
_BREAKS = (FIELD, PARAGRAPH, *STOPS)
_FIRST_WORD = len(_BREAKS)
_CHARACTER = rb"(?:[\x00-\x09\x0b-\x7f]|[\xc2-\xf4][\x80-\xbf]+)"


class Vocabulary:
    """A sorted vocabulary, searched in place: UTF-8, a newline after each word."""

    def __init__(self, letters: NDArray[np.uint8], ends: Numbers) -> None:
        """Take the bytes and the end offsets of the words; the first offset is 0."""
        self.letters, self.ends = letters, ends

    @classmethod
    def of(cls, words: Sequence[str]) -> Vocabulary:
        """Build it from distinct words in ascending order."""
        encoded = [f"{word}\n".encode("utf-8", "surrogatepass") for word in words]
        ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), ends)

    def __len__(self) -> int:
        return len(self.ends) - 1

    def word(self, number: int) -> bytes:
        """Return the word with a number."""
        return self.letters[self.ends[number] : self.ends[number + 1] - 1].tobytes()

    def range_of(self, beginning: str) -> tuple[int, int]:
        """Return the half-open range of the words that start with `beginning`."""
        first = beginning.encode("utf-8", "surrogatepass")
        numbers = range(len(self))
        start = bisect_left(numbers, first, key=self.word)
        return start, bisect_left(numbers, first + b"\xff", lo=start, key=self.word)

    def number(self, word: str) -> int | None:
        """Return the number of a word; None if it is unknown."""
        wanted = word.encode("utf-8", "surrogatepass")
        at = bisect_left(range(len(self)), wanted, key=self.word)
        return at if at < len(self) and self.word(at) == wanted else None

    def like(self, pattern: str, root: bool = False) -> Numbers:
        """Return, ascending, the numbers of words that match `pattern`, each ``*`` one character.

        With `root` only the beginning of a word has to match.
        """
        start, stop = self.range_of(pattern[: pattern.index(ANY)])
        pieces_ = (each.encode("utf-8", "surrogatepass") for each in pattern.split(ANY))
        fits = _CHARACTER.join(map(re.escape, pieces_)) + (b"[^\n]*" if root else b"") + b"\n"
        text = self.letters[self.ends[start] : self.ends[stop]].tobytes()
        found = [at.start() for at in re.finditer(b"^" + fits, text, re.MULTILINE)]
        places = np.array(found, dtype=np.int64) + self.ends[start]
        return np.asarray(np.searchsorted(self.ends, places))


class ConnectorIndex:
    """The positional index of a collection: `ids` of its texts in order, positions of its words."""

    def __init__(self, ids: Sequence[str], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take what :meth:`build` makes or :meth:`load` reads."""
        self.ids = tuple(ids)
        self._arrays = dict(arrays)
        self._words = Vocabulary(arrays["letters"], arrays["ends"])
        self._bases = Vocabulary(arrays["base_letters"], arrays["base_ends"])
        self._starts: Numbers = arrays["starts"]
        self._positions: Numbers = arrays["positions"]
        self._base_starts: Numbers = arrays["base_starts"]
        self._base_words: Numbers = arrays["base_words"]
        self.fields: Numbers = arrays["fields"]
        self.paragraphs: Numbers = arrays["paragraphs"]
        self.sentences: Numbers = arrays["sentences"]

    @classmethod
    def build(cls, texts: Iterable[SearchedText], morphemes: Morphemes) -> ConnectorIndex:
        """Build the index in one pass over the texts.

        Raises ValueError for more words than positions can count.
        """
        numbers, ids, stream = _Numbers(), [], array("i")
        for each in _BREAKS:
            numbers[each]
        for text in texts:
            ids.append(text.id)
            stream.extend(map(numbers.__getitem__, pieces(text)))
        return cls(ids, _arrays(np.frombuffer(stream, dtype=np.int32), numbers, morphemes))

    @cached_property
    def units(self) -> Numbers:
        """The first position of each text."""
        return np.ascontiguousarray(self.fields[::2])

    def positions(self, term: Term, exact: bool = False) -> Numbers:
        """Return the ascending positions of a term; `exact` for this form only."""
        if ANY in term.text:
            return self._positions_of(self._words_like(term, exact))
        if term.root:
            start, stop = self._words.range_of(term.text)
            return np.sort(self._positions[self._starts[start] : self._starts[stop]])
        if exact:
            found = self._words.number(term.text)
            return self._positions_of([] if found is None else [found])
        base = self._bases.number(query_base_form(term.text))
        return self._positions_of([] if base is None else self._words_of(base))

    def _words_like(self, term: Term, exact: bool) -> Numbers:
        """Return the numbers of words that match a term with stars, or whose base form does."""
        if exact or term.root:
            return self._words.like(term.text, term.root)
        bases = self._bases.like(term.text)
        if not len(bases):
            return bases
        return np.unique(np.concatenate([self._words_of(int(base)) for base in bases]))

    def _words_of(self, base: int) -> Numbers:
        """Return the words with a base form."""
        return self._base_words[self._base_starts[base] : self._base_starts[base + 1]]

    def _positions_of(self, words: Iterable[int]) -> Numbers:
        """Return the positions of these words, ascending."""
        slices = [self._positions[self._starts[word] : self._starts[word + 1]] for word in words]
        if len(slices) < 2:
            return np.asarray(slices[0] if slices else self._positions[:0])
        return np.sort(np.concatenate(slices))

    def save(self, folder: Path) -> None:
        """Write the arrays into an existing empty `folder`; the manifest comes last."""
        for name, values in self._arrays.items():
            np.save(folder / f"{name}.npy", values)
        (folder / "ids.json").write_text(json.dumps(self.ids), encoding="utf-8")
        manifest = {"version": VERSION, "arrays": [*self._arrays], "files": described(folder)}
        (folder / MANIFEST).write_text(json.dumps(manifest, indent=2), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> ConnectorIndex:
        """Open what `save` wrote, memory-mapped. Raises DamagedIndexError for damaged files."""
        try:
            manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
            if manifest["version"] != VERSION:
                raise DamagedIndexError(f"{folder}: of another version")
            require_sound(folder / MANIFEST, manifest["files"])
            arrays = {
                name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in manifest["arrays"]
            }
            ids = json.loads((folder / "ids.json").read_text(encoding="utf-8"))
            return cls(ids, arrays)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DamagedIndexError(f"{folder}: {error}") from error


class _Numbers(dict[str, int]):
    """Numbers words in order of first occurrence."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def _arrays(
    stream: NDArray[np.int32], numbers: dict[str, int], morphemes: Morphemes
) -> dict[str, NDArray[Any]]:
    """Return the arrays of the index from a stream of word numbers."""
    words = sorted(list(numbers)[_FIRST_WORD:])
    rank = np.full(len(numbers), -1, dtype=np.int32)
    rank[np.fromiter((numbers[word] for word in words), np.int64, len(words))] = np.arange(
        len(words), dtype=np.int32
    )
    numbers.clear()
    found = _section_starts(stream) | _postings(stream, rank, len(words))
    vocabulary = Vocabulary.of(words)
    found |= {"letters": vocabulary.letters, "ends": vocabulary.ends}
    return found | _bases(words, morphemes)


def _word_positions(stream: NDArray[np.int32]) -> Numbers:
    """Return, for each piece, the position of the next word, its own if it is one."""
    is_word = stream >= _FIRST_WORD
    counted = np.cumsum(is_word, dtype=np.int64) - is_word
    counted += GAP * np.cumsum(stream == 0, dtype=np.int64)
    if len(counted) and counted[-1] >= _MOST:
        raise ValueError("too many words for one index")
    return counted.astype(np.int32)


def _section_starts(stream: NDArray[np.int32]) -> dict[str, NDArray[Any]]:
    """Return the word positions at which fields, paragraphs and sentences begin."""
    counted = _word_positions(stream)
    return {
        "fields": counted[stream == 0],
        "paragraphs": np.unique(counted[stream <= 1]),
        "sentences": np.unique(counted[stream < _FIRST_WORD]),
    }


def _postings(stream: NDArray[np.int32], rank: Numbers, size: int) -> dict[str, NDArray[Any]]:
    """Return the positions of each word as arrays."""
    which = stream >= _FIRST_WORD
    words = rank[stream[which]]
    positions = _word_positions(stream)[which]
    starts, order = _grouped(words, size)
    return {"starts": starts, "positions": positions[order]}


def _grouped(numbers: NDArray[np.int32], size: int) -> tuple[Numbers, NDArray[np.intp]]:
    """Return where each of `size` numbers starts, and the order that puts equal ones together."""
    starts = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(numbers, minlength=size), out=starts[1:])
    return starts, np.argsort(numbers, kind="stable")


def _bases(words: Sequence[str], morphemes: Morphemes) -> dict[str, NDArray[Any]]:
    """Return the base forms in order, and the ascending words of each."""
    numbers = _Numbers()
    base, word = array("i"), array("i")
    for at, bases in enumerate(bases_of(words, morphemes)):
        for each in sorted(bases):
            base.append(numbers[each])
            word.append(at)
    names = sorted(numbers)
    rank = np.zeros(len(names), dtype=np.int32)
    rank[[numbers[name] for name in names]] = np.arange(len(names), dtype=np.int32)
    starts, order = _grouped(rank[np.frombuffer(base, dtype=np.int32)], len(names))
    vocabulary = Vocabulary.of(names)
    return {
        "base_letters": vocabulary.letters,
        "base_ends": vocabulary.ends,
        "base_starts": starts,
        "base_words": np.frombuffer(word, dtype=np.int32)[order],
    }


class Order(StrEnum):
    """The order of the texts found."""

    MATCHES = "matches"  # the most matches first
    COLLECTION = "collection"  # as the collection has them


@dataclass(frozen=True, slots=True)
class PartCount:
    """Number of matches of a part of a query, and of texts; `depth` is 0 for the whole."""

    text: str
    depth: int
    matches: int
    texts: int


@dataclass(frozen=True, slots=True)
class TextHit:
    """A text found: its number in the collection, its id and its matches.

    `words` are the first and last word of each match, counted from 0 in the title (`title`) or in
    the body.
    """

    number: int
    id: str
    matches: int
    title: tuple[tuple[int, int], ...]
    words: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a query: `texts` in all, `matches` in all, and the requested texts."""

    query: str
    texts: int
    matches: int
    counts: tuple[PartCount, ...]
    hits: tuple[TextHit, ...]


@dataclass(frozen=True, slots=True)
class Marks:
    """Character spans of the matches in a text's title and body."""

    title: tuple[tuple[int, int], ...]
    body: tuple[tuple[int, int], ...]


def search(
    index: ConnectorIndex,
    query: str | Part,
    limit: int = 20,
    order: Order = Order.MATCHES,
    skip: int = 0,
) -> Found:
    """Search the index: `limit` texts after the first `skip`.

    Raises UserError for an invalid query; see `retrieval.connectors.query`.
    """
    part = parse(query) if isinstance(query, str) else query
    counts: list[PartCount] = []
    whole = _evaluated(index, part, 0, counts)
    texts, matches = merging.sections(whole, index.units)
    ranked = _best_first(matches, skip + limit, order)[skip:]
    hits = tuple(_text_hit(index, whole, int(texts[at]), int(matches[at])) for at in ranked)
    return Found(write(part), len(texts), len(whole), tuple(counts), hits)


def marks(text: SearchedText, hit: TextHit) -> Marks:
    """Return the character spans of the matches of `hit` in its text."""
    title, body = word_offsets(text)
    return Marks(_character_spans(title, hit.title), _character_spans(body, hit.words))


def _character_spans(
    words: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """Convert spans of words to spans of characters."""
    return tuple((words[first][0], words[last][1]) for first, last in spans)


def _evaluated(index: ConnectorIndex, part: Part, depth: int, counts: list[PartCount]) -> Spans:
    """Evaluate a part; appends its count to `counts`, before those of its parts."""
    place = len(counts)
    counts.append(PartCount("", 0, 0, 0))
    match part:
        case Phrase(terms, exact):
            places = [index.positions(term, exact) for term in terms]
            found = merging.phrase(places)
        case Either(parts):
            found = merging.union(*(_evaluated(index, each, depth + 1, counts) for each in parts))
        case Connected():
            left = _evaluated(index, part.left, depth + 1, counts)
            right = _evaluated(index, part.right, depth + 1, counts)
            found = _apply_connector(index, part, left, right)
    texts = len(merging.sections(found, index.units)[0])
    counts[place] = PartCount(write(part), depth, len(found), texts)
    return found


def _apply_connector(index: ConnectorIndex, part: Connected, left: Spans, right: Spans) -> Spans:
    """Join the spans of two parts by their connector."""
    match part.connector.kind:
        case Kind.BEFORE:
            return merging.before(left, right, part.connector.n)
        case Kind.NEAR:
            return merging.near(left, right, part.connector.n)
        case Kind.SENTENCE_BEFORE:
            return merging.before_within(left, right, index.sentences)
        case Kind.PARAGRAPH_BEFORE:
            return merging.before_within(left, right, index.paragraphs)
        case Kind.SENTENCE | Kind.PARAGRAPH as kind:
            bounds = index.sentences if kind == Kind.SENTENCE else index.paragraphs
            return merging.within(
                merging.within_sections(left, bounds),
                merging.within_sections(right, bounds),
                bounds,
            )
        case Kind.AND:
            return merging.within(left, right, index.units)
        case Kind.BUT_NOT:
            return merging.without(left, right, index.units)


def _best_first(matches: Numbers, most: int, order: Order) -> Numbers:
    """Return the indices of the `most` best texts by matches, or the first by collection order."""
    if order == Order.COLLECTION or not len(matches):
        return np.arange(min(most, len(matches)))
    if 0 < most < len(matches):
        least = np.partition(matches, len(matches) - most)[len(matches) - most]
        near = np.flatnonzero(matches >= least)
    else:
        near = np.arange(len(matches))
    return near[np.argsort(-matches[near], kind="stable")][:most]


def _text_hit(index: ConnectorIndex, whole: Spans, number: int, matches: int) -> TextHit:
    """Return the text numbered `number` as a hit, with the words of its matches."""
    title, body = int(index.fields[2 * number]), int(index.fields[2 * number + 1])
    first = int(np.searchsorted(whole.starts, title))
    starts = whole.starts[first : first + matches].tolist()
    ends = whole.ends[first : first + matches].tolist()
    spans = list(zip(starts, ends, strict=True))
    return TextHit(
        number,
        index.ids[number],
        matches,
        tuple((start - title, end - title) for start, end in spans if start < body),
        tuple((start - body, end - body) for start, end in spans if start >= body),
    )
