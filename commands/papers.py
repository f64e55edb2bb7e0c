"""Commands for papers: list them, say what one needs, run it, write its tables."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer.main import get_group

from commands.shell.arguments import argument, option
from commands.shell.groups import COMMANDS, PAPER
from commands.shell.reports import Language, emit_report, write_report
from commands.shell.state import State, captured_json
from errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer.core import TyperGroup

    from evaluation.reports.report import Report

Name = Annotated[str, argument("Name of the paper, as list prints it.")]
FORMATS = (".html", ".tex", ".csv")


@PAPER.command("list")
def listing(state: State) -> None:
    """List the papers that can be run."""
    from services.papers.recipes import paper_names, recipe

    found = [recipe(name) for name in paper_names()]
    rows = [{"paper": each.name, "title": each.title, "tables": len(each.tables)} for each in found]
    lines = [f"{each.name}: {each.title}, {len(each.tables)} tables" for each in found]
    state.emit({"papers": rows}, lines)


@PAPER.command("check")
def check(state: State, name: Name, language: Language = "en") -> None:
    """Say what is there and what is missing, and what running would cost; run nothing."""
    from services.papers.checking import check_report
    from services.papers.recipes import recipe

    ws, slug = state.chosen
    report = check_report(ws, slug, recipe(name), lambda words: executed(state, words), language)
    emit_report(state, report)


@PAPER.command("run")
def run(
    state: State,
    name: Name,
    stand_in: Annotated[
        bool,
        option("Let stand-ins answer where no model is set; every cell says so.", "--stand-in"),
    ] = False,
    step: Annotated[
        list[str] | None,
        option("Run only this step of those that check prints; may be repeated."),
    ] = None,
    language: Language = "en",
) -> None:
    """Run what a paper needs and is not there yet, then print its tables.

    Stopped at any moment, it goes on from there when it is run again.
    """
    from services.papers.recipes import recipe
    from services.papers.running import run_paper

    ws, slug = state.chosen
    found = recipe(name)
    with state.progress(found.title) as progress, _models(stand_in):
        run_paper(
            ws,
            slug,
            found,
            lambda words: executed(state, words),
            lambda done, total, _: progress(done, total),
            stand_in=stand_in,
            only=step or (),
        )
    emit_report(state, _tables(state, name, language))


@PAPER.command("report")
def report(
    state: State,
    name: Name,
    output: Annotated[Path | None, option("Folder for the tables as HTML, LaTeX and CSV.")] = None,
    language: Language = "en",
) -> None:
    """Print the paper's tables in its layout, ours beside the published values."""
    tables = _tables(state, name, language)
    for ending in FORMATS if output else ():
        write_report(tables, Path(output or "") / f"{name}{ending}")
    emit_report(state, tables)


def _tables(state: State, name: str, language: str) -> Report:
    """Return the tables of a paper as a report."""
    from services.papers.needs import Needs
    from services.papers.recipes import recipe
    from services.papers.report import as_report
    from services.papers.running import last_run

    ws, slug = state.chosen
    run = last_run(ws, slug, name)
    return as_report(recipe(name), run, Needs(ws, slug, run.lacked), language)


def executed(state: State, words: Sequence[str]) -> Mapping[str, Any]:
    """Run a command in this process and return its JSON, also that of its error."""
    from services.papers.running import with_exit_error

    inner = State(state.chosen_folder, state.project_slug(), as_json=True)
    said = StringIO()
    try:
        with captured_json(said):
            code = _command().main(list(words), obj=inner, standalone_mode=False)
    except UserError as error:
        return error.as_dict()
    return with_exit_error(json.loads(said.getvalue() or "{}"), code, words)


@cache
def _command() -> TyperGroup:
    """Return the commands, made once: a paper runs dozens of them."""
    return get_group(COMMANDS)


@contextmanager
def _models(stand_in: bool) -> Iterator[None]:
    """Let a stand-in play, in the block, every role that has no model, if `stand_in`."""
    from llm.local.stand_in import VARIABLE

    before = os.environ.get(VARIABLE, "")
    os.environ[VARIABLE] = "1" if stand_in else before
    try:
        yield
    finally:
        os.environ[VARIABLE] = before
