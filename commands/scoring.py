"""Commands that export gold, run retrieval methods and score them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from commands.state import State
from errors import UserError

_SNAPSHOT = "Number of the snapshot that is the corpus; else the one in use."


def gold(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="Folder to write to; made when absent.")],
    snapshot: Annotated[int | None, typer.Option(help=_SNAPSHOT)] = None,
    licence: Annotated[
        str, typer.Option(help="Licence to state in the datasheet; else it says not stated.")
    ] = "",
    pseudonyms: Annotated[
        bool, typer.Option("--pseudonyms", help="Write annotator 1 and so on for names.")
    ] = False,
) -> None:
    """Export the gold as BEIR, TREC qrels and JSONL with lineage, and a datasheet."""
    from jobs.datasheet import Sheet
    from jobs.export_gold import export_gold

    state: State = context.obj
    sheet = Sheet(licence, pseudonyms)
    done = export_gold(state.workspace, state.project_slug(), folder, snapshot, sheet=sheet)
    lines = [
        f"Gold of {done.questions} questions ({done.pairs} pairs), {done.pending} still pending.",
        *amended_lines(done.amended),
        f"{done.corpus} units of snapshot {done.snapshot_id} ({done.snapshot}).",
        *(str(Path(done.folder) / file) for file in done.files),
    ]
    state.emit(asdict(done), lines)


def amended_lines(questions: Sequence[str]) -> list[str]:
    """Return the words that name questions whose gold the law has outrun; none without any."""
    if not questions:
        return []
    count, named = len(questions), ", ".join(questions)
    return [f"The law was amended since {count} of these were decided: {named}."]


def run_file(
    context: typer.Context,
    run: Annotated[int, typer.Argument(help="Number of the stored run.")],
    file: Annotated[Path, typer.Argument(help="TREC run file to write.")],
) -> None:
    """Export a stored run in TREC format."""
    from jobs.retrieve import export_run

    state: State = context.obj
    lines = export_run(state.workspace, run, file)
    state.emit({"file": str(file), "lines": lines}, [f"Wrote {lines} lines to {file}."])


def retrieve(
    context: typer.Context,
    method: Annotated[str, typer.Option(help="Retrieval method: bm25.")] = "bm25",
    tokeniser: Annotated[
        str, typer.Option(help="How text is cut, such as bigram, stemmed, morphemes.")
    ] = "bigram",
    k: Annotated[int, typer.Option(help="Units kept per question, 1 to 1,000.")] = 100,
    k1: Annotated[float, typer.Option(help="BM25: how fast repeated terms saturate.")] = 1.5,
    b: Annotated[float, typer.Option(help="BM25: how much length is normalised, 0 to 1.")] = 0.75,
    snapshot: Annotated[int | None, typer.Option(help=_SNAPSHOT)] = None,
) -> None:
    """Run a retrieval method over the gold questions and keep the run."""
    from jobs.retrieve import retrieve as run_method

    state: State = context.obj
    with state.progress("Retrieving") as report:
        run = run_method(
            state.workspace,
            state.project_slug(),
            {"method": method}
            | ({"tokeniser": tokeniser, "k1": k1, "b": b} if method == "bm25" else {}),
            k,
            snapshot,
            progress=report,
        )
    state.emit({"run": run}, [f"Run {run} is kept. Score it with: touchstone.py evaluate {run}"])


def _spec(method: str, tokeniser: str, k1: float, b: float) -> dict[str, object]:
    parameters = {"tokeniser": tokeniser, "k1": k1, "b": b} if method == "bm25" else {}
    return {"method": method} | parameters


def evaluate(
    context: typer.Context,
    run: Annotated[int | None, typer.Argument(help="Number of a stored run.")] = None,
    qrels: Annotated[Path | None, typer.Option(help="TREC qrels file, with --run-file.")] = None,
    run_file: Annotated[Path | None, typer.Option(help="TREC run file, with --qrels.")] = None,
) -> None:
    """Score a stored run against the gold, or a run file against a qrels file."""
    from jobs.evaluate import evaluate_files, evaluate_run

    state: State = context.obj
    if run is not None and qrels is None and run_file is None:
        figures = evaluate_run(state.workspace, run)
    elif run is None and qrels is not None and run_file is not None:
        figures = evaluate_files(qrels, run_file)
    else:
        raise UserError("evaluate_what")
    state.emit(
        {figure.name: figure.as_json() for figure in figures},
        [f"{figure.name:<12} {figure.text()}  n={figure.n}" for figure in figures],
    )
