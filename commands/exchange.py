"""Commands that carry annotations from one project to another."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from commands.shell.state import State


def write_out(
    state: State,
    file: Annotated[Path, typer.Argument(help="JSONL file to write.")],
) -> None:
    """Export all that people did in every task: drafts, submissions, decisions, batches, people."""
    from annotation.exchange.files import export_annotations

    done = export_annotations(*state.chosen, file)
    state.emit(asdict(done), [f"Wrote {_counted(done.counts)} to {done.file}."])


def bring_in(
    state: State,
    file: Annotated[Path, typer.Argument(help="A file that export annotations wrote.")],
) -> None:
    """Import such a file into a project of the same law and items in which nobody has worked."""
    from annotation.exchange.files import import_annotations

    done = import_annotations(*state.chosen, file)
    said = "Imported" if done.new else "Already there:"
    state.emit(asdict(done), [f"{said} {_counted(done.counts)}."])


def labels(
    state: State,
    file: Annotated[Path, typer.Argument(help="JSON or JSONL that the other tool exported.")],
    tool: Annotated[str, typer.Option("--from", help="label-studio or argilla.")],
    mapping: Annotated[
        Path, typer.Option(help="A JSON file that says what choices mean and who is who.")
    ],
) -> None:
    """Import choices and comments that people gave in Label Studio or Argilla."""
    from services.exchange.label_import import import_labels

    done = import_labels(*state.chosen, file, tool, mapping)
    line = (
        f"{done.submitted} submitted, {done.drafts} left as drafts, {done.skipped} set aside, "
        f"{done.already} already there."
    )
    state.emit(asdict(done), [line])


def _counted(counts: dict[str, int]) -> str:
    named = [f"{count:,} {name}" for name, count in counts.items() if name != "annotations"]
    return ", ".join(named) or "nothing"
