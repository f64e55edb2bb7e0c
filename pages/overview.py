"""Overview screen: next step, progress of tasks and batches, questions by state, runs.

It shows everybody's work, so annotators do not see it. All of it comes from
`services.overview.report` and is cached until something is added to the project.
"""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from annotation.work.submissions import beginning
from pages.shell.context import Context
from pages.shell.guard import fragment, md_literal
from pages.shell.navigation import open_screen, screen_link
from pages.shell.notices import allowed
from pages.shell.reports import cached, draw_files, draw_section
from pages.shell.widgets import draw_table
from services.overview.guide import Guide
from services.overview.questions import NextStep, QuestionState
from services.overview.report import Overview, agreement_lines, overview, revision
from services.overview.words import (
    agreement_section,
    as_report,
    doubt_section,
    people_section,
    questions_section,
    rough_time,
    runs_section,
    work_section,
)
from storage.db.workspace import Workspace

_SECONDS = 30  # how long changes that add no row may go unnoticed
_WORDS = "overview"
_STYLE = """<style>
.st-key-next-step button p { white-space: normal; overflow-wrap: anywhere; font-weight: 600; }
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
    if found.guide is None:
        _draw_next_step(context, found.next)
    else:
        _draw_guide(context, found.guide)
        if not found.work:
            return  # there is nothing yet to draw pictures of
    with st.container(gap="small", key="overview"):
        left, right = st.columns(2, gap="medium")
        with left:
            _work(context, found)
            _runs(context, found)
        with right:
            _questions(context, found)
            agreement = st.container(gap="small")
            _draw_in_doubt(context, found)
    lines = cached(context, version, agreement_lines, found.tasks, context.by)  # takes longest
    with agreement:
        draw_section(context, agreement_section(lines, context.language), _WORDS)
    draw_files(context, as_report(found, lines, context.language), _WORDS)


@st.cache_data(max_entries=64, ttl=_SECONDS, show_spinner=False)
def _overview(place: str, project: str, by: int, version: str, _ws: Workspace) -> Overview:
    """Return the overview, cached by the state of the database."""
    return overview(_ws, project, by)


def _draw_guide(context: Context, guide: Guide) -> None:
    """Draw the first steps of a new project, with the button of the next one."""
    say = context.say
    with st.container(border=True, gap="small", key="guide"):
        st.header(say("overview.guide.title"), anchor=False)
        st.caption(say("overview.guide.lead"))
        for number, step in enumerate(guide.steps, 1):
            is_next = step is guide.next
            counts = {name: f"{getattr(step, name):,}" for name in ("count", "wanted", "more")}
            has = say(f"overview.guide.has.{step.name}", **counts) if step.count else ""
            icon = "check_circle" if step.done else "arrow_circle_right" if is_next else "circle"
            color = "green" if step.done else "blue" if is_next else "gray"
            name = f"**{number}. {say(f'overview.guide.{step.name}')}**"
            st.markdown(f":{color}[:material/{icon}:] {name} {f'· {has}' if has else ''}")
            if is_next and allowed(context, step.act):
                _draw_next_step(context, step.todo)
                if step.seconds is not None:
                    time = rough_time(step.seconds, context.language)
                    st.caption(say("overview.guide.takes", time=time))
        more = say("app.modules.more")
        screen_link(context, "data", more, ":material/widgets:", form="modules")
        own = say("own_task.add.title")
        screen_link(context, "data", own, ":material/assignment_add:", form="own_task")


def _draw_next_step(context: Context, step: NextStep) -> None:
    """Draw the next step as the button that opens its screen."""
    pressed = st.button(
        md_literal(step.say(context.language)),
        key="next-step",
        type="primary",
        icon=":material/arrow_forward:",
    )
    if pressed:
        open_screen(step.screen, **step.asked)


@fragment
def _work(context: Context, overview: Overview) -> None:
    """Draw the progress of tasks and batches, with the people of the chosen one."""
    row = draw_section(context, work_section(overview, context.language), _WORDS)
    if row is None:
        return
    line = overview.work[row]
    with st.container(border=True):
        draw_section(context, people_section([line], context.language), f"{_WORDS}-{row}")
        screen = "assignment" if line.batch else "agreement"
        name = context.say(f"app.pages.{screen}")
        screen_link(context, screen, name, ":material/arrow_forward:")


@fragment
def _questions(context: Context, overview: Overview) -> None:
    """Draw the questions per state, with those of the chosen state."""
    row = draw_section(context, questions_section(overview, context.language), _WORDS)
    if row is not None:
        _draw_questions_in_state(context, overview, list(overview.questions.states)[row])


def _draw_questions_in_state(context: Context, overview: Overview, state: QuestionState) -> None:
    """Draw the questions of a state, each with a link to its history."""
    say, lines = context.say, overview.questions.states[state]
    with st.container(border=True):
        name, count = say(f"overview.state.{state}"), f"{len(lines):,}"
        st.markdown(f"**{md_literal(say('overview.behind', state=name, count=count))}**")
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


def _draw_in_doubt(context: Context, overview: Overview) -> None:
    """Draw the decisions in doubt after amendments, with a link to them."""
    section = doubt_section(overview, context.language)
    if not overview.in_doubt.any:
        st.caption(section.lead)
        return
    draw_section(context, section, _WORDS)
    screen_link(context, "compare", context.say("to_check.open"), ":material/difference:")


def _runs(context: Context, overview: Overview) -> None:
    """Draw the last runs, with a link to the leaderboard."""
    draw_section(context, runs_section(overview, context.language), _WORDS)
    name = context.say("app.pages.leaderboard")
    screen_link(context, "leaderboard", name, ":material/leaderboard:")
