"""Commands for experiments: check a file, run it, list and read experiments."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import EXPERIMENT
from commands.shell.options import Gold
from commands.shell.reports import Language, Output, check_output, emit_report, write_report
from commands.shell.state import State
from commands.shell.tables import read_text
from errors import require_known
from messages import say

if TYPE_CHECKING:
    from services.runs.experiments.results import Results
    from services.runs.experiments.running import Progress

File = Annotated[Path, argument("YAML file of an experiment.")]
Number = Annotated[int, argument("Number of the experiment, as list prints it.")]


@EXPERIMENT.command("check")
def check(state: State, file: File) -> None:
    """Say what running a file would do; compute and store nothing."""
    from services.gold.search_coverage import levels_in_words
    from services.runs.experiments.running import check_experiment, each_once

    plan = check_experiment(*state.chosen, read_text(file), str(file))
    lines = [
        f"{plan.experiment.name}: {len(plan.runs)} lines, {plan.missing} still to be run, "
        f"on {plan.questions} questions.",
        f"Snapshot {plan.on.snapshot.id} ({plan.on.snapshot.name}). {plan.on.gold.size.say()}",
        say("levels.searched_note", levels=levels_in_words(plan.on.levels)),
    ]
    kept = []
    for at, (line, run) in enumerate(zip(plan.experiment.lines, plan.runs, strict=True)):
        lines.append(f"  {line.label}{'' if run is None else f'  (run {run})'}")
        lacking = plan.lacking.get(at)
        problem = lacking.as_dict() if lacking else None
        row = {"label": line.label, "kind": line.kind, "spec": line.spec, "run": run}
        kept.append(row | {"problem": problem})
    if plan.lacking:
        lines.append(say("experiments.lacking", count=len(plan.lacking)))
        wrong = [(error.where, error) for error in plan.lacking.values()]
        lines += [f"  {told}" for told in each_once(wrong)]
    said = {
        "name": plan.experiment.name,
        "snapshot": plan.on.snapshot.id,
        "gold": plan.on.gold.name,
        "searched": plan.on.levels,
        "questions": plan.questions,
        "missing": plan.missing,
        "lines": kept,
    }
    state.emit(said, lines)


@EXPERIMENT.command("run")
def run(state: State, file: File) -> None:
    """Run what of an experiment is not there yet, and print its table.

    Stopped at any moment, it goes on from there when it is run again.
    """
    from services.runs.experiments.results import experiment_results
    from services.runs.experiments.running import LinesFailedError, run_experiment

    ws, slug, text = *state.chosen, read_text(file)
    try:
        with _progress(state) as told:
            stored = run_experiment(ws, slug, text, str(file), progress=told)
    except LinesFailedError as failed:
        if not state.as_json:  # which prints one object: the error
            _emit(state, experiment_results(ws, slug, failed.number))
        raise
    _emit(state, experiment_results(ws, slug, stored.number))


@EXPERIMENT.command("list")
def listing(state: State) -> None:
    """List the experiments of the project, newest first."""
    from services.runs.experiments.results import experiment_list

    found = experiment_list(*state.chosen)
    lines = [
        f"{each.number}: {each.name}, lines run: {each.done}, snapshot {each.snapshot_id}, "
        f"{each.at:%Y-%m-%d %H:%M} UTC{f', {each.by}' if each.by else ''}"
        for each in found
    ]
    rows = [
        {
            **{"number": each.number, "name": each.name, "lines_run": each.done},
            **{"snapshot": each.snapshot_id, "at": each.at.isoformat(), "by": each.by or None},
        }
        for each in found
    ]
    state.emit({"experiments": rows}, lines or ["No experiment has been run yet."])


@EXPERIMENT.command("show")
def show(
    state: State,
    number: Number,
    file: Annotated[bool, option("Print the file as it was run.", "--file")] = False,
    gains: Annotated[
        bool, option("Print what lines gain on the line they build on.", "--gains")
    ] = False,
    gold: Gold = "",
    output: Output = None,
    language: Language = "en",
) -> None:
    """Print an experiment's table: figures with intervals, tests against the baseline, cost."""
    from services.runs.experiments.report import experiment_report, gains_report
    from services.runs.experiments.results import experiment_results
    from services.runs.experiments.running import stored_experiment

    ws, slug = state.chosen
    check_output(output)
    if file:
        stored = stored_experiment(ws, slug, number)
        state.emit({"number": number, "text": stored.text}, [stored.text.rstrip("\n")])
        return
    results = experiment_results(ws, slug, number, gold=gold)
    if gains:
        emit_report(state, gains_report(results, language), output)
        return
    if output is not None:
        write_report(experiment_report(results, language), output)
    _emit(state, results, *([f"Wrote {output}."] if output else ()))


@EXPERIMENT.command("export")
def export(
    state: State,
    number: Number,
    file: Annotated[Path, argument("File to write; .csv has every number, .md and .tex are read.")],
    gold: Gold = "",
) -> None:
    """Write an experiment's tables as CSV, Markdown or LaTeX, by the ending of the file."""
    from services.runs.experiments.results import experiment_results
    from services.runs.experiments.tables import export_experiment

    results = experiment_results(*state.chosen, number, gold=gold)
    written = export_experiment(results, file)
    state.emit({"file": str(file), "format": written}, [f"Wrote {file} ({written})."])


@EXPERIMENT.command("starters")
def starters(
    state: State,
    name: Annotated[str | None, argument("Print this one, such as fusion.yaml.")] = None,
) -> None:
    """List the experiment files to begin with, or print one of them."""
    from services.sample.loading import starters as packaged

    found = {each.file: each for each in packaged()}
    if name is None:
        rows = [{"file": each.file, "name": each.name} for each in found.values()]
        state.emit({"starters": rows}, [f"{each.file}: {each.name}" for each in found.values()])
        return
    require_known("experiment_starter", found, name=name)
    text = found[name].text
    state.emit({"file": name, "text": text}, [text.rstrip("\n")])


@contextmanager
def _progress(state: State) -> Iterator[Progress]:
    """Yield an experiment's progress callback; the bar shows the line and its progress."""
    with state.progress("Running") as report:

        def told(line: int, lines: int, label: str, done: int, total: int) -> None:
            """Print the progress of a line."""
            if line < lines:
                report(done, total, f"line {line + 1} of {lines} ({label})")

        yield told


def _emit(state: State, results: Results, *more: str) -> None:
    """Print the results."""
    state.emit(_as_dict(results), [*_lines(results), *more])


def _lines(results: Results) -> Iterator[str]:
    """Yield the results as tables with notes."""
    from evaluation.tables import table_lines
    from services.runs.experiments.tables import (
        cost_notes,
        table_notes,
        tables_to_print,
    )
    from services.runs.simple_baselines import kinds

    stored = results.stored
    yield (
        f"Experiment {stored.number}: snapshot {stored.snapshot_id} ({results.snapshot}), "
        f"depth {results.experiment.depth}, content {stored.content_hash[:12]}"
    )
    yield results.gold.size.say()
    if results.missing:
        yield say("experiments.unfinished", count=results.missing)
    if results.stale:
        yield say("experiments.stale")
    for table in tables_to_print(results):
        yield from table_lines(table, left=True)
        yield from table.notes
    yield from table_notes(results)
    yield from cost_notes(results)
    if results.columns and not kinds(results.columns[None]):
        yield say("significance.simple_none")
    for environment in results.environments:
        packages = ", ".join(f"{name} {v}" for name, v in environment.get("packages", {}).items())
        yield f"Python {environment.get('python')}, {environment.get('platform')}; {packages}"


def _as_dict(results: Results) -> dict[str, Any]:
    """Return the results as JSON values."""
    from services.runs.experiments.tables import every_number

    table = every_number(results)
    stored = results.stored
    return {
        "number": stored.number,
        "name": stored.name,
        "content_hash": stored.content_hash,
        "snapshot": stored.snapshot_id,
        "gold": results.gold.label,
        "questions": results.questions,
        "resamples": results.experiment.inference.resamples,
        "holm_over": results.experiment.inference.family.value,
        "missing": results.missing,
        "stale": results.stale,
        "not_split": dict(results.whole),
        "environments": results.environments,
        "rows": [dict(zip(table.head, row, strict=True)) for row in table.rows],
    }
