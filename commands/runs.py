"""Commands that bring in the runs of other systems."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commands.state import State

if TYPE_CHECKING:
    from jobs.run_import import Imported


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
    from jobs.run_import import import_run

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
    counts = done.counts
    kept = "was imported before" if done.was_there else "is kept"
    left_out = {
        "settled questions that the file leaves out; they score 0": counts.unanswered,
        "questions left out that are not settled": counts.unsettled,
        "questions left out that the project lacks": counts.unknown_questions,
        "ranks held by units that the snapshot lacks": counts.unknown_units,
        "units cut from rankings that are too long": counts.cut,
    }
    return [
        f"Run {done.run_id} ({done.label}) {kept}: {counts.questions} questions.",
        *(f"{count:,} {what}." for what, count in left_out.items() if count),
    ]
