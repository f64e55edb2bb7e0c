"""Noise in the citation graph, to measure how much a method depends on correct links.

Noise is part of the spec of every method that follows links (`retrieval.graph.cited`):
`graph_noise` is its kind, `noise_rate` the share of pairs affected, `noise_seed` selects
them. A pair is two units with a link between them in either direction: a delegation and its
twin (DELEGATES_TO and SPECIFIES), or a citation and one back, are lost together.

`with_noise` sets the three in a spec wherever it follows links, however deep::

  with_noise({"method": "rrf", "of": [{"method": "bm25"}, {"method": "sar"}]}, "drop", 0.1)

drop     round(rate · pairs) pairs lose all their links
rewire   as many pairs keep one end, with another unit as the other, drawn uniformly from all
         documents that it is not linked to before or after; their links go with them. The end
         that stays is the source; of two that cite each other it is drawn.

A method that follows links of a graph of its own (`retrieval.baselines`) has no `edges`: there the
same is done to its pairs of nodes.

So a share of `noise_rate` of the pairs is really lost, within rounding, except pairs without any
possible new unit; `effect_on` counts it. The seed alone draws an order of the pairs:
those affected at 10 % are among those at 20 %, and methods that follow other types of edges lose
the same pairs, but for some at the border. Degrees are counted after the noise, and types of edges
are chosen before it. Paper 001 (A.8) drops and rewires 10 and 20 % of the edges; it does not say
whether twins are lost together.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.method import Method
from retrieval.core.model import Parameter, Spec, specs_within
from retrieval.core.registry import complete, parameters
from retrieval.graph.citation_graph import Positions

NONE, DROP, REWIRE = "none", "drop", "rewire"
KINDS = (NONE, DROP, REWIRE)
NOISE = (
    Parameter("graph_noise", "choice", NONE, choices=KINDS),
    Parameter("noise_rate", "float", 0.1, 0, 1, when=("graph_noise", (DROP, REWIRE))),
    Parameter("noise_seed", "int", 0, 0, 2**31 - 1, when=("graph_noise", (DROP, REWIRE))),
)
GONE = -1  # both ends of a dropped link
VERSION = 2  # raise it when a seed selects other pairs; 1 drew single links, not pairs
_ATTEMPTS = 100
_ORDER, _END, _TARGET = 1, 2, 3  # random streams: order of pairs, staying ends, new targets

Links = tuple[Positions, Positions]


@dataclass(frozen=True, slots=True)
class NoiseEffect:
    """The effect of noise on the links of one set of edge types.

    `rate` is the requested share of pairs, `pairs` the number of linked pairs before,
    `lost` how many of these are not linked after it.
    """

    kind: str
    rate: float
    seed: int
    pairs: int
    lost: int

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data, as stored with a run."""
        return asdict(self)


class Noisy(Method):
    """A method that follows links, of the law or of its own graph, and supports noise in them."""

    @property
    def noise(self) -> tuple[str, float, int]:
        """The kind, the rate and the seed of the noise that the spec asks for."""
        spec = self.spec
        return spec["graph_noise"], float(spec["noise_rate"]), spec["noise_seed"]

    @property
    def noise_version(self) -> str:
        """What the versions of a method with noise end in; "" without noise."""
        return "" if self.noise[0] == NONE else f"/noise{VERSION}"

    @abstractmethod
    def noisy_pairs(self) -> tuple[int, int]:
        """Return how many pairs are linked before noise, and how many of these it takes apart."""

    def noise_effect(self) -> NoiseEffect | None:
        """Return the effect of noise on the fitted graph; None without noise.

        Raises UserError where there is no graph.
        """
        return None if self.noise[0] == NONE else NoiseEffect(*self.noise, *self.noisy_pairs())


def with_noise(spec: Spec, kind: str, rate: float, seed: int = 0) -> dict[str, Any]:
    """Return the complete spec with this noise wherever links are followed; UserError if nowhere.

    Raises UserError as `registry.complete` does, for an invalid kind or number, and if
    no method of the spec follows links: noise would change nothing.
    """
    given = {"graph_noise": kind, "noise_rate": rate, "noise_seed": seed}
    noisy, hit = _with(complete(spec), given)
    if not hit:
        raise UserError("noise_without_graph", method=spec["method"])
    return complete(noisy)


def noise_in(spec: Spec) -> list[tuple[str, float]]:
    """Return the distinct (kind, rate) of noise in the methods of `spec` that follow links.

    Raises UserError as `registry.complete` does.
    """
    found = [
        (each["graph_noise"], float(each["noise_rate"]))
        for each in specs_within(complete(spec))
        if follows(each) and each["graph_noise"] != NONE
    ]
    return list(dict.fromkeys(found))


def follows(spec: Spec) -> bool:
    """Return whether the outermost method of a complete spec follows links."""
    return (
        _supports_noise(spec)
        and bool(spec.get("edges", True))
        and bool(spec.get("expansion", True))
    )


def noisy_ends(
    sources: Positions, targets: Positions, documents: int, kind: str, rate: float, seed: int
) -> Links:
    """Return source and target of each distinct link after noise; GONE for a dropped one.

    Rewiring draws again for a unit that is already linked to the staying end, before or after, and
    for that end itself; a pair without a new unit in 100 draws stays unchanged. So there are as
    many pairs, and as many links, after it as before.
    """
    if kind == NONE or not len(sources):
        return sources, targets
    pairs, of = np.unique(_codes(sources, targets, documents), return_inverse=True)
    order = np.argsort(_random_bits(pairs, seed, _ORDER), kind="stable")
    hit = order[: round(rate * len(pairs))]
    if kind == DROP:
        gone = np.isin(of, hit)
        return np.where(gone, GONE, sources), np.where(gone, GONE, targets)
    stays = _staying_ends(pairs, sources[np.lexsort((sources, of))], of, documents, seed)
    others = _new_ends(pairs, stays, hit, documents, seed)
    from_end = sources == stays[of]
    return (np.where(from_end, sources, others[of]), np.where(from_end, others[of], targets))


def effect_on(before: Links, after: Links, documents: int) -> tuple[int, int]:
    """Return the number of linked pairs before, and how many of these are not linked after."""
    stay = after[0] != GONE
    linked = np.unique(_codes(*before, documents))
    left = np.isin(linked, _codes(after[0][stay], after[1][stay], documents))
    return len(linked), int((~left).sum())


def _codes(sources: Positions, targets: Positions, documents: int) -> Positions:
    """Return a code of each link's pair of units, the same in both directions."""
    low, high = np.minimum(sources, targets), np.maximum(sources, targets)
    return low.astype(np.int64) * documents + high


def _staying_ends(
    pairs: Positions, first: Positions, of: Positions, documents: int, seed: int
) -> Positions:
    """Return the end of each pair that stays: the source, or a drawn one if both are.

    `first` are the sources of all links in the order of their pairs, which `of` names.
    """
    counts = np.bincount(of, minlength=len(pairs))
    source = first[np.cumsum(counts) - counts]
    low, high = pairs // documents, pairs % documents
    drawn = np.where(_random_bits(pairs, seed, _END) % 2 == 0, low, high)
    return np.where(counts == 2, drawn, source)


def _new_ends(
    pairs: Positions, stays: Positions, hit: Positions, documents: int, seed: int
) -> Positions:
    """Return the other end of each pair; a new unit for those in `hit`, where one is found."""
    others = pairs // documents + pairs % documents - stays
    taken = set(pairs.tolist())
    for at in hit.tolist():
        end = int(stays[at])
        for other in _candidate_targets(int(pairs[at]), documents, seed):
            code = min(end, other) * documents + max(end, other)
            if other != end and code not in taken:
                taken.add(code)
                others[at] = other
                break
    return others


def _candidate_targets(pair: int, documents: int, seed: int) -> Iterator[int]:
    """Yield candidate units for a pair, drawn uniformly by the seed."""
    one = np.array([pair])
    for attempt in range(_ATTEMPTS):
        yield int(_random_bits(one, seed, _TARGET + attempt)[0] % np.uint64(documents))


_MASK, _GOLDEN = 2**64 - 1, 0x9E3779B97F4A7C15


def _random_bits(numbers: Positions, seed: int, what: int) -> NDArray[np.uint64]:
    """Return 64 random bits for each number: SplitMix64 (Steele and others, 2014).

    The bits of a number do not depend on the other numbers.
    """
    bits = _splitmix64(_splitmix64(np.array([seed], np.uint64)) + np.uint64(what * _GOLDEN & _MASK))
    return _splitmix64(numbers.astype(np.uint64) ^ bits)


def _splitmix64(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the SplitMix64 hash of each number."""
    bits = bits + np.uint64(_GOLDEN)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def _supports_noise(spec: Spec) -> bool:
    """Return whether the outermost method of a spec has the parameters of noise."""
    return {each.name for each in parameters(spec["method"])} >= {each.name for each in NOISE}


def _with(spec: Mapping[str, Any], noise: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return a spec with noise in every method that follows links, and whether there is one."""
    hit = follows(spec)
    result = {**spec, **noise} if _supports_noise(spec) else dict(spec)
    for each in parameters(spec["method"]):
        if each.kind == "method":
            result[each.name], inner = _with(spec[each.name], noise)
            hit = hit or inner
        elif each.kind == "methods":
            parts = [_with(part, noise) for part in spec[each.name]]
            result[each.name] = [part for part, _ in parts]
            hit = hit or any(inner for _, inner in parts)
    return result, hit
