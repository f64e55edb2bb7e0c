"""What a run of a method is found again by: the parameters of its spec, its depth, its versions.

Depth, versions, the levels searched and a hash of the questions' jurisdictions stand beside the
parameters under names that no method has: RRF has a ``k`` of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from normalization.hashing import text_hash
from retrieval.core.model import Spec, as_kept
from retrieval.core.registry import goes_below
from services.runs.methods.preparation import CORPUS_RULE
from storage.law.passages import Levels
from storage.runs.run_store import RunKey
from storage.runs.search_levels import in_order

DEPTH, VERSION, LEVELS = "run_depth", "run_version", "run_levels"
POOLS = "run_jurisdictions"
IMPORTED = "imported"
"""The method of a run that came from a file."""

_BELOW = "+below"
"""What the versions of a run end with that goes on below a pool: such runs ended there before."""
_PARALLEL = "parallel"
_EARLIER = ("k", "version")  # what they were called while BM25 was the only method


def params_of(
    spec: Spec,
    depth: int,
    versions: str,
    levels: Levels,
    pools: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the parameters of the key of a run; `spec` is complete.

    `pools` is the jurisdiction of each question for which a part of the corpus is searched: where
    there is none, the key is what it was before there were jurisdictions.
    """
    said = {name: value for name, value in as_kept(spec).items() if name != "method"}
    below = _BELOW if goes_below(spec, depth) else ""
    version = f"{versions}{below}.{CORPUS_RULE}"
    beside = {DEPTH: depth, VERSION: version, LEVELS: list(map(str, levels))}
    return said | beside | pools_param(pools or {})


def pools_param(pools: Mapping[str, str]) -> dict[str, str]:
    """Return what the parameters of a run say of the parts of the corpus that questions have."""
    if not pools:
        return {}
    return {POOLS: text_hash(repr(sorted(pools.items())))[:16]}


def spec_of(key: RunKey) -> dict[str, Any]:
    """Return the spec of the method that a stored run was made with.

    What older runs call edges ``parallel`` is ``co_specifies`` now; those made with the parallel
    groups of a project say so in their versions.
    """
    beside = (DEPTH, VERSION, LEVELS, POOLS) if DEPTH in key.params else _EARLIER
    said = {name: value for name, value in key.params.items() if name not in beside}
    spec = {"method": key.method} | said
    return spec if f"/{_PARALLEL}:" in version_of(key) else _with_todays_names(spec)


def _with_todays_names(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return the spec with the edges between decree and rule called as they are now."""
    return {name: _named_today(name, value) for name, value in spec.items()}


def _named_today(name: str, value: Any) -> Any:
    if name == "edges":
        return ["co_specifies" if each == _PARALLEL else each for each in value]
    if isinstance(value, Mapping):
        return _with_todays_names(value)
    if isinstance(value, list):
        return [_named_today("", each) for each in value]
    return value


def depth_of(key: RunKey, otherwise: int) -> int:
    """Return how many units the run kept of each question, `otherwise` where it does not say."""
    return int(key.params.get(DEPTH, key.params.get("k", otherwise)))


def version_of(key: RunKey) -> str:
    """Return the versions of the method, its parts and the corpus that a stored run was made with.

    "" where it does not say.
    """
    return str(key.params.get(VERSION, key.params.get("version", "")))


def is_other_code(key: RunKey, versions: str) -> bool:
    """Return whether a stored run is of other code of somebody's own than has these `versions`.

    Only methods that are not ours have the hash of their code there (`retrieval.core.contained`).
    """
    said = version_of(key)
    known = {f"{versions}{below}.{CORPUS_RULE}" for below in ("", _BELOW)}
    return "@" in said and said not in known


def levels_of(key: RunKey) -> Levels | None:
    """Return the levels that a stored run searched.

    None where it does not say: it came from a file, or was made while gold units of other levels
    were added to what is searched. `services.gold.search_coverage` tells the two apart.
    """
    return in_order(key.params[LEVELS]) if LEVELS in key.params else None
