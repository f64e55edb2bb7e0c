"""Commands of generative retrieval: prepare pairs, train a model, evaluate it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from commands.shell.arguments import argument, option
from commands.shell.groups import LEGALSEARCHLM
from commands.shell.options import (
    Device,
    ModelFolder,
    Rate,
    Seed,
    TagsOf,
    Threads,
    Warmup,
    chosen_spec,
)
from commands.shell.reports import report_lines
from commands.shell.state import State
from errors import UserError
from messages import say

if TYPE_CHECKING:
    from services.generative.evaluation import Evaluated
    from services.generative.preparing import Prepared
    from services.generative.training import Trained


@LEGALSEARCHLM.command("prepare")
def prepare(
    state: State,
    folder: Annotated[Path, argument("Folder to write the pairs to.")],
    facts: Annotated[
        Literal["sentences", "model"],
        option("Who takes the facts of court cases apart: rules, or the project's model."),
    ] = "sentences",
    cases: Annotated[bool, option("Make pairs of court cases.")] = True,
    statutes: Annotated[bool, option("Make pairs of the law in use.")] = True,
    most: Annotated[int, option("Facts of one case at most.")] = 20,
    times: Annotated[
        float, option("No kind has more than so many times the pairs of the rarest.")
    ] = 2.0,
    per_target: Annotated[int, option("Citing sentences of one provision at most.")] = 12,
    aside: Annotated[
        float, option("Share of sources held out for the learning curve, 0 to 0.5.")
    ] = 0.01,
    seed: Seed = 0,
    kind: Annotated[
        list[str] | None,
        option("Make pairs of this kind only, such as fact_to_fact; may be repeated."),
    ] = None,
    category: Annotated[
        list[str] | None,
        option("Read court cases of this category only, by its key; may be repeated."),
    ] = None,
    identifiers: Annotated[
        Literal["key", "naive"],
        option("What identifiers begin with: a key token, or as the text does (naive)."),
    ] = "key",
) -> None:
    """Make training pairs of the project's court cases and of the law in use."""
    from services.generative.preparing import PairOptions
    from services.generative.preparing import prepare as make_pairs

    chosen = tuple(kind or ()), tuple(category or ()), identifiers
    options = PairOptions(cases, statutes, facts, most, times, per_target, aside, seed, *chosen)
    with state.progress("Preparing") as report:
        made = make_pairs(*state.chosen, folder, options, progress=report)
    state.emit(asdict(made), list(_prepared_lines(made)))


@LEGALSEARCHLM.command("train")
def train(
    state: State,
    pairs: Annotated[Path, argument("Folder that prepare wrote.")],
    folder: ModelFolder,
    model: Annotated[
        Path | None, option("Hugging Face folder of an encoder-decoder to begin with.")
    ] = None,
    from_scratch: Annotated[
        bool, option("A small model, with a tokeniser of its own.", "--from-scratch")
    ] = False,
    epochs: Annotated[int, option("How often every pair is read.")] = 1,
    steps: Annotated[int, option("End after so many steps; 0: by epochs.")] = 0,
    minutes: Annotated[
        float, option("End after so many minutes of training; 0: not by the clock.")
    ] = 0.0,
    batch: Annotated[int, option("Pairs of a step.")] = 32,
    source: Annotated[
        int, option("Tokens read of a source; 0: as many as 99 % have, 2,048 at most.")
    ] = 0,
    target: Annotated[int, option("Tokens of an identifier.")] = 12,
    rate: Rate = 1e-3,
    warmup: Warmup = 0.05,
    dropout: Annotated[float, option("Share that dropout leaves out.")] = 0.0,
    every: Annotated[
        int, option("Steps between points of the curve, and between checkpoints.")
    ] = 100,
    device: Device = "auto",
    threads: Threads = 0,
    vocabulary: Annotated[int, option("From scratch: tokens.")] = 8_000,
    width: Annotated[int, option("From scratch: numbers of a state.")] = 256,
    inner: Annotated[int, option("From scratch: numbers of a feed-forward.")] = 512,
    heads: Annotated[int, option("From scratch: heads of attention.")] = 4,
    encoder_layers: Annotated[int, option("From scratch: layers that read.")] = 3,
    decoder_layers: Annotated[int, option("From scratch: layers that write.")] = 2,
    latent: Annotated[
        bool, option("From scratch: begin with latent semantic analysis of the texts.")
    ] = True,
    seed: Seed = 0,
) -> None:
    """Train a model to write identifiers, from a folder or from scratch; go on after a kill."""
    from llm.batch import End
    from services.generative.pair_files import read_pairs
    from services.generative.small_model import Size
    from services.generative.training import TrainingOptions
    from services.generative.training import train as train_model

    if (model is None) is not from_scratch:
        raise UserError("generative_start")
    options = TrainingOptions(
        start=model,
        size=Size(vocabulary, width, inner, heads, encoder_layers, decoder_layers),
        latent=latent,
        epochs=epochs,
        steps=steps,
        minutes=minutes,
        batch=batch,
        source=source,
        target=target,
        rate=rate,
        warmup=warmup,
        dropout=dropout,
        seed=seed,
        threads=threads,
        every=every,
        device=device,
    )
    prepared = read_pairs(pairs)
    done = state.run("Training", partial(train_model, prepared, folder, options))
    told = asdict(done) | {"folder": str(done.folder), "end": str(done.end)}
    state.emit(told, list(_trained_lines(done)), failed=done.end is not End.DONE)


@LEGALSEARCHLM.command("curve")
def curve(
    state: State,
    folder: Annotated[Path, argument("Folder of a model.")],
    points: Annotated[int, option("Points of the table at most.")] = 12,
    table: Annotated[str, option("text, csv, markdown or latex.")] = "text",
    output: Annotated[
        Path | None, option("Figure to write: .svg or .png.", "--output", "-o")
    ] = None,
    language: Annotated[Literal["en", "ko"], option("Of the figure's words.")] = "en",
) -> None:
    """Print the learning curve of a model, or draw it."""
    from evaluation.tables import columns, written
    from services.generative.learning_curve import curve_table, draw_curve, read_curve, spread

    every = read_curve(folder)
    if output is not None:
        draw_curve(every, output, language)
    shown = curve_table(spread(every, points))
    if table == "text":
        lines = list(columns([shown.head, *([str(cell) for cell in row] for row in shown.rows)]))
    else:
        lines = written(shown, table).splitlines()
    state.emit({"points": [asdict(point) for point in every]}, lines)


@LEGALSEARCHLM.command("evaluate")
def evaluate(
    state: State,
    model: Annotated[Path, argument("Folder of a model.")],
    on: Annotated[Literal["all", "cases", "questions"], option("What it is evaluated on.")] = "all",
    beside: Annotated[
        list[str] | None, option("Preset or method beside it; may be repeated.")
    ] = None,
    beam: Annotated[int, option("Beams of decoding.")] = 15,
    length: Annotated[int, option("Tokens of an identifier.")] = 10,
    tags_of: TagsOf = "",
) -> None:
    """Evaluate a model on standard and stricter groups and on questions, beside BM25."""
    from services.generative.evaluation import BESIDE
    from services.generative.evaluation import evaluate as evaluate_model
    from services.stricter.groups import Drawing

    others = [chosen_spec(name, None, {}) for name in beside] if beside else BESIDE
    decoding, drawing = {"beam": beam, "length": length}, Drawing(model=tags_of)
    with state.progress("Evaluating") as report:
        found = evaluate_model(*state.chosen, model, on, others, decoding, drawing, progress=report)
    state.emit(_evaluated_json(found), list(_evaluated_lines(found)))


def _prepared_lines(prepared: Prepared) -> Iterator[str]:
    yield say(
        "generative.prepared",
        pairs=f"{sum(prepared.kept.values()):,}",
        aside=f"{sum(prepared.held_out.values()):,}",
        texts=f"{prepared.texts:,}",
        folder=prepared.folder,
    )
    for kind, count in prepared.made.items():
        yield "  " + say(
            "generative.made",
            name=say(f"generative.kind.{kind}"),
            made=f"{count:,}",
            kept=f"{prepared.kept.get(kind, 0):,}",
            aside=f"{prepared.held_out.get(kind, 0):,}",
        )
    if prepared.cases:
        left_out = f"{prepared.cases_left_out:,}"
        yield say("generative.cases", cases=f"{prepared.cases:,}", left_out=left_out)
    if prepared.facts_dropped:
        yield say("generative.dropped", reasons=_counts_text(prepared.facts_dropped))
    if prepared.notes:
        yield say("generative.notes", notes=_counts_text(prepared.notes))


def _counts_text(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _trained_lines(done: Trained) -> Iterator[str]:
    from llm.batch import End

    if done.end is not End.DONE:
        yield say("generative.stopped", steps=f"{done.steps:,}")
        return
    yield say(
        "generative.trained",
        steps=f"{done.steps:,}",
        minutes=f"{done.seconds / 60:.1f}",
        device=done.device,
        parameters=f"{done.parameters:,}",
        folder=done.folder,
    )
    for name, share in done.cut.items():
        yield say(
            "generative.cut",
            name=say(f"generative.kind.{name}"),
            tokens=f"{done.source:,}",
            share=f"{share:.1%}",
        )
    yield say("generative.standing", share=f"{done.standing:.1%}")
    if done.last is not None and done.last.held_out_loss is not None:
        first = done.last.held_out_first or 0.0
        loss = f"{done.last.held_out_loss:.3f}"
        yield say("generative.last", loss=loss, first=f"{first:.3f}")


def _evaluated_json(evaluated: Evaluated) -> dict[str, Any]:
    from services.stricter.report_tables import scores_report

    told: dict[str, Any] = {}
    if evaluated.cases is not None:
        told["cases"] = [scores_report(each, "en").as_json() for each in evaluated.cases]
    if evaluated.questions is not None:
        keys = [column.measure for column in evaluated.questions.columns]
        told["questions"] = [
            {
                "run": run.run_id,
                "label": run.label,
                "figures": {
                    key: cell.figure.as_json() for key, cell in zip(keys, run.cells, strict=True)
                },
                "differences": {
                    key: cell.comparison.difference.as_json() | {"p_holm": cell.comparison.p_holm}
                    for key, cell in zip(keys, run.cells, strict=True)
                    if cell.comparison is not None
                },
            }
            for run in evaluated.questions.runs
        ]
    return told


def _evaluated_lines(evaluated: Evaluated) -> Iterator[str]:
    from evaluation.tables import columns
    from services.runs.score_table import readable_table
    from services.stricter.report_tables import scores_report

    for each in evaluated.cases or ():
        yield from report_lines(scores_report(each, "en"))
    if evaluated.questions is not None:
        table = readable_table(evaluated.questions)
        rows = [[str(getattr(cell, "text", cell)) for cell in row] for row in table.rows]
        yield from columns([table.head, *rows])
        yield from table.notes
