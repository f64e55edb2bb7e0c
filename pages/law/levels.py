"""Searched levels of retrieval: the setting, who set it, and the form to change it."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.guard import guarded, plain
from pages.shell.notices import allowed, remember
from services.gold.search_coverage import levels_said
from services.law.levels import LevelsView, read_levels, set_levels


def draw_levels(context: Context, notice: str) -> None:
    """Draw the setting; a change is announced under `notice` in the next run."""
    say = context.say
    view = read_levels(*context.here, context.by)
    title = say("levels.title", levels=levels_said(view.levels, context.language))
    with st.expander(title, icon=":material/filter_alt:"):
        st.caption(say("levels.help"))
        st.caption(plain(_origin(context, view)))
        if allowed(context, Act.SET_LEVELS):
            _form(context, view, notice)


def searched_caption(context: Context) -> None:
    """Draw which levels a new run would search."""
    view = read_levels(*context.here, context.by)
    levels = levels_said(view.levels, context.language)
    st.caption(context.say("levels.run_form", levels=levels))


def _origin(context: Context, view: LevelsView) -> str:
    said = view.said
    if said.at is None:
        return context.say("levels.usual")
    person = said.person or context.say("levels.operator")
    return context.say("levels.since", person=person, at=f"{said.at:%Y-%m-%d %H:%M}")


def _form(context: Context, view: LevelsView, notice: str) -> None:
    say = context.say
    counts = {str(count.level): count.units for count in view.counts}
    with st.form("data-levels", border=False):
        chosen = st.pills(
            say("levels.which"),
            list(counts),
            selection_mode="multi",
            default=list(map(str, view.levels)),
            format_func=lambda level: say(
                "levels.option", level=say(f"data.levels.{level}"), count=f"{counts[level]:,}"
            ),
            # If somebody else has changed the setting meanwhile, the form shows that.
            key=f"data-levels-{'-'.join(view.levels)}",
        )
        sent = st.form_submit_button(say("levels.run"), icon=":material/filter_alt:")
    if not sent:
        return
    with guarded(context.language):
        changed = set_levels(*context.here, chosen, context.by)
        now = read_levels(*context.here, context.by).levels
        key = "done" if changed else "same"
        remember(notice, say(f"levels.{key}", levels=levels_said(now, context.language)))
        st.rerun()
