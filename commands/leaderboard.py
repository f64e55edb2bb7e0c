"""The leaderboard without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commands.state import State
from errors import UserError

_MEASURES = ("Recall@1", "Recall@10", "Recall@100", "nDCG@10", "MRR@10")


def leaderboard(
    context: typer.Context,
    measure: Annotated[
        list[str] | None, typer.Option(help="Measure to show, e.g. Recall@10; may be repeated.")
    ] = None,
    run: Annotated[
        list[int] | None, typer.Option(help="Number of a run; may be repeated. Else all.")
    ] = None,
    baseline: Annotated[
        int | None, typer.Option(help="Run to compare with; else each measure's best.")
    ] = None,
    stratum: Annotated[
        str, typer.Option(help="Only questions of one value of a column: column=value.")
    ] = "",
    table: Annotated[str, typer.Option(help="csv, markdown or latex.")] = "markdown",
    file: Annotated[Path | None, typer.Option(help="File to write to; else it is printed.")] = None,
) -> None:
    """Print the runs with intervals, and how each differs from a baseline."""
    from evaluation.measures import parse_measure
    from jobs.score_table import exported
    from jobs.significance import compare_runs
    from storage.folders import published_file

    state: State = context.obj
    found = compare_runs(
        state.workspace,
        state.project_slug(),
        run,
        [parse_measure(each) for each in measure or _MEASURES],
        baseline=baseline,
        stratum=_stratum(stratum),
    )
    text = exported(found, table, "en")
    told = {
        line.run_id: {
            column.measure: cell.figure.as_json()
            for column, cell in zip(found.columns, line.cells, strict=True)
        }
        for line in found.runs
    }
    if file is not None:
        with published_file(file) as part:
            part.write_text(text, encoding="utf-8")
    state.emit({"runs": told}, [f"Wrote {file}."] if file else text.splitlines())


def _stratum(said: str) -> tuple[str, str] | None:
    if not said:
        return None
    column, sign, value = said.partition("=")
    if not sign:
        raise UserError("stratum_form", said=said)
    return column.strip(), value.strip()
