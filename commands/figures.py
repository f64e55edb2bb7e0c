"""Commands that draw figures, and print data set statistics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from commands.shell.groups import COMMANDS, FIGURE
from commands.shell.options import Gold
from commands.shell.state import State
from messages import say

if TYPE_CHECKING:
    from evaluation.figure import Figure
    from services.figures.dataset_statistics import Other, Statistics
    from services.figures.drawings import Drawing
    from services.figures.figure_data import View

Way = Literal["out", "in", "both"]
Tongue = Literal["en", "ko"]
_OUTPUT = typer.Option(
    "--output", "-o", help="File to write: .svg, .png, .csv for its data, .md or .tex for tables."
)
_DARK = typer.Option("--dark", help="Draw on dark paper.")
_LANGUAGE = typer.Option("--language", help="Language of the words in it: en or ko.")
_SPEC = typer.Option("--spec", help="YAML file of a dense method; else lsa.")
_SEEDS = typer.Option("--seeds", help="Best units of the dense method that are seeds, 1 to 100.")
_NEAR = typer.Option("--neighbours", help="Nearest neighbours of each seed, 1 to 100.")
_EDGES = typer.Option(
    "--edges", help="Type of edges to walk, or where they were read: hyperlink or text; repeatable."
)
_WAY = typer.Option("--direction", help="Way that citations are walked: out, in or both.")
_SNAPSHOT = typer.Option("--snapshot", help="Number of the snapshot; else the one in use.")
_COMPARED = typer.Option(
    "--compared", help="What of a provision: titled (title and passage) or passage."
)
_SEVERAL = typer.Option("--several", help="Of several gold provisions: mean or nearest.")
_RUNS = typer.Argument(help="Numbers of stored runs, at most 6.")


@FIGURE.command("neighbourhood")
def neighbourhood(
    state: State,
    question: Annotated[str, typer.Argument(help="Id of a settled question.")],
    output: Annotated[Path, _OUTPUT],
    spec: Annotated[Path | None, _SPEC] = None,
    seeds: Annotated[int, _SEEDS] = 10,
    neighbours: Annotated[int, _NEAR] = 10,
    direction: Annotated[Way, _WAY] = "out",
    edges: Annotated[list[str] | None, _EDGES] = None,
    snapshot: Annotated[int | None, _SNAPSHOT] = None,
    gold: Gold = "",
    dark: Annotated[bool, _DARK] = False,
    language: Annotated[Tongue, _LANGUAGE] = "en",
) -> None:
    """Draw a question's neighbourhood: nearest neighbours beside citations, seeds and gold."""
    from services.figures.drawings import of_question
    from services.figures.series import question_figure
    from services.gold.search_coverage import levels_said

    _check_file_ending(output, tables=False)
    view = _view(spec, seeds, neighbours, direction, edges)
    with state.progress("Fitting") as report:
        found = question_figure(*state.chosen, question, view, snapshot, gold=gold, progress=report)
    hits = {name: getattr(found.found, name).hits for name in ("cosine", "explicit")}
    told = {"hits": hits, "searched": found.levels, "gold_not_searched": found.not_searched}
    told |= found.gold.as_dict()
    lines = [f"Edges from seeds to gold: cosine {hits['cosine']}, explicit {hits['explicit']}."]
    searched = levels_said(found.levels)
    lines += [say("figures.question_searched", levels=searched, count=found.not_searched)]
    lines.append(found.gold.say())
    _write(state, of_question(found), output, dark, language, told, lines)


@FIGURE.command("hits")
def hits(
    state: State,
    spec: Annotated[Path | None, _SPEC] = None,
    seeds: Annotated[int, _SEEDS] = 10,
    neighbours: Annotated[int, _NEAR] = 10,
    direction: Annotated[Way, _WAY] = "out",
    edges: Annotated[list[str] | None, _EDGES] = None,
    output: Annotated[Path | None, _OUTPUT] = None,
    snapshot: Annotated[int | None, _SNAPSHOT] = None,
    gold: Gold = "",
    dark: Annotated[bool, _DARK] = False,
    language: Annotated[Tongue, _LANGUAGE] = "en",
) -> None:
    """Print how often one step from seeds leads to gold: citations beside nearest neighbours."""
    from services.figures.drawings import hit_notes, of_hits
    from services.figures.series import hit_rates

    _check_file_ending(output, tables=True)
    view = _view(spec, seeds, neighbours, direction, edges)
    with state.progress("Fitting") as report:
        found = hit_rates(*state.chosen, view, snapshot, gold=gold, progress=report)
    told: dict[str, Any] = {
        rate.graph: {
            name: getattr(rate, name).as_json() for name in ("missed", "linked", "reached")
        }
        for rate in found.rates
    }
    told["explicit"]["edges"] = found.walked
    told |= {"searched": found.levels, "not_searched": found.outside.as_dict()}
    told |= found.gold.as_dict()
    lines = [f"{found.questions} questions with gold.", *hit_notes(found, "en")]
    for rate in found.rates:
        lines.append(f"{rate.graph}: reaches a missed gold unit {_figure_text(rate.missed)},")
        lines.append(f"  any edge from a seed to gold {_figure_text(rate.linked)},")
        lines.append(f"  leads to {_figure_text(rate.reached)} units on average")
    _write(state, of_hits(found), output, dark, language, told, lines)


@FIGURE.command("similarity")
def similarity(
    state: State,
    runs: Annotated[list[int], _RUNS],
    output: Annotated[Path | None, _OUTPUT] = None,
    measure: Annotated[str, typer.Option(help="Measure, such as Recall@10.")] = "Recall@10",
    width: Annotated[float, typer.Option(help="Width of a bucket, above 0 and at most 1.")] = 0.1,
    tokeniser: Annotated[str, typer.Option(help="How text is cut for the cosine.")] = "bigram",
    compared: Annotated[str, _COMPARED] = "titled",
    several: Annotated[str, _SEVERAL] = "mean",
    gold: Gold = "",
    dark: Annotated[bool, _DARK] = False,
    language: Annotated[Tongue, _LANGUAGE] = "en",
) -> None:
    """Draw a measure of runs against the TF-IDF cosine of question and gold, in buckets."""
    from evaluation.ranking.scoring import parse_measure
    from services.figures.dataset_statistics import Likening
    from services.figures.drawings import of_curves
    from services.figures.series import blank_figures, similarity_curves

    how = Likening(tokeniser, compared, several)
    _check_file_ending(output, tables=True)
    wanted = parse_measure(measure)
    with state.progress("Fitting") as report:
        found = similarity_curves(
            state.workspace, runs, wanted, width, how, gold=gold, progress=report
        )
    told: dict[str, Any] = {
        each.name: {
            "slope": each.slope.as_json(),
            "buckets": [{"from": b.low, "to": b.high} | b.figure.as_json() for b in each.buckets],
        }
        for each in found.curves
    }
    told |= found.gold.as_dict()
    lines = [how.say(), found.gold.say()]
    for each in found.curves:
        lines.append(f"{each.name}: slope {_figure_text(each.slope)}")
        lines += [f"  {b.low:.2f} to {b.high:.2f}  {_figure_text(b.figure)}" for b in each.buckets]
    lines += blank_figures(state.workspace, runs, [wanted])
    _add_retired(state, runs, told, lines)
    _write(state, of_curves(found, repr(wanted), how), output, dark, language, told, lines)


@FIGURE.command("bars")
def bars(
    state: State,
    runs: Annotated[list[int], _RUNS],
    output: Annotated[Path, _OUTPUT],
    measure: Annotated[
        list[str] | None, typer.Option(help="Measure, such as nDCG@10; may be repeated.")
    ] = None,
    gold: Gold = "",
    dark: Annotated[bool, _DARK] = False,
    language: Annotated[Tongue, _LANGUAGE] = "en",
) -> None:
    """Draw measures of runs as bars with their intervals."""
    from evaluation.ranking.scoring import parse_measure
    from services.figures.drawings import of_bars
    from services.figures.series import blank_figures, run_bars

    _check_file_ending(output, tables=False)
    wanted = [parse_measure(each) for each in measure or ("Recall@5", "Recall@10", "nDCG@10")]
    with state.progress("Scoring"):
        found = run_bars(state.workspace, runs, wanted, gold=gold)
    told: dict[str, Any] = {}
    for bar in found.bars:
        told.setdefault(bar.series, {})[bar.group] = bar.figure.as_json()
    told |= found.gold[0].as_dict()
    lines = [f"{bar.series}  {bar.group}  {_figure_text(bar.figure)}" for bar in found.bars]
    lines += [each.say() for each in found.gold]
    lines += blank_figures(state.workspace, runs, wanted)
    _add_retired(state, runs, told, lines)
    _write(state, of_bars(found.bars), output, dark, language, told, lines)


@COMMANDS.command("statistics")
def statistics(
    state: State,
    against: Annotated[
        list[str] | None, typer.Option(help="Another project to compare with; may be repeated.")
    ] = None,
    folder: Annotated[
        list[Path] | None, typer.Option(help="A BEIR folder to compare with; may be repeated.")
    ] = None,
    tokeniser: Annotated[str, typer.Option(help="How text is cut for the cosines.")] = "bigram",
    compared: Annotated[str, _COMPARED] = "titled",
    several: Annotated[str, _SEVERAL] = "mean",
    gold: Gold = "",
    output: Annotated[Path | None, _OUTPUT] = None,
    dark: Annotated[bool, _DARK] = False,
    language: Annotated[Tongue, _LANGUAGE] = "en",
) -> None:
    """Print how alike questions, gold and answers are, beside other data sets, with tests."""
    from services.figures.dataset_statistics import BeirFolder, Likening, OtherProject
    from services.figures.dataset_statistics import statistics as make
    from services.figures.drawings import of_statistics

    _check_file_ending(output, tables=True)
    others: list[Other] = [OtherProject(each) for each in against or ()]
    others += [BeirFolder(each) for each in folder or ()]
    how = Likening(tokeniser, compared, several)
    with state.progress("Fitting") as report:
        found = make(*state.chosen, others, how, gold=gold, progress=report)
    told = {"tokeniser": tokeniser} | asdict(found)
    _write(
        state, of_statistics(found), output, dark, language, told, list(_statistics_lines(found))
    )


def _statistics_lines(statistics: Statistics) -> Iterator[str]:
    yield statistics.how.say()
    for each in statistics.datasets:
        yield f"{each.name}: {each.questions} questions, {each.without_gold} without gold here"
        if each.name in statistics.gold:
            yield f"  {statistics.gold[each.name].say()}"
        if each.name in statistics.levels:
            yield f"  searched                  {', '.join(statistics.levels[each.name])}"
        if each.not_searched:
            told = f"{each.not_searched} of {each.not_searched_questions} questions"
            yield f"  gold not searched         {told}"
        yield f"  gold units per question   {_figure_text(each.gold)}"
        yield f"  cosine question and gold  {_figure_text(each.cosines['query_gold'])}"
        yield f"  cosine gold and answer    {_figure_text(each.cosines['gold_answer'])}"
    for test in statistics.differences:
        name = "Kolmogorov–Smirnov D" if test.test == "ks" else "Welch's t"
        if test.p is None or test.statistic is None or test.corrected is None:
            result = "too few values"
        else:
            result = f"{test.statistic:.3f}, p {test.p:.2g} (Holm {test.corrected:.2g})"
        yield f"{test.left} and {test.right}, {test.pair}: {name} {result}"


def _check_file_ending(output: Path | None, tables: bool) -> None:
    """Raise UserError for an unsupported file extension, before any computation."""
    if output is not None:
        from services.figures.drawings import check_ending

        check_ending(output.suffix.lower(), tables)


def _view(
    spec: Path | None, seeds: int, neighbours: int, direction: Way, edges: list[str] | None
) -> View:
    from services.figures.figure_data import STANDARD, View, edges_named

    names = [name.strip().lower() for each in edges or () for name in each.split(",")]
    walked = edges_named(names)
    if spec is None:
        return View(STANDARD.spec, seeds, neighbours, direction, *walked)
    from corpus.files.rows import printable, read_text
    from retrieval.core.spec_file import parse_spec

    name = printable(spec.name)
    return View(parse_spec(read_text(spec, name), name), seeds, neighbours, direction, *walked)


def _figure_text(figure: Figure) -> str:
    return f"{figure.text()} (n={figure.n})"


def _add_retired(state: State, runs: list[int], printed: dict[str, Any], lines: list[str]) -> None:
    """Add a note on retired runs to the output, if there are any."""
    from services.figures.series import retired_among

    if retired := retired_among(state.workspace, runs):
        printed["retired"] = list(retired)
        lines += [f"Run {number} is retired." for number in retired]


def _write(
    state: State,
    drawing: Drawing,
    output: Path | None,
    dark: bool,
    language: str,
    printed: dict[str, Any],
    lines: list[str],
) -> None:
    """Write the file if one is requested, and print the figure's data."""
    if output is not None:
        drawing.write(output, "dark" if dark else "light", language)
        printed, lines = printed | {"file": str(output)}, [*lines, f"Wrote {output}."]
    state.emit(printed, lines)
