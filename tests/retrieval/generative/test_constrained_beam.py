"""Constrained beam search against all there is to be written."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from retrieval.generative.constrained_beam import DIGITS, search_beams
from retrieval.generative.suffix_array import TokenIndex
from tests.retrieval.generative.test_suffix_array import next_tokens, runs
from tests.retrieval.generative.toy_writer import ToyWriter, random_model

VOCABULARY = 6
PIECES = st.lists(st.lists(st.integers(0, 4), max_size=8), min_size=1, max_size=4)


def logprob(said, run) -> float:
    total = 0.0
    for at, token in enumerate(run):
        total = float(np.round(total + np.round(said(run[:at])[token], DIGITS), DIGITS))
    return total


def walked(pieces, said, beam, length, free) -> list[tuple[int, ...]]:
    """Return what a beam search writes, by the plainest walk."""
    first = range(VOCABULARY) if free else sorted({t for piece in pieces for t in piece})
    best = sorted(first, key=lambda token: (-logprob(said, (token,)), token))[:beam]
    there = set(next_tokens(pieces, ()))
    kept: list[tuple[int, ...]] = [(token,) for token in best if token in there]
    every = list(kept)
    for _ in range(1, length):
        longer = [(*run, token) for run in kept for token in next_tokens(pieces, run)]
        kept = sorted(longer, key=lambda run: (-logprob(said, run), run))[:beam]
        every += kept
    return every


@given(PIECES, st.integers(0, 50), st.integers(1, 5), st.booleans())
def test_each_step_keeps_the_best_that_the_corpus_has(pieces, seed, beam, free):
    said, index = random_model(seed, VOCABULARY), TokenIndex.build(pieces)
    writer = ToyWriter(said)
    found = search_beams(index, writer, beam, 4, free_first=free)
    wanted = walked(pieces, said, beam, 4, free)
    if found.fallback:
        wanted = walked(pieces, said, beam, 4, False)
    assert [each.tokens for each in found.written] == wanted
    assert writer.widest <= beam
    for each in found.written:
        assert each.logprob == logprob(said, each.tokens)
        assert each.span == index.find(each.tokens)


@given(PIECES, st.integers(0, 50))
def test_with_beams_enough_it_writes_every_run_of_the_corpus(pieces, seed):
    index = TokenIndex.build(pieces)
    found = search_beams(index, ToyWriter(random_model(seed, VOCABULARY)), 1_000, 20)
    assert {each.tokens for each in found.written} == runs(pieces)
    assert len(found.written) == len(runs(pieces))
    assert found.fallback == (not runs(pieces))


def fixed(*chances: float):
    return lambda run: [math.log(each) if each else -math.inf for each in chances]


def test_the_first_token_is_free_and_what_the_corpus_lacks_is_dropped_and_counted():
    index = TokenIndex.build([[0, 1], [2, 1]])
    writer = ToyWriter(fixed(0.1, 0.2, 0.2, 0.5))
    found = search_beams(index, writer, 2, 2)
    assert [each.tokens for each in found.written] == [(1,)]  # 3, the best, is not in the corpus
    assert (found.absent, found.fallback) == (1, False)
    inside = search_beams(index, ToyWriter(fixed(0.1, 0.2, 0.2, 0.5)), 2, 2, free_first=False)
    assert [each.tokens for each in inside.written] == [(1,), (2,), (2, 1)]
    assert (inside.absent, inside.fallback) == (0, False)


def test_where_no_first_token_is_in_the_corpus_the_best_of_the_corpus_are_taken():
    index = TokenIndex.build([[0, 1], [2, 1]])
    found = search_beams(index, ToyWriter(fixed(0.1, 0.2, 0.2, 0.5)), 1, 2)
    assert [each.tokens for each in found.written] == [(1,)]
    assert (found.absent, found.fallback) == (1, True)


def test_what_the_model_gives_no_chance_is_never_written():
    index = TokenIndex.build([[0, 1], [0, 2]])
    found = search_beams(index, ToyWriter(fixed(0.5, 0, 0.5)), 5, 3)
    assert [each.tokens for each in found.written] == [(0,), (2,), (0, 2)]


def test_runs_that_are_the_beginning_of_another_are_told_from_those_that_are_not():
    index = TokenIndex.build([[0, 1], [0, 2]])
    found = search_beams(index, ToyWriter(fixed(0.5, 0.25, 0.25)), 5, 2)
    assert [each.tokens for each in found.longest] == [(1,), (2,), (0, 1), (0, 2)]
