"""Refreshing of stale runs: those lacking questions, on older law, or trained on other gold.

A run that lacks questions is asked only these. For one on older law, or of a method that learnt
from other gold, a new run of the same method is made and the old one stays. An imported run can
only be imported again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from annotation.people.roles import Act, allow
from errors import UserError
from messages import say
from retrieval.core.registry import complete
from services.background.tasks import STOPPED
from services.gold.gold_set import chosen_snapshot
from services.runs.methods.preparation import depth_of, spec_of
from services.runs.retrieving import RunBasis, ground, run_on
from services.runs.rows import RunLine, leaderboard
from storage.db.workspace import Workspace
from storage.runs.run_store import RunKey, run_by_id

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
    """Return the stale runs, except those already replaced by a newer run of their method."""
    current = {
        _method_identity(line) for line in lines if line.origin != "imported" and not line.stale
    }
    return [line for line in lines if line.stale and _method_identity(line) not in current]


def _method_identity(line: RunLine) -> str:
    """Return a text that is equal for runs of one method with one setting and depth."""
    key = RunKey(0, 0, line.method, line.params, "")
    return repr((line.given, sorted(spec_of(key).items()), depth_of(key, _DEPTH)))


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
        try:
            done.append(
                (line.run_id, _rerun(on, line, by, _progress_of_run(progress, at, computed)))
            )
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


def _progress_of_run(
    progress: Progress | None, at: int, lines: Sequence[RunLine]
) -> Callable[[int, int], None] | None:
    """Return a callback for the progress of one of the runs."""
    if progress is None:
        return None
    return lambda done, questions: progress(at, len(lines), lines[at].label, done, questions)


def _rerun(
    on: RunBasis, line: RunLine, by: int | None, progress: Callable[[int, int], None] | None
) -> int:
    """Run the method of a stored run again; return the id of the new run."""
    with on.ws.reading() as session:
        key = run_by_id(session, line.run_id).key
    depth = depth_of(key, _DEPTH)
    return run_on(on, complete(spec_of(key)), depth, by=by, progress=progress, label=line.given)
