"""The first screen: who are you?"""

from __future__ import annotations

import streamlit as st

from annotation.people import add_person, list_people
from errors import UserError
from pages import context
from pages.guard import plain, show
from storage.workspace import Workspace
from words import say

ROLES = ("annotator", "adjudicator")


def render(workspace: Workspace, project: str, language: str) -> None:
    """Draw a button per person and a form that adds one."""
    _, middle, _ = st.columns([1, 1.6, 1])
    with middle:
        st.space("medium")
        st.title(say("app.welcome.title", language), anchor=False)
        st.markdown(say("app.welcome.lead", language))
        known = _people(workspace, project, language)
        _newcomer(workspace, project, language, expanded=not known)


def _people(workspace: Workspace, project: str, language: str) -> bool:
    """Draw a button per person; return whether there is anybody."""
    people = list_people(workspace, project)
    if not people:
        st.info(say("app.welcome.nobody", language))
    for person in people:
        st.button(
            f"{plain(person.name)} · {say(f'app.role.{person.role}', language)}",
            key=f"person-{person.id}",
            icon=":material/gavel:" if person.role == "adjudicator" else ":material/person:",
            width="stretch",
            on_click=context.choose_person,
            args=(person.id,),
        )
    return bool(people)


def _newcomer(workspace: Workspace, project: str, language: str, expanded: bool) -> None:
    words = say("app.welcome.add", language)
    with st.expander(words, expanded=expanded), st.form("newcomer", border=False):
        name = st.text_input(say("app.welcome.name", language), max_chars=80)
        role = st.radio(
            say("app.welcome.role", language),
            ROLES,
            format_func=lambda each: say(f"app.role.{each}", language),
            help=say("app.welcome.role_help", language),
            horizontal=True,
        )
        sent = st.form_submit_button(say("app.welcome.submit", language), type="primary")
    if sent:
        try:
            person = add_person(workspace, project, name, role)
        except UserError as error:
            show(error, language)
            return
        context.choose_person(person.id)
        st.rerun()
