"""Data screen: what the project holds, and import of law and questions."""

from __future__ import annotations

from functools import partial

import streamlit as st

from annotation.people.roles import Act
from annotation.start.modules import Module, modules, switch_modules
from pages.law.importing import pending_statutes, statutes_form
from pages.law.snapshot_choice import draw_levels, draw_to_check, snapshot_table
from pages.shell.context import Context
from pages.shell.entry.welcome import new_project, untended_projects
from pages.shell.fields import Fields
from pages.shell.guard import guarded
from pages.shell.import_source import questions_form
from pages.shell.navigation import to_top
from pages.shell.notices import allowed, draw_head, redraw_with, show_remembered
from pages.shell.task_progress import (
    begin,
    draw_at_top,
    start_button,
    started,
)
from pages.shell.widgets import NOTHING, draw_metrics, draw_table
from pages.tasks.adding import task_form
from retrieval.core.presets import PRESETS, title_of
from services.background.retrieval import start_candidates
from services.background.tasks import TaskKind
from services.law.overview import LawCounts, Overview, law_counts, overview
from services.mapping.candidate_methods import LABELS, offered
from services.mapping.candidates import CandidateReport
from storage.db.workspace import Workspace

_NOTICE = "data-notice"
_MODULES, _OWN_TASK = "modules", "own_task"
_LABELS = "labels"  # the method that shows the labels of the data first
_FORM = "form"  # query parameter: the form to draw first


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "data")
    kind = TaskKind.CANDIDATES
    draw_at_top(context, kind, "data.candidates.working", _NOTICE, partial(_outcome_lines, context))
    to_top(f"{show_remembered(_NOTICE)} {started()}")
    state = overview(*context.here, context.by)
    _holdings(context, state)
    draw_to_check(context, _NOTICE)
    first = st.container()  # for the form that a link names
    preview = st.container()  # above the form, in view right after submitting
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        if allowed(context, Act.IMPORT_LAW):
            statutes_form(context)
    with right, st.container(border=True, height="stretch"):
        if allowed(context, Act.IMPORT_QUESTIONS):
            questions_form(context, _NOTICE)
    with preview:
        pending_statutes(context, _NOTICE)
    asked_for = st.query_params.get(_FORM) == TaskKind.CANDIDATES
    with first if asked_for else st.container(), st.container(border=True):
        if allowed(context, Act.BUILD_CANDIDATES):
            _candidates(context, state)
    if context.may(Act.MAKE_ITEMS):
        with first if st.query_params.get(_FORM) == _MODULES else st.container():
            _draw_modules(context)
        wanted = st.query_params.get(_FORM) == _OWN_TASK
        title = context.say("own_task.add.title")
        with (
            first if wanted else st.container(),
            st.expander(title, wanted, icon=":material/assignment_add:"),
        ):
            task_form(context, _NOTICE)
    if context.account is not None and not context.account.steward:
        return
    if context.account is not None:
        untended_projects(context.workspace, context.account, context.language)
    with st.expander(context.say("data.project.title"), icon=":material/create_new_folder:"):
        new_project(context.workspace, context.account, context.language)


def _draw_modules(context: Context) -> None:
    """Draw the choice of the project's modules; those in use cannot be switched off."""
    known, say = modules(*context.here), context.say
    wanted = st.query_params.get(_FORM) == _MODULES
    with (
        st.expander(say("app.modules.title"), wanted, icon=":material/widgets:"),
        st.form("data-modules", border=False),
    ):
        st.caption(say("app.modules.lead"))
        fields, why = Fields(context, "app.module", "data-module"), say("app.modules.in_use")
        ticked = {
            module: fields.tick(
                module,
                module in known.on,
                disabled=module in known.in_use,
                help=why if module in known.in_use else None,
            )
            for module in Module
        }
        sent = st.form_submit_button(say("app.modules.save"), type="primary")
    if sent:
        chosen = {module for module, on in ticked.items() if on} - known.in_use
        with guarded(context.language):
            switch_modules(context.workspace, context.by, chosen | (known.chosen & known.in_use))
            redraw_with(_NOTICE, say("app.modules.saved"))


@st.cache_data(max_entries=8, show_spinner=False)
def _counts(folder: str, snapshot_id: int, _workspace: Workspace) -> LawCounts:
    """Count the units of a snapshot, cached."""
    # A snapshot never changes, so its counts can be cached for the life of the process.
    return law_counts(_workspace, snapshot_id)


def _holdings(context: Context, state: Overview) -> None:
    """Draw how many statutes, questions and items the project has."""
    counts = None
    if state.snapshot_id is not None:
        counts = _counts(str(context.workspace.folder), state.snapshot_id, context.workspace)
    st.header(context.say("data.here"), anchor=False)
    figures = {
        "statutes": f"{counts.statutes if counts else 0:,}",
        "units": f"{counts.units if counts else 0:,}",
        "questions": f"{state.questions:,}",
        "ready": context.say("data.ready_of", done=state.ready, total=state.items),
    }
    draw_metrics({context.say(f"data.{name}"): (each, None) for name, each in figures.items()})
    if counts is None:
        st.info(context.say("data.no_statutes"), icon=":material/info:")
        return
    with st.expander(context.say("data.details"), icon=":material/table_rows:"):
        _details(context, counts)
        _jurisdictions(context, state, counts)
    number = len(state.snapshots)
    with st.expander(context.say("data.use.title", count=number), icon=":material/history:"):
        snapshot_table(context, state.snapshots, _NOTICE)
    draw_levels(context, _NOTICE)


def _details(context: Context, counts: LawCounts) -> None:
    """Draw the units by tier and by level."""
    say = context.say
    tiers = {
        "tier": [f"{t.value} · {say(f'mapping.tier.{t.value}')}" for t, _ in counts.tiers],
        "count": [count for _, count in counts.tiers],
    }
    levels = {
        "level": [say(f"data.levels.{c.level}") for c in counts.levels],
        "count": [c.units for c in counts.levels],
        "deleted": [c.deleted for c in counts.levels],
        "text_missing": [c.text_missing for c in counts.levels],
    }
    for place, columns in zip(st.columns(2, gap="medium"), (tiers, levels), strict=True):
        with place:
            draw_table(context, "data", columns)


def _jurisdictions(context: Context, state: Overview, counts: LawCounts) -> None:
    """Draw law and questions by jurisdiction, if any is stated."""
    law, asked = dict(counts.jurisdictions), dict(state.jurisdictions)
    names = sorted({*law, *asked})
    if not any(names):
        return
    columns = {
        "jurisdiction": [name or context.say("data.not_said") for name in names],
        "statutes": [law.get(name, 0) for name in names],
        "questions": [asked.get(name, 0) for name in names],
    }
    draw_table(context, "data", columns, "data-jurisdictions")
    st.caption(context.say("data.jurisdictions_note"))


def _candidates(context: Context, state: Overview) -> None:
    """Draw the form that makes candidate sets."""
    st.header(context.say("data.candidates.title"), anchor=False)
    st.caption(context.say("data.candidates.help"))
    waiting = state.snapshot_id is None or state.items == 0
    if waiting:
        st.info(context.say("data.candidates.waiting"), icon=":material/hourglass_empty:")
    methods = {NOTHING: context.say("data.candidates.method_standard")}
    methods |= {name: title_of(name, context.language) for name in offered()}
    if state.labelled:
        methods[_LABELS] = context.say("data.candidates.method_labels")
    fields = Fields(context, "data.candidates", "data-candidates")
    chosen = fields.pick("method", methods, methods, width=420)
    if start_button(
        context,
        TaskKind.CANDIDATES,
        context.say("data.candidates.run"),
        waiting,
        key="data-candidates",
        type="secondary" if state.ready == state.items else "primary",
        icon=":material/manage_search:",
    ):
        begin(context, start_candidates, LABELS if chosen == _LABELS else PRESETS.get(chosen))


def _outcome_lines(context: Context, done: CandidateReport) -> list[str]:
    if not done.built:
        return [context.say("data.candidates.current")]
    built = context.say("data.candidates.done", items=done.built, seconds=f"{done.seconds:.1f}")
    stand_ins = (each.say(context.language) for each in done.stand_ins)
    return [built, *done.lines(context.language), *stand_ins]
