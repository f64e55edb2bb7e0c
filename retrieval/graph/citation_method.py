"""What every method that follows citation links has in common: its parameters and its graph.

A subclass adds `GRAPH` to its parameters and calls `fit_graph` in its `_fit`.

edges        the edge types that are followed
undirected   whether a link is followed both ways; degrees then count neighbours of either kind
graph_noise, noise_rate, noise_seed   see `retrieval.graph.noise`

One that reads links in another way takes them from `links`, which have the noise in them.
"""

from __future__ import annotations

from errors import UserError
from retrieval.core.method import Method
from retrieval.core.model import Corpus
from retrieval.core.parameters import Parameter
from retrieval.graph.citation_graph import (
    LINK_TYPES,
    CitationGraph,
    Positions,
    distinct,
    kept_links,
)
from retrieval.graph.noise import GONE, NOISE, noisy_targets

DEFAULT_EDGES = ("references", "delegates_to", "specifies")
GRAPH = (
    Parameter(
        "edges", "texts", list(DEFAULT_EDGES), choices=tuple(each.value for each in LINK_TYPES)
    ),
    Parameter("undirected", "bool", False),
    *NOISE,
)


class Citing(Method):
    """A method that follows the citation graph; `graph` is there once `fit_graph` was called."""

    graph: CitationGraph

    @property
    def versions(self) -> str:
        """The versions as every method has them, and that of the reading of citations."""
        return f"{super().versions}/{self.resources.settings.get('graph', '')}"

    def fit_graph(self, corpus: Corpus) -> None:
        """Take the links among the documents of `corpus` that the spec asks for.

        Raises UserError where there is no graph.
        """
        sources, _, after = self.links(corpus)
        stay = after != GONE
        ends = sources[stay], after[stay]
        self.graph = CitationGraph(*ends, len(corpus), self.spec["undirected"])

    def links(self, corpus: Corpus) -> tuple[Positions, Positions, Positions]:
        """Return the distinct links that the spec asks for: sources, targets, targets after noise.

        A link that noise takes out leads to GONE. Raises UserError where there is no graph.
        """
        kept = kept_links(corpus, self.resources)
        if kept is None:
            raise UserError("method_graph", method=self.NAME)
        spec, documents = self.spec, len(corpus)
        ends = distinct(*kept.of_types(spec["edges"]), documents)
        noise = (spec["graph_noise"], spec["noise_rate"], spec["noise_seed"])
        return *ends, noisy_targets(*ends, documents, *noise)
