"""The citation graph of a corpus as arrays, for methods that follow links.

Only links between two units of the corpus count. Several references from one unit to another are
one link, and self-links are dropped: a degree is a number of distinct neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.graph.model import EdgeType, Graph, Origin
from retrieval.core.method import Resources, replacing
from retrieval.core.model import Corpus

LINK_TYPES = (
    EdgeType.REFERENCES,
    EdgeType.DELEGATES_TO,
    EdgeType.SPECIFIES,
    EdgeType.APPLIES,
    EdgeType.REQUIRES_FORM,
    EdgeType.CO_SPECIFIES,
    EdgeType.PARALLEL,
)
"""The edge types that count as links between units: no containment, no use of terms.

Links are stored by index into it: new types come last.
"""

ORIGINS = tuple(Origin)
"""The origins of links, in the order of their stored indices."""

FORMAT = 2  # 1 did not store origins
Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Links:
    """Links between documents by position, with indices into LINK_TYPES and ORIGINS."""

    sources: Positions
    targets: Positions
    types: Positions
    origins: Positions

    def of_types(
        self, types: Collection[str], origins: Collection[str] = ()
    ) -> tuple[Positions, Positions]:
        """Return sources and targets of the links of these types, in stored order.

        `origins` restricts them to these origins; none given are all.
        """
        wanted = [at for at, each in enumerate(LINK_TYPES) if each.value in types]
        read = [at for at, each in enumerate(ORIGINS) if not origins or each.value in origins]
        chosen = np.isin(self.types, wanted) & np.isin(self.origins, read)
        return self.sources[chosen], self.targets[chosen]


class Rows:
    """For each document its neighbours, ascending."""

    def __init__(self, sources: Positions, targets: Positions, documents: int) -> None:
        """Index distinct links among `documents` documents."""
        order = np.lexsort((targets, sources))
        self.ends: Positions = targets[order]
        self.degrees: Positions = np.bincount(sources, minlength=documents).astype(np.int64)
        self.starts: Positions = np.concatenate(([0], np.cumsum(self.degrees))).astype(np.int64)

    def of(self, positions: Positions) -> tuple[Positions, Positions]:
        """Return every link of the documents at `positions`: index into `positions`, and neighbour.

        Links come in the order of `positions`, those of one document by ascending neighbour.
        """
        counts = self.degrees[positions]
        which = np.repeat(np.arange(len(positions)), counts)
        first = self.starts[positions] - (np.cumsum(counts) - counts)
        return which, self.ends[np.arange(len(which)) + first[which]]


class CitationGraph:
    """Distinct links among the documents of a corpus, indexed both ways."""

    def __init__(
        self, sources: Positions, targets: Positions, documents: int, undirected: bool = False
    ) -> None:
        """Take links in any order, repeated or not; `undirected` adds the reverse links."""
        if undirected:
            sources, targets = np.r_[sources, targets], np.r_[targets, sources]
        self.sources, self.targets = distinct(sources, targets, documents)
        self.out = Rows(self.sources, self.targets, documents)
        self.into = Rows(self.targets, self.sources, documents)

    def __len__(self) -> int:
        return len(self.sources)


def distinct(sources: Positions, targets: Positions, documents: int) -> tuple[Positions, Positions]:
    """Return the distinct links without self-links, by ascending source and target."""
    apart = sources != targets
    codes = np.unique(sources[apart].astype(np.int64) * documents + targets[apart])
    return (codes // documents, codes % documents) if documents else (codes, codes)


def links_of(graph: Graph, corpus: Corpus) -> Links:
    """Return the edges of `graph` between documents of `corpus`, in the graph's order."""
    codes = {each: at for at, each in enumerate(LINK_TYPES)}
    at = np.array([corpus.positions.get(node, -1) for node in graph.ids], dtype=np.int64)
    types = np.array([codes.get(edge.type, -1) for edge in graph.edges], dtype=np.int64)
    origins = np.array([ORIGINS.index(edge.origin) for edge in graph.edges], dtype=np.int64)
    if not len(types):
        return Links(types, types, types, types)
    sources, targets = at[graph.sources], at[graph.targets]
    inside = (sources >= 0) & (targets >= 0) & (types >= 0)
    return Links(sources[inside], targets[inside], types[inside], origins[inside])


def kept_links(corpus: Corpus, resources: Resources) -> Links | None:
    """Return the links of `corpus` in the graph of `resources`; None without a graph.

    They are cached in the cache folder by corpus and graph version
    (``settings["graph"]`` and ``settings["parallel"]``; without a version, and where
    nothing can be written, they are read from the graph each time). A damaged file is replaced.
    """
    if resources.graph is None:
        return None
    version = resources.settings.get("graph")
    if resources.folder is None or version is None:
        return links_of(resources.graph(), corpus)
    groups = resources.settings.get("parallel")
    said = repr((FORMAT, version, corpus.fingerprint, *([groups] if groups else ()))).encode()
    file = resources.folder / "links" / f"{sha256(said).hexdigest()[:24]}.npz"
    return _read_cached(file) or _cache_links(file, resources.graph, corpus)


def _read_cached(file: Path) -> Links | None:
    """Return the cached links; None if there are none or they are damaged."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return Links(*(arrays[name].astype(np.int64) for name in Links.__slots__))
    except Exception:  # numpy and zipfile raise many kinds of errors for a damaged file
        return None


def _cache_links(file: Path, graph: Callable[[], Graph], corpus: Corpus) -> Links:
    """Read the links from the graph and write them to the cache `file`, if that is possible."""
    links = links_of(graph(), corpus)
    # Full disk, no permission: then the graph is read again next time.
    with suppress(OSError), replacing(file) as part:
        np.savez(
            part,
            sources=links.sources.astype(np.int32),
            targets=links.targets.astype(np.int32),
            types=links.types.astype(np.int8),
            origins=links.origins.astype(np.int8),
        )
    return links
