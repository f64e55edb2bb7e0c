"""A language model of a table that a test dictates, for tests of what is built on writing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray


class ToyWriter:
    """Gives the log-probabilities that `said` has for a run of tokens written so far."""

    def __init__(self, said: Callable[[tuple[int, ...]], Sequence[float]]) -> None:
        self._said = said
        self._rows: list[tuple[int, ...]] = [()]
        self.widest = 0

    def begin(self) -> NDArray[np.float64]:
        return np.array(self._said(()))

    def go_on(self, parents: Sequence[int], tokens: Sequence[int]) -> NDArray[np.float64]:
        self._rows = [(*self._rows[at], token) for at, token in zip(parents, tokens, strict=True)]
        self.widest = max(self.widest, len(tokens))
        return np.array([self._said(row) for row in self._rows])


def random_model(seed: int, vocabulary: int) -> Callable[[tuple[int, ...]], Sequence[float]]:
    """Return a model whose every row is drawn by the run before it and `seed`."""

    def said(run: tuple[int, ...]) -> Sequence[float]:
        drawn = np.random.default_rng([seed, len(run), *run]).normal(size=vocabulary)
        logprobs: list[float] = (drawn - np.log(np.exp(drawn).sum())).tolist()
        return logprobs

    return said
