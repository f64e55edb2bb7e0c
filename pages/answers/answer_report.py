"""Answer report screen: system scores, the answers behind a cell, trust in each score."""

from __future__ import annotations

from functools import partial

import streamlit as st

from annotation.people.roles import Act
from evaluation.figure import FEWEST_RESAMPLES, MOST_RESAMPLES, RESAMPLES
from evaluation.ranking.compare import NOT_STATED, Family, Inference
from llm.batch import Progress
from pages.answers.answers_beside import draw_answers
from pages.answers.comparison import draw_comparison
from pages.shell.context import Context
from pages.shell.draft_state import kept_value
from pages.shell.guard import fragment, md_literal
from pages.shell.navigation import to_top
from pages.shell.notices import allowed, draw_head, show_remembered
from pages.shell.reports import cached, draw_report
from pages.shell.task_progress import begin, draw_at_top, start_button, started
from pages.shell.widgets import NOTHING
from services.answers.report import choices, report, revision
from services.answers.report_tables import as_report, judge_words, measure_words
from services.answers.report_views import (
    USUAL_MEASURES,
    Measure,
    ReportChoices,
    ReportOptions,
)
from services.answers.scores import (
    LAYERS,
    QUESTION,
    REFERENCE,
    TOKENISERS,
    BertSetting,
    scores_kept,
    settings_kept,
    start_scoring,
)
from services.background.tasks import TaskKind
from services.runs.strata import Stratum

NOTICE = "answer-report-notice"
_NEEDS = {  # the data that a measure needs
    Measure.JUDGE: "judges",
    Measure.WINS: "pairwise",
}


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "answer_report")
    draw_at_top(
        context,
        TaskKind.SCORE_ANSWERS,
        "answer_report.page.scoring",
        NOTICE,
        partial(_outcome_lines, context),
    )
    show_remembered(NOTICE)
    to_top(str(started()))
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    version = revision(*context.here, context.by)
    offered = cached(context, version, choices)
    if not offered.systems:
        st.info(context.say("answer_report.page.no_answers"), icon=":material/info:")
        return
    if offered.scorable and context.may(TaskKind.SCORE_ANSWERS.act):
        with st.expander(context.say("answer_report.page.bert"), icon=":material/hub:"):
            _draw_scoring(context)
    _results(context, version, offered)


def _outcome_lines(context: Context, done: Progress) -> list[str]:
    counts = {"done": f"{done.done:,}", "total": f"{done.total:,}"}
    return [context.say("answer_report.page.scored", **counts)]


def _draw_scoring(context: Context) -> None:
    """Draw the form that scores answers with an encoder (BERTScore)."""
    say, case = context.say, f"answer-report-{context.project}"
    st.caption(say("answer_report.page.bert_help"))
    named, numbered, weighed = st.columns([4, 1, 2], vertical_alignment="bottom")
    model = named.text_input(say("answer_report.page.model"), **kept_value(case, "bert-model", ""))
    layer = numbered.number_input(
        say("answer_report.page.layer"), 0, LAYERS, step=1, **kept_value(case, "bert-layer", 0)
    )
    idf = weighed.checkbox(say("answer_report.page.idf"), **kept_value(case, "bert-idf", False))
    asked = st.checkbox(
        say("answer_report.page.against_question"), **kept_value(case, "bert-asked", False)
    )
    label = say("answer_report.page.score")
    if not start_button(
        context, TaskKind.SCORE_ANSWERS, label, icon=":material/play_arrow:", key="bert-start"
    ):
        return
    if not model.strip():
        st.warning(say("answer_report.page.need_model"), icon=":material/edit:")
        return
    setting = BertSetting(model.strip(), int(layer), bool(idf), QUESTION if asked else REFERENCE)
    begin(context, start_scoring, setting)


@fragment
def _results(context: Context, version: str, offered: ReportChoices) -> None:
    """Draw the figures, as a fragment: choices in them redraw nothing else."""
    options = _options(context, offered)
    version += f"-{scores_kept(context.workspace)}"
    with st.spinner(context.say("answer_report.page.making")):
        found = cached(context, version, report, options=options)
    chosen = draw_report(context, as_report(found, context.language), "answers")
    draw_answers(context, found, found.systems[chosen["scores"] or 0].system)
    draw_comparison(context)


def _options(context: Context, offered: ReportChoices) -> ReportOptions:
    """Draw the settings of the report; return them."""
    say = context.say
    kept_settings = settings_kept(context.workspace)
    left, middle, right = st.columns([3, 1, 1])
    with left:
        measures = _measures(context, offered, bool(kept_settings))
    with middle:
        tokeniser = st.selectbox(
            say("answer_report.page.tokeniser"),
            TOKENISERS,
            format_func=lambda each: say(f"answer_report.tokeniser.{each}"),
            help=say("answer_report.page.tokeniser_help"),
            key="answer-tokeniser",
        )
    with right:
        baseline = st.selectbox(
            say("answer_report.page.baseline"),
            [NOTHING, *offered.systems],
            format_func=lambda each: each or say("answer_report.best_each"),
            key="answer-baseline",
        )
    bert = _bert(context, kept_settings) if Measure.BERTSCORE in measures else None
    stratum = _stratum(context, offered)
    judge, pairwise, inference = _judges(context, offered)
    chosen = (str(tokeniser), bert, judge, pairwise, baseline or None, stratum, inference)
    return ReportOptions(measures, *chosen)


def _measures(context: Context, offered: ReportChoices, scored: bool) -> tuple[Measure, ...]:
    """Draw the choice of measures; return the chosen ones."""
    there = [
        each
        for each in Measure
        if getattr(offered, _NEEDS.get(each, "systems"))
        and (scored or each is not Measure.BERTSCORE)
    ]
    picked = st.multiselect(
        context.say("answer_report.page.measures"),
        there,
        [each for each in there if each in USUAL_MEASURES],
        format_func=lambda each: measure_words(each, context.language),
        key=f"answer-measures-{'-'.join(there)}",
    )
    return tuple(each for each in there if each in picked) or tuple(there)


def _bert(context: Context, known: list[BertSetting]) -> BertSetting | None:
    """Draw the choice of the encoder setting if there are several."""
    if len(known) < 2:
        return known[0] if known else None
    chosen = st.selectbox(
        context.say("answer_report.page.bert"),
        range(len(known)),
        format_func=lambda at: known[at].name(),
        key="answer-bert",
    )
    return known[chosen or 0]


def _stratum(context: Context, offered: ReportChoices) -> Stratum | None:
    """Draw the choice of a stratum; return it, None for all questions."""
    say, known = context.say, offered.strata
    left, right = st.columns(2)
    column = left.selectbox(
        say("answer_report.page.stratum"),
        [NOTHING, *known],
        format_func=lambda each: each or say("answer_report.page.stratum_all"),
        key="answer-column",
    )
    if not column:
        return None
    value = right.selectbox(
        md_literal(column),
        list(known[column]),
        format_func=lambda each: (
            f"{say('answer_report.not_stated') if each == NOT_STATED else each}"
            f" ({len(known[column][each]):,})"
        ),
        key=f"answer-stratum-{column}",
    )
    return column, str(value)


def _judges(context: Context, offered: ReportChoices) -> tuple[str | None, str | None, Inference]:
    """Draw the choice of judges and tests; return them."""
    say = context.say
    with st.expander(say("answer_report.page.options"), icon=":material/functions:"):
        columns = st.columns(4)
        judge = pairwise = None
        if len(offered.judges) > 1:
            judge = columns[0].selectbox(
                say("answer_report.page.judge"),
                offered.judges,
                len(offered.judges) - 1,
                format_func=lambda each: judge_words(each, context.language),
                key="answer-judge",
            )
        if len(offered.pairwise) > 1:
            pairwise = columns[1].selectbox(
                say("answer_report.page.pairwise"), offered.pairwise, key="answer-pairwise"
            )
        resamples = columns[2].number_input(
            say("answer_report.page.resamples"),
            FEWEST_RESAMPLES,
            MOST_RESAMPLES,
            RESAMPLES,
            step=100,
            key="answer-resamples",
        )
        family = columns[3].selectbox(
            say("answer_report.page.holm"),
            list(Family),
            format_func=lambda each: say(f"answer_report.page.holm_{each}"),
            key="answer-holm",
        )
    return judge, pairwise, Inference(int(resamples), family or Family.MEASURE)
