"""Commands that refresh, retire, tag and annotate runs, and delete their indexes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import INDEX, RUN
from commands.shell.options import Gold
from commands.shell.state import State
from errors import UserError
from messages import say

if TYPE_CHECKING:
    from services.runs.methods.index_cache import KeptIndex
    from services.runs.rows import RunLine

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
    """Return the runs as a table."""
    from evaluation.tables import Table, table_lines
    from services.runs.score_table import coverage_text

    head = [say(f"run_marks.{name}") for name in ("run", "name", "snapshot", "answered", "by")]
    rows = [
        (
            str(line.run_id),
            line.label if len(line.label) <= 60 else f"{line.label[:59].rstrip()}…",
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
        "retired": line.marks.retired,
        "why": line.marks.why,
        "tags": list(line.marks.tags),
        "note": line.marks.note,
    }


@RUN.command("retire")
def retire(
    state: State,
    runs: Runs,
    why: Annotated[str, option("Why, for whoever sees them later.")] = "",
) -> None:
    """Take runs out of the leaderboard; nothing is removed, and restore brings them back."""
    from services.runs import marks

    _print_marked(state, runs, marks.retire(*state.chosen, runs, why), "retired")


@RUN.command("restore")
def restore(state: State, runs: Runs) -> None:
    """Bring retired runs back to the leaderboard."""
    from services.runs import marks

    _print_marked(state, runs, marks.restore(*state.chosen, runs), "restored")


@RUN.command("tag")
def tag(
    state: State,
    tag: Annotated[str, argument("The tag, at most 40 characters.")],
    runs: Runs,
    remove: Annotated[bool, option("Take the tag away.", "--remove")] = False,
) -> None:
    """Put a tag on runs, or take it away."""
    from services.runs import marks

    change = marks.untag if remove else marks.tag
    _print_marked(state, runs, change(*state.chosen, runs, tag), "untagged" if remove else "tagged")


@RUN.command("note")
def note(
    state: State,
    run: Annotated[int, argument("Number of the run.")],
    text: Annotated[str, argument("The note; an empty one takes it away.")],
) -> None:
    """Write a note on a run, in the place of the one that it has."""
    from services.runs import marks

    changed = marks.note(*state.chosen, run, text)
    _print_marked(state, [run], (run,) if changed else (), "noted")


def _print_marked(state: State, runs: list[int], changed: tuple[int, ...], mark: str) -> None:
    """Print which runs were marked, and which had the mark already."""
    from services.runs.marks import marked_lines

    as_before = [run for run in dict.fromkeys(runs) if run not in changed]
    told = {mark: list(changed), "as_before": as_before}
    state.emit(told, marked_lines(mark, runs, changed))


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
    return {
        "name": index.name,
        "method": index.method,
        "bytes": index.bytes,
        "used": index.used.isoformat(timespec="seconds"),
    }


def _total(indexes: Sequence[KeptIndex]) -> int:
    """Return the bytes of indexes."""
    return sum(index.bytes for index in indexes)


def _mb(size: int) -> str:
    """Return bytes in megabytes."""
    return f"{size / 1_000_000:,.1f} MB"
