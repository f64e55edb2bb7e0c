"""BM25 over what other articles say when they cite a unit, and not over its own words.

A reference names what it refers to: "제22조에 따른 자체점검", and so does an act that leaves
something to its decree: "대통령령으로 정하는 특정소방대상물". The words after it are a short
description of the unit in somebody else's wording, like the text of a link to a page (McBryan 1994;
Craswell, Hawking and Robertson 2001). The document of a unit is the first `after` characters behind
each link to it; of a unit with more than `most`, behind the first `most` in order of the citing
unit. A unit that nobody cites is not found.

Noise in the graph (`retrieval.graph.noise`) hits the links that it hits elsewhere: what stands
behind a dropped one counts for nobody, behind a rewired one for the unit that it then leads to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from corpus.graph.model import Graph
from errors import UserError
from retrieval.core.model import Corpus, Document
from retrieval.core.parameters import Parameter
from retrieval.graph.citation_graph import LINK_TYPES
from retrieval.graph.citation_method import Citing
from retrieval.graph.noise import NOISE, NONE
from retrieval.lexical.bm25_weights import MAX_K1, Field, bm25f
from retrieval.lexical.lexical_method import TOKENISER, Lexical
from retrieval.lexical.postings import Postings
from retrieval.lexical.term_counts import TermCounter


class CitedAs(Citing, Lexical):
    """BM25 over the words that follow links to a unit; `edges` says which links."""

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
        *NOISE,
    )

    def _fit(self, corpus: Corpus) -> None:
        self._leads = self._after_noise(corpus)
        super()._fit(corpus)

    def _after_noise(self, corpus: Corpus) -> dict[tuple[int, int], int]:
        """Return where links that noise hits lead, by their two ends; GONE for those taken out."""
        if self.spec["graph_noise"] == NONE:
            return {}
        sources, targets, after = (each.tolist() for each in self.links(corpus))
        ends = zip(sources, targets, strict=True)
        return {end: to for end, to in zip(ends, after, strict=True) if end[1] != to}

    def _weighed(self, documents: Sequence[Document]) -> Postings:
        if self.resources.graph is None:
            raise UserError("method_graph", method=self.NAME)
        said = self._said_of(documents, self.resources.graph())
        terms, counts = TermCounter.counted(self._cut(said, len(said)))
        return Postings.of(terms, bm25f([Field(counts, 1.0, self.spec["b"])], self.spec["k1"]))

    def _said_of(self, documents: Sequence[Document], graph: Graph) -> list[str]:
        """Return what others say of each document, "" of one that nobody cites."""
        spec, words = self.spec, defaultdict[int, list[str]](list)
        for source, end, target in _references(documents, graph, frozenset(spec["edges"])):
            led = self._leads.get((source, target), target)
            if len(words[led]) < spec["most"]:
                words[led].append(documents[source].body[end : end + spec["after"]])
        return [" ".join(words.get(at, ())) for at in range(len(documents))]


def _references(
    documents: Sequence[Document], graph: Graph, types: frozenset[str]
) -> list[tuple[int, int, int]]:
    """Return (citing document, end of the reference in its body, cited document), ascending."""
    at = {document.id: place for place, document in enumerate(documents)}
    found = set()
    for edge in graph.edges:
        if edge.type.value in types and edge.source != edge.target and edge.end:
            source, target = at.get(edge.source), at.get(edge.target)
            if source is not None and target is not None:
                found.add((source, edge.end, target))
    return sorted(found)
