"""The citation graph as arrays over a corpus, for methods that walk from a unit to those it cites.

Only links between two units of the corpus count. Several references from one unit to another are
one link, and a unit's link to itself is none: a degree is a number of distinct neighbours.

Noise in the citation graph, to see how much a method rests on its links being right. Noise is part
of the spec of every method that follows links (`retrieval.graph.cited`): `graph_noise`
says what is done, `noise_rate` to how large a part of the links, `noise_seed` which ones it hits.
`with_noise` puts the three into a spec wherever it follows links, however deep::

    with_noise({"method": "rrf", "of": [{"method": "bm25"}, {"method": "sar"}]}, "drop", 0.1)

drop     round(rate · links) links are taken out
rewire   as many links keep their source and get another target, drawn uniformly from all documents

With one seed, the links that are hit at 10 % are among those hit at 20 %. Degrees are counted
after the noise, and types of edges are chosen before it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.graph.model import EdgeType, Graph
from errors import UserError
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Parameter, Spec
from retrieval.core.registry import complete, parameters

LINK_TYPES = (
    EdgeType.REFERENCES,
    EdgeType.DELEGATES_TO,
    EdgeType.SPECIFIES,
    EdgeType.APPLIES,
    EdgeType.REQUIRES_FORM,
    EdgeType.PARALLEL,
)
"""The edge types that can join two units. PART_OF leads to statutes, DEFINES to the unit itself."""

FORMAT = 1
Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Links:
    """Links between documents by their positions, with the place of each type in LINK_TYPES."""

    sources: Positions
    targets: Positions
    types: Positions

    def of_types(self, types: Collection[str]) -> tuple[Positions, Positions]:
        """Return sources and targets of the links of these types, in the order they stand in."""
        wanted = [at for at, each in enumerate(LINK_TYPES) if each.value in types]
        chosen = np.isin(self.types, wanted)
        return self.sources[chosen], self.targets[chosen]


class Rows:
    """For each document the documents at the other end of its links, ascending."""

    def __init__(self, sources: Positions, targets: Positions, documents: int) -> None:
        """Index links without repetition among `documents` documents."""
        order = np.lexsort((targets, sources))
        self.ends: Positions = targets[order]
        self.degrees: Positions = np.bincount(sources, minlength=documents).astype(np.int64)
        self.starts: Positions = np.concatenate(([0], np.cumsum(self.degrees))).astype(np.int64)

    def of(self, positions: Positions) -> tuple[Positions, Positions]:
        """Return every link of the documents at `positions`: which of these, and the other end.

        Links come in the order of `positions`, those of one document by ascending other end.
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
        """Take links in any order, repeated or not; `undirected` adds each the other way round."""
        if undirected:
            sources, targets = np.r_[sources, targets], np.r_[targets, sources]
        self.sources, self.targets = distinct(sources, targets, documents)
        self.out = Rows(self.sources, self.targets, documents)
        self.into = Rows(self.targets, self.sources, documents)

    def __len__(self) -> int:
        return len(self.sources)


def distinct(sources: Positions, targets: Positions, documents: int) -> tuple[Positions, Positions]:
    """Return the links by ascending source and target, each once, without those to oneself."""
    apart = sources != targets
    codes = np.unique(sources[apart].astype(np.int64) * documents + targets[apart])
    return (codes // documents, codes % documents) if documents else (codes, codes)


def links_of(graph: Graph, corpus: Corpus) -> Links:
    """Return the edges of `graph` that join two documents of `corpus`, in the graph's order."""
    codes = {each: at for at, each in enumerate(LINK_TYPES)}
    at = np.array([corpus.positions.get(node, -1) for node in graph.ids], dtype=np.int64)
    types = np.array([codes.get(edge.type, -1) for edge in graph.edges], dtype=np.int64)
    if not len(types):
        return Links(types, types, types)
    sources, targets = at[graph.sources], at[graph.targets]
    inside = (sources >= 0) & (targets >= 0) & (types >= 0)
    return Links(sources[inside], targets[inside], types[inside])


def kept_links(corpus: Corpus, resources: Resources) -> Links | None:
    """Return the links of `corpus` in the graph that `resources` has; None where it has none.

    They are kept in the cache folder under what they were made of (the corpus, and the version of
    the graph that ``settings["graph"]`` names; without that, and where nothing can be written, they
    are read from the graph each time). A damaged file is made again.
    """
    if resources.graph is None:
        return None
    version = resources.settings.get("graph")
    if resources.folder is None or version is None:
        return links_of(resources.graph(), corpus)
    said = repr((FORMAT, version, corpus.fingerprint)).encode()
    file = resources.folder / "links" / f"{sha256(said).hexdigest()[:24]}.npz"
    return _read(file) or _written(file, resources.graph, corpus)


def _read(file: Path) -> Links | None:
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return Links(*(arrays[name].astype(np.int64) for name in Links.__slots__))
    except Exception:  # numpy and zipfile have many ways of saying that a file is damaged
        return None


def _written(file: Path, graph: Callable[[], Graph], corpus: Corpus) -> Links:
    links = links_of(graph(), corpus)
    with suppress(OSError):  # a full disk, no permission: it costs reading the graph again
        _keep(file, links)
    return links


def _keep(file: Path, links: Links) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.stem}.{os.getpid()}-{threading.get_ident()}.part.npz")
    try:
        np.savez(
            part,
            sources=links.sources.astype(np.int32),
            targets=links.targets.astype(np.int32),
            types=links.types.astype(np.int8),
        )
        part.replace(file)  # a reader meets the whole file or none
    finally:
        part.unlink(missing_ok=True)


NONE, DROP, REWIRE = "none", "drop", "rewire"
KINDS = (NONE, DROP, REWIRE)
NOISE = (
    Parameter("graph_noise", "choice", NONE, choices=KINDS),
    Parameter("noise_rate", "float", 0.1, 0, 1),
    Parameter("noise_seed", "int", 0, 0, 2**31 - 1),
)
GONE = -1  # where a dropped link leads
_ATTEMPTS = 100


def with_noise(spec: Spec, kind: str, rate: float, seed: int = 0) -> dict[str, Any]:
    """Return `spec`, complete, with this noise in every method that follows links.

    Raises UserError as `registry.complete` does, for a kind or number that cannot be, and where
    no method of the spec follows links, by what its parameters say: noise would change nothing.
    """
    given = {"graph_noise": kind, "noise_rate": rate, "noise_seed": seed}
    noisy, hit = _with(complete(spec), given)
    if not hit:
        raise UserError("noise_without_graph", method=spec["method"])
    return complete(noisy)


def noisy(
    sources: Positions, targets: Positions, documents: int, kind: str, rate: float, seed: int
) -> tuple[Positions, Positions]:
    """Return distinct links with noise of this kind in `rate` of them; see `noisy_targets`."""
    after = noisy_targets(sources, targets, documents, kind, rate, seed)
    stay = after != GONE
    return sources[stay], after[stay]


def noisy_targets(
    sources: Positions, targets: Positions, documents: int, kind: str, rate: float, seed: int
) -> Positions:
    """Return where each of distinct links leads after noise in `rate` of them, GONE for dropped.

    Rewiring draws again for a target that is the source itself or that it is linked to already,
    before or after; a link for which 100 draws find no other target stays as it was. So there are
    as many distinct links after it as before.
    """
    if kind == NONE:
        return targets
    draw = np.random.default_rng(seed)
    hit = draw.permutation(len(sources))[: round(rate * len(sources))]
    if kind == REWIRE:
        return _rewired(sources, targets, documents, hit, draw)
    after = targets.copy()
    after[hit] = GONE
    return after


def _rewired(
    sources: Positions,
    targets: Positions,
    documents: int,
    hit: Positions,
    draw: np.random.Generator,
) -> Positions:
    taken = set((sources * documents + targets).tolist())
    rewired = targets.copy()
    for at in hit.tolist():
        source = int(sources[at])
        for target in draw.integers(documents, size=_ATTEMPTS).tolist():
            if target != source and source * documents + target not in taken:
                taken.add(source * documents + target)
                rewired[at] = target
                break
    return rewired


def _with(spec: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    known = parameters(spec["method"])
    can = {each.name for each in known} >= set(given)
    follows = can and bool(spec["edges"]) and spec.get("expansion", True)
    result = {**spec, **given} if can else dict(spec)
    for each in known:
        if each.kind == "method":
            result[each.name], inner = _with(spec[each.name], given)
            follows = follows or inner
        elif each.kind == "methods":
            parts = [_with(part, given) for part in spec[each.name]]
            result[each.name] = [part for part, _ in parts]
            follows = follows or any(inner for _, inner in parts)
    return result, follows
