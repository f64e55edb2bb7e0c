"""Leaderboard screen: run methods, compare runs, open the questions behind every figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotation.people.roles import Act
from evaluation.figure import FEWEST_RESAMPLES, MOST_RESAMPLES, RESAMPLES
from evaluation.ranking.compare import Family
from evaluation.ranking.scoring import LEADERBOARD, ORDERING, SHOWN, offered, parse_measure
from pages.law.snapshot_choice import link_to_all
from pages.runs.board_views import (
    draw_marks,
    draw_run_choice,
    draw_saving,
    draw_view_choice,
    named_run,
    picked_since,
)
from pages.runs.query_filters import Opened
from pages.runs.query_scores import draw_queries
from pages.runs.run_form import NOTICE, draw_form, notices_of_run
from pages.runs.run_table import draw_recall_bounds, draw_runs, draw_simple_baselines
from pages.runs.trec_files import draw_files, draw_import
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.gold_choice import draw_gold_choice
from pages.shell.guard import fragment, md_literal
from pages.shell.navigation import to_top
from pages.shell.notices import allowed, draw_head, show_remembered
from pages.shell.reports import draw_section
from pages.shell.task_progress import begin, draw_at_top, start_button, started
from pages.shell.widgets import NOTHING
from services.background.retrieval import start_refresh
from services.background.tasks import TaskKind
from services.gold.gold_set import GoldSets, read_gold
from services.runs.board_report import Pick, board_report, runs_of_row
from services.runs.costs import asking_notes
from services.runs.refreshing import refreshed_lines, stale_runs
from services.runs.rows import Board, RunLine, leaderboard, numbered
from services.runs.score_table import (
    doubt_note,
    family_note,
    family_words,
    gold_notes,
    left_out_notes,
    searched_notes,
    split_notes,
    stale_note,
    unscored_text,
    untested_text,
)
from services.runs.significance import RunScores, Significance
from services.runs.strata import Stratum, strata_of, value_in_words
from services.runs.views import NamedView, RunChoices, View, compare_view, newest_first, run_choices

_PICKS = "board-picks"


def draw_controls(
    context: Context, board: Board, choices: RunChoices, runs: tuple[int, ...], gold: str
) -> View:
    """Draw the selectors and return the chosen view; `runs` are compared."""
    say, key = context.say, "board-measures"
    left, right = st.columns([3, 1])
    known = dict.fromkeys((*map(repr, offered()), *st.session_state.get(key, ())))
    st.session_state.setdefault(key, list(map(repr, SHOWN)))
    picked = left.multiselect(say("leaderboard.measures"), list(known), key=key)
    measures = tuple(picked) or tuple(map(repr, LEADERBOARD))
    first = measures.index(repr(ORDERING)) if repr(ORDERING) in measures else 0
    order = right.selectbox(
        say("leaderboard.order"), measures, first, key=f"order-{'-'.join(measures)}"
    )
    left, middle, right = st.columns([2, 1, 1])
    labels = {run.run_id: run.name for run in choices.runs}
    fields = Fields(context, "leaderboard", "board")
    named = labels.__getitem__
    baseline = fields.within(left).pick("baseline", labels, named, none="leaderboard.baseline_best")
    stratum = _stratum(fields.within(middle), fields.within(right), board.golds)
    resamples, family = _inference(fields)
    unlike = any(run.left_out for run in board.runs) and st.toggle(
        say("run_marks.unlike"), key="board-unlike", help=say("run_marks.unlike_help")
    )
    return View(
        runs=runs,
        measures=measures,
        order=order,
        baseline=baseline or None,
        stratum=stratum,
        gold=gold,
        resamples=resamples,
        holm_over=family,
        unlike=unlike,
    )


def _inference(fields: Fields) -> tuple[int, str]:
    """Draw the settings of intervals and tests: resamples, and what Holm's correction is over."""
    bounds, language = (FEWEST_RESAMPLES, MOST_RESAMPLES, RESAMPLES), fields.context.language
    with st.expander(fields.context.say("leaderboard.inference"), icon=":material/functions:"):
        left, right = fields.row(2)
        resamples = left.number("resamples", *bounds, step=100)
        family = right.pick("holm", Family, lambda each: family_words(each, language))
    return resamples, str(family)


def _stratum(left: Fields, right: Fields, gold: GoldSets) -> Stratum | None:
    """Draw the choice of a stratum; return it, None for all questions."""
    context = left.context
    columns = strata_of(*context.here, context.by, gold)
    if st.session_state.get("board-column", NOTHING) not in (NOTHING, *columns):
        del st.session_state["board-column"]  # of a saved view on gold without that column
    column = left.pick("stratum", columns, none="leaderboard.stratum_all", key="column")
    if not column:
        return None
    sizes = {value: len(questions) for value, questions in columns[column].items()}
    value = right.pick(
        column,
        sizes,
        lambda each: f"{value_in_words((column, each), context.language)} ({sizes[each]})",
        key=f"stratum-{column}",
        label=column,
        help=None,
    )
    return column, value


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "leaderboard")
    draw_at_top(
        context, TaskKind.RUN, "leaderboard.running", NOTICE, partial(notices_of_run, context)
    )
    draw_at_top(
        *(context, TaskKind.REFRESH, "refresh.running", NOTICE),
        partial(refreshed_lines, language=context.language),
    )
    acts = show_remembered(NOTICE) + started()
    to_top(str(started()))
    if allowed(context, Act.SEE_SCORES):
        _results(context, acts)


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


def _draw_making(context: Context, board: Board, *containers: Callable[..., Any]) -> None:
    """Draw the forms that make and import a run, each in one of two `containers` that hide it."""
    if not allowed(context, Act.RUN_RETRIEVAL):
        return
    make, bring = containers
    with make(context.say("run_form.title"), icon=":material/play_arrow:"):
        draw_form(context, board)
    with bring(context.say("run_files.title"), icon=":material/upload_file:"):
        draw_import(context, NOTICE)


@fragment
def _results(context: Context, acts: int) -> None:
    """Draw choices and results, as a fragment: selecting among them redraws nothing else.

    `acts` counts the acts of this session: with each, the popovers are new and so shut.
    """
    best, bar = st.container(), st.container(horizontal=True)
    reading = bar.popover(context.say("leaderboard.choices"), icon=":material/tune:")
    with reading:
        view = draw_view_choice(context)
        read = read_gold(*context.here, context.by)
        gold = draw_gold_choice(context, read)
    board = leaderboard(*context.here, context.by, gold=gold, read=read)
    if not board.runs and not board.retired:
        _draw_making(context, board, partial(st.expander, expanded=True), st.expander)
        if board.questions:
            st.info(context.say("leaderboard.no_runs"), icon=":material/info:")
        return
    with bar:
        making = (partial(st.popover, key=f"board-{name}-{acts}") for name in ("run", "import"))
        _draw_making(context, board, *making)
    choices = run_choices(*context.here, context.by)
    named = named_run(choices)
    with reading:
        compared = draw_run_choice(context, choices)
        chosen = draw_controls(context, board, choices, compared, gold) if compared else None
    _refresh(context, board, gold)
    if chosen is None:
        st.caption(md_literal("  \n".join(choices.notes((), context.language))))
        _draw_marking(context, choices, acts)
        return
    with st.spinner(context.say("leaderboard.scoring")):
        scores = compare_view(*context.here, chosen, context.by, golds=board.golds)
    ids = tuple(run.run_id for run in scores.runs)
    lines = {run.run_id: run.line for run in scores.runs}
    scores = replace(scores, runs=_labelled_runs(context, choices, scores))
    picked: Pick | None = None
    now = chosen.model_copy(update={"gold": scores.gold.label, "runs": newest_first(ids)})
    _view_notes(context, view, now)
    if scores.scored:
        picked = _draw_figures(context, choices, chosen, scores, best)
        draw_recall_bounds(context)
    else:
        best.info(md_literal(unscored_text(chosen.stratum, None, context.language)))
    if named is not None and named in lines:
        picked = picked_since(picked) or (named, chosen.order, None)
    opened: Pick = picked or (ids[0], chosen.order, None)
    with st.container(horizontal=True):
        draw_files(context, scores, lines[opened[0]])
        if context.may(Act.RUN_RETRIEVAL):
            title, key = context.say("run_views.save_title"), f"board-save-{acts}"
            with st.popover(title, icon=":material/bookmark:", key=key):
                draw_saving(context, view, now, NOTICE)
        _draw_marking(context, choices, acts)
    words = context.say("leaderboard.queries", run=opened[0])
    with st.expander(words, icon=":material/list:", expanded=picked is not None):
        draw_queries(context, _opened_run(board, chosen, lines[opened[0]], *opened[1:]))


def _draw_figures(
    context: Context,
    choices: RunChoices,
    reading: View,
    scores: Significance,
    best: DeltaGenerator,
) -> Pick | None:
    """Draw the table and the charts, the sentence on them in `best`; return what was picked."""
    report = board_report(scores, reading.order, context.language)
    best.markdown(md_literal(report.lead))
    picks = [draw_runs(context, scores, reading.order)]
    _notes(context, choices, reading, scores)
    if scores.untested:
        st.info(md_literal(untested_text(scores, context.language)), icon=":material/rule:")
    places = (st.container(), *st.columns(max(1, len(report.filled) - 1)))
    for section, place in zip(report.filled, places, strict=False):
        with place:
            row = draw_section(context, section, "leaderboard")
        picks.append(None if row is None else runs_of_row(section, row, reading.order))
    if scores.tested and not scores.untested:
        with st.expander(context.say("significance.simple_head"), icon=":material/start:"):
            draw_simple_baselines(
                context,
                scores.columns,
                scores.runs,
                scores.measures.index(reading.order),
                "leaderboard-simple",
            )
    return _last_pick(picks)


def _last_pick(picks: Sequence[Pick | None]) -> Pick | None:
    """Return the pick made last: the table and each chart may have one."""
    before, last = st.session_state.get(_PICKS, ((), None))
    new = [pick for pick in picks if pick and pick not in before]
    last = new[0] if new else last if last in picks else next(filter(None, picks), None)
    st.session_state[_PICKS] = tuple(picks), last
    return last


def _view_notes(context: Context, view: NamedView | None, now: View) -> None:
    """Draw how a saved view differs from what there is now."""
    for note in view.notes(context.language) if view else ():
        st.info(md_literal(note), icon=":material/history:")
    if view and view.view != now:
        st.caption(md_literal(context.say("run_views.changed", name=view.name)))


def _draw_marking(context: Context, choices: RunChoices, acts: int) -> None:
    """Draw the form that tags or retires runs."""
    if context.may(Act.RUN_RETRIEVAL):
        title, key = context.say("run_marks.title"), f"board-marks-{acts}"
        with st.popover(title, icon=":material/label:", key=key):
            draw_marks(context, choices.runs, NOTICE)


def _labelled_runs(
    context: Context, choices: RunChoices, scores: Significance
) -> tuple[RunScores, ...]:
    """Return the runs, labelled by their experiment if they represent one."""
    standing = choices.standing([run.run_id for run in scores.runs])
    return tuple(
        replace(
            run, line=replace(run.line, label=standing[run.run_id].row(run.label, context.language))
        )
        if run.run_id in standing
        else run
        for run in scores.runs
    )


def _opened_run(
    board: Board, reading: View, run: RunLine, measure: str, beside: int | None
) -> Opened:
    """Return the opened run with the measures and the runs that it is compared with."""
    first, beside = parse_measure(measure), beside or reading.baseline
    others = tuple(each for each in board.runs if each.run_id != run.run_id)
    return Opened(
        run=run,
        measures=(first, *(each for each in map(parse_measure, reading.measures) if each != first)),
        baseline=next((other for other in others if other.run_id == beside), None),
        others=others,
        stratum=reading.stratum,
        gold=reading.gold,
        golds=board.golds,
    )


def _notes(context: Context, choices: RunChoices, reading: View, scores: Significance) -> None:
    """Draw the notes needed to read the table, and the others behind a press."""
    language, shown = context.language, [run.line for run in scores.runs]
    marked = [context.say("leaderboard.pick_cell")]
    more = [*gold_notes(scores, language)]
    if scores.tested and not scores.untested and len(shown) > 1:
        which = "marks_best" if reading.baseline is None else "marks"
        marked.append(context.say("leaderboard.best"))
        marked.append(context.say(f"leaderboard.{which}", run=reading.baseline))
        more.append(family_note(scores, language))
    named = [(numbered(run.run_id, language), run.spec, run.cost) for run in shown]
    lines = [
        *choices.notes([run.run_id for run in scores.runs], language),
        *left_out_notes(scores, language),
        stale_note(scores, language),
        doubt_note(scores.gold, language),
        *searched_notes(scores.runs, language),
        *asking_notes(named, language),
    ]
    lines = [md_literal(note) for note in lines if note]
    if any(scores.gold.doubted):
        lines.append(link_to_all(context))
    st.caption("  \n".join([" ".join(marked), *lines]))
    more = [md_literal(note) for note in (*more, *split_notes(scores, language))]
    with st.expander(context.say("leaderboard.notes"), icon=":material/info:"):
        asked = context.say("leaderboard.n", resamples=f"{reading.resamples:,}")
        st.caption("  \n".join([asked, *more]))
