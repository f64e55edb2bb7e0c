"""Methods that follow citation links: the base class, citing text (CitedAs), in-degree (CitedBy).

The base class has the common parameters and the graph. A
subclass adds `GRAPH` to its parameters and calls `fit_graph` in its `_fit`.

edges        the edge types that are followed
origins      the origins of links: links of the source, the wording …; none: any
undirected   whether a link is followed both ways; degrees then count neighbours of either kind
graph_noise, noise_rate, noise_seed   see `retrieval.graph.noise`

A method that reads links in another way takes them from `links`, which include the noise.

`CitedAs` is BM25 over the text of other articles that cite a unit, not over its own. A reference
names what it refers to: "제22조에 따른 자체점검", and so does an act that delegates to its
decree: "대통령령으로 정하는 특정소방대상물". The words after it are a short description of the unit
in somebody else's wording, like the anchor text of a link (McBryan 1994; Craswell, Hawking and
Robertson 2001). The document of a unit is the first `after` characters behind each link to it; of a
unit with more than `most`, behind the first `most` in order of the citing unit. Uncited units are
not found.

Noise in the graph (`retrieval.graph.noise`) affects the same links as elsewhere: the text
after a dropped one is ignored, after a rewired one it counts for the new target; it is
ignored where the source changed, as the new source has no such text.

`CitedBy`, how much of other law relies on an article, is a query-independent score::

  S(d) = ln(1 + number of units of other families that cite d)

In-degree as a prior (Kraaij, Westerveld and Hiemstra 2002, for pages of the web). Citations from
within an act, its decree and its rules are left out: they follow the order of drafting, while
another family refers to what it takes for the law of the matter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.graph.model import EdgeType, Graph
from errors import UserError
from retrieval.core.method import Method, ScoresAll
from retrieval.core.model import Corpus, Document, Parameter, Query
from retrieval.fusion.weighted import Prior
from retrieval.graph.citation_graph import LINK_TYPES, ORIGINS, CitationGraph, distinct, kept_links
from retrieval.graph.noise import (
    GONE,
    NOISE,
    NONE,
    Links,
    NoiseEffect,
    Noisy,
    effect_on,
    follows,
    noisy_ends,
)
from retrieval.lexical.bm25_method import MAX_K1, Field, bm25f, families_of
from retrieval.lexical.lexical_method import TOKENISER, Lexical
from retrieval.lexical.postings import Postings

_PARALLEL = EdgeType.PARALLEL.value
DEFAULT_EDGES = ("references", "delegates_to", "specifies")
FROM = Parameter("origins", "texts", [], choices=tuple(each.value for each in ORIGINS))
GRAPH = (
    Parameter(
        "edges", "texts", list(DEFAULT_EDGES), choices=tuple(each.value for each in LINK_TYPES)
    ),
    FROM,
    Parameter("undirected", "bool", False),
    *NOISE,
)


class Citing(Noisy):
    """Base class of methods that follow citations; `graph` is set by `fit_graph`."""

    graph: CitationGraph

    def _set_up(self) -> None:
        super()._set_up()
        if _PARALLEL in self.spec["edges"] and self.resources.settings.get(_PARALLEL) == "":
            raise UserError("parallel_undeclared")

    @property
    def versions(self) -> str:
        """The versions of `Method`, with those of citations, noise and parallel groups."""
        known = self.resources.settings
        groups = f"/parallel:{known.get(_PARALLEL, '')}" if _PARALLEL in self.spec["edges"] else ""
        return f"{super().versions}/{known.get('graph', '')}{self.noise_version}{groups}"

    def fit_graph(self, corpus: Corpus) -> None:
        """Build the graph of the links among `corpus` that the spec selects.

        Raises UserError where there is no graph.
        """
        _, (sources, targets) = self.links(corpus)
        stay = sources != GONE
        ends = sources[stay], targets[stay]
        self.graph = CitationGraph(*ends, len(corpus), self.spec["undirected"])

    def links(self, corpus: Corpus) -> tuple[Links, Links]:
        """Return the distinct links that the spec selects, before and after noise; GONE if dropped.

        Both ends of a dropped link are GONE. Raises UserError where there is no graph.
        """
        kept = kept_links(corpus, self.resources)
        if kept is None:
            raise UserError("method_graph", method=self.NAME)
        spec, documents = self.spec, len(corpus)
        sources, targets = distinct(*kept.of_types(spec["edges"], spec["origins"]), documents)
        return (sources, targets), noisy_ends(sources, targets, documents, *self.noise)

    def noisy_pairs(self) -> tuple[int, int]:
        """Return how many pairs are linked before noise, and how many of these it takes apart."""
        return effect_on(*self.links(self.corpus), len(self.corpus))


def noise_effects(method: Method) -> list[NoiseEffect]:
    """Return the effects of noise in a fitted method and its parts, once per set of edges.

    Parts that follow no links are left out. Raises UserError where there is no graph.
    """
    found: dict[str, NoiseEffect] = {}
    for each in method._with_parts():
        if isinstance(each, Noisy) and follows(each.spec):
            effect = each.noise_effect()
            if effect is not None:
                of = sorted(each.spec["edges"]) if "edges" in each.spec else each.spec["method"]
                found[repr((of, effect))] = effect
    return [found[key] for key in sorted(found)]


class CitedAs(Citing, Lexical):
    """BM25 over the text after citations of a unit; `edges` selects the citations."""

    NAME = "cited_as"
    PARAMETERS = (
        TOKENISER,
        Parameter("k1", "float", 1.2, 0, MAX_K1),
        Parameter("b", "float", 0.5, 0, 1),
        Parameter("after", "int", 40, 1, 1000),
        Parameter("most", "int", 200, 1, 10_000),
        Parameter(
            "edges",
            "texts",
            ("references", "delegates_to"),
            choices=tuple(each.value for each in LINK_TYPES),
        ),
        FROM,
        *NOISE,
    )

    def _fit(self, corpus: Corpus) -> None:
        """Index each document by the texts that cite it."""
        self._leads = self._changed_targets(corpus)
        super()._fit(corpus)

    def _changed_targets(self, corpus: Corpus) -> dict[tuple[int, int], int]:
        """Return the new target of each link changed by noise; GONE for none."""
        if self.spec["graph_noise"] == NONE:
            return {}
        before, after = self.links(corpus)
        led = np.where(after[0] == before[0], after[1], GONE)
        ends = zip(*(each.tolist() for each in (*before, led)), strict=True)
        return {(source, target): to for source, target, to in ends if target != to}

    def _weighed(self, documents: Sequence[Document]) -> Postings:
        """Return BM25 postings: each document by the words that follow references to it."""
        if self.resources.graph is None:
            raise UserError("method_graph", method=self.NAME)
        said = self._citing_texts(documents, self.resources.graph())
        terms, counts = self._counted(said, len(said))
        return Postings.of(terms, bm25f([Field(counts, 1.0, self.spec["b"])], self.spec["k1"]))

    def _citing_texts(self, documents: Sequence[Document], graph: Graph) -> list[str]:
        """Return the words that follow the references to each document, "" for an uncited one."""
        spec, words = self.spec, defaultdict[int, list[str]](list)
        kinds, origins = frozenset(spec["edges"]), frozenset(spec["origins"] or FROM.choices)
        for source, end, target in _references(documents, graph, kinds, origins):
            led = self._leads.get((source, target), target)
            if led != GONE and len(words[led]) < spec["most"]:
                words[led].append(documents[source].body[end : end + spec["after"]])
        return [" ".join(words.get(at, ())) for at in range(len(documents))]


def _references(
    documents: Sequence[Document], graph: Graph, types: frozenset[str], origins: frozenset[str]
) -> list[tuple[int, int, int]]:
    """Return (citing document, end of the reference in its body, cited document), ascending."""
    at = {document.id: place for place, document in enumerate(documents)}
    found = set()
    for edge in graph.edges:
        wanted = edge.type.value in types and edge.origin.value in origins
        if wanted and edge.source != edge.target and edge.end:
            source, target = at.get(edge.source), at.get(edge.target)
            if source is not None and target is not None:
                found.add((source, edge.end, target))
    return sorted(found)


_FILE = "scores.npy"


class CitedBy(Citing, ScoresAll, Prior):
    """Citation prior for sums: the same ranking for every query, the most cited first."""

    NAME = "cited_by"
    KEEPS = True  # families follow from titles, and reading every document again takes long
    PARAMETERS = GRAPH
    _prior: NDArray[np.float64]

    def all_scores(self, query: Query) -> NDArray[np.float64]:
        """Return ln(1 + citations by other families) of each document, whatever the query."""
        return self._prior

    def _fit(self, corpus: Corpus) -> None:
        """Compute each document's citations from other families of statutes."""
        self.fit_graph(corpus)
        families = families_of(corpus.documents)
        beyond = families[self.graph.sources] != families[self.graph.targets]
        cited = np.bincount(self.graph.targets[beyond], minlength=len(corpus))
        self._prior = np.log1p(cited.astype(np.float64))

    def _save(self, folder: Path) -> None:
        """Write the scores."""
        np.save(folder / _FILE, self._prior)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        """Read the scores."""
        self._prior = np.load(folder / _FILE)
        if len(self._prior) != len(corpus):
            raise ValueError("not one score for each document")
