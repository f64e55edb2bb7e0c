"""Document scores from the n-grams that a model wrote for a question.

An n-gram weighs, as in SEAL (Bevilacqua et al. 2022, §3.2),

  w(n) = max(0, ln [ P(n|q) (1 - P(n)) / (P(n) (1 - P(n|q))) ]),    P(n) = (F(n) + s) / (N + s)

where P(n|q) is the model's probability, F(n) its frequency in the corpus, N the tokens of the
corpus and s the smoothing: how much likelier the question has made it. ``likelihood`` is another
weight, the geometric mean of the probabilities of its tokens, independent of the corpus.

A document scores the sum of w(n)^power · cover over n-grams that it contains, the heaviest first,
each once: at its first position not overlapping a heavier one, if there is one. With the distinct
tokens of n, cover is 1 - r + r · (those in no n-gram taken before) / (all of them).

Left open in the papers, and chosen here: of equally heavy n-grams the longer one comes
first, then the one of the smaller token ids. N-grams with more than `most_places` occurrences are
left out: they do not discriminate, and reading their positions takes most of the time.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrieval.generative.constrained_beam import Written
from retrieval.generative.suffix_array import Numbers, TokenIndex

SURE = -1e-9  # upper bound of log-probabilities: certainty has infinite odds


@dataclass(frozen=True, slots=True)
class Weighting:
    """Weighting of n-grams; the defaults are those of SEAL, `most_places` aside."""

    name: str = "seal"
    smoothing: float = 5.0
    power: float = 2.0
    repetition: float = 0.8
    most_places: int = 10_000

    def weight(self, logprob: float, length: int, times: int, tokens: int) -> float:
        """Return the weight of an n-gram that occurs `times` times among so many `tokens`."""
        if self.name == "likelihood":
            return math.exp(logprob / length)
        here = min(1.0, (times + self.smoothing) / (tokens + self.smoothing))
        if here >= 1:
            return 0.0
        return max(0.0, _log_odds(min(logprob, SURE)) - _log_odds(math.log(here)))

    def cover(self, tokens: Sequence[int], before: set[int]) -> float:
        """Return the share of an n-gram's weight that counts after the tokens `before`."""
        own = set(tokens)
        return 1 - self.repetition + self.repetition * len(own - before) / len(own)


def _log_odds(logprob: float) -> float:
    return logprob - math.log(-math.expm1(logprob))


class NGram(NamedTuple):
    """A written n-gram with its positive weight."""

    written: Written
    weight: float


class Taken(NamedTuple):
    """An n-gram counted in a document's score: its number, position and contribution."""

    ngram: int
    place: int
    added: float


class DocumentScore(NamedTuple):
    """The score of a document, with the n-grams counted, heaviest first."""

    document: int
    score: float
    taken: tuple[Taken, ...]


def weighed(index: TokenIndex, written: Sequence[Written], weighting: Weighting) -> list[NGram]:
    """Return the n-grams of positive weight that do not occur too often, heaviest first."""
    found = [
        NGram(each, weighting.weight(each.logprob, len(each.tokens), each.span.times, len(index)))
        for each in written
        if each.span.times <= weighting.most_places
    ]
    counting = [each for each in found if each.weight > 0]
    return sorted(counting, key=lambda e: (-e.weight, -len(e.written.tokens), e.written.tokens))


class Matches:
    """The occurrences of one question's n-grams, by document.

    A document consists of `pieces` consecutive pieces of the index.
    """

    def __init__(
        self, index: TokenIndex, ngrams: Sequence[NGram], weighting: Weighting, pieces: int = 1
    ) -> None:
        self._ngrams, self._weighting = ngrams, weighting
        places = [index.places(each.written.span) for each in ngrams]
        documents = [index.pieces_at(each) // pieces for each in places]
        self._most = self._upper_bounds(index.pieces // pieces, documents)
        numbers = np.repeat(np.arange(len(places)), [len(each) for each in places])
        self._places, at = _concatenate(places), _concatenate(documents)
        order = np.argsort(at, kind="stable")  # within a document by n-gram, then by place
        self._places, self._numbers, at = self._places[order], numbers[order], at[order]
        self._found, self._starts = np.unique(at, return_index=True)
        self._stops = np.append(self._starts[1:], len(at))

    def _upper_bounds(self, documents: int, matches: Sequence[Numbers]) -> NDArray[np.float64]:
        """Return each document's upper bound: its score if nothing overlaps or repeats."""
        most = np.zeros(documents)
        for ngram, at in zip(self._ngrams, matches, strict=True):
            most[np.unique(at)] += ngram.weight**self._weighting.power
        return most

    def best(self, k: int) -> list[DocumentScore]:
        """Return the best `k` documents; ties by position in the corpus."""
        kept: list[tuple[float, int, DocumentScore]] = []  # a heap, the worst of them first
        order = np.lexsort((self._found, -self._most[self._found]))
        for at in order.tolist() if k > 0 else ():
            # Bounds and scores may differ in the last bits of their sums.
            if len(kept) == k and kept[0][0] > self._most[self._found[at]] * (1 + 1e-9):
                break
            found = self._document_score(at)
            entry = (found.score, -found.document, found)
            if len(kept) < k:
                heapq.heappush(kept, entry)
            else:
                heapq.heappushpop(kept, entry)
        return [found for _, _, found in sorted(kept, key=lambda each: (-each[0], -each[1]))]

    def of(self, document: int) -> DocumentScore:
        """Return the score of one document: 0 if it contains no n-gram."""
        at = int(np.searchsorted(self._found, document))
        if at == len(self._found) or self._found[at] != document:
            return DocumentScore(document, 0.0, ())
        return self._document_score(at)

    def _document_score(self, at: int) -> DocumentScore:
        """Return the score of the document at index `at` of those with a match."""
        rows = slice(self._starts[at], self._stops[at])
        places: dict[int, list[int]] = {}
        for number, place in zip(
            self._numbers[rows].tolist(), self._places[rows].tolist(), strict=True
        ):
            places.setdefault(number, []).append(place)
        taken = tuple(self._counted_ngrams(places))
        return DocumentScore(int(self._found[at]), math.fsum(each.added for each in taken), taken)

    def _counted_ngrams(self, places: Mapping[int, Sequence[int]]) -> Iterator[Taken]:
        """Yield a document's n-grams that overlap no heavier one, each once, heaviest first."""
        spans: list[tuple[int, int]] = []
        seen: set[int] = set()
        for number, at in places.items():  # heaviest first
            ngram = self._ngrams[number]
            tokens = ngram.written.tokens
            for place in at:
                end = place + len(tokens)
                if all(end <= a or b <= place for a, b in spans):
                    added = ngram.weight**self._weighting.power
                    yield Taken(number, place, added * self._weighting.cover(tokens, seen))
                    spans.append((place, end))
                    seen.update(tokens)
                    break


def _concatenate(arrays: Sequence[NDArray[Any]]) -> Numbers:
    """Concatenate arrays; of none an empty one."""
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.int64)
