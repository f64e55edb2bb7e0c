"""Constrained beam search for token sequences of the corpus (paper LegalSearchLM, §3.1).

The first token is free: the best ones of the whole vocabulary, as equation (1) of the paper has it
for one beam; each later one is chosen among those that continue the sequence in the corpus
(equation 2). Probabilities are always those over the whole vocabulary: excluded tokens are
not renormalised, so that a sequence that the model would not write stays unlikely.

Left open in the paper, and chosen here:

* A beam whose first token is not in the corpus is dropped. Where none of
  the beams begins with a token of the corpus, the best first tokens of the corpus are taken.
* The end of a text is never chosen: an identifier may end before the last token of a
  sequence, and each prefix of a sequence is kept as an n-gram of its own.
* Equal sequences are merged. Of equally likely ones that of the smaller token ids comes first;
  log-probabilities are rounded to DIGITS decimals, so that rounding errors decide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.generative.suffix_array import Following, Numbers, Span, TokenIndex

DIGITS = 6


class Writer(Protocol):
    """A language model that extends several sequences by one token at a time."""

    def begin(self) -> NDArray[Any]:
        """Return the log-probability of each token of the vocabulary as the first."""
        ...

    def go_on(self, parents: Sequence[int], tokens: Sequence[int]) -> NDArray[Any]:
        """Return a row of next-token log-probabilities for each extended sequence.

        The i-th sequence extends the one at `parents[i]` of the step before (0 after `begin`)
        by `tokens[i]`.
        """
        ...


class Written(NamedTuple):
    """An n-gram of the corpus with its log-probability under the model."""

    tokens: tuple[int, ...]
    logprob: float
    span: Span


@dataclass(frozen=True, slots=True)
class Beams:
    """The result of a beam search.

    `written` are the n-grams of every length, shorter ones first, each length best first. `absent`
    counts the first tokens that the corpus lacks; `fallback` says that all of them were such.
    """

    written: tuple[Written, ...]
    absent: int
    fallback: bool

    @property
    def longest(self) -> tuple[Written, ...]:
        """The n-grams that are not a prefix of another one."""
        begun = {each.tokens[:end] for each in self.written for end in range(1, len(each.tokens))}
        return tuple(each for each in self.written if each.tokens not in begun)


def search_beams(
    index: TokenIndex, writer: Writer, beam: int, length: int, free_first: bool = True
) -> Beams:
    """Return the n-grams of up to `length` tokens written by `beam` beams.

    Without `free_first` the first token is chosen among those of the corpus, as in SEAL.
    """
    begun = _first_step(index, np.asarray(writer.begin()), beam, free_first)
    kept = list(begun.written)
    every = list(kept)
    parents = [0] * len(kept)
    for _ in range(1, length):
        after = [index.following(each.span) for each in kept]
        open_ = [at for at, each in enumerate(after) if len(each.tokens)]
        if not open_:
            break
        parents = [parents[at] for at in open_]
        kept, after = [kept[at] for at in open_], [after[at] for at in open_]
        rows = np.asarray(writer.go_on(parents, [each.tokens[-1] for each in kept]))
        kept, parents = _extended(kept, after, rows, beam)
        every += kept
    return Beams(tuple(every), begun.absent, begun.fallback)


def _first_step(index: TokenIndex, chances: NDArray[Any], beam: int, free_first: bool) -> Beams:
    """Return the beams after the first token."""
    tokens, lows, highs = index.following(index.whole)
    fallback, absent = False, 0
    if free_first:
        wanted = _best_first(np.arange(len(chances)), _rounded(chances), beam)
        here = np.isin(wanted, tokens)
        absent = int((~here).sum())
        fallback = bool(len(wanted)) and not here.any()
        wanted = wanted[here]
    if fallback or not free_first:
        wanted = tokens[_best_first(tokens, _rounded(chances[tokens]), beam)]
    at = np.searchsorted(tokens, wanted)
    said = _rounded(chances[wanted])
    written = [
        Written((token,), logprob, Span(low, high, 1))
        for token, logprob, low, high in zip(
            *(wanted.tolist(), said.tolist(), lows[at].tolist(), highs[at].tolist()), strict=True
        )
    ]
    return Beams(tuple(written), absent, fallback)


def _extended(
    ngrams: Sequence[Written], after: Sequence[Following], rows: NDArray[Any], beam: int
) -> tuple[list[Written], list[int]]:
    """Return the best n-grams that are one token longer, and the parent of each among `ngrams`.

    `after` are the possible next tokens of each, `rows` the model's log-probabilities.
    """
    parents = np.repeat(np.arange(len(ngrams)), [len(each.tokens) for each in after])
    tokens, lows, highs = (np.concatenate(each) for each in zip(*after, strict=True))
    before = np.array([each.logprob for each in ngrams])
    chances = _rounded(before[parents] + _rounded(rows[parents, tokens]))
    # Sequences compare by their parent's place in token order, then by the last token.
    order = sorted(range(len(ngrams)), key=lambda at: ngrams[at].tokens)
    places = np.empty(len(ngrams), dtype=np.int64)
    places[order] = np.arange(len(ngrams))
    chosen = _best_first(tokens, chances, beam, places[parents])
    made = [
        Written((*ngrams[parents[at]].tokens, int(tokens[at])), float(chances[at]),
                Span(int(lows[at]), int(highs[at]), ngrams[parents[at]].span.depth + 1))
        for at in chosen.tolist()
    ]  # fmt: skip
    return made, parents[chosen].tolist()


def _best_first(
    tokens: Numbers, chances: NDArray[Any], most: int, before: Numbers | None = None
) -> Numbers:
    """Return the `most` best indices by descending score, `before` and token, without -inf."""
    there = np.flatnonzero(chances > -np.inf)
    if len(there) > most:  # the candidates for the best, ties included
        least = np.partition(chances[there], len(there) - most)[len(there) - most]
        there = there[chances[there] >= least]
    between = [] if before is None else [before[there]]
    order = np.lexsort((tokens[there], *between, -chances[there]))[:most]
    return np.asarray(there[order], dtype=np.int64)


def _rounded(chances: NDArray[Any]) -> NDArray[np.float64]:
    """Round log-probabilities, so that ties do not depend on the device."""
    exact: NDArray[np.float64] = np.asarray(chances, dtype=np.float64)
    return exact.round(DIGITS)
