"""LightRAG (Guo et al. 2025): retrieval over a graph of entities and relations, with vectors.

The readings of all units (`retrieval.readings`) become one graph
(`retrieval.baselines.lightrag_graph`); entities, relations and units get vectors of the dense base;
a question is searched by keywords of two levels. The
numbers are the defaults of LightRAG 1.5.7, which paper 001 runs without further detail.
Different from LightRAG's code, or left open there:

* The unit is the article, as in paper 001, where LightRAG cuts documents every 1,200 tokens.
* Ties are broken by the name of the entity, the ends of the relation, the id of the unit; there by
  the order of insertion, or of a set.
* A question for which the model gives no keywords is its own keyword, of both levels; there it is
  one of the lower level if it is short, and finds nothing if not. That is counted in `notes`.
* Without a model the terms of the question are the keywords of both levels.
* Tokens of the budgets are counted four bytes each (`lightrag_graph.size_of`). The units found
  are not cut to a model's context length.
* Descriptions of one entity or relation are summarised by a model where they are at least
  `summarise` and a model reads; else the first that fit into 1,200 tokens are joined by newlines.

Scores are 1/rank, for LightRAG has an order and no scores.

LightRAG's search over its graph, in the order of its own code (1.5.7), over arrays.

1. Low-level keywords find entities by cosine, and all their relations, ordered by the sum of the
   degrees of their ends, then by weight, then in the order of the entities.
   High-level keywords find relations by cosine, and their ends, in order.
2. The entities of both ways are interleaved, and so are the relations, without repetition.
3. The first entities, and the first relations, that fit a budget of tokens are kept.
4. The units of the entities are cut to the `related` · n / 2 nearest to the question, n being the
   number of entities that have any; then the units of the relations that are not among these.
5. Units near the question (mode mix), of entities and of relations are interleaved.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from normalization import composed_value
from retrieval.baselines.lightrag_graph import BYTES_A_TOKEN, Link, Node, joined, merged
from retrieval.baselines.text_vectors import (
    PositionLists,
    ReadingMethod,
    Vectors,
    all_nearest,
    unit_vectors,
    vector_of,
    vectors_of,
)
from retrieval.core.method import Dense, ModelPrompt
from retrieval.core.model import Corpus, Hit, Parameter, Query
from retrieval.engines.local import LocalEngine, products
from retrieval.readings.model import Kind
from retrieval.readings.model_reader import MODEL, READER
from retrieval.rewriting.llm_method import LANGUAGE, language_of
from retrieval.text.passages import readable
from retrieval.text.tokenise import tokeniser

_ARRAYS = (
    *("ends", "weights", "entity_sizes", "relation_sizes"),
    *("entity_vectors", "relation_vectors"),
)
_LISTS = ("entity_units", "relation_units")
MODES = ("local", "global", "hybrid", "mix")


@dataclass(frozen=True)
class GraphArrays:
    """The graph as arrays for search; entities and relations by number.

    `ends` has two columns. Sizes are bytes of the budgets. Vectors are of length one or zero.
    """

    ends: NDArray[np.int64]
    weights: NDArray[np.float64]
    entity_sizes: NDArray[np.int64]
    relation_sizes: NDArray[np.int64]
    entity_units: PositionLists
    relation_units: PositionLists
    entity_vectors: Vectors
    relation_vectors: Vectors

    def save(self, folder: Path) -> None:
        """Write the arrays into `folder`."""
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name))
        for name in _LISTS:
            getattr(self, name).save(folder, name)

    @classmethod
    def load(cls, folder: Path, units: int) -> GraphArrays:
        """Read what `save` wrote, memory-mapped.

        Raises ValueError if the arrays do not form one graph over this number of units.
        """
        arrays: dict[str, Any] = {
            name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in _ARRAYS
        }
        arrays |= {name: PositionLists.load(folder, name, units) for name in _LISTS}
        graph = cls(**arrays)
        graph._require_consistent()
        return graph

    def _require_consistent(self) -> None:
        """Raise ValueError unless the arrays form one graph."""
        entities = {len(self.entity_sizes), len(self.entity_units), len(self.entity_vectors)}
        relations = {len(self.ends), len(self.weights), len(self.relation_sizes)}
        relations |= {len(self.relation_units), len(self.relation_vectors)}
        if len(entities) > 1 or len(relations) > 1 or self.ends.shape[1:] != (2,):
            raise ValueError("arrays of two graphs")
        if self.ends.size and (self.ends.min() < 0 or self.ends.max() >= entities.pop()):
            raise ValueError("relations of entities that are not there")


@dataclass(frozen=True, slots=True)
class Sought:
    """The vectors of a question and its keywords, length one; None for a level without keywords."""

    question: Vectors
    low: Vectors | None
    high: Vectors | None


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of the search; see the parameters of `LightRAG`."""

    mode: str
    top_k: int
    chunk_top_k: int
    cosine: float
    related: int
    entity_tokens: int
    relation_tokens: int


class GraphSearch:
    """Ranks the units of a dense base by a graph."""

    def __init__(self, graph: GraphArrays, base: Dense) -> None:
        """Index the relations of each entity; `base` is fitted to the corpus of the graph."""
        self._graph = graph
        self._units = unit_vectors(base)
        self._by_unit = LocalEngine(self._units)
        self._by_entity = LocalEngine(graph.entity_vectors)
        self._by_relation = LocalEngine(graph.relation_vectors)
        entities, relations = len(graph.entity_vectors), len(graph.ends)
        self._degrees = np.bincount(graph.ends.ravel(), minlength=entities)
        order = np.argsort(graph.ends.ravel(), kind="stable")
        starts = np.concatenate(([0], np.cumsum(self._degrees))).astype(np.int64)
        which = np.repeat(np.arange(relations, dtype=np.int64), 2)
        self._relations_of = PositionLists(starts, which[order])

    def ranked(self, sought: Sequence[Sought], limits: Limits) -> list[list[int]]:
        """Return the positions of the units found for each question, best first.

        They are at most `limits.chunk_top_k`. Results do not depend on the other questions.
        """
        mode, k = limits.mode, limits.top_k
        low = [each.low if mode != "global" or each.high is None else None for each in sought]
        high = [each.high if mode != "local" or each.low is None else None for each in sought]
        near = [each.question if mode == "mix" else None for each in sought]
        found = zip(
            sought,
            _nearest(self._by_entity, low, k, limits.cosine),
            _nearest(self._by_relation, high, k, limits.cosine),
            _nearest(self._by_unit, near, limits.chunk_top_k, limits.cosine),
            strict=True,
        )
        return [self._ranked(limits, *each) for each in found]

    def _ranked(
        self,
        limits: Limits,
        sought: Sought,
        entities: list[int],
        relations: list[int],
        units: list[int],
    ) -> list[int]:
        """Return the units of one question from its nearest entities, relations and units."""
        graph, related = self._graph, limits.related
        ends = graph.ends[relations].ravel().tolist()
        relations = in_turns(self._relations(entities), relations)
        entities = within(in_turns(entities, ends), graph.entity_sizes, limits.entity_tokens)
        relations = within(relations, graph.relation_sizes, limits.relation_tokens)
        of_entities = self._nearest_to_question(
            sought, *units_of(graph.entity_units, entities), related
        )
        of_relations = self._nearest_to_question(
            sought, *new_units_of(graph.relation_units, relations, of_entities), related
        )
        return in_turns(units, of_entities, of_relations)[: limits.chunk_top_k]

    def _relations(self, entities: Sequence[int]) -> list[int]:
        """Return the relations of `entities`, by degree of their ends, then by weight."""
        led = dict.fromkeys(chain.from_iterable(self._relations_of[at].tolist() for at in entities))
        found = np.array(list(led), dtype=np.int64)
        ranks = self._degrees[self._graph.ends[found]].sum(axis=1)
        # lexsort: the last key counts first; ties keep the order of the entities
        order = np.lexsort((-self._graph.weights[found], -ranks))
        ordered: list[int] = found[order].tolist()
        return ordered

    def _nearest_to_question(
        self, sought: Sought, units: set[int], holders: int, related: int
    ) -> list[int]:
        """Return the `related` · holders / 2 of `units` nearest to the question."""
        rows = np.array(sorted(units), dtype=np.int64)
        cosines = products(self._units, sought.question, rows)
        order = np.argsort(-cosines, kind="stable")[: related * holders // 2]
        chosen: list[int] = rows[order].tolist()
        return chosen


def _nearest(
    engine: LocalEngine, vectors: Sequence[Vectors | None], k: int, least: float
) -> list[list[int]]:
    """Return the rows nearest to each vector with a cosine of `least` or more; none for None."""
    found = iter(all_nearest(engine, [each for each in vectors if each is not None], k, least))
    return [[] if each is None else next(found).rows.tolist() for each in vectors]


def units_of(lists: PositionLists, places: Sequence[int]) -> tuple[set[int], int]:
    """Return the union of the units of `places`, and how many places have any."""
    each = [lists[at].tolist() for at in places]
    return set(chain.from_iterable(each)), sum(map(bool, each))


def new_units_of(
    lists: PositionLists, places: Sequence[int], without: Iterable[int]
) -> tuple[set[int], int]:
    """Return the units of `places` outside `without`, and how many places bring a new one."""
    seen, known, holders = set[int](), set(without), 0
    for at in places:
        mine = set(lists[at].tolist()) - known
        holders += bool(mine - seen)
        seen |= mine
    return seen, holders


def in_turns(*lists: Iterable[int]) -> list[int]:
    """Interleave lists, dropping repetitions.

    What a list says twice takes one turn of it.
    """
    turns = zip_longest(*map(dict.fromkeys, lists))
    return [at for at in dict.fromkeys(chain.from_iterable(turns)) if at is not None]


def within(places: list[int], sizes: NDArray[np.int64], tokens: int) -> list[int]:
    """Return the leading `places` whose sizes fit into a token budget; all if it is 0."""
    if not tokens:
        return places
    total = np.cumsum(sizes[np.array(places, dtype=np.int64)]) - 1  # the last line needs no newline
    return places[: int(np.searchsorted(total, tokens * BYTES_A_TOKEN, side="right"))]


KEYWORDS, SUMMARY = "query_keywords", "summarise_descriptions"
AS_READER, TERMS = "reader", "terms"
DESCRIPTION_TOKENS = 1_200
SUMMARY_TOKENS = 12_000  # of the descriptions that a model is to summarise


class LightRAG(ReadingMethod):
    """LightRAG over any dense method; see the module.

    `mode` selects the search: ``local`` entities by low-level keywords, ``global`` relations by
    high-level ones, ``hybrid`` both, ``mix`` both and units by the question.
    """

    NAME = "lightrag"
    KIND = Kind.GRAPH
    PARAMETERS = (
        Parameter("base", "method", {"method": "lsa"}),
        READER,
        Parameter("mode", "choice", "mix", choices=MODES),
        Parameter("keywords", "choice", AS_READER, choices=(AS_READER, MODEL, TERMS)),
        Parameter("top_k", "int", 40, 1, 1000),
        Parameter("chunk_top_k", "int", 20, 1, 1000),
        Parameter("cosine", "float", 0.2, -1, 1),
        Parameter("related", "int", 5, 1, 1000),
        Parameter("most_units", "int", 200, 1, 1_000_000),
        Parameter("entity_tokens", "int", 6_000, 0, 1_000_000),
        Parameter("relation_tokens", "int", 8_000, 0, 1_000_000),
        Parameter("summarise", "int", 8, 0, 1_000_000),
        LANGUAGE,
    )
    _graph: GraphArrays
    _searcher: GraphSearch

    def _set_up(self) -> None:
        super()._set_up()
        self._limits = Limits(**{each: self.spec[each] for each in Limits.__slots__})

    @property
    def prompts(self) -> tuple[str, ...]:
        """Its own prompts, without the reader's: summaries when fitting, keywords per question."""
        fitting = self.spec["reader"] == MODEL
        asked = {SUMMARY: fitting and self.spec["summarise"], KEYWORDS: self._keywords_by_model}
        return tuple(prompt for prompt, wanted in asked.items() if wanted)

    @property
    def _keywords_by_model(self) -> bool:
        """Whether a model extracts the keywords of a query."""
        said = self.spec["keywords"]
        return bool((self.spec["reader"] if said == AS_READER else said) == MODEL)

    def _fit(self, corpus: Corpus) -> None:
        nodes, links = merged(self._readings(corpus), self.spec["most_units"], self._summaries)
        self._set_graph(self._arrays(nodes, links))

    def _arrays(self, nodes: Sequence[Node], links: Sequence[Link]) -> GraphArrays:
        """Return entities and relations as arrays, with their vectors."""
        progress = self.resources.progress
        return GraphArrays(
            ends=np.array([link.ends for link in links], dtype=np.int64).reshape(-1, 2),
            weights=np.array([link.weight for link in links], dtype=np.float64),
            entity_sizes=np.array([node.size for node in nodes], dtype=np.int64),
            relation_sizes=np.array([link.size for link in links], dtype=np.int64),
            entity_units=PositionLists.of([node.units for node in nodes]),
            relation_units=PositionLists.of([link.units for link in links]),
            entity_vectors=vectors_of(self._base, [node.text for node in nodes], progress),
            relation_vectors=vectors_of(self._base, [link.text for link in links], progress),
        )

    def _set_graph(self, graph: GraphArrays) -> None:
        """Set the graph and its searcher."""
        self._graph = graph
        self._searcher = GraphSearch(graph, self._base)

    def _save(self, folder: Path) -> None:
        """Write the graph."""
        self._graph.save(folder)
        self._save_made(folder)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        self._load_made(folder)
        self._set_graph(GraphArrays.load(folder, len(corpus)))

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Rank units by the entities and relations near a query's keywords."""
        sought = [
            self._query_vectors(query.text, *keywords)
            for query, keywords in zip(queries, self._keywords(queries), strict=True)
        ]
        ids, ranked = self.corpus.ids, self._searcher.ranked(sought, self._limits)
        return {
            query.id: [Hit(ids[at], 1 / rank) for rank, at in enumerate(found[:k], 1)]
            for query, found in zip(queries, ranked, strict=True)
        }

    def _query_vectors(self, question: str, low: str, high: str) -> Sought:
        """Return the vectors of a question and of its low- and high-level keywords."""
        texts = dict.fromkeys((question, *filter(None, (low, high))))
        vector = {text: vector_of(self._base, text) for text in texts}
        return Sought(vector[question], vector.get(low), vector.get(high))

    def _keywords(self, queries: Sequence[Query]) -> list[tuple[str, str]]:
        """Return each question's low- and high-level keywords as texts; without any, itself."""
        if not self._keywords_by_model:
            return [(terms, terms) for terms in map(terms_of, (each.text for each in queries))]
        found = []
        for query, said in zip(queries, self.ask(KEYWORDS, queries), strict=True):
            low, high = keywords_in(said) if said is not None else ("", "")
            if said is not None and not (low or high):
                self._counts["no_keywords"] += 1
            found.append((low, high) if low or high else (query.text, query.text))
        return found

    def _summaries(self, named_texts: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
        """Return one description per name: joined, or a model's summary where there are many."""
        found = [joined(descriptions, DESCRIPTION_TOKENS) for _, descriptions in named_texts]
        if SUMMARY not in self.prompts:
            return found
        least = self.spec["summarise"]
        many = [at for at, (_, said) in enumerate(named_texts) if len(said) >= least]
        told = self._asker([_summary_prompt(*named_texts[at]) for at in many]) if many else []
        if passing := [reply for reply in told if reply.passing]:
            reason = passing[0].reason or passing[0].problem
            raise UserError("readings_failed", failed=len(passing), total=len(told), reason=reason)
        for at, reply in zip(many, told, strict=True):
            self._made[f"summary_{reply.problem or 'written'}"] += 1
            found[at] = found[at] if reply.problem else reply.text
        return found


def _summary_prompt(name: str, descriptions: Sequence[str]) -> ModelPrompt:
    """Return the prompt that asks for one description of a name from several."""
    text = joined(descriptions, SUMMARY_TOKENS)
    said = {"name": readable(name), "descriptions": readable(text)}
    return ModelPrompt(SUMMARY, language_of(text), said)


def terms_of(text: str) -> str:
    """Return the distinct content words of `text` as comma-separated keywords."""
    return ", ".join(dict.fromkeys(tokeniser("morphemes")(text)))


def keywords_in(text: str) -> tuple[str, str]:
    """Parse low-level and high-level keywords from a reply in the schema ``query_keywords``.

    Each is one text; empty and repeated keywords are dropped.
    """
    said = composed_value(json.loads(text))
    levels = ([" ".join(each.split()) for each in said[level]] for level in ("low", "high"))
    low, high = (", ".join(dict.fromkeys(filter(None, level))) for level in levels)
    return low, high
