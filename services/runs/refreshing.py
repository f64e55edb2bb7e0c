"""Refreshing of stale runs: those lacking questions, on older law, or trained on other gold.

A run that lacks questions is asked only these. For one on older law, or of a method that learnt
from other gold, a new run of the same method is made and the old one stays. An imported run can
only be imported again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from annotation.people.roles import Act, allow
from errors import UserError
from messages import say
from retrieval.core.registry import complete
from services.background.tasks import STOPPED
from services.gold.gold_set import chosen_snapshot
from services.runs.methods.preparation import depth_of, spec_of
from services.runs.retrieving import ground, run_on
from services.runs.rows import RunLine, leaderboard
from storage.db.workspace import Workspace
from storage.runs.run_store import RunKey

_DEPTH = 100  # of a run without a stored depth

Progress = Callable[[int, int, str, int, int], None]
"""Called with (runs done, runs, label of the current run, its questions done, questions)."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """Result of a refresh: pairs of old and new run id, which may be equal.

    `failed` pairs runs with the error; `imported` are runs from files that lack questions, which
    only a new file can complete.
    """

    done: tuple[tuple[int, int], ...]
    failed: tuple[tuple[int, UserError], ...]
    imported: tuple[int, ...]


def stale_runs(lines: Sequence[RunLine]) -> list[RunLine]:
    """Return the stale runs, except those whose method has an up-to-date run of the same depth."""
    current = {
        _method_identity(line) for line in lines if line.origin != "imported" and not line.stale
    }
    return [line for line in lines if line.stale and _method_identity(line) not in current]


def _method_identity(line: RunLine) -> str:
    """Return a text that is equal for runs of one method with one setting and depth."""
    spec, depth = _spec_and_depth(line)
    return repr((line.given, sorted(spec.items()), depth))


def _spec_and_depth(line: RunLine) -> tuple[dict[str, Any], int]:
    """Return the spec of a run's method, and the depth."""
    key = RunKey(0, 0, line.method, line.params, "")
    return spec_of(key), depth_of(key, _DEPTH)


def refresh_runs(
    ws: Workspace,
    project_slug: str,
    run_ids: Sequence[int] | None = None,
    *,
    by: int | None = None,
    progress: Progress | None = None,
    gold: str = "",
) -> Refreshed:
    """Refresh runs on the snapshot in use, by default all stale ones.

    Each run is stored when done, so that stopped work resumes. `gold` names the gold set that
    methods learn from. Raises UserError for `by` who may not run retrieval, for an unknown project,
    run or gold set.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    lines = leaderboard(ws, project_slug, by, with_retired=run_ids is not None, gold=gold).runs
    known = {line.run_id: line for line in lines}
    if unknown := [run for run in run_ids or () if run not in known]:
        raise UserError("run_unknown", run=unknown[0])
    wanted = stale_runs(lines) if run_ids is None else [known[run] for run in run_ids]
    computed = [line for line in wanted if line.origin != "imported"]
    on = ground(ws, project_slug, chosen_snapshot(ws, project_slug).id, gold)
    done: list[tuple[int, int]] = []
    failed: list[tuple[int, UserError]] = []
    for at, line in enumerate(computed):
        told = partial(progress, at, len(computed), line.label) if progress else None
        spec, depth = _spec_and_depth(line)
        try:
            run = run_on(on, complete(spec), depth, by=by, progress=told, label=line.given)
            done.append((line.run_id, run))
        except UserError as error:  # of this run alone: the others may not need what it lacks
            if error.code == STOPPED:
                raise
            failed.append((line.run_id, error))
    of_files = lines if run_ids is None else wanted
    imported = [each.run_id for each in of_files if each.origin == "imported" and each.lacking]
    return Refreshed(tuple(done), tuple(failed), tuple(imported))


def refreshed_lines(refreshed: Refreshed, language: str = "en") -> list[str]:
    """Describe the result, one line per kind of outcome."""
    same = sum(old == new for old, new in refreshed.done)
    counts = {
        "extended": same,
        "made": len(refreshed.done) - same,
        "files": len(refreshed.imported),
    }
    lines = [say(f"refresh.{what}", language, count=n) for what, n in counts.items() if n]
    lines += [
        say("refresh.failed", language, run=run, why=f"{why.what(language)} {why.remedy(language)}")
        for run, why in refreshed.failed
    ]
    return lines or [say("refresh.nothing", language)]
