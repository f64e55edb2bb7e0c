"""Beam search for runs of tokens that stand in the corpus (paper LegalSearchLM, §3.1).

The first token is free: the best ones of the whole vocabulary, as equation (1) of the paper has it
for one beam; each later one is chosen among those that follow in the corpus what is written so far
(equation 2). Probabilities are always those over the whole vocabulary: what the corpus forbids is
left out and the rest is not scaled up, so that a run that the model would not write stays unlikely.

What the paper leaves open, and what happens here:

* A first token that is not in the corpus has nothing behind it: its beam is dropped. Where none of
  the beams begins with a token of the corpus, the best first tokens of the corpus are taken.
* The end of a text is never chosen: what a model has to say may end before the last token of a
  run, and each beginning of a run is kept as a run of its own.
* Equal runs are one. Of equally likely ones the one of the smaller token ids comes first;
  log-probabilities are rounded to DIGITS decimals, so that the last bits of sums decide nothing.
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
    """A language model that writes several runs at once, each further by one token at a time."""

    def begin(self) -> NDArray[Any]:
        """Return the log-probability of each token of the vocabulary as the first."""
        ...

    def go_on(self, parents: Sequence[int], tokens: Sequence[int]) -> NDArray[Any]:
        """Return a row of log-probabilities for each run that is kept.

        The i-th run is now the one that stood at `parents[i]` before (0 for what `begin` has
        said), with `tokens[i]` behind it.
        """
        ...


class Written(NamedTuple):
    """A run of tokens of the corpus with the log-probability that the model gives it."""

    tokens: tuple[int, ...]
    logprob: float
    span: Span


@dataclass(frozen=True, slots=True)
class Beams:
    """What a beam search has come to.

    `written` are the runs of every length, shorter ones first, each length best first. `absent`
    counts the first tokens that the corpus lacks; `fallback` says that all of them were such.
    """

    written: tuple[Written, ...]
    absent: int = 0
    fallback: bool = False

    @property
    def longest(self) -> tuple[Written, ...]:
        """The runs that are not the beginning of another one."""
        begun = {each.tokens[:end] for each in self.written for end in range(1, len(each.tokens))}
        return tuple(each for each in self.written if each.tokens not in begun)


def search_beams(
    index: TokenIndex, writer: Writer, beam: int, length: int, free_first: bool = True
) -> Beams:
    """Return what `beam` beams write of up to `length` tokens.

    Without `free_first` the first token is chosen among those of the corpus, as SEAL has it.
    """
    begun = _begun(index, np.asarray(writer.begin()), beam, free_first)
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
        kept, parents = _furthered(kept, after, rows, beam)
        every += kept
    return Beams(tuple(every), begun.absent, begun.fallback)


def _begun(index: TokenIndex, chances: NDArray[Any], beam: int, free_first: bool) -> Beams:
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


def _furthered(
    kept: Sequence[Written], after: Sequence[Following], rows: NDArray[Any], beam: int
) -> tuple[list[Written], list[int]]:
    """Return the best runs that are one token longer, and which of `kept` each one continues.

    `after` is what may follow each, `rows` the log-probabilities that the model gives it.
    """
    parents = np.repeat(np.arange(len(kept)), [len(each.tokens) for each in after])
    tokens, lows, highs = (np.concatenate(each) for each in zip(*after, strict=True))
    before = np.array([each.logprob for each in kept])
    chances = _rounded(before[parents] + _rounded(rows[parents, tokens]))
    # In order of their tokens, runs compare by the place of what they continue, then by the last.
    order = sorted(range(len(kept)), key=lambda at: kept[at].tokens)
    places = np.empty(len(kept), dtype=np.int64)
    places[order] = np.arange(len(kept))
    chosen = _best_first(tokens, chances, beam, places[parents])
    made = [
        Written((*kept[parents[at]].tokens, int(tokens[at])), float(chances[at]),
                Span(int(lows[at]), int(highs[at]), kept[parents[at]].span.depth + 1))
        for at in chosen.tolist()
    ]  # fmt: skip
    return made, parents[chosen].tolist()


def _best_first(
    tokens: Numbers, chances: NDArray[Any], most: int, before: Numbers | None = None
) -> Numbers:
    """Return where the `most` best stand: by falling chance, `before` and token; -inf is none."""
    there = np.flatnonzero(chances > -np.inf)
    if len(there) > most:  # the few that can be among the best, ties included
        least = np.partition(chances[there], len(there) - most)[len(there) - most]
        there = there[chances[there] >= least]
    between = [] if before is None else [before[there]]
    order = np.lexsort((tokens[there], *between, -chances[there]))[:most]
    return np.asarray(there[order], dtype=np.int64)


def _rounded(chances: NDArray[Any]) -> NDArray[np.float64]:
    exact: NDArray[np.float64] = np.asarray(chances, dtype=np.float64)
    return exact.round(DIGITS)
