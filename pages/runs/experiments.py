"""The experiments screen: write or choose a file, check it, run it, read what it came to."""

from __future__ import annotations

from functools import partial

import streamlit as st

from annotation.people.roles import Act
from pages.runs.experiment_file import CHOSEN, NOTICE, draw_file, finished
from pages.runs.experiment_results import draw_results
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.notices import show_remembered
from pages.shell.permission_notice import allowed
from pages.shell.scroll_to_top import to_top
from pages.shell.task_progress import draw_at_top, started
from services.background.tasks import TaskKind
from services.runs.experiments.results import experiment_list, experiment_results


def render(context: Context) -> None:
    """Draw the screen."""
    say = context.say
    st.title(say("experiments.title"), anchor=False)
    st.markdown(say("experiments.lead"))
    kind = TaskKind.EXPERIMENT
    draw_at_top(context, kind, "experiments.running", NOTICE, partial(finished, context))
    show_remembered(NOTICE)
    to_top(str(started()))
    if not allowed(context, Act.SEE_SCORES):
        return
    listed = experiment_list(context.workspace, context.project, context.person.id)
    with st.expander(say("experiments.file"), icon=":material/edit_note:", expanded=not listed):
        draw_file(context, listed)
    if not listed:
        st.info(say("experiments.none"), icon=":material/info:")
        return
    _results(context)


@st.fragment
def _results(context: Context) -> None:
    """Draw one experiment; choosing another, or a stratum, draws nothing else anew."""
    with guarded(context.language):
        workspace, project, person = context.workspace, context.project, context.person.id
        listed = experiment_list(workspace, project, person)
        names = {
            each.number: context.say("experiments.named", number=each.number, name=each.name)
            for each in listed
        }
        if st.session_state.get(CHOSEN) not in names:
            st.session_state[CHOSEN] = listed[0].number
        number = st.selectbox(
            context.say("experiments.choose"),
            list(names),
            format_func=names.__getitem__,
            key=CHOSEN,
        )
        with st.spinner(context.say("leaderboard.scoring")):
            found = experiment_results(workspace, project, number, person)
        draw_results(context, found)
