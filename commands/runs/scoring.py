"""Commands that run retrieval methods, score runs and export them."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commands.shell.arguments import argument, option
from commands.shell.groups import COMMANDS, EXPORT, RUN
from commands.shell.options import (
    BaseModel,
    Device,
    Gold,
    HolmOver,
    ModelFolder,
    Rate,
    Resamples,
    Seed,
    SpecFile,
    Threads,
    Warmup,
    chosen_spec,
    searched_json,
    searched_lines,
)
from commands.shell.state import EXIT_USER_ERROR, State, report_user_error
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from evaluation.ranking.compare import Comparison

_SNAPSHOT = "Number of the snapshot that is the corpus; else the one in use."


@EXPORT.command("run")
def run_file(
    state: State,
    run: Annotated[int, argument("Number of the stored run.")],
    file: Annotated[Path, argument("TREC run file to write.")],
) -> None:
    """Export a stored run in TREC format."""
    from services.runs.retrieving import export_run

    lines = export_run(state.workspace, run, file)
    state.emit({"file": str(file), "lines": lines}, [f"Wrote {lines} lines to {file}."])


@COMMANDS.command("retrieve")
def retrieve(
    state: State,
    method: Annotated[str, option("A preset or a method at its defaults; see methods.")] = "bm25",
    spec: SpecFile = None,
    tokeniser: Annotated[str | None, option("How the method cuts text.")] = None,
    model: Annotated[str | None, option("Methods with a model: its folder, or its name.")] = None,
    k: Annotated[int, option("Units kept per question, 1 to 1,000.")] = 100,
    k1: Annotated[float | None, option("BM25: how fast repeated terms saturate.")] = None,
    b: Annotated[float | None, option("BM25: how much length is normalised, 0 to 1.")] = None,
    name: Annotated[str, option("What the run is called on the leaderboard.")] = "",
    snapshot: Annotated[int | None, option(_SNAPSHOT)] = None,
    gold: Gold = "",
) -> None:
    """Run a retrieval method over all questions and keep the run."""
    from services.runs.costs import UnitsRead, unanswered
    from services.runs.retrieving import retrieve as run_method
    from services.runs.rows import other_name, run_reading_notes, scored_runs

    slug = state.project_slug()
    if model is not None and Path(model).is_dir():
        model = str(Path(model).resolve())
    options = {"model": model, "tokeniser": tokeniser, "k1": k1, "b": b}
    chosen = chosen_spec(method, spec, options)
    with state.progress("Retrieving") as report:
        run = run_method(
            state.workspace,
            slug,
            chosen,
            k,
            snapshot,
            progress=report,
            label=name,
            gold=gold,
        )
    kept = f"Run {run} is kept. Score it with: touchstone.py evaluate {run}"
    if called := other_name(state.workspace, run, name):
        kept += f"\nIt was there before, and is still called: {called}"
    ((line, _),) = scored_runs(state.workspace, slug, run_ids=[run], gold=gold).runs
    read = UnitsRead.of(line.spec, line.cost)
    told = {"run": run, "model": unanswered(line.cost).as_dict(), "units": read.as_dict()}
    told |= searched_json(line.searched, line.not_searched)
    lines = searched_lines(line.searched, line.not_searched)
    state.emit(told, [kept, *lines, *run_reading_notes(state.workspace, run)])


@RUN.command("train")
def train(
    state: State,
    folder: ModelFolder,
    model: BaseModel,
    epochs: Annotated[int, option("How often every pair is read.")] = 3,
    batch: Annotated[int, option("Pairs of a step; others' passages are negatives.")] = 16,
    negatives: Annotated[int, option("Hard negatives of a pair.")] = 1,
    rate: Rate = 2e-5,
    warmup: Warmup = 0.1,
    max_length: Annotated[int, option("Tokens read of a text; 0: the model's own.")] = 0,
    device: Device = "auto",
    threads: Threads = 0,
    seed: Seed = 0,
) -> None:
    """Train a dense retriever on the train part of the project's gold."""
    from llm.batch import End
    from services.runs.retriever_training import EncoderOptions, train_retriever, training_material

    options = EncoderOptions(
        epochs=epochs,
        batch=batch,
        rate=rate,
        warmup=warmup,
        negatives=negatives,
        max_length=max_length,
        seed=seed,
        threads=threads,
        device=device,
    )
    material = training_material(*state.chosen, model, options)
    done = state.run("Training", partial(train_retriever, material, folder))
    told = asdict(done) | {"folder": str(done.folder), "end": str(done.end)}
    if done.end is not End.DONE:
        state.emit(told, [say("generative.stopped", steps=f"{done.steps:,}")], failed=True)
        return
    losses = ", ".join(f"{loss:.3f}" for loss in done.losses)
    names = ("trained", "negatives", *(["not_searched"] if done.not_searched else []), "next")
    state.emit(told, [say(f"retriever.{name}", **told | {"losses": losses}) for name in names])


@COMMANDS.command("methods")
def methods(
    state: State,
    name: Annotated[
        str,
        argument("A method, to see what it takes, or a preset, to see its spec; or: check FILE."),
    ] = "",
    file: Annotated[
        Path | None,
        argument("With check: a Python file with methods of your own, to be tried."),
    ] = None,
) -> None:
    """List the retrieval methods and presets, say what one is, or check one of your own."""
    from retrieval.core.presets import PRESETS
    from retrieval.core.registry import METHODS

    if name == "check":
        _check_file(state, file)
    elif file is not None:
        raise UserError("methods_what", word=name)
    elif name in METHODS or (name and name not in PRESETS):
        _print_method(state, name)
    elif name:
        _print_preset(state, name)
    else:
        _print_methods(state)


def _check_file(state: State, file: Path | None) -> None:
    """Test the methods of a file and print each check; exit with an error if one fails.

    Raises UserError if no file is given.
    """
    from retrieval.core.contract import check_method
    from retrieval.core.own import methods_of_file, tried

    if file is None:
        raise UserError("methods_check_what")
    found = methods_of_file(file)
    for each in found:
        if each.problem is not None:
            raise each.problem
    with tried(found):
        checks = {each.name: check_method({"method": each.name}) for each in found}
    lines, failed = [], 0
    for name, parts in checks.items():
        lines.append(f"{name} ({file})")
        for part in parts:
            place = part.where.render()
            reason = f": {place + ': ' if place else ''}{part.problem}" if part.problem else ""
            lines.append(f"  {'ok    ' if part.held else 'FAILED'} {part.says()}{reason}")
            failed += not part.held
    told = {
        name: [{"check": part.name, "held": part.held, "problem": part.problem} for part in parts]
        for name, parts in checks.items()
    }
    if not failed:
        state.emit({"checks": told}, lines)
        return
    error = UserError("own_method_check", Where(str(file)), count=failed)
    state.emit(error.as_dict() | {"checks": told}, lines)
    raise typer.Exit(EXIT_USER_ERROR if state.as_json else report_user_error(error, False))


def _print_method(state: State, name: str) -> None:
    from retrieval.core.presets import help_of, values_of
    from retrieval.core.registry import parameters

    found, lines = {}, [_method_summary(name)]
    for each in parameters(name):
        told = help_of(name, each)
        found[each.name] = {"kind": each.kind, "default": each.default, "takes": each.takes()}
        found[each.name]["help"] = told
        lines += [f"{each.name} ({values_of(each)})", f"  {told}"]
    state.emit({"method": name, "parameters": found}, lines)


def _method_summary(name: str) -> str:
    """Return the first line of a method class's docstring."""
    from retrieval.core.registry import method_class

    said = (method_class(name).__doc__ or name).splitlines()[0]
    return said.replace("``", "").replace("; see the module", "")


def _print_preset(state: State, name: str) -> None:
    import yaml

    from retrieval.core.presets import PRESETS

    spec = PRESETS[name]
    written = yaml.safe_dump(spec, sort_keys=False, allow_unicode=True)
    state.emit({"preset": name, "spec": spec}, written.splitlines())


def _print_methods(state: State) -> None:
    from corpus.extensions import GROUPS, extensions
    from retrieval.core.own import own_methods
    from retrieval.core.presets import OURS, PRESETS, describe
    from retrieval.core.registry import BUILT_IN, METHODS, complete

    presets = {key: describe(complete(spec)) for key, spec in PRESETS.items()}
    own = own_methods()
    lines = ["Methods:", *(f"  {key:<16} {_method_summary(key)}" for key in BUILT_IN)]
    lines += ["Presets:", *(f"  {key:<16} {presets[key]}" for key in OURS)]
    if own:
        lines.append("Methods of your own:")
    for each in own:
        if each.problem is None:
            lines.append(f"  {each.name:<16} {_method_summary(each.name)} ({each.origin})")
        else:
            lines.append(f"  {each.name:<16} broken: {each.problem}")
    brought = [each for group in GROUPS for each in extensions(group)]
    if brought:
        lines.append("Of installed packages:")
    for one in brought:
        kind = one.group.partition(".")[2].removesuffix("s")
        state_of = f"broken: {one.problem}" if one.problem else f"{kind} ({one.origin})"
        lines.append(f"  {one.name:<16} {state_of}")
    told = [
        {"name": name, "from": origin, "problem": problem.as_dict() if problem else None}
        for name, origin, problem in (
            *((each.name, each.origin, each.problem) for each in own),
            *((each.name, each.origin, each.problem) for each in brought),
        )
    ]
    state.emit({"methods": list(METHODS), "presets": presets, "own": told}, lines)


@COMMANDS.command("evaluate")
def evaluate(
    state: State,
    run: Annotated[int | None, argument("Number of a stored run.")] = None,
    qrels: Annotated[Path | None, option("TREC qrels file, with --run-file.")] = None,
    run_file: Annotated[Path | None, option("TREC run file, with --qrels.")] = None,
    measure: Annotated[
        list[str] | None,
        option("Measure such as nDCG@10 or FullCov@10; may be given several times."),
    ] = None,
    against: Annotated[
        Path | None, option("Another TREC run file, to test the first against.")
    ] = None,
    gold: Gold = "",
    resamples: Resamples = 1000,
    holm_over: HolmOver = "measure",
) -> None:
    """Score a stored run against the gold, or a run file against a qrels file."""
    from evaluation.ranking.scoring import LEADERBOARD, parse_measure, too_deep_notes
    from services.runs.rows import run_reading_notes
    from services.runs.scoring import compare_evaluated, evaluated, score_run
    from services.runs.significance import inference_of

    measures = [parse_measure(key) for key in measure] if measure else LEADERBOARD
    made = inference_of(resamples, holm_over)
    compared: dict[str, Comparison] = {}
    notes: list[str] = []
    if run is not None and qrels is None and run_file is None and against is None:
        scored = score_run(state.workspace, run, measures, gold)
        figures = scored.evaluation.figures_by(resamples)
        notes = [scored.gold.size.say(), *run_reading_notes(state.workspace, run, measures)]
    elif run is None and not gold and qrels is not None and run_file is not None:
        found = [evaluated(file, qrels, measures) for file in (run_file, against) if file]
        figures = found[0].figures_by(resamples)
        compared = compare_evaluated(found[0], found[1], made) if against else {}
        notes = too_deep_notes(found[0].measures, [each.depth for each in found])
    else:
        raise UserError("evaluate_what")
    told, lines = {}, []
    for each in figures:
        test = compared.get(each.name)
        told[each.name] = each.as_json() | ({"against": _test_json(test)} if test else {})
        lines.append(f"{each.name:<12} {each.text()}  n={each.n}{_tested(test)}")
    state.emit(told, [*lines, *notes])


def _test_json(comparison: Comparison) -> dict[str, object]:
    return {
        "difference": comparison.difference.as_json(),
        "p": comparison.p,
        "p_holm": comparison.p_holm,
        "exact": comparison.exact,
        **asdict(comparison.tally),
    }


def _tested(comparison: Comparison | None) -> str:
    """Return the difference, p-values and tally of a comparison as text; "" without a p-value."""
    if comparison is None or comparison.p is None:
        return ""
    tally = comparison.tally
    counts = f"{tally.wins} won, {tally.ties} tied, {tally.losses} lost"
    p = f"p={comparison.p:.4f}"
    if comparison.p_holm is not None and comparison.p_holm != comparison.p:
        p += f"  corrected p={comparison.p_holm:.4f}"
    return f"  difference {comparison.difference.text()}  {p}  {counts}"
