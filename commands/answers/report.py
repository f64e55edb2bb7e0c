"""Commands that report scores of LLM-written answers and compare groups of them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commands.shell.arguments import argument, option
from commands.shell.groups import ANSWERS
from commands.shell.options import HolmOver, Resamples, Stratum, parse_stratum
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import EXIT_USER_ERROR, State
from commands.shell.tables import check_ending, write_text
from errors import require_known

if TYPE_CHECKING:
    from services.answers.report_views import Measure
    from services.answers.scores import BertSetting


@ANSWERS.command("report")
def report(
    state: State,
    measure: Annotated[
        list[str] | None,
        option(
            "rouge1, rouge2, rougeL, bertscore, judge or wins; may be repeated. Else all but "
            "rouge2."
        ),
    ] = None,
    tokeniser: Annotated[
        str,
        option("How ROUGE cuts texts: morphemes, whitespace, characters, bigram or rouge-score."),
    ] = "morphemes",
    bertscore: Annotated[
        str,
        option("Encoder of BERTScore: its folder or name. What has no score gets one."),
    ] = "",
    layer: Annotated[
        int, option("Layer of the encoder that vectors are taken from; 0 is the last.")
    ] = 0,
    idf: Annotated[
        bool, option("Weigh tokens by how rare they are in official answers.", "--idf")
    ] = False,
    against: Annotated[
        str,
        option(
            "What BERTScore compares an answer with: reference (official) or question.",
            "--bertscore-against",
        ),
    ] = "reference",
    judge: Annotated[
        str | None, option("A judge's name; else the majority, or the only one.")
    ] = None,
    pairwise: Annotated[
        str | None, option("The judge that compares with official answers.")
    ] = None,
    baseline: Annotated[
        str | None, option("System to compare with; else each measure's best.")
    ] = None,
    stratum: Stratum = "",
    resamples: Resamples = 1000,
    holm_over: HolmOver = "measure",
    output: Output = None,
    language: Language = "en",
) -> None:
    """Print how good the answers are by each score, and which score agrees with people.

    Exit code 3 if scoring by an encoder was interrupted; run it again to go on.
    """
    from services.answers import report as services
    from services.answers.report_tables import as_report
    from services.answers.report_views import USUAL_MEASURES, ReportOptions
    from services.answers.scores import BertSetting
    from services.runs.significance import inference_of

    options = ReportOptions(
        measures=tuple(map(_measure, measure)) if measure else USUAL_MEASURES,
        tokeniser=tokeniser,
        bert=BertSetting(bertscore, layer, idf, against) if bertscore else None,
        judge=judge,
        pairwise=pairwise,
        baseline=baseline,
        stratum=parse_stratum(stratum),
        inference=inference_of(resamples, holm_over),
    )
    check_output(output)
    if options.bert is not None:
        _score(state, options.bert)
    found = services.report(*state.chosen, options=options)
    emit_report(state, as_report(found, language), output)


@ANSWERS.command("compare")
def compare(
    state: State,
    preset: Annotated[str, argument("quality, attribution, judges or downstream.")] = "quality",
    measure: Annotated[
        list[str] | None,
        option("Other measures, as the column measure of --rows; may be repeated."),
    ] = None,
    group: Annotated[str, option("What groups the answers: system, context or scored_by.")] = "",
    scored_by: Annotated[
        list[str] | None,
        option("Whose scores count: people or a judge; may be repeated. Else who gave most."),
    ] = None,
    against: Annotated[
        str, option("The group to compare with; best, or each for every other.")
    ] = "",
    resamples: Resamples = 1000,
    holm_over: HolmOver = "measure",
    rows: Annotated[
        Path | None, option("Write every score of every answer to this file too: .csv.")
    ] = None,
    output: Output = None,
    language: Language = "en",
) -> None:
    """Compare groups of answers by any of their scores; the presets are those of the reports."""
    from evaluation.scores import BEST, EACH
    from services.answers import score_table
    from services.runs.significance import inference_of

    check_output(output)
    check_ending(rows, ".csv")
    pivot = score_table.preset(preset)
    named = {"best": BEST, "each": EACH}.get(against, against or pivot.against)
    pivot = score_table.Pivot(
        tuple(measure or pivot.measures),
        group or pivot.by,
        tuple(scored_by or pivot.scored_by),
        named if against or group in ("", pivot.by) else BEST,
    )
    table = score_table.score_table(*state.chosen)
    inference = inference_of(resamples, holm_over)
    report = score_table.comparison_report(table, pivot, language, inference)
    if rows is not None:
        write_text(rows, score_table.scores_csv(table))
    emit_report(state, report, output)


def _measure(said: str) -> Measure:
    """Parse the name of a measure. Raises UserError for an unknown one."""
    from services.answers.report_views import Measure

    require_known("answer_report_measure", Measure, said=said)
    return Measure(said)


def _score(state: State, setting: BertSetting) -> None:
    """Compute the BERTScores that are missing; exit with code 3 if interrupted."""
    from llm.batch import End
    from services.answers.scores import plan_scores, score_answers

    plan = plan_scores(*state.chosen, setting)
    done = state.run("Scoring", partial(score_answers, state.workspace, plan))
    if done.end is not End.DONE:
        raise typer.Exit(EXIT_USER_ERROR)
