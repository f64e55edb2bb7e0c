"""Answer report screen: system scores, the answers behind a cell, trust in each score.

Groups of answers compared by any of their scores, from the presets of the reports.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from evaluation.figure import FEWEST_RESAMPLES, MOST_RESAMPLES, RESAMPLES
from evaluation.ranking.compare import NOT_STATED, Family, Inference
from evaluation.scores import BEST
from llm.batch import Progress
from pages.answers.answers_beside import draw_answers
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, md_literal
from pages.shell.navigation import to_top
from pages.shell.notices import allowed, draw_head, show_remembered
from pages.shell.reports import cached, draw_report
from pages.shell.task_progress import begin, draw_at_top, start_button, started
from pages.shell.widgets import choose
from services.answers.report import choices, report, revision
from services.answers.report_tables import as_report, judge_words, measure_words
from services.answers.report_views import USUAL_MEASURES, Measure, ReportChoices, ReportOptions
from services.answers.score_table import GROUPS, PRESETS, comparison_report, score_table
from services.answers.score_table import revision as revision_of_scores
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


def draw_comparison(context: Context) -> None:
    """Draw, once switched on, a comparison of scores grouped as the reader chooses."""
    if not st.toggle(context.say("score_table.compare"), key="answers-compare"):
        return
    left, right = st.columns(2)
    with left:
        name = choose(
            context, "score_table.preset", list(PRESETS), "score_table.presets", "answers-preset"
        )
    pivot = PRESETS[name]
    with right:
        by = choose(
            context,
            "score_table.group",
            list(GROUPS),
            lambda each: context.say(f"score_table.by_{each}"),
            f"answers-group-{name}",
            default=pivot.by,
        )
    if by != pivot.by:
        pivot = replace(pivot, by=by, against=BEST)
    version = revision_of_scores(*context.here, context.by)
    table = cached(context, version, score_table, context.by)
    draw_report(context, comparison_report(table, pivot, context.language), "answers-compared")


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
    fields = Fields(context, "answer_report.page", "bert", case)
    named, numbered, weighed = fields.row([4, 1, 2], vertical_alignment="bottom")
    model = named.text("model").strip()
    layer = numbered.number("layer", 0, LAYERS, 0, step=1)
    idf = weighed.tick("idf")
    against = QUESTION if fields.tick("against_question", key="asked") else REFERENCE
    label = say("answer_report.page.score")
    if not start_button(
        context, TaskKind.SCORE_ANSWERS, label, icon=":material/play_arrow:", key="bert-start"
    ):
        return
    if not model:
        st.warning(say("answer_report.page.need_model"), icon=":material/edit:")
        return
    begin(context, start_scoring, BertSetting(model, layer, idf, against))


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
    kept_settings = settings_kept(context.workspace)
    left, middle, right = _fields(context).row([3, 1, 1])
    measures = _measures(context, left, offered, bool(kept_settings))
    tokeniser = middle.pick("tokeniser", TOKENISERS, "answer_report.tokeniser")
    baseline = right.pick("baseline", offered.systems, none="answer_report.best_each")
    bert = _bert(context, kept_settings) if Measure.BERTSCORE in measures else None
    stratum = _stratum(context, offered)
    judge, pairwise, inference = _judges(context, offered)
    chosen = (tokeniser, bert, judge, pairwise, baseline or None, stratum, inference)
    return ReportOptions(measures, *chosen)


def _fields(context: Context) -> Fields:
    """Return the fields of the report's settings."""
    return Fields(context, "answer_report.page", "answer")


def _measures(
    context: Context, fields: Fields, offered: ReportChoices, scored: bool
) -> tuple[Measure, ...]:
    """Draw the choice of measures; return the chosen ones, all that are available if none.

    `scored` says whether answers have BERTScores.
    """
    there = [
        each
        for each in Measure
        if getattr(offered, _NEEDS.get(each, "systems"))
        and (scored or each is not Measure.BERTSCORE)
    ]
    usual = [each for each in there if each in USUAL_MEASURES]
    key = f"measures-{'-'.join(there)}"

    def words(measure: Measure) -> str:
        """Return the display name of a measure."""
        return measure_words(measure, context.language)

    picked = fields.several("measures", there, words, usual, key=key)
    return tuple(each for each in there if each in picked) or tuple(there)


def _bert(context: Context, known: list[BertSetting]) -> BertSetting | None:
    """Return the only encoder setting, of several the one that the reader picks; None without."""
    if len(known) < 2:
        return known[0] if known else None
    at = _fields(context).pick("bert", range(len(known)), lambda at: known[at].name(), help=None)
    return known[at]


def _stratum(context: Context, offered: ReportChoices) -> Stratum | None:
    """Draw the choice of a stratum; return it, None for all questions."""
    known = offered.strata
    left, right = _fields(context).row(2)
    column = left.pick("stratum", known, none="answer_report.page.stratum_all", key="column")
    if not column:
        return None

    def words(value: str) -> str:
        """Return a value with its number of questions."""
        name = context.say("answer_report.not_stated") if value == NOT_STATED else value
        return f"{name} ({len(known[column][value]):,})"

    key = f"stratum-{column}"
    value = right.pick("stratum", known[column], words, label=md_literal(column), key=key)
    return column, value


def _judges(context: Context, offered: ReportChoices) -> tuple[str | None, str | None, Inference]:
    """Draw the choices of both judges and the tests; return them.

    A judge is None where fewer than two are available.
    """
    say = context.say
    with st.expander(say("answer_report.page.options"), icon=":material/functions:"):
        first, second, third, fourth = _fields(context).row(4)
        judge = pairwise = None
        if len(offered.judges) > 1:
            judge = first.pick(
                "judge",
                offered.judges,
                lambda each: judge_words(each, context.language),
                offered.judges[-1],
            )
        if len(offered.pairwise) > 1:
            pairwise = second.pick("pairwise", offered.pairwise)
        bounds = FEWEST_RESAMPLES, MOST_RESAMPLES, RESAMPLES
        resamples = third.number("resamples", *bounds, step=100)
        family = fourth.pick("holm", Family, lambda each: say(f"answer_report.page.holm_{each}"))
    return judge, pairwise, Inference(resamples, family)
