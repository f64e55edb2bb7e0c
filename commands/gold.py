"""The command that exports the gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commands.shell.groups import EXPORT
from commands.shell.state import State
from messages import say

if TYPE_CHECKING:
    from services.gold.export import ExportReport

_SNAPSHOT = "Number of the snapshot that is the corpus; else the one in use."


@EXPORT.command("gold")
def gold(
    state: State,
    folder: Annotated[Path, typer.Argument(help="Folder to write to; made when absent.")],
    snapshot: Annotated[int | None, typer.Option(help=_SNAPSHOT)] = None,
    licence: Annotated[
        str, typer.Option(help="Licence to state in the datasheet; else it says not stated.")
    ] = "",
    pseudonyms: Annotated[
        bool, typer.Option("--pseudonyms", help="Write annotator 1 and so on for names.")
    ] = False,
    split: Annotated[
        int | None, typer.Option(help="Version of the split; else the newest, if there is one.")
    ] = None,
    no_split: Annotated[
        bool, typer.Option("--no-split", help="All questions as one test set, split or not.")
    ] = False,
    positives_only: Annotated[
        bool,
        typer.Option("--positives-only", help="Leave out what all rejected (grade 0)."),
    ] = False,
    searchable_only: Annotated[
        bool,
        typer.Option(
            "--searchable-only",
            help="Leave units out of the qrels that are not in the corpus or have no text.",
        ),
    ] = False,
) -> None:
    """Export the gold as BEIR, TREC qrels and JSONL with lineage, and a datasheet."""
    from services.gold.datasheet import Sheet
    from services.gold.export import Pairs, Parts, export_gold
    from services.law.activation import to_check

    sheet = Sheet(licence, pseudonyms)
    parts, pairs = Parts(split, no_split), Pairs(positives_only, searchable_only)
    done = export_gold(*state.chosen, folder, snapshot, sheet=sheet, parts=parts, pairs=pairs)
    again = to_check(*state.chosen, snapshot_id=done.snapshot_id).counts
    lines = [
        f"Gold of {done.questions} questions ({done.pairs} pairs, {done.rejected} rejected), "
        f"{done.pending} still pending.",
        *_amended_lines(done.amended, done.waiting),
        *again.lines(),
        f"{done.corpus} units of snapshot {done.snapshot_id} ({done.snapshot}): "
        f"{', '.join(done.levels)}.",
        *_outside_lines(done),
        *([] if done.split is None else [say("split.exported", number=done.split)]),
        *(str(Path(done.folder) / file) for file in done.files),
    ]
    state.emit(asdict(done) | {"to_check": again.as_dict()}, lines)


def _amended_lines(amended: Sequence[str], waiting: Sequence[str]) -> list[str]:
    """Return the words that name questions whose gold the law has outrun; none without any."""
    lines = []
    if amended:
        count, named = len(amended), ", ".join(amended)
        lines.append(f"The law was amended since {count} of these were decided: {named}.")
    if waiting:
        count, named = len(waiting), ", ".join(waiting)
        lines.append(f"{count} of these wait for candidates from the law in use: {named}.")
    return lines


def _outside_lines(done: ExportReport) -> list[str]:
    """Return the words for judgements of units that nothing finds, or by their heading alone."""
    counts, lines = done.not_searched, []
    if counts["units"]:
        reasons = ", ".join(
            say(f"levels.counted.{name}", count=n) for name, n in counts["reasons"].items()
        )
        told = {"units": counts["units"], "questions": counts["questions"], "reasons": reasons}
        lines.append(say("levels.missed_note", **told))
    if done.without_text["pairs"]:
        lines.append(say("levels.no_text_note", **done.without_text))
    return [*lines, say("levels.left_out_here")] if lines and done.left_out else lines
