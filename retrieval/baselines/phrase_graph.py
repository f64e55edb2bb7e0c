"""The phrase graph of HippoRAG-2: phrases and passages joined by facts, containment and synonymy.

After Gutiérrez et al. 2025, §3.1, and the authors' code.
Nodes are the phrases, ordered by text, and after them the passages, in corpus order.
Edges are undirected and weigh

* 2 for each fact that has one phrase as its subject and the other as its object, in whatever unit
  and direction (1 from either end; a fact of a phrase about itself joins nothing);
* 1 between a passage and each phrase of its facts;
* between synonymous phrases their cosine, from either end that has the other among its `most`
  nearest with `threshold` or more: it replaces the facts' weight from that end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.readings.model import Triple

Nodes = NDArray[np.int64]
Weights = NDArray[np.float64]
Vectors = NDArray[np.float32]
Fact = tuple[int, str, int]
"""Subject and object as phrase numbers, the predicate between them."""

_ASCII = re.compile("[^A-Za-z0-9 ]")
_OTHER = re.compile(r"[^\w ]|_")
_ROWS, _PAIRS = 2**24, 2**14  # products held at a time: 64 MiB; pairs counted exactly at a time
_SLACK = 1e-4  # far above the error of single precision


def cleaned(text: str, ascii_only: bool = False) -> str:
    """Normalise a phrase or predicate: lower case, letters and digits only.

    Other characters become a space. With `ascii_only` so does all that is not ASCII, as
    in the authors' code, which makes every Korean phrase empty; otherwise spaces are collapsed too.
    """
    if ascii_only:
        return _ASCII.sub(" ", text.lower()).strip()
    return " ".join(_OTHER.sub(" ", text.lower()).split())


@dataclass(frozen=True, slots=True)
class Facts:
    """The distinct phrases and facts of all units.

    `phrases` and `facts` ascend, each once. `of_units` are the fact numbers of each unit,
    repeated as they were read; `passages_of` the number of units that contain each phrase.
    """

    phrases: tuple[str, ...]
    facts: tuple[Fact, ...]
    of_units: tuple[tuple[int, ...], ...]
    passages_of: Nodes

    @classmethod
    def of(cls, triples: Sequence[Sequence[Triple]], ascii_only: bool = False) -> Facts:
        """Return the facts among the `triples` of each unit.

        Triples with an empty subject or object are dropped; with `ascii_only` they become facts
        of the empty phrase, as in the authors' code.
        """
        said = [[_cleaned_triple(each, ascii_only) for each in some] for some in triples]
        kept = [[each for each in some if ascii_only or (each[0] and each[2])] for some in said]
        phrases = sorted({each[end] for some in kept for each in some for end in (0, 2)})
        number = {phrase: at for at, phrase in enumerate(phrases)}
        numbered = [[(number[s], p, number[o]) for s, p, o in some] for some in kept]
        facts = sorted({each for some in numbered for each in some})
        at = {fact: place for place, fact in enumerate(facts)}
        passages_of = np.zeros(len(phrases), np.int64)
        for some in numbered:
            passages_of[sorted({end for s, _, o in some for end in (s, o)})] += 1
        of_units = tuple(tuple(at[fact] for fact in some) for some in numbered)
        return cls(tuple(phrases), tuple(facts), of_units, passages_of)

    @property
    def texts(self) -> list[str]:
        """Each fact as text, for embedding and for a model."""
        phrases = self.phrases
        return [" ".join((phrases[s], p, phrases[o])) for s, p, o in self.facts]


def _cleaned_triple(triple: Triple, ascii_only: bool) -> tuple[str, str, str]:
    subject, predicate, other = triple.subject, triple.predicate, triple.object
    return cleaned(subject, ascii_only), cleaned(predicate, ascii_only), cleaned(other, ascii_only)


@dataclass(frozen=True, slots=True)
class Edges:
    """Undirected weighted edges, each pair once, ordered; `low` is the smaller node of a pair."""

    low: Nodes
    high: Nodes
    weights: Weights

    @classmethod
    def between(cls, sources: Nodes, targets: Nodes, weights: Weights, nodes: int) -> Edges:
        """Merge directed edges into pairs, weights added; self-loops are dropped."""
        apart = sources != targets
        low, high = np.minimum(sources, targets)[apart], np.maximum(sources, targets)[apart]
        codes, of = np.unique(low * nodes + high, return_inverse=True)
        summed = np.bincount(of, weights=weights[apart], minlength=len(codes)).astype(np.float64)
        return cls(codes // max(nodes, 1), codes % max(nodes, 1), summed)


def edges_of(facts: Facts, synonyms: tuple[Nodes, Nodes, Weights]) -> Edges:
    """Build the edges of the graph; `synonyms` are as `synonyms_of` returns them."""
    phrases, nodes = len(facts.phrases), len(facts.phrases) + len(facts.of_units)
    ends = np.array([(s, o) for s, _, o in facts.facts], dtype=np.int64).reshape(-1, 2)
    read = np.array([fact for some in facts.of_units for fact in some], dtype=np.int64)
    passages = np.repeat(np.arange(len(facts.of_units)), [len(some) for some in facts.of_units])
    one, other = ends[read, 0], ends[read, 1]
    there = np.unique(np.r_[one, other] * nodes + np.r_[passages, passages] + phrases)
    sources, targets = np.r_[one, other], np.r_[other, one]
    likes, like, cosines = synonyms
    stays = ~np.isin(sources * nodes + targets, likes * nodes + like)
    return Edges.between(
        np.r_[sources[stays], likes, there // max(nodes, 1)],
        np.r_[targets[stays], like, there % max(nodes, 1)],
        np.r_[np.ones(stays.sum()), cosines, np.ones(len(there))],
        nodes,
    )


def may_be_like(phrases: Sequence[str], ascii_only: bool = False) -> NDArray[np.bool_]:
    """Return which phrases are long enough to have synonyms.

    The authors' code asks for more than two letters or digits of ASCII. A word of Korean has two
    syllables, so elsewhere two do.
    """
    least = 3 if ascii_only else 2
    return np.array([len(phrase.replace(" ", "")) >= least for phrase in phrases], dtype=bool)


def synonyms_of(
    vectors: Vectors, asking: NDArray[np.bool_], threshold: float, most: int
) -> tuple[Nodes, Nodes, Weights]:
    """Find the synonyms of each asking phrase: phrase numbers, synonyms, and cosines.

    `vectors` have length one, or are zeros for a phrase without synonyms. Of each phrase the `most`
    nearest with a cosine of `threshold` or more count; ties by ascending number.
    """
    found: list[tuple[Nodes, Nodes, Weights]] = []
    rows = np.flatnonzero(asking & vectors.any(axis=1)) if most else np.zeros(0, np.int64)
    step = max(1, _ROWS // max(len(vectors), 1))
    for start in range(0, len(rows), step):
        some = rows[start : start + step]
        near, others = np.nonzero(vectors[some] @ vectors.T >= threshold - _SLACK)
        apart = some[near] != others
        found.append(_most_similar(vectors, some[near[apart]], others[apart], threshold, most))
    nothing = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    one, other, cosines = (np.concatenate(parts) for parts in zip(nothing, *found, strict=True))
    return one, other, cosines


def _most_similar(
    vectors: Vectors, one: Nodes, other: Nodes, threshold: float, most: int
) -> tuple[Nodes, Nodes, Weights]:
    cosines = _pair_cosines(vectors, one, other)
    enough = cosines >= threshold
    one, other, cosines = one[enough], other[enough], cosines[enough]
    order = np.lexsort((other, -cosines, one))
    one, other, cosines = one[order], other[order], cosines[order]
    _, first, counts = np.unique(one, return_index=True, return_counts=True)
    rank = np.arange(len(one)) - np.repeat(first, counts)
    return one[rank < most], other[rank < most], cosines[rank < most]


def _pair_cosines(vectors: Vectors, one: Nodes, other: Nodes) -> Weights:
    """Return the dot product of each pair of rows, in double precision, independent of batching."""
    found = np.zeros(len(one))
    for start in range(0, len(one), _PAIRS):
        some = slice(start, start + _PAIRS)
        wide = vectors[one[some]].astype(np.float64) * vectors[other[some]].astype(np.float64)
        found[some] = wide.sum(axis=1)
    return found
