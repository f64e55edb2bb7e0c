"""Leaderboard screen: run methods, compare runs, open the questions behind every figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from evaluation.figure import FEWEST_RESAMPLES, MOST_RESAMPLES, RESAMPLES
from evaluation.ranking.compare import Family, Inference
from evaluation.ranking.scoring import LEADERBOARD, OFFERED, ORDERING, SHOWN, parse_measure
from pages.runs.board_views import draw_marks, draw_run_choice, draw_saving, draw_view_choice
from pages.runs.query_filters import Opened
from pages.runs.query_scores import draw_queries
from pages.runs.run_costs import draw_run_costs
from pages.runs.run_form import NOTICE, draw_form, notices_of_run
from pages.runs.run_table import draw_recall_bounds, draw_runs, draw_simple_baselines
from pages.runs.trec_files import draw_files, draw_import
from pages.shell.context import Context
from pages.shell.gold_choice import draw_gold_choice
from pages.shell.guard import fragment, md_literal
from pages.shell.interval_chart import Bar, grouped_bars
from pages.shell.navigation import to_top
from pages.shell.notices import allowed, draw_head, show_remembered
from pages.shell.task_progress import begin, draw_at_top, start_button, started
from pages.shell.widgets import NOTHING
from services.background.retrieval import start_refresh
from services.background.tasks import TaskKind
from services.gold.gold_set import GoldSets, read_gold
from services.runs.costs import unanswered
from services.runs.identifiers import writing_notes
from services.runs.refreshing import Refreshed, refreshed_lines, stale_runs
from services.runs.rows import Board, RunLine, leaderboard, numbered, run_reranker_notes
from services.runs.score_table import (
    compared_lines,
    family_note,
    family_words,
    gold_notes,
    left_out_notes,
    searched_notes,
    split_notes,
    stale_note,
    unscored_said,
    untested_said,
)
from services.runs.significance import RunScores, Significance
from services.runs.strata import Stratum, strata_of, value_said
from services.runs.views import NamedView, RunChoices, View, compare_view, newest_first, run_choices

_CHARTED = 5  # runs: more bars per measure are indistinguishable


def draw_controls(
    context: Context, board: Board, choices: RunChoices, runs: tuple[int, ...], gold: str
) -> View:
    """Draw the selectors and return the chosen view; `runs` are compared."""
    measures, ordering = st.columns([3, 1])
    baseline, column, value = st.columns([2, 1, 1])
    with measures:
        chosen = _measures(context)
    with ordering:
        order = _order(context, chosen)
    with baseline:
        against = _baseline(context, choices)
    stratum = _stratum(context, column, value, board.golds)
    made = _inference(context)
    return View(
        runs=runs,
        measures=chosen,
        order=order,
        baseline=against,
        stratum=stratum,
        gold=gold,
        resamples=made.resamples,
        holm_over=made.family.value,
        unlike=_unlike(context, board.runs),
    )


def _unlike(context: Context, runs: Sequence[RunLine]) -> bool:
    """Draw the switch that tests runs over other questions or law too, if there are any."""
    if not any(run.left_out for run in runs):
        return False
    words, help_ = context.say("run_marks.unlike"), context.say("run_marks.unlike_help")
    return bool(st.toggle(words, key="board-unlike", help=help_))


def _measures(context: Context) -> tuple[str, ...]:
    key, shown = "board-measures", list(map(repr, SHOWN))
    offered = dict.fromkeys((*map(repr, OFFERED), *st.session_state.get(key, ())))
    st.session_state.setdefault(key, shown)
    picked = st.multiselect(context.say("leaderboard.measures"), list(offered), key=key)
    return tuple(picked) or tuple(map(repr, LEADERBOARD))


def _order(context: Context, keys: Sequence[str]) -> str:
    first = keys.index(repr(ORDERING)) if repr(ORDERING) in keys else 0
    return str(
        st.selectbox(context.say("leaderboard.order"), keys, first, key=f"order-{'-'.join(keys)}")
    )


def _baseline(context: Context, choices: RunChoices) -> int | None:
    labels = {run.run_id: run.label for run in choices.runs}
    picked = st.selectbox(
        context.say("leaderboard.baseline"),
        [NOTHING, *labels],
        format_func=lambda run: (
            context.say("leaderboard.baseline_best") if run == NOTHING else f"{run} · {labels[run]}"
        ),
        help=context.say("leaderboard.baseline_help"),
        key="board-baseline",
    )
    return picked if isinstance(picked, int) else None


def _inference(context: Context) -> Inference:
    say = context.say
    with st.expander(say("leaderboard.inference"), icon=":material/functions:"):
        left, right = st.columns(2)
        resamples = left.number_input(
            say("leaderboard.resamples"),
            FEWEST_RESAMPLES,
            MOST_RESAMPLES,
            RESAMPLES,
            step=100,
            help=say("leaderboard.resamples_help"),
            key="board-resamples",
        )
        family = right.selectbox(
            say("leaderboard.holm"),
            list(Family),
            format_func=lambda each: family_words(each, context.language),
            help=say("leaderboard.holm_help"),
            key="board-holm",
        )
    return Inference(int(resamples), family or Family.MEASURE)


def _stratum(context: Context, left: object, right: object, gold: GoldSets) -> Stratum | None:
    columns = strata_of(*context.here, context.by, gold)
    if st.session_state.get("board-column", NOTHING) not in (NOTHING, *columns):
        del st.session_state["board-column"]  # of a saved view on gold without that column
    with left:  # type: ignore[attr-defined]
        column = st.selectbox(
            context.say("leaderboard.stratum"),
            [NOTHING, *columns],
            format_func=lambda name: name or context.say("leaderboard.stratum_all"),
            help=context.say("leaderboard.stratum_help"),
            key="board-column",
        )
    if not column:
        return None
    values = columns[column]
    with right:  # type: ignore[attr-defined]
        value = st.selectbox(
            column,
            list(values),
            format_func=lambda each: (
                f"{value_said((column, each), context.language)} ({len(values[each])})"
            ),
            key=f"board-stratum-{column}",
        )
    return column, value


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "leaderboard")
    draw_at_top(
        context, TaskKind.RUN, "leaderboard.running", NOTICE, partial(notices_of_run, context)
    )
    draw_at_top(context, TaskKind.REFRESH, "refresh.running", NOTICE, partial(_refreshed, context))
    show_remembered(NOTICE)
    to_top(str(started()))
    if not allowed(context, Act.SEE_SCORES):
        return
    view = draw_view_choice(context)
    read = read_gold(*context.here, context.by)
    gold = draw_gold_choice(context, read)
    board = leaderboard(*context.here, context.by, gold=gold, read=read)
    if allowed(context, Act.RUN_RETRIEVAL):
        with st.expander(
            context.say("run_form.title"), icon=":material/play_arrow:", expanded=not board.runs
        ):
            draw_form(context, board)
        with st.expander(context.say("run_files.title"), icon=":material/upload_file:"):
            draw_import(context, NOTICE)
    if board.runs or board.retired:
        _results(context, board, gold, view)
    elif board.questions:
        st.info(context.say("leaderboard.no_runs"), icon=":material/info:")


def _refreshed(context: Context, refreshed: Refreshed) -> Sequence[str]:
    return refreshed_lines(refreshed, context.language)


def _refresh(context: Context, board: Board, gold: str) -> None:
    """Draw the button that refreshes stale runs, if there are any."""
    stale = stale_runs(board.runs)
    if not stale or not context.may(Act.RUN_RETRIEVAL):
        return
    words, help_ = context.say("refresh.button", count=len(stale)), context.say("refresh.help")
    icon = ":material/update:"
    if start_button(context, TaskKind.REFRESH, words, key="runs-refresh", icon=icon):
        begin(context, start_refresh, gold)
    st.caption(help_)


@fragment
def _results(context: Context, board: Board, gold: str, view: NamedView | None) -> None:
    """Draw the runs, as a fragment: selecting among them redraws nothing else."""
    st.header(context.say("leaderboard.runs"), anchor=False)
    _refresh(context, board, gold)
    choices = run_choices(*context.here, context.by)
    compared = draw_run_choice(context, choices)
    marking = partial(_draw_marking, context, choices)
    if not compared:
        st.caption(md_literal("  \n".join(choices.notes((), context.language))))
        marking()
        return
    reading = draw_controls(context, board, choices, compared, gold)
    with st.spinner(context.say("leaderboard.scoring")):
        scores = compare_view(*context.here, reading, context.by, golds=board.golds)
    now = reading.model_copy(update={"gold": scores.gold.label, "runs": newest_first(_ids(scores))})
    draw_saving(context, view, now, NOTICE)
    runs = {run.run_id: run.line for run in scores.runs}
    scores = replace(scores, runs=_labelled_runs(context, choices, scores))
    if not scores.scored:
        st.info(md_literal(unscored_said(reading.stratum, None, context.language)))
        draw_queries(context, _opened_run(board, reading, scores.runs[0].line, reading.order))
        return
    run, measure = draw_runs(context, runs, scores, reading.order)
    _notes(context, choices, reading, scores)
    draw_recall_bounds(context)
    draw_files(context, scores, run)
    marking()
    chart = context.say("leaderboard.chart")
    with st.expander(chart, icon=":material/bar_chart:", expanded=True):
        _chart(context, scores)
    if scores.untested:
        st.info(md_literal(untested_said(scores, context.language)), icon=":material/rule:")
    elif scores.tested:
        place = [column.measure for column in scores.columns].index(reading.order)
        draw_simple_baselines(
            context, scores.columns, compared_lines(scores), place, "leaderboard-simple"
        )
    draw_run_costs(context, [runs[each.run_id] for each in scores.runs])
    draw_queries(context, _opened_run(board, reading, run, measure))


def _ids(scores: Significance) -> tuple[int, ...]:
    return tuple(run.run_id for run in scores.runs)


def _draw_marking(context: Context, choices: RunChoices) -> None:
    if context.may(Act.RUN_RETRIEVAL):
        with st.expander(context.say("run_marks.title"), icon=":material/label:"):
            draw_marks(context, choices.runs, NOTICE)


def _labelled_runs(
    context: Context, choices: RunChoices, scores: Significance
) -> tuple[RunScores, ...]:
    """Return the runs, labelled by their experiment if they represent one."""
    standing = choices.standing(_ids(scores))
    return tuple(
        replace(
            run, line=replace(run.line, label=standing[run.run_id].row(run.label, context.language))
        )
        if run.run_id in standing
        else run
        for run in scores.runs
    )


def _opened_run(board: Board, reading: View, run: RunLine, measure: str) -> Opened:
    first = parse_measure(measure)
    others = tuple(each for each in board.runs if each.run_id != run.run_id)
    return Opened(
        run=run,
        measures=(first, *(each for each in map(parse_measure, reading.measures) if each != first)),
        baseline=next((other for other in others if other.run_id == reading.baseline), None),
        others=others,
        stratum=reading.stratum,
        gold=reading.gold,
        golds=board.golds,
    )


def _notes(context: Context, choices: RunChoices, reading: View, scores: Significance) -> None:
    language, shown = context.language, [run.line for run in scores.runs]
    asked = context.say("leaderboard.n", resamples=f"{reading.resamples:,}")
    lines = [md_literal(note) for note in gold_notes(scores, language)]
    lines += [context.say("leaderboard.pick_cell"), asked]
    if scores.tested and not scores.untested and len(shown) > 1:
        which = "marks_best" if reading.baseline is None else "marks"
        lines.append(context.say("leaderboard.best"))
        lines.append(context.say(f"leaderboard.{which}", run=reading.baseline))
        lines.append(md_literal(family_note(scores, language)))
    lines += [md_literal(note) for note in choices.notes(_ids(scores), language)]
    lines += [md_literal(note) for note in left_out_notes(scores, language)]
    lines += [md_literal(note) for note in split_notes(scores, context.language)]
    lines += [md_literal(note) for note in searched_notes(scores.runs, context.language)]
    if stale := stale_note(scores, language):
        lines.append(md_literal(stale))
    lines += [md_literal(note) for note in run_reranker_notes(shown, context.language)]
    named = [(numbered(run.run_id, language), run.cost) for run in shown]
    lines += [md_literal(note) for note in writing_notes(named, language)]
    told = (unanswered(cost).said(name, language) for name, cost in named)
    lines += [md_literal(note) for note in told if note]
    st.caption("  \n".join(lines))


def _chart(context: Context, scores: Significance) -> None:
    shown = scores.runs[:_CHARTED]
    bars = [
        Bar(column.measure, f"{run.run_id} · {run.label}", run.cells[place].figure)
        for run in shown
        for place, column in enumerate(scores.columns)
        if run.cells[place].figure.value is not None
    ]
    grouped_bars(bars, context.say("leaderboard.chart_alt"), "leaderboard-chart")
    if len(scores.runs) > _CHARTED:
        st.caption(context.say("leaderboard.charted", count=_CHARTED, total=len(scores.runs)))
