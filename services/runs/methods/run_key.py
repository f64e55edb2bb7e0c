"""Key of a run: its method's parameters, depth, levels and versions.

Depth, versions, the levels searched and a hash of the questions' jurisdictions are stored beside
the parameters under names that no method uses: RRF has a ``k`` of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from normalization.hashing import text_hash
from retrieval.core.model import Spec
from services.runs.methods.preparation import CORPUS_RULE
from storage.law.passages import Levels
from storage.runs.run_store import RunKey
from storage.runs.search_levels import in_order

DEPTH, VERSION, LEVELS = "run_depth", "run_version", "run_levels"
POOLS = "run_jurisdictions"
IMPORTED = "imported"
"""The method of a run that came from a file."""


def params_of(
    spec: Spec,
    depth: int,
    versions: str,
    levels: Levels,
    pools: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the parameters of a run's key; `spec` must be complete.

    `pools` maps questions to the jurisdiction whose part of the corpus is searched.
    """
    said = {name: value for name, value in spec.items() if name != "method"}
    beside = {DEPTH: depth, VERSION: f"{versions}.{CORPUS_RULE}", LEVELS: list(map(str, levels))}
    return said | beside | pools_param(pools or {})


def pools_param(pools: Mapping[str, str]) -> dict[str, str]:
    """Return the key parameter that hashes the questions' jurisdictions; empty without any."""
    if not pools:
        return {}
    return {POOLS: text_hash(repr(sorted(pools.items())))[:16]}


def spec_of(key: RunKey) -> dict[str, Any]:
    """Return the spec of the method that a stored run was made with."""
    beside = (DEPTH, VERSION, LEVELS, POOLS)
    said = {name: value for name, value in key.params.items() if name not in beside}
    return {"method": key.method} | said


def depth_of(key: RunKey, otherwise: int) -> int:
    """Return the run's depth, `otherwise` where it is not stored."""
    return int(key.params.get(DEPTH, otherwise))


def version_of(key: RunKey) -> str:
    """Return the versions of method, parts and corpus of a stored run; "" if unknown.

    "" where it does not say.
    """
    return str(key.params.get(VERSION, ""))


def is_other_code(key: RunKey, versions: str) -> bool:
    """Return True if a stored run used other code of a user's own method than `versions`.

    Only user-supplied methods have the hash of their code in the version
    (`retrieval.core.contained`).
    """
    said = version_of(key)
    return "@" in said and said != f"{versions}.{CORPUS_RULE}"


def levels_of(key: RunKey) -> Levels | None:
    """Return the levels that a stored run searched; None for a run from a file."""
    return in_order(key.params[LEVELS]) if LEVELS in key.params else None
