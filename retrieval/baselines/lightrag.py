"""LightRAG (Guo et al. 2025): retrieval over a graph of entities and relations, with vectors.

The readings of all units (`retrieval.readings`) become one graph
(`retrieval.baselines.lightrag_graph`); entities, relations and units get vectors of the dense base;
a question is searched by keywords of two levels (`retrieval.baselines.lightrag_search`). The
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
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from errors import UserError
from normalization import composed_value
from retrieval.baselines.lightrag_graph import Link, Node, joined, merged
from retrieval.baselines.lightrag_search import MODES, GraphArrays, GraphSearch, Limits, Sought
from retrieval.baselines.lists import PositionLists
from retrieval.baselines.text_vectors import dense_base, vector_of, vectors_of
from retrieval.core.method import Method, ModelPrompt, Resources
from retrieval.core.model import Corpus, Hit, Parameter, Query, Spec
from retrieval.readings.model import Kind
from retrieval.readings.reader import MODEL, READER, reader_of
from retrieval.rewriting.llm_method import LANGUAGE, Asking, language_of
from retrieval.text.passages import readable
from retrieval.text.tokenise import tokeniser

KEYWORDS, SUMMARY = "query_keywords", "summarise_descriptions"
AS_READER, TERMS = "reader", "terms"
DESCRIPTION_TOKENS = 1_200
SUMMARY_TOKENS = 12_000  # of the descriptions that a model is to summarise
_MADE = "made.json"


class LightRAG(Asking):
    """LightRAG over any dense method; see the module.

    `mode` selects the search: ``local`` entities by low-level keywords, ``global`` relations by
    high-level ones, ``hybrid`` both, ``mix`` both and units by the question.
    """

    NAME = "lightrag"
    KEEPS = True
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

    def __init__(
        self, spec: Spec, parts: Sequence[Method] = (), resources: Resources | None = None
    ) -> None:
        """Validate the base: raises UserError for a base that is not dense, and as `Asking`."""
        super().__init__(spec, parts, resources)
        self._base = dense_base(self.NAME, parts)
        self._reader = reader_of(spec, self.resources, self.NAME)
        self._limits = Limits(**{each: spec[each] for each in Limits.__slots__})
        self._made: Counter[str] = Counter()

    @property
    def prompts(self) -> tuple[str, ...]:
        """Its own prompts, without the reader's: summaries when fitting, keywords per question."""
        fitting = self.spec["reader"] == MODEL
        asked = {
            SUMMARY: fitting and self.spec["summarise"],
            KEYWORDS: self._keywords_by_model,
        }
        return tuple(prompt for prompt, wanted in asked.items() if wanted)

    @property
    def calls_models(self) -> bool:
        """Whether it, its reader or a part of it asks a model."""
        return self.spec["reader"] == MODEL or super().calls_models

    @property
    def versions(self) -> str:
        """The versions of `Asking`, with the identity of the reader."""
        return f"{super().versions}/{self._reader.identity(Kind.GRAPH)}"

    @property
    def made(self) -> Mapping[str, int]:
        """Counts of units per reading state and of summaries per outcome."""
        return self._made

    @property
    def _keywords_by_model(self) -> bool:
        said = self.spec["keywords"]
        return bool((self.spec["reader"] if said == AS_READER else said) == MODEL)

    def _fit(self, corpus: Corpus) -> None:
        readings = self._reader(Kind.GRAPH, corpus.documents, self.resources.progress)
        self._made = Counter(f"read_{reading.state.value}" for reading in readings)
        nodes, links = merged(readings, self.spec["most_units"], self._summaries)
        del readings  # frees the readings of a whole country's law
        self._take(self._arrays(nodes, links))

    def _arrays(self, nodes: Sequence[Node], links: Sequence[Link]) -> GraphArrays:
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

    def _take(self, graph: GraphArrays) -> None:
        self._graph = graph
        self._searcher = GraphSearch(graph, self._base)

    def _save(self, folder: Path) -> None:
        self._graph.save(folder)
        (folder / _MADE).write_text(json.dumps(self._made, sort_keys=True), encoding="utf-8")

    def _load(self, folder: Path, corpus: Corpus) -> None:
        self._made = Counter(json.loads((folder / _MADE).read_text(encoding="utf-8")))
        self._take(GraphArrays.load(folder, len(corpus)))

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
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
        texts = dict.fromkeys((question, *filter(None, (low, high))))
        vector = {text: vector_of(self._base, text) for text in texts}
        return Sought(vector[question], vector.get(low), vector.get(high))

    def _keywords(self, queries: Sequence[Query]) -> list[tuple[str, str]]:
        """Return the low-level and the high-level keywords of each question, each as one text."""
        if not self._keywords_by_model:
            return [(terms, terms) for terms in map(terms_of, (each.text for each in queries))]
        found = []
        for query, said in zip(queries, self.ask(KEYWORDS, queries), strict=True):
            low, high = keywords_in(said) if said is not None else ("", "")
            if said is not None and not (low or high):
                self._counts["no_keywords"] += 1
            found.append((low, high) if low or high else (query.text, query.text))
        return found

    def _summaries(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
        """Return one description per name; a model summarises where there are many."""
        found = [joined(descriptions, DESCRIPTION_TOKENS) for _, descriptions in asked]
        if SUMMARY not in self.prompts:
            return found
        least = self.spec["summarise"]
        many = [at for at, (_, said) in enumerate(asked) if len(said) >= least]
        told = self._asker([_summary_prompt(*asked[at]) for at in many]) if many else []
        if passing := [reply for reply in told if reply.passing]:
            reason = passing[0].reason or passing[0].problem
            raise UserError("readings_failed", failed=len(passing), total=len(told), reason=reason)
        for at, reply in zip(many, told, strict=True):
            self._made[f"summary_{reply.problem or 'written'}"] += 1
            found[at] = found[at] if reply.problem else reply.text
        return found


def _summary_prompt(name: str, descriptions: Sequence[str]) -> ModelPrompt:
    text = joined(descriptions, SUMMARY_TOKENS)
    said = {"name": readable(name), "descriptions": readable(text)}
    return ModelPrompt(SUMMARY, language_of(text), said)


def terms_of(text: str) -> str:
    """Return the distinct content words of `text` as comma-separated keywords."""
    return ", ".join(dict.fromkeys(tokeniser("morphemes")(text)))


def keywords_in(text: str) -> tuple[str, str]:
    """Parse low-level and high-level keywords from a reply of the form ``query_keywords``.

    Each is one text; empty and repeated keywords are dropped.
    """
    said = composed_value(json.loads(text))
    levels = ([" ".join(each.split()) for each in said[level]] for level in ("low", "high"))
    low, high = (", ".join(dict.fromkeys(filter(None, level))) for level in levels)
    return low, high
