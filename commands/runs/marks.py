"""Commands that refresh, retire, tag and annotate runs, and delete their indexes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import INDEX, RUN
from commands.shell.options import Gold
from commands.shell.state import State
from commands.shell.tables import WIDEST
from errors import UserError
from messages import say

if TYPE_CHECKING:
    from services.runs.methods.index_cache import KeptIndex
    from services.runs.rows import RunLine
    from storage.runs.run_store import Mark

Runs = Annotated[list[int], argument("Numbers of runs, as leaderboard prints them.")]


@RUN.command("list")
def listing(
    state: State,
    retired: Annotated[bool, option("Retired runs too.", "--retired")] = False,
    tag: Annotated[str, option("Only runs with this tag.")] = "",
) -> None:
    """List runs: snapshot, questions answered, who made them, tags and notes."""
    from services.runs.marks import checked_tag
    from services.runs.rows import leaderboard

    board = leaderboard(*state.chosen, with_retired=retired)
    name = checked_tag(tag) if tag else ""
    lines = [line for line in board.runs if not name or name in line.marks.tags]
    told = {"runs": [_run_json(line) for line in lines], "retired": board.retired}
    state.emit(told, _lines(lines, 0 if retired else board.retired))


@RUN.command("refresh")
def refresh(
    state: State,
    runs: Annotated[
        list[int] | None, argument("Numbers of runs, as leaderboard prints them.")
    ] = None,
    every: Annotated[bool, option("All runs that are not up to date.", "--all")] = False,
    gold: Gold = "",
) -> None:
    """Update runs: ask them what they lack, on the law in use.

    Stopped at any moment, it goes on from there when it is run again.
    """
    from services.runs.refreshing import refresh_runs, refreshed_lines

    if every == bool(runs):
        raise UserError("refresh_what")
    with state.progress("Running") as report:
        found = refresh_runs(
            *state.chosen,
            runs or None,
            progress=lambda at, of, name, done, total: report(
                done, total, f"run {at + 1} of {of} ({name})"
            ),
            gold=gold,
        )
    told = {"runs": [list(pair) for pair in found.done], "from_files": found.imported}
    failed = {str(run): error.as_dict() for run, error in found.failed}
    state.emit(told | {"failed": failed}, refreshed_lines(found))


def _lines(lines: list[RunLine], retired: int) -> list[str]:
    """Return the runs as table lines, with a note on how many `retired` ones are not shown."""
    from annotation.work.submissions import beginning
    from evaluation.tables import Table, table_lines
    from services.runs.score_table import coverage_text

    head = [say(f"run_marks.{name}") for name in ("run", "name", "snapshot", "answered", "by")]
    rows = [
        (
            str(line.run_id),
            beginning(line.label, WIDEST),
            str(line.snapshot_id),
            coverage_text(line),
            line.author or say("run_marks.operator"),
            "; ".join(_marks_text(line)),
        )
        for line in lines
    ]
    table = Table((*head, ""), tuple(rows))
    found = table_lines(table, left=True)[1:] if rows else [say("run_marks.none")]
    hidden = [say("significance.note_retired", count=retired)] if retired else []
    return found + hidden


def _marks_text(line: RunLine) -> list[str]:
    said = [say(f"run_marks.why.{why}") for why in line.left_out]
    if line.marks.retired:
        said.append(say("run_marks.retired") + (f": {line.marks.why}" if line.marks.why else ""))
    said += [f"#{tag}" for tag in line.marks.tags]
    return said + ([" ".join(line.marks.note.split())] if line.marks.note else [])


def _run_json(line: RunLine) -> dict[str, Any]:
    return {
        "run": line.run_id,
        "label": line.label,
        "origin": line.origin,
        "snapshot": line.snapshot_id,
        "at": line.created_at.isoformat(),
        "by": line.author or None,
        "coverage": line.coverage.as_dict(),
        "left_out": list(line.left_out),
        **asdict(line.marks),
    }


@RUN.command("retire")
def retire(
    state: State,
    runs: Runs,
    why: Annotated[str, option("Why, for whoever sees them later.")] = "",
) -> None:
    """Take runs out of the leaderboard; nothing is removed, and restore undoes it."""
    _mark(state, runs, "retired", why)


@RUN.command("restore")
def restore(state: State, runs: Runs) -> None:
    """Put retired runs on the leaderboard again."""
    _mark(state, runs, "restored")


@RUN.command("tag")
def tag(
    state: State,
    tag: Annotated[str, argument("The tag, at most 40 characters.")],
    runs: Runs,
    remove: Annotated[bool, option("Take the tag away.", "--remove")] = False,
) -> None:
    """Put a tag on runs, or take it away."""
    _mark(state, runs, "untagged" if remove else "tagged", tag)


@RUN.command("note")
def note(
    state: State,
    run: Annotated[int, argument("Number of the run.")],
    text: Annotated[str, argument("The note; an empty one takes it away.")],
) -> None:
    """Write a note on a run, in the place of the one that it has."""
    _mark(state, [run], "noted", text)


def _mark(state: State, runs: list[int], mark: Mark, text: str = "") -> None:
    """Mark runs; print which were marked, and which had the mark already."""
    from services.runs.marks import mark_runs, marked_lines

    changed = mark_runs(*state.chosen, runs, mark, text)
    as_before = [run for run in dict.fromkeys(runs) if run not in changed]
    state.emit({mark: changed, "as_before": as_before}, marked_lines(mark, runs, changed))


@INDEX.command("list")
def indexes(state: State) -> None:
    """List the indexes that are kept, with their sizes and when each was last used."""
    from services.runs.methods.index_cache import cache_bytes, kept_indexes

    found, cache = kept_indexes(state.workspace), cache_bytes(state.workspace)
    lines = [
        f"{_mb(each.bytes):>12}  {each.used:%Y-%m-%d %H:%M} UTC  {each.method}  ({each.name})"
        for each in found
    ]
    lines += [f"{len(found)} indexes, {_mb(_total(found))}; clear removes them."]
    lines += [f"Vectors, words and links that they are made from: {_mb(cache)}; clear leaves them."]
    told = {"indexes": list(map(_index_json, found)), "bytes": _total(found), "cache_bytes": cache}
    state.emit(told, lines)


@INDEX.command("clear")
def clear(
    state: State,
    unused_days: Annotated[
        int, option("Only those that nobody has used for so many days.", min=0)
    ] = 0,
) -> None:
    """Remove kept indexes. Each is made again when it is needed; people may go on working."""
    from services.runs.methods.index_cache import clear_indexes

    removed = clear_indexes(state.workspace, unused_days)
    told = {"removed": list(map(_index_json, removed)), "bytes": _total(removed)}
    state.emit(told, [f"Removed {len(removed)} indexes, {_mb(_total(removed))}."])


def _index_json(index: KeptIndex) -> dict[str, Any]:
    return asdict(index) | {"used": index.used.isoformat(timespec="seconds")}


def _total(indexes: Sequence[KeptIndex]) -> int:
    """Return the bytes of indexes."""
    return sum(index.bytes for index in indexes)


def _mb(size: int) -> str:
    """Return bytes in megabytes."""
    return f"{size / 1_000_000:,.1f} MB"
