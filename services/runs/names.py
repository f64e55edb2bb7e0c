"""What runs are called, so that those of a project can be told apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from retrieval.core.describe import describe
from services.gold.search_coverage import Searched
from services.runs.methods.run_key import depth_of, spec_of, version_of
from storage.runs.experiments import RecordView
from storage.runs.run_store import RunView

_LONGEST = 16  # characters of a version; a longer one is told by its hash
_LETTERS = 6  # of a hash


def names_of(runs: Sequence[RunView], records: Mapping[int, RecordView]) -> dict[int, str]:
    """Return the name of each of a project's runs, all of them given, by its id.

    It is the label that the run was given, else what its method is. Where that is the same of
    several they say in what they differ too: snapshot, what was searched, version, depth, gold;
    and the number of the run where that is not enough.
    """
    names = {run.id: _plain(run, records) for run in runs}
    for said in _APART:
        names = _longer(runs, names, said)
    return _longer(runs, names, lambda run: f"run {run.id}")


def _plain(run: RunView, records: Mapping[int, RecordView]) -> str:
    label = records[run.id].label if run.id in records else ""
    return label or describe(spec_of(run.key))


def _longer(
    runs: Sequence[RunView], names: Mapping[int, str], said: Callable[[RunView], str]
) -> dict[int, str]:
    """Return the names with what is said of each run behind those that it tells apart."""
    alike: dict[str, set[str]] = {}
    for run in runs:
        alike.setdefault(names[run.id], set()).add(said(run))
    return {
        run.id: f"{names[run.id]} · {said(run)}" if len(alike[names[run.id]]) > 1 else names[run.id]
        for run in runs
    }


def _version(run: RunView) -> str:
    said = version_of(run.key)
    return f"version {said if len(said) <= _LONGEST else _hash(said)}"


def _hash(said: str) -> str:
    return sha256(said.encode()).hexdigest()[:_LETTERS]


_APART: tuple[Callable[[RunView], str], ...] = (
    lambda run: f"snapshot {run.key.snapshot_id}",
    lambda run: f"searched {Searched.of(run.key).code}",
    _version,
    lambda run: f"depth {depth_of(run.key, 0)}",
    lambda run: f"gold {run.key.gold_hash[:_LETTERS]}",
)
