"""Commands that draw figures, and print data set statistics."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from commands.shell.arguments import argument, option
from commands.shell.groups import COMMANDS, FIGURE
from commands.shell.options import Gold
from commands.shell.reports import Language, check_output, emit_report
from commands.shell.state import State

if TYPE_CHECKING:
    from services.figures.dataset_statistics import Other
    from services.figures.figure_data import View

Way = Literal["out", "in", "both"]
_OUTPUT = option(
    "File to write: .svg or .png for pictures; .csv (one figure a line), .md, .tex or .json.",
    "--output",
    "-o",
)
_DARK = option("Draw pictures on dark paper.", "--dark")
_SPEC = option("YAML file of a dense method; else lsa.", "--spec")
_SEEDS = option("Best units of the dense method that are seeds, 1 to 100.", "--seeds")
_NEAR = option("Nearest neighbours of each seed, 1 to 100.", "--neighbours")
_EDGES = option(
    "Type of edges to walk, or where they were read: hyperlink or text; repeatable.", "--edges"
)
_WAY = option("Way that citations are walked: out, in or both.", "--direction")
_SNAPSHOT = option("Number of the snapshot; else the one in use.", "--snapshot")
_COMPARED = option("What of a provision: titled (title and passage) or passage.", "--compared")
_SEVERAL = option("Of several gold provisions: mean or nearest.", "--several")
_RUNS = argument("Numbers of stored runs, at most 6.")
_BAR_RUNS = argument("Numbers of stored runs, at most 24; more than 6 stand in rows.")


@FIGURE.command("neighbourhood")
def neighbourhood(
    state: State,
    question: Annotated[str, argument("Id of a settled question.")],
    output: Annotated[Path, _OUTPUT],
    spec: Annotated[Path | None, _SPEC] = None,
    seeds: Annotated[int, _SEEDS] = 10,
    neighbours: Annotated[int, _NEAR] = 10,
    direction: Annotated[Way, _WAY] = "out",
    edges: Annotated[list[str] | None, _EDGES] = None,
    snapshot: Annotated[int | None, _SNAPSHOT] = None,
    gold: Gold = "",
    dark: Annotated[bool, _DARK] = False,
    language: Language = "en",
) -> None:
    """Draw a question's neighbourhood: nearest neighbours beside citations, seeds and gold."""
    from services.figures.reports import neighbourhood_report
    from services.figures.series import question_figure

    check_output(output)
    view = _view(spec, seeds, neighbours, direction, edges)
    with state.progress("Fitting") as report:
        found = question_figure(*state.chosen, question, view, snapshot, gold=gold, progress=report)
    emit_report(state, neighbourhood_report(found, language), output, dark)


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
    language: Language = "en",
) -> None:
    """Print how often one step from seeds leads to gold: citations beside nearest neighbours."""
    from services.figures.reports import hits_report
    from services.figures.series import hit_rates

    check_output(output)
    view = _view(spec, seeds, neighbours, direction, edges)
    with state.progress("Fitting") as report:
        found = hit_rates(*state.chosen, view, snapshot, gold=gold, progress=report)
    emit_report(state, hits_report(found, language), output, dark)


@FIGURE.command("similarity")
def similarity(
    state: State,
    runs: Annotated[list[int], _RUNS],
    output: Annotated[Path | None, _OUTPUT] = None,
    measure: Annotated[str, option("Measure, such as Recall@10.")] = "Recall@10",
    width: Annotated[float, option("Width of a bucket, above 0 and at most 1.")] = 0.1,
    tokeniser: Annotated[str, option("How text is cut for the cosine.")] = "bigram",
    compared: Annotated[str, _COMPARED] = "titled",
    several: Annotated[str, _SEVERAL] = "mean",
    gold: Gold = "",
    dark: Annotated[bool, _DARK] = False,
    language: Language = "en",
) -> None:
    """Draw a measure of runs against the TF-IDF cosine of question and gold, in buckets."""
    from evaluation.ranking.scoring import parse_measure
    from services.figures.dataset_statistics import Likening
    from services.figures.reports import similarity_report
    from services.figures.series import similarity_curves

    how = Likening(tokeniser, compared, several)
    check_output(output)
    wanted = parse_measure(measure)
    with state.progress("Fitting") as progress:
        found = similarity_curves(
            state.workspace, runs, wanted, width, how, gold=gold, progress=progress
        )
    emit_report(state, similarity_report(found, repr(wanted), language, how), output, dark)


@FIGURE.command("bars")
def bars(
    state: State,
    runs: Annotated[list[int], _BAR_RUNS],
    output: Annotated[Path, _OUTPUT],
    measure: Annotated[
        list[str] | None, option("Measure, such as nDCG@10; may be repeated.")
    ] = None,
    gold: Gold = "",
    dark: Annotated[bool, _DARK] = False,
    language: Language = "en",
) -> None:
    """Draw measures of runs as bars with their intervals."""
    from evaluation.ranking.scoring import parse_measure
    from services.figures.reports import bars_report
    from services.figures.series import run_bars

    check_output(output)
    wanted = [parse_measure(each) for each in measure or ("Recall@5", "Recall@10", "nDCG@10")]
    with state.progress("Scoring"):
        found = run_bars(state.workspace, runs, wanted, gold=gold)
    emit_report(state, bars_report(found, language), output, dark)


@COMMANDS.command("statistics")
def statistics(
    state: State,
    against: Annotated[
        list[str] | None, option("Another project to compare with; may be repeated.")
    ] = None,
    folder: Annotated[
        list[Path] | None, option("A BEIR folder to compare with; may be repeated.")
    ] = None,
    tokeniser: Annotated[str, option("How text is cut for the cosines.")] = "bigram",
    compared: Annotated[str, _COMPARED] = "titled",
    several: Annotated[str, _SEVERAL] = "mean",
    gold: Gold = "",
    output: Annotated[Path | None, _OUTPUT] = None,
    dark: Annotated[bool, _DARK] = False,
    language: Language = "en",
) -> None:
    """Print how alike questions, gold and answers are, beside other data sets, with tests."""
    from services.figures.dataset_statistics import BeirFolder, Likening, OtherProject
    from services.figures.dataset_statistics import statistics as make
    from services.figures.reports import statistics_report

    check_output(output)
    others: list[Other] = [OtherProject(each) for each in against or ()]
    others += [BeirFolder(each) for each in folder or ()]
    how = Likening(tokeniser, compared, several)
    with state.progress("Fitting") as report:
        found = make(*state.chosen, others, how, gold=gold, progress=report)
    emit_report(state, statistics_report(found, language), output, dark)


def _view(
    spec: Path | None, seeds: int, neighbours: int, direction: Way, edges: list[str] | None
) -> View:
    """Return the view that the options describe, of the standard method without a `spec` file."""
    from services.figures.figure_data import STANDARD, View, edges_named

    names = [name.strip().lower() for each in edges or () for name in each.split(",")]
    walked = edges_named(names)
    if spec is None:
        return View(STANDARD.spec, seeds, neighbours, direction, *walked)
    from corpus.files.rows import printable, read_text
    from retrieval.core.spec_file import parse_spec

    name = printable(spec.name)
    return View(parse_spec(read_text(spec, name), name), seeds, neighbours, direction, *walked)
