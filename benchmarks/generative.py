"""Generative retrieval over Korean law: how large and fast is the index of tokens?

    python -m benchmarks.generative [--statutes PATH] [--tokens N] [--json]

Texts are the articles of Korean statutes as their files have them, in the order of the files, until
there are so many tokens. No model is asked: tokens are those of a tokeniser that is made here from
every SAMPLED-th file, with so many pieces as KINDS says, and what "writes" draws its probabilities
by a fixed seed. The index is built by a process of its own, so that memory is that of building.
Figures:

``tokens``, ``pieces``, ``kinds``  what is indexed: tokens, texts, and different tokens
``build_seconds``        the suffix array, its tables, and writing them
``build_cpu_seconds``    the time of processors in that, which does not grow with other work
``build_peak_rss_mb``    the most memory that the process had held by then, in MiB
``index_bytes``          what the index takes on disk
``open_ms``              opening it, memory-mapped, and asking which tokens there are
``next_tokens_p50_ms``   what may follow a run, as a model asks it: runs of 0 to DEPTH - 1 tokens
                         of the corpus at PLACES places drawn by a fixed seed
``next_tokens_p95_ms``   the 95th percentile of the same
``next_tokens_max_ms``   the slowest of the same
``plain_p95_ms``         the 95th percentile without tables, by sorting all that follows (numpy's
                         unique), of one in EVERY of them, the run of no tokens aside
``mismatches``           in how many of these the two find different tokens
``beams_p50_ms``         15 beams of 10 tokens, with a model that takes no time
``ranking_p50_ms``       documents ranked by what such beams write
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import SHARED, program

PARSER = program(
    __doc__,
    "tokens pieces kinds build_seconds build_cpu_seconds build_peak_rss_mb index_bytes open_ms "
    "next_tokens_p50_ms next_tokens_p95_ms next_tokens_max_ms plain_p95_ms mismatches "
    "beams_p50_ms ranking_p50_ms",
)
PARSER.add_argument("--statutes", type=Path, default=SHARED / "korean-law-all.tar.xz")
PARSER.add_argument("--tokens", type=int, default=20_000_000, help="tokens to index at most")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import re
import resource
import time
from argparse import Namespace
from array import array
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import unpacked
from benchmarks.program import apart, need, run, seconds
from evaluation.figure import Figure
from retrieval.generative.constrained_beam import Beams, search_beams
from retrieval.generative.ngram_scores import Matches, Weighting, weighed
from retrieval.generative.suffix_array import SEPARATOR, Span, TokenIndex

KINDS = 32_000
SAMPLED = 25
PLACES = 500
DEPTH = 10
EVERY = 20
QUESTIONS = 20
_SEED = 20
_AT_ONCE = 2_000
_HEADING = re.compile(r"^#+ ", re.MULTILINE)


def articles(folder: Path) -> Iterator[list[str]]:
    """Yield the texts between the headings of each file, in the order of the files' names."""
    for file in sorted(folder.rglob("*.md")):
        text = file.read_text(encoding="utf-8", errors="replace")
        yield [each.strip() for each in _HEADING.split(text) if each.strip()]


def tokeniser_of(folder: Path, kinds: int = KINDS, every: int = SAMPLED) -> Any:
    """Return a tokeniser of pieces of words, made from every so many of the files."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE(unk_token="?"))  # noqa: S106  (no secret: what stands for others)
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.BpeTrainer(vocab_size=kinds, special_tokens=["?"], show_progress=False)
    some = (text for at, each in enumerate(articles(folder)) if at % every == 0 for text in each)
    made.train_from_iterator(some, trainer)
    return made


def write_tokens(statutes: Path, most: int, target: Path) -> None:
    """Write the tokens of statutes to `target`, with SEPARATOR behind each text."""
    ids = array("i")
    with unpacked(statutes) as folder:
        tokeniser = tokeniser_of(folder)
        every = (text for each in articles(folder) for text in each)
        while len(ids) < most and (some := list(islice(every, _AT_ONCE))):
            for encoded in tokeniser.encode_batch_fast(some):
                ids.extend(encoded.ids[: max(0, most - len(ids) - 1)])
                ids.append(SEPARATOR)
    np.save(target, np.frombuffer(ids, dtype=np.int32)[:most])


def build(tokens: Path, folder: Path) -> None:
    """Index what `write_tokens` wrote into `folder`; write what that took beside it."""
    ids = np.load(tokens)
    ids[-1] = SEPARATOR
    started, worked = time.perf_counter(), time.process_time()
    TokenIndex.of(ids).save(folder)
    seconds, cpu = time.perf_counter() - started, time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    np.save(tokens.with_name("cost.npy"), np.array([seconds, cpu, peak]))


def plainly(index: TokenIndex, span: Span) -> NDArray[Any]:
    """Return what follows a run by sorting all that stands behind its places."""
    text, suffixes = index._arrays["text"], index._arrays["suffixes"]
    found = np.unique(text[suffixes[span.low : span.high].astype(np.int64) + span.depth])
    return np.asarray(index.vocabulary[found[found > 0]])


def runs(index: TokenIndex, places: int) -> Iterator[list[Span]]:
    """Yield the runs that begin at so many places, each one token longer than the one before."""
    drawn = np.random.default_rng(_SEED)
    text = index._arrays["text"]
    for place in drawn.integers(0, len(text), places).tolist():
        run = index.vocabulary[text[place : place + DEPTH - 1]].tolist()
        found, span = [index.whole], index.find(())
        for token in run:
            span = index.narrowed(span, token) if span and token != SEPARATOR else None
            if span is None:
                break
            found.append(span)
        yield found


class Drawn:
    """A model of no cost: what it writes next is drawn, by the run so far and a seed."""

    def __init__(self, seed: int, kinds: int) -> None:
        self._chances = np.random.default_rng(seed)
        self._table = self._logprobs(64, kinds)

    def _logprobs(self, rows: int, kinds: int) -> NDArray[np.float32]:
        drawn = self._chances.normal(0, 4, (rows, kinds)).astype(np.float32)
        return np.asarray(drawn - np.log(np.exp(drawn).sum(axis=1, keepdims=True)))

    def begin(self) -> NDArray[np.float32]:
        """Return the first row."""
        return np.asarray(self._table[0])

    def go_on(self, parents: Sequence[int], tokens: Sequence[int]) -> NDArray[np.float32]:
        """Return a row for each run, by its last token."""
        return np.asarray(self._table[np.asarray(tokens) % len(self._table)])


def figures_of(options: Namespace, place: Path) -> Iterator[Figure]:
    """Yield the figures of one run, whose files stand in `place`."""
    need(options, "statutes")
    tokens, folder = place / "tokens.npy", place / "index"
    folder.mkdir()
    apart(write_tokens, options.statutes, options.tokens, tokens)
    apart(build, tokens, folder)
    seconds, cpu, peak = np.load(place / "cost.npy").tolist()
    started = time.perf_counter()
    index = TokenIndex.load(folder)
    index.following(index.whole)
    opened = 1_000 * (time.perf_counter() - started)
    yield Figure("tokens", len(index), len(index))
    yield Figure("pieces", index.pieces, index.pieces)
    yield Figure("kinds", len(index.vocabulary) - 1, len(index))
    yield Figure("build_seconds", seconds, 1)
    yield Figure("build_cpu_seconds", cpu, 1)
    yield Figure("build_peak_rss_mb", peak, 1)
    yield Figure("index_bytes", sum(each.stat().st_size for each in folder.iterdir()), 1)
    yield Figure("open_ms", opened, 1)
    yield from _next_tokens(index)
    yield from _answered(index)


def _next_tokens(index: TokenIndex) -> Iterator[Figure]:
    plain, wrong = [], 0
    asked = [span for found in runs(index, PLACES) for span in found]
    taken = [1_000 * seconds(partial(index.following, span)) for span in asked]
    for span in [span for span in asked if span.depth][::EVERY]:
        started = time.perf_counter()
        found = plainly(index, span)
        plain.append(1_000 * (time.perf_counter() - started))
        wrong += found.tolist() != index.following(span).tokens.tolist()
    yield Figure("next_tokens_p50_ms", float(np.percentile(taken, 50)), len(taken))
    yield Figure("next_tokens_p95_ms", float(np.percentile(taken, 95)), len(taken))
    yield Figure("next_tokens_max_ms", max(taken), len(taken))
    yield Figure("plain_p95_ms", float(np.percentile(plain, 95)), len(plain))
    yield Figure("mismatches", wrong, len(plain))


def _answered(index: TokenIndex) -> Iterator[Figure]:
    written: list[Beams] = []
    beams, ranking = [], []
    weighting = Weighting()
    for seed in range(QUESTIONS):
        model = Drawn(seed, int(index.vocabulary[-1]) + 1)
        started = time.perf_counter()
        written.append(search_beams(index, model, 15, DEPTH))
        beams.append(1_000 * (time.perf_counter() - started))
    for each in written:
        started = time.perf_counter()
        ngrams = weighed(index, each.written, weighting)
        Matches(index, ngrams, weighting).best(100)
        ranking.append(1_000 * (time.perf_counter() - started))
    yield Figure("beams_p50_ms", float(np.median(beams)), len(beams))
    yield Figure("ranking_p50_ms", float(np.median(ranking)), len(ranking))


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
