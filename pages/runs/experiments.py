"""Experiments screen: write or choose a file, check it, run it, read the results."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from construction.experiments.reading import TEXT_LIMIT
from errors import UserError, Where
from pages.runs.experiment_results import draw_results
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.gold_choice import draw_gold_choice
from pages.shell.guard import fragment, md_literal, show
from pages.shell.navigation import to_top
from pages.shell.notices import allowed, draw_head, show_remembered
from pages.shell.task_progress import begin, draw_at_top, start_button, started
from pages.shell.uploads import megabytes
from pages.shell.widgets import draw_table
from services.background.retrieval import start_experiment
from services.background.tasks import TaskKind
from services.gold.search_coverage import levels_in_words
from services.runs.experiments.results import Listed, experiment_list, experiment_results
from services.runs.experiments.running import (
    ExperimentPlan,
    check_experiment,
    each_once,
    stored_experiment,
)
from services.sample.loading import starters
from storage.runs.experiments import ExperimentView

NOTICE = "experiments-notice"
CHOSEN = "experiments-chosen"
_TEXT = "experiments-text"
_START = "experiments-start"
_UPLOAD = "experiments-upload"
_WRONG = "experiments-unreadable"
_NOTHING_SETTLED = "no_gold"
_HEIGHT = 380  # pixels of the text before it scrolls
_PLAN_HEIGHT = 260


def draw_file(context: Context, listed: Sequence[Listed], planned: bool) -> None:
    """Draw the editor, a preview of what its text would run if `planned`, and the run button."""
    say = context.say
    names = _start_names(context, listed)
    if _TEXT not in st.session_state:
        st.session_state[_TEXT] = starters()[0].text
    fields = Fields(context, "experiments", "experiments")
    left, right = fields.row(2, vertical_alignment="bottom")
    loading = partial(_load_start, context)
    hint, named = "experiments.start_hint", names.__getitem__
    left.pick_any("start", names, hint, named, on_change=loading)
    most = megabytes(TEXT_LIMIT, characters=True)
    right.file("upload", ["yaml", "yml"], max_upload_size=most, on_change=_load_upload)
    wrong: UserError | None = st.session_state.pop(_WRONG, None)
    if wrong is not None:
        show(wrong, context.language)
    text = fields.lines("text", height=_HEIGHT, max_chars=TEXT_LIMIT)
    if not planned:
        return
    try:
        plan = check_experiment(*context.here, text, by=context.by)
    except UserError as error:
        if error.code == _NOTHING_SETTLED:  # not the author's mistake
            st.info(say("experiments.no_gold"), icon=":material/hourglass_empty:")
        else:
            show(error, context.language)
        return
    _plan(context, plan)
    if start_button(
        context,
        TaskKind.EXPERIMENT,
        say("experiments.run"),
        type="primary",
        icon=":material/play_arrow:",
        key="experiments-run",
    ):
        begin(context, start_experiment, text)


def _start_names(context: Context, listed: Sequence[Listed]) -> dict[str | int, str]:
    """Return the names of texts to start from: packaged by file, experiments by number."""
    found: dict[str | int, str] = {each.file: f"{each.name} ({each.file})" for each in starters()}
    for each in listed:
        found[each.number] = context.say("experiments.named", number=each.number, name=each.name)
    return found


def _load_start(context: Context) -> None:
    """Put the text of the chosen packaged file or stored experiment into the editor."""
    chosen = st.session_state.get(_START)
    if isinstance(chosen, int):
        try:
            stored = stored_experiment(*context.here, chosen, by=context.by)
        except UserError as error:
            st.session_state[_WRONG] = error
            return
        st.session_state[_TEXT] = stored.text
    elif chosen is not None:
        found = {each.file: each.text for each in starters()}
        st.session_state[_TEXT] = found.get(chosen, "")


def _load_upload() -> None:
    """Put the text of the uploaded file into the editor."""
    upload = st.session_state.get(_UPLOAD)
    if upload is None:
        return
    try:
        text = upload.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError:
        st.session_state[_WRONG] = UserError("guideline_file", Where(file=upload.name))
        return
    if len(text) <= TEXT_LIMIT:
        st.session_state[_TEXT] = text
        return
    counts = {"limit": TEXT_LIMIT, "length": len(text)}
    st.session_state[_WRONG] = UserError("text_too_long", Where(file=upload.name), **counts)


def _plan(context: Context, plan: ExperimentPlan) -> None:
    """Draw what the experiment will run; resources that lines lack are named once."""
    say, language = context.say, context.language
    snapshot = f"{plan.on.snapshot.id} ({plan.on.snapshot.name})"
    counts = {"lines": len(plan.runs), "missing": plan.missing, "questions": plan.questions}
    told = say("experiments.plan", **counts, snapshot=snapshot), plan.on.gold.size.say(language)
    st.markdown("  \n".join(map(md_literal, told)))
    columns = {
        "column_line": [line.label for line in plan.experiment.lines],
        "column_kind": [say(f"experiments.kind.{line.kind}") for line in plan.experiment.lines],
        "column_run": plan.runs,
    }
    draw_table(
        context,
        "experiments",
        columns,
        "experiments-plan",
        wide="column_line",
        config={"column_run": st.column_config.NumberColumn(width="small")},
        placeholder="–",
        height=min(_PLAN_HEIGHT, 37 + 35 * len(plan.runs)),
    )
    st.caption(say("levels.run_form", levels=levels_in_words(plan.on.levels, language)))
    if plan.lacking:
        lines = [say("experiments.lacking", count=len(plan.lacking))]
        lines += each_once([(each.where, each) for each in plan.lacking.values()], language)
        st.warning("\n\n".join(map(md_literal, lines)), icon=":material/warning:")


def finished(context: Context, stored: ExperimentView) -> Sequence[str]:
    """Select the finished experiment and return its notice."""
    st.session_state[CHOSEN] = stored.number
    return [context.say("experiments.done", number=stored.number, name=stored.name)]


def render(context: Context) -> None:
    """Draw the screen."""
    say = context.say
    draw_head(context, "experiments")
    kind = TaskKind.EXPERIMENT
    draw_at_top(context, kind, "experiments.running", NOTICE, partial(finished, context))
    show_remembered(NOTICE)
    to_top(str(started()))
    if not allowed(context, Act.SEE_SCORES):
        return
    listed = experiment_list(*context.here, context.by)
    shut = st.expander(
        say("experiments.file"),
        icon=":material/edit_note:",
        expanded=not listed,
        on_change="rerun",
        key="experiments-open",
    )
    with shut:
        draw_file(context, listed, bool(shut.open))
    if not listed:
        st.info(say("experiments.none"), icon=":material/info:")
        return
    _results(context)


@fragment
def _results(context: Context) -> None:
    """Draw one experiment, as a fragment: choosing another redraws nothing else."""
    listed = experiment_list(*context.here, context.by)
    names = {
        each.number: context.say("experiments.named", number=each.number, name=each.name)
        for each in listed
    }
    if st.session_state.get(CHOSEN) not in names:
        st.session_state[CHOSEN] = listed[0].number
    fields = Fields(context, "experiments", "experiments")
    number = fields.pick("choose", names, names.__getitem__, key="chosen")
    gold = draw_gold_choice(context)
    with st.spinner(context.say("leaderboard.scoring")):
        found = experiment_results(*context.here, number, context.by, gold)
    draw_results(context, found)
