"""Noise in the citation graph, to see how much a method rests on its links being right.

Noise is part of the spec of every method that follows links (`retrieval.graph.citation_method`):
`graph_noise` says what is done, `noise_rate` to how large a part of the links, `noise_seed` which
ones it hits. `with_noise` puts the three into a spec wherever it follows links, however deep::

    with_noise({"method": "rrf", "of": [{"method": "bm25"}, {"method": "sar"}]}, "drop", 0.1)

drop     round(rate · links) links are taken out
rewire   as many links keep their source and get another target, drawn uniformly from all documents

With one seed, the links that are hit at 10 % are among those hit at 20 %. Degrees are counted
after the noise, and types of edges are chosen before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from errors import UserError
from retrieval.core.parameters import Parameter, Spec
from retrieval.core.registry import complete, parameters
from retrieval.graph.citation_graph import Positions

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
