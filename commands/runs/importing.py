"""Commands that bring in the runs of other systems."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commands.state import State
from messages import say

if TYPE_CHECKING:
    from services.runs.importing import Imported


def import_file(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="TREC run file: query Q0 unit rank score tag.")],
    name: Annotated[str, typer.Option(help="What the run is called; else the file's tag.")] = "",
    unknown: Annotated[
        str,
        typer.Option(
            help="Units and questions that are not known: refuse them, or pass over the questions "
            "and skip the units (ranks close) or keep them (not relevant)."
        ),
    ] = "refuse",
    snapshot: Annotated[
        int | None, typer.Option(help="Number of the snapshot searched; else the one in use.")
    ] = None,
) -> None:
    """Keep a TREC run file as a run, to stand on the leaderboard beside the others."""
    from services.runs.importing import import_run

    state: State = context.obj
    done = import_run(
        state.workspace,
        state.project_slug(),
        file,
        name,
        unknown=unknown,
        snapshot_id=snapshot,
    )
    told = {"run": done.run_id, "label": done.label, "was_there": done.was_there}
    state.emit(told | asdict(done.counts), _lines(done))


def _lines(done: Imported) -> list[str]:
    counts = asdict(done.counts)
    kept = "run_files.there" if done.was_there else "run_files.brought"
    return [
        say(kept, run=done.run_id, name=done.label, count=counts.pop("questions")),
        *(say(f"run_files.{left_out}", count=count) for left_out, count in counts.items() if count),
    ]
