"""What a run of a method is found again by: the parameters of its spec, its depth, its versions.

Depth and versions stand beside the parameters under names that no method has: RRF has a ``k`` of
its own.
"""

from __future__ import annotations

from typing import Any

from jobs.index import CORPUS_RULE
from retrieval.parameters import Spec
from storage.runs import RunKey

DEPTH, VERSION = "run_depth", "run_version"
_EARLIER = ("k", "version")  # what they were called while BM25 was the only method


def params_of(spec: Spec, depth: int, versions: str) -> dict[str, Any]:
    """Return the parameters of the key of a run; `spec` is complete."""
    said = {name: value for name, value in spec.items() if name != "method"}
    return said | {DEPTH: depth, VERSION: f"{versions}.{CORPUS_RULE}"}


def spec_of(key: RunKey) -> dict[str, Any]:
    """Return the spec of the method that a stored run was made with."""
    beside = (DEPTH, VERSION) if DEPTH in key.params else _EARLIER
    said = {name: value for name, value in key.params.items() if name not in beside}
    return {"method": key.method} | said


def depth_of(key: RunKey, otherwise: int) -> int:
    """Return how many units the run kept of each question, `otherwise` where it does not say."""
    return int(key.params.get(DEPTH, key.params.get("k", otherwise)))


def version_of(key: RunKey) -> str:
    """Return the versions of the method, its parts and the corpus that a stored run was made with.

    "" where it does not say.
    """
    return str(key.params.get(VERSION, key.params.get("version", "")))
