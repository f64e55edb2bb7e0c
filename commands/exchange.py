"""Commands that move annotations between projects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commands.shell.arguments import argument, option
from commands.shell.groups import EXPORT, IMPORT
from commands.shell.state import EXIT_INTERRUPTED, State

if TYPE_CHECKING:
    from services.exchange.label_lookup import LabelsReport


@EXPORT.command("annotations")
def write_out(
    state: State,
    file: Annotated[Path, argument("JSONL file to write.")],
) -> None:
    """Export all that people did in every task: drafts, submissions, decisions, batches, people."""
    from annotation.exchange.files import export_annotations

    done = export_annotations(*state.chosen, file)
    state.emit(asdict(done), [f"Wrote {_counts_text(done.counts)} to {done.file}."])


@IMPORT.command("annotations")
def bring_in(
    state: State,
    file: Annotated[Path, argument("A file that export annotations wrote.")],
) -> None:
    """Import such a file into a project of the same law and items in which nobody has worked."""
    from annotation.exchange.files import import_annotations

    done = import_annotations(*state.chosen, file)
    said = "Imported" if done.new else "Already there:"
    state.emit(asdict(done), [f"{said} {_counts_text(done.counts)}."])


@IMPORT.command("labels")
def labels(
    state: State,
    file: Annotated[Path, argument("JSON, JSONL, XMI or a zip that the tool exported.")],
    tool: Annotated[
        str,
        option("label-studio, argilla, potato, prodigy, doccano or inception.", "--from"),
    ],
    mapping: Annotated[Path, option("A JSON file that says what the labels mean and who is who.")],
    unit_ids: Annotated[
        bool, option("Choices that are unit ids accept that unit.", "--unit-ids")
    ] = False,
    leave_out: Annotated[
        bool, option("Leave out labels that do not fit, and list them.", "--leave-out")
    ] = False,
    task: Annotated[
        str, option("The task that the labels answer, such as own:relevance.")
    ] = "citation_mapping",
) -> None:
    """Import what people answered in another annotation tool.

    In sets of a few labels, so that others can save meanwhile. What was stopped or killed is taken
    up by running it again; in citation mapping, labels changed in a later file supersede the
    earlier ones.
    """
    from services.background.tasks import Estimate, watched
    from services.exchange.label_guides import read_guide
    from services.exchange.label_import import LabelsRefusedError, importing
    from services.exchange.label_lookup import look_up
    from services.uploads import labels_at

    guide = read_guide(mapping, "accept" if unit_ids else "")
    ws, slug = state.chosen
    with labels_at(file) as staged:
        ready = look_up(ws, slug, staged.path, tool, guide, task=task)
    if ready.report.refused and not leave_out:
        raise LabelsRefusedError(ready.report.refused)
    estimate = Estimate()
    with state.progress("Importing labels") as report:

        def told(done: int, total: int) -> None:
            """Print the progress with the estimated time left."""
            left = estimate.left(done, total)
            report(done, total, f"(about {left} left)" if left else "")

        done = watched(importing(ws, ready, leave_out=leave_out), told)
    state.emit(done.as_dict(), list(_labels_lines(done)))
    if done.waiting:
        raise typer.Exit(EXIT_INTERRUPTED)


def _labels_lines(done: LabelsReport) -> Iterator[str]:
    from services.exchange.label_import import refused_lines

    yield (
        f"{done.submitted:,} submitted, {done.drafts:,} left as drafts, "
        f"{done.skipped:,} set aside, {done.already:,} already there."
    )
    if done.changed:
        yield f"{done.changed:,} of them superseded what an earlier file said."
    if done.begun:
        yield f"{done.begun:,} left out: their person has begun on the item here."
    if done.refused:
        yield f"{len(done.refused):,} left out because they do not fit:"
        yield from refused_lines(done.refused)
    if done.waiting:
        yield f"Stopped. {done.waiting:,} are still to come in: run the same command again."


def _counts_text(counts: dict[str, int]) -> str:
    named = [f"{count:,} {name}" for name, count in counts.items() if name != "annotations"]
    return ", ".join(named) or "nothing"
