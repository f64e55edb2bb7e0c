"""Commands that bring law and questions in and propose candidates."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commands.state import State


def statutes(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="A legalize-kr Markdown tree, or one .md file.")],
) -> None:
    """Import statutes as a snapshot of the corpus. Equal content again changes nothing."""
    from jobs.imports import import_statutes

    state: State = context.obj
    with state.progress("Reading statutes") as report:
        done = import_statutes(state.workspace, state.project_slug(), path, report)
    verb = "Imported" if done.new else "Already there:"
    state.emit(
        done.as_dict(),
        [f"{verb} {done.statutes} statutes, {done.articles} articles, {done.units} units."],
    )


def questions(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="A JSONL file of questions with answers.")],
) -> None:
    """Import questions with their official answers."""
    from jobs.imports import import_questions

    state: State = context.obj
    with state.progress("Reading questions") as report:
        done = import_questions(state.workspace, state.project_slug(), path, report)
    state.emit(done.as_dict(), [f"{done.new} new questions, {done.unchanged} already there."])


def candidates(context: typer.Context) -> None:
    """Resolve every citation and propose candidate provisions for each question."""
    from jobs.candidates import build_candidates

    state: State = context.obj
    with state.progress("Proposing candidates") as report:
        done = build_candidates(state.workspace, state.project_slug(), report)
    statuses = ", ".join(f"{count} {status}" for status, count in done.citations.items())
    lines = [
        f"{done.built} items got {done.candidates} candidates; {done.kept} had current ones.",
        f"Citations: {statuses or 'none read'}; {done.absent} name an instrument the corpus lacks.",
    ]
    state.emit(done.as_dict(), lines)
