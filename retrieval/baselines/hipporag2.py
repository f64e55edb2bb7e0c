"""HippoRAG-2 (Gutiérrez et al. 2025): personalised PageRank from recognised facts.

1. Facts (subject, predicate, object) are extracted from each unit (`retrieval.readings`); their
   subjects and objects are phrases. `retrieval.baselines.hipporag2` joins phrases and passages.
2. The question is compared with all facts by cosine, min-max scaled to 0 … 1.
   Of the best `facts` a language model keeps those that the question is about (`recognition`).
3. Where it keeps none, the ranking is that of the dense base.
4. Else each phrase of a kept fact weighs the mean score of those facts divided by the number of
   passages that contain the phrase, and the best `phrases` of them count; each passage weighs
   `passage_weight` times its dense score, scaled to 0 … 1. These weights are the reset distribution
   of a personalised PageRank (`retrieval.baselines.pagerank`, damping `damping`), which ranks the
   passages.

The defaults are those of the authors' code, which paper 001 runs without further detail.
Left open there, or different here:

* The unit is the article, as in paper 001. Questions, facts and phrases are encoded as the dense
  base encodes questions; the authors' code uses two instructions, for facts and for passages.
  A fact is embedded as its words, not as Python prints a tuple.
* Without recognition all of the best facts are kept, and the notes of the run say for how many
  questions (`not_recognised`). A refused, invalid or failed reply keeps none, as in the code.
* Facts of equal score are ordered by text, phrases and passages likewise; the code has the order
  of a set. Where all scores are equal, min-max makes them 1.
* The code's cleaning of text drops all that is not ASCII, so every Korean phrase becomes the empty
  phrase. `ascii_only` does so too; without it letters and digits of all scripts stay.
* Noise (`retrieval.graph.noise`) affects pairs of nodes of this graph, synonym edges included.

The phrase graph of HippoRAG-2: phrases and passages joined by facts, containment and synonymy.

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

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from normalization import composed_value
from normalization.grouping import grouped
from retrieval.baselines.pagerank import MOST_DAMPING, Transitions, Weights
from retrieval.baselines.text_vectors import ReadingMethod, vectors_of
from retrieval.core.method import best_hits
from retrieval.core.model import Corpus, Hit, Parameter, Query
from retrieval.dense.vectors import unit_length
from retrieval.engines.local import FoundRows, LocalEngine
from retrieval.fusion.weighted import all_products
from retrieval.graph.noise import GONE, NOISE, NONE, Noisy, effect_on, noisy_ends
from retrieval.readings.model import Kind, Triple
from retrieval.readings.model_reader import READER
from retrieval.rewriting.llm_method import LANGUAGE
from retrieval.text.passages import readable

Nodes = NDArray[np.int64]
EdgeWeights = NDArray[np.float64]
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
    repeated as they were read; `passage_counts` the number of units that contain each phrase.
    """

    phrases: tuple[str, ...]
    facts: tuple[Fact, ...]
    of_units: tuple[tuple[int, ...], ...]
    passage_counts: Nodes

    @classmethod
    def of(cls, triples: Sequence[Sequence[Triple]], ascii_only: bool = False) -> Facts:
        """Return the distinct phrases and facts of each unit's `triples`, cleaned and numbered.

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
        passage_counts = np.zeros(len(phrases), np.int64)
        for some in numbered:
            passage_counts[sorted({end for s, _, o in some for end in (s, o)})] += 1
        of_units = tuple(tuple(at[fact] for fact in some) for some in numbered)
        return cls(tuple(phrases), tuple(facts), of_units, passage_counts)

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
    weights: EdgeWeights

    @classmethod
    def between(cls, sources: Nodes, targets: Nodes, weights: EdgeWeights, nodes: int) -> Edges:
        """Merge directed edges into pairs, weights added; self-loops are dropped."""
        apart = sources != targets
        low, high = np.minimum(sources, targets)[apart], np.maximum(sources, targets)[apart]
        codes, of = np.unique(low * nodes + high, return_inverse=True)
        summed = np.bincount(of, weights=weights[apart], minlength=len(codes)).astype(np.float64)
        return cls(codes // nodes, codes % nodes, summed)


def edges_of(facts: Facts, synonyms: tuple[Nodes, Nodes, EdgeWeights]) -> Edges:
    """Return the weighted edges of facts, of `synonyms`, and of phrases with their passages."""
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
        np.r_[sources[stays], likes, there // nodes],
        np.r_[targets[stays], like, there % nodes],
        np.r_[np.ones(stays.sum()), cosines, np.ones(len(there))],
        nodes,
    )


def may_be_like(phrases: Sequence[str], ascii_only: bool = False) -> NDArray[np.bool_]:
    """Return a mask of the phrases long enough to have synonyms.

    The authors' code asks for more than two letters or digits of ASCII. A word of Korean has two
    syllables, so elsewhere two do.
    """
    least = 3 if ascii_only else 2
    return np.array([len(phrase.replace(" ", "")) >= least for phrase in phrases], dtype=bool)


def synonyms_of(
    vectors: Vectors, asking: NDArray[np.bool_], threshold: float, most: int
) -> tuple[Nodes, Nodes, EdgeWeights]:
    """Find the synonyms of each asking phrase: phrase numbers, synonyms, and cosines.

    `vectors` have length one, or are zeros for a phrase without synonyms. Of each phrase the `most`
    nearest with a cosine of `threshold` or more count; ties by ascending number.
    """
    found: list[tuple[Nodes, Nodes, EdgeWeights]] = []
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
) -> tuple[Nodes, Nodes, EdgeWeights]:
    """Return the pairs with a cosine of `threshold` or more, up to `most` per first node."""
    cosines = _pair_cosines(vectors, one, other)
    enough = cosines >= threshold
    one, other, cosines = one[enough], other[enough], cosines[enough]
    order = np.lexsort((other, -cosines, one))
    one, other, cosines = one[order], other[order], cosines[order]
    _, first, counts = np.unique(one, return_index=True, return_counts=True)
    rank = np.arange(len(one)) - np.repeat(first, counts)
    return one[rank < most], other[rank < most], cosines[rank < most]


def _pair_cosines(vectors: Vectors, one: Nodes, other: Nodes) -> EdgeWeights:
    """Return the dot product of each pair of rows, in double precision, independent of batching."""
    found = np.zeros(len(one))
    for start in range(0, len(one), _PAIRS):
        some = slice(start, start + _PAIRS)
        wide = vectors[one[some]].astype(np.float64) * vectors[other[some]].astype(np.float64)
        found[some] = wide.sum(axis=1)
    return found


PROMPT = "fact_recognition"
MODEL = "model"
_DIGITS = 12  # decimals of a PageRank score, which is accurate to `pagerank.NEAR`
_ABOUT, _FACTS, _TEXTS = "about.json", "facts.npy", "facts.json"
_FACT_VECTORS, _PASSAGES_OF = "fact_vectors.npy", "passages_of.npy"

Kept = list[tuple[int, float]]
"""Fact numbers, best first, each with its score from 0 to 1."""


def stretched(scores: Weights, low: float, high: float) -> Weights:
    """Scale `scores` linearly so that `low` becomes 0 and `high` 1; all 1 where these are equal."""
    if high == low:
        return np.ones(len(scores))
    return (scores - low) / (high - low)


def phrase_weights(
    ends: NDArray[np.integer[Any]], facts: Kept, passage_counts: Nodes, most: int
) -> tuple[Nodes, Weights]:
    """Return the `most` heaviest phrases of `facts`, ties by number, and their weights.

    `ends` are subject and object of all facts.
    """
    scores = grouped(
        (phrase, score) for fact, score in facts for phrase in dict.fromkeys(ends[fact].tolist())
    )
    weights = {
        phrase: sum(some) / len(some) / int(passage_counts[phrase])
        for phrase, some in scores.items()
    }
    first = sorted(weights, key=lambda phrase: (-weights[phrase], phrase))[:most]
    return np.array(first, dtype=np.int64), np.array([weights[each] for each in first])


class HippoRAG2(ReadingMethod, Noisy):
    """HippoRAG-2 over any dense method; see the module."""

    NAME = "hipporag2"
    KIND = Kind.TRIPLES
    PARAMETERS = (
        Parameter("base", "method", {"method": "lsa"}),
        READER,
        Parameter("recognition", "choice", NONE, choices=(NONE, MODEL)),
        Parameter("facts", "int", 5, 1, 100),
        Parameter("phrases", "int", 5, 1, 1000),
        Parameter("synonymy", "float", 0.8, 0.3, 1),
        Parameter("synonyms", "int", 100, 0, 2047),
        Parameter("passage_weight", "float", 0.05, 0, 100),
        Parameter("damping", "float", 0.5, 0, MOST_DAMPING),
        Parameter("ascii_only", "bool", False),
        *NOISE,
        LANGUAGE,
    )
    _walk: Transitions
    _ends: NDArray[np.integer[Any]]  # subject and object of each fact
    _fact_vectors: Vectors
    _passage_counts: Nodes
    _texts: Sequence[str]  # the facts, where they are shown to a model
    _pairs: tuple[int, int]  # of linked nodes before noise, and how many it takes apart

    @property
    def prompts(self) -> tuple[str, ...]:
        """The fact recognition prompt, if a model recognises facts."""
        return (PROMPT,) if self.spec["recognition"] == MODEL else ()

    @property
    def versions(self) -> str:
        """The versions of `ReadingMethod`, with that of the noise."""
        return f"{super().versions}{self.noise_version}"

    def noisy_pairs(self) -> tuple[int, int]:
        """Return how many pairs are linked before noise, and how many of these it takes apart."""
        return self._pairs

    def _fit(self, corpus: Corpus) -> None:
        triples = [each.triples for each in self._readings(corpus)]
        facts = Facts.of(triples, self.spec["ascii_only"])
        edges, self._pairs = self._edges(facts)
        self._walk = Transitions.undirected(
            edges.low, edges.high, edges.weights, _node_count(facts)
        )
        self._texts = facts.texts
        self._set_facts(
            np.array([(s, o) for s, _, o in facts.facts], dtype=np.int32).reshape(-1, 2),
            vectors_of(self._base, self._texts, self.resources.progress),
            facts.passage_counts,
        )
        self._made.update(phrases=len(facts.phrases), facts=len(facts.facts))

    def _edges(self, facts: Facts) -> tuple[Edges, tuple[int, int]]:
        """Return the edges after noise, and the numbers of pairs before and of lost pairs."""
        spec, nodes = self.spec, _node_count(facts)
        vectors = vectors_of(self._base, facts.phrases, self.resources.progress)
        if facts.phrases[:1] == ("",):  # the empty phrase has no synonyms
            vectors[0] = 0
        asking = may_be_like(facts.phrases, spec["ascii_only"])
        synonyms = synonyms_of(vectors, asking, spec["synonymy"], spec["synonyms"])
        edges = edges_of(facts, synonyms)
        after = noisy_ends(edges.low, edges.high, nodes, *self.noise)
        if spec["graph_noise"] == NONE:
            return edges, (len(edges.low), 0)
        stay = after[0] != GONE
        pairs = effect_on((edges.low, edges.high), after, nodes)
        return Edges.between(after[0][stay], after[1][stay], edges.weights[stay], nodes), pairs

    def _set_facts(
        self, ends: NDArray[np.integer[Any]], vectors: Vectors, passage_counts: Nodes
    ) -> None:
        """Set the ends and vectors of facts, the passages per phrase, and the search engine."""
        self._ends, self._fact_vectors, self._passage_counts = ends, vectors, passage_counts
        self._engine = LocalEngine(vectors)

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Rank units by personalised PageRank from the facts kept; without any, by the base."""
        encoded = self._base.encode(queries)
        kept = self._recognised_facts(queries, self._nearest_facts(unit_length(encoded)))
        found: dict[str, Sequence[Hit]] = {}
        for at, query in enumerate(queries):
            ranked = self._pagerank_hits(encoded[at], kept[at], k) if kept[at] else None
            if ranked is None:
                self._counts["dense_ranking"] += 1
                ranked = self._base.nearest([query], encoded[at : at + 1], k).get(query.id, ())
            found[query.id] = ranked
        return found

    def _nearest_facts(self, encoded: Vectors) -> list[Kept]:
        """Return the facts nearest to each question, with min-max scaled scores."""
        best = self._engine.search(encoded, self.spec["facts"])
        worst = self._engine.search(-encoded, 1)
        return [_scaled_facts(some, -last.scores) for some, last in zip(best, worst, strict=True)]

    def _recognised_facts(self, queries: Sequence[Query], linked: Sequence[Kept]) -> list[Kept]:
        """Return each question's facts that the model finds relevant; all if no model is asked."""
        at = [place for place, facts in enumerate(linked) if facts]
        if not at:
            return list(linked)
        if not self.prompts:
            self._counts["not_recognised"] += len(at)
            return list(linked)
        asked = [(queries[place], {"facts": self._numbered_facts(linked[place])}) for place in at]
        kept: list[Kept] = [[] for _ in queries]
        for place, text in zip(at, self.ask_each(PROMPT, asked), strict=True):
            numbers = set() if text is None else set(composed_value(json.loads(text))["facts"])
            kept[place] = [each for n, each in enumerate(linked[place], 1) if n in numbers]
        return kept

    def _numbered_facts(self, facts: Kept) -> str:
        """Return the facts as a numbered list, for the filter's prompt."""
        said = (readable(self._texts[fact]) for fact, _ in facts)
        return "\n".join(f"{number}. {text}" for number, text in enumerate(said, 1))

    def _pagerank_hits(self, encoded: Vectors, facts: Kept, k: int) -> Sequence[Hit] | None:
        """Rank passages by PageRank from these facts; None if no node has weight.

        `encoded` is the vector of the question.
        """
        spec, first = self.spec, len(self._passage_counts)
        reset = np.zeros(len(self._walk))
        phrases, weights = phrase_weights(self._ends, facts, self._passage_counts, spec["phrases"])
        reset[phrases] = weights
        scores = next(all_products(self._base.vectors, encoded[None], self._base.unit_length))
        dense = stretched(scores, float(scores.min()), float(scores.max()))
        reset[first:] = spec["passage_weight"] * dense
        if not reset.any():
            return None
        ranks = self._walk.pagerank(reset, spec["damping"])[first:].round(_DIGITS)
        return best_hits(self.corpus.ids, ranks, k)

    def _save(self, folder: Path) -> None:
        """Write graph, facts and their vectors."""
        self._walk.save(folder)
        np.save(folder / _FACTS, self._ends)
        np.save(folder / _FACT_VECTORS, self._fact_vectors)
        np.save(folder / _PASSAGES_OF, self._passage_counts)
        text = json.dumps(list(self._texts), ensure_ascii=False)
        (folder / _TEXTS).write_text(text, encoding="utf-8", errors="surrogatepass")
        about = {"made": self._made, "pairs": self._pairs}
        (folder / _ABOUT).write_text(json.dumps(about, sort_keys=True), encoding="utf-8")

    def _load(self, folder: Path, corpus: Corpus) -> None:
        """Read graph, facts and their vectors."""
        self._walk = Transitions.load(folder)
        about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
        self._made, self._pairs = Counter(about["made"]), tuple(about["pairs"])
        # A country's facts are hundreds of megabytes: read only if a model is to see them.
        text = (folder / _TEXTS).read_text("utf-8", "surrogatepass") if self.prompts else "[]"
        self._texts = json.loads(text)
        ends = np.load(folder / _FACTS, mmap_mode="r")
        vectors = np.load(folder / _FACT_VECTORS, mmap_mode="r")
        self._set_facts(ends, vectors, np.load(folder / _PASSAGES_OF))
        if len(self._walk) != len(self._passage_counts) + len(corpus):
            raise ValueError("not one node for each document")
        if len(self._ends) != len(self._fact_vectors):
            raise ValueError("not one vector for each fact")


def _node_count(facts: Facts) -> int:
    return len(facts.phrases) + len(facts.of_units)


def _scaled_facts(best: FoundRows, worst: Weights) -> Kept:
    """Min-max scale the best facts' scores between the worst of all and the best; [] of none."""
    if not len(best.rows):
        return []
    low, high = float(worst[0]), float(best.scores[0])
    return list(zip(best.rows.tolist(), stretched(best.scores, low, high).tolist(), strict=True))
