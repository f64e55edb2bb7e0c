"""Overview screen: next step, progress of tasks and batches, questions by state, runs.

It shows everybody's work, so annotators do not see it. All of it comes from
`services.overview.report` and is cached until something is added to the project.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from annotation.people.roles import Act
from annotation.work.submissions import beginning
from pages.shell.context import Context
from pages.shell.guard import fragment, md_literal
from pages.shell.navigation import screen_link
from pages.shell.notices import allowed
from pages.shell.widgets import draw_table, note_brackets, pick_row
from services.overview.progress import DAYS, FEWEST, WorkLine
from services.overview.questions import STATES, Questions
from services.overview.report import AgreementLine, Overview, agreement_lines, overview, revision
from services.overview.words import (
    batch_name,
    deadline_said,
    end_said,
    figure_columns,
    no_interval_said,
    pace_said,
    people_said,
    run_said,
    snapshot_said,
    statistic_said,
    sum_said,
    task_name,
)
from storage.db.workspace import Workspace
from storage.tasks import Task

_SECONDS = 30  # how long changes that add no row may go unnoticed
_WIDTHS = {"by": 320, "pace": 150, "deadline": 170}  # pixels
_HEAD = 36  # pixels of a table's head, with its border
_ROW = 28  # pixels of a row: a small project fits without scrolling
_MOST = 12  # rows of a table; a longer one scrolls
_WORDS = "overview"
_STYLE = """<style>
.st-key-next-step { background: rgb(128 128 128 / 0.08); border-radius: 0.5rem; }
.st-key-next-step [data-testid="stPageLink-NavLink"] { height: auto; }
.st-key-next-step [data-testid="stPageLink-NavLink"] * {
  white-space: normal; overflow-wrap: anywhere; font-weight: 600; }
.st-key-overview h2 { padding-block: 0.25rem; font-size: 1.15rem; }
</style>"""


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("overview.title"), anchor=False)
    if not context.may(Act.READ_OTHERS_LABELS):
        st.info(context.say("overview.only"), icon=":material/visibility_off:")
        allowed(context, Act.READ_OTHERS_LABELS)
        return
    st.html(_STYLE)
    version = revision(*context.here, context.by)
    where = context.workspace.place, context.project, context.by, version
    found = _overview(*where, context.workspace)
    _draw_next_step(context, found)
    with st.container(gap="small", key="overview"):
        _work(context, found)
        left, right = st.columns([2, 3], gap="medium")
        with left:
            _questions(context, found)
            _draw_in_doubt(context, found)
        with right:
            agreement = st.container(gap="small")
            _runs(context, found)
    with agreement:  # last: intervals take longer than everything else
        lines = _agreement(*where, found.tasks, context.workspace)
        _draw_agreement(context, lines)


@st.cache_data(max_entries=64, ttl=_SECONDS, show_spinner=False)
def _overview(place: str, project: str, by: int, version: str, _ws: Workspace) -> Overview:
    return overview(_ws, project, by)


@st.cache_data(max_entries=64, show_spinner=False)
def _agreement(
    place: str, project: str, by: int, version: str, tasks: tuple[Task, ...], _ws: Workspace
) -> list[AgreementLine]:
    return agreement_lines(_ws, project, tasks, by)


def _draw_next_step(context: Context, overview: Overview) -> None:
    """Draw the next step as a link to its screen."""
    with st.container(key="next-step"):
        words = f"{context.say('overview.next_first')}: {overview.next.say(context.language)}"
        screen_link(
            context, overview.next.screen, words, ":material/arrow_forward:", **overview.next.asked
        )


@fragment
def _work(context: Context, overview: Overview) -> None:
    """Draw a row per task and batch, with the people of the selected one."""
    say, language = context.say, context.language
    st.header(say("overview.work"), anchor=False)
    if not overview.work:
        st.info(say("overview.none"), icon=":material/inbox:")
        return
    lines = overview.work
    columns = {
        "overview.task": [_work_name(line, language) for line in lines],
        "overview.done": [f"{line.made:,} / {line.wanted:,}" for line in lines],
        "overview.complete": [f"{line.complete:,} / {line.items:,}" for line in lines],
        "overview.by": [people_said(line) for line in lines],
        "overview.pace": [pace_said(line, language) for line in lines],
        "overview.end": [end_said(line, language) for line in lines],
        "overview.deadline": [deadline_said(line, language) for line in lines],
        "overview.disputes": [_disputes_text(overview, line) for line in lines],
    }
    row = pick_row(
        context,
        _WORDS,
        columns,
        "overview-work",
        config=_work_columns(context),
        row_height=_ROW,
        height=_height(len(lines)),
        alt=say("overview.work"),
    )
    if row is None:
        st.caption(f":material/touch_app: {say('overview.pick_work')}")
    else:
        _people(context, lines[row])


def _work_columns(context: Context) -> dict[str, Any]:
    text = st.column_config.TextColumn
    help_of = {name: context.say(f"overview.{name}_help") for name in ("done", "complete", "by")}
    help_of |= {name: context.say(f"overview.{name}_help") for name in ("end", "disputes")}
    help_of["pace"] = context.say("overview.pace_help", days=DAYS, fewest=FEWEST)
    shapes = {
        f"overview.{name}": text(help=words, width=_WIDTHS.get(name))
        for name, words in help_of.items()
    }
    return shapes | {"overview.deadline": text(width=_WIDTHS["deadline"])}


def _work_name(line: WorkLine, language: str) -> str:
    return f"  ↳ {batch_name(line, language)}" if line.batch else task_name(line, language)


def _disputes_text(overview: Overview, line: WorkLine) -> str:
    count = None if line.batch else overview.disputes.get(line.task)
    return "" if count is None else f"{count:,}"


def _people(context: Context, line: WorkLine) -> None:
    """Draw each person's share of a task or batch, with a link to batches or agreement."""
    say, language = context.say, context.language
    with st.container(border=True):
        st.markdown(f"**{md_literal(_work_name(line, language).strip(' ↳'))}**")
        columns = {
            "overview.person": [each.person for each in line.people],
            "overview.submitted": [each.submitted for each in line.people],
            say("overview.lately", days=DAYS): [each.lately for each in line.people],
            "overview.pace": [None if e.pace is None else round(e.pace, 1) for e in line.people],
        }
        draw_table(context, _WORDS, columns, "overview-people", placeholder="–")
        if line.beyond:
            st.caption(say("overview.beyond", count=f"{line.beyond:,}"))
        screen = "assignment" if line.batch else "agreement"
        screen_link(context, screen, say(f"app.pages.{screen}"), ":material/arrow_forward:")


@fragment
def _questions(context: Context, overview: Overview) -> None:
    """Draw the number of questions per state, with the questions of the selected state."""
    say, of = context.say, overview.questions
    st.header(say("overview.questions"), anchor=False)
    if not of.total:
        st.caption(say("overview.no_questions"))
        return
    st.markdown(f"**{sum_said(overview, context.language)}**")
    states = [state for state in STATES if of.count(state)]
    columns = {
        "overview.count": [of.count(state) for state in states],
        "overview.state_of": [say(f"overview.state.{state}") for state in states],
    }
    row = pick_row(
        context,
        _WORDS,
        columns,
        "overview-states",
        wide="overview.state_of",
        config={"overview.count": st.column_config.NumberColumn(width="small")},
        row_height=_ROW,
        height=_height(len(states)),
        alt=say("overview.questions"),
    )
    if of.inheriting:
        st.caption(say("overview.inheriting", count=f"{of.inheriting:,}"))
    if row is None:
        st.caption(f":material/touch_app: {say('overview.pick_state')}")
    else:
        _draw_questions_in_state(context, of, states.__getitem__(row))


def _draw_questions_in_state(context: Context, of: Questions, state: str) -> None:
    """Draw the questions of a state, each with a link to its history."""
    say = context.say
    lines = next(found for name, found in of.states.items() if name == state)
    with st.container(border=True):
        name = say(f"overview.state.{state}")
        st.markdown(
            f"**{md_literal(say('overview.behind', state=name, count=f'{len(lines):,}'))}**"
        )
        link = st.column_config.LinkColumn(display_text=say("overview.open_history"), width="small")
        columns = {
            "overview.question_id": [each.external_id for each in lines],
            "overview.history": [context.link("history", item=e.external_id) for e in lines],
            "overview.question": [beginning(each.question) for each in lines],
        }
        config = {
            "overview.question_id": st.column_config.TextColumn(width="small"),
            "overview.history": link,
        }
        key = f"overview-behind-{state}"
        draw_table(context, _WORDS, columns, key, wide="overview.question", config=config)


def _draw_agreement(context: Context, lines: Sequence[AgreementLine]) -> None:
    """Draw the agreement on each task."""
    say, language = context.say, context.language
    st.header(say("overview.agreement"), help=say("overview.agreement_help"), anchor=False)
    if not lines:
        st.caption(say("overview.none"))
        return
    scored = [line for line in lines if line.statistic]
    if scored:
        columns = {
            "overview.task_name": [task_name(line, language) for line in scored],
            **figure_columns(scored, language),
            "overview.statistic": [statistic_said(line, language) for line in scored],
        }
        height = _height(len(scored))
        alt = say("overview.agreement")
        draw_table(
            context, _WORDS, columns, "overview-agreement", row_height=_ROW, height=height, alt=alt
        )
    note_brackets(context, (line.figure for line in scored))
    if why := no_interval_said(lines, language):
        st.caption(md_literal(why))
    if rest := [task_name(line, language) for line in lines if not line.statistic]:
        st.caption(say("overview.no_figures", tasks=", ".join(rest)))


def _draw_in_doubt(context: Context, overview: Overview) -> None:
    """Draw the number of decisions in doubt after amendments, as a link to them."""
    say = context.say
    if not overview.in_doubt.any:
        st.caption(say("overview.in_doubt_none"))
        return
    st.header(say("overview.in_doubt"), anchor=False)
    for line in overview.in_doubt.lines(context.language):
        st.markdown(md_literal(line))
    screen_link(context, "compare", say("to_check.open"), ":material/difference:")


def _runs(context: Context, overview: Overview) -> None:
    """Draw the last runs with their snapshots."""
    say, runs = context.say, overview.runs
    st.header(say("overview.runs"), anchor=False)
    if not runs.total:
        st.caption(say("overview.no_runs"))
    else:
        counts = {"current": f"{runs.current:,}", "total": f"{runs.total:,}"}
        st.markdown(say("overview.runs_of", **counts))
        columns = {
            "overview.run_name": [each.label for each in runs.runs],
            "overview.snapshot": [snapshot_said(each) for each in runs.runs],
            "overview.run_state": [run_said(each, context.language) for each in runs.runs],
            "overview.run_at": [f"{each.at:%Y-%m-%d %H:%M}" for each in runs.runs],
        }
        height = _height(len(runs.runs))
        draw_table(context, _WORDS, columns, "overview-runs", row_height=_ROW, height=height)
    screen_link(context, "leaderboard", say("app.pages.leaderboard"), ":material/leaderboard:")


def _height(rows: int) -> int:
    """Return a table's height in pixels for `rows` rows; a longer one scrolls."""
    return _HEAD + _ROW * min(rows, _MOST)
