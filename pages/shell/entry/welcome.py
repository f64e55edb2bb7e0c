"""First screens: choose a person, create a project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from annotation.people.accounts import AccountView, start_project, take_charge, untended
from annotation.people.members import ROLES, add_person, list_people
from annotation.people.roles import Role
from messages import say
from pages.shell import context
from pages.shell.entry import sidebar
from pages.shell.guard import guarded, md_literal
from services.sample.people import suggestion_key
from storage.db.workspace import Workspace
from storage.projects import OVERLAPS, create_project

ICONS = {
    Role.ANNOTATOR: ":material/person:",
    Role.LAWYER: ":material/balance:",
    Role.ADJUDICATOR: ":material/gavel:",
    Role.RESEARCHER: ":material/science:",
    Role.ADMINISTRATOR: ":material/admin_panel_settings:",
}


@contextmanager
def page_middle(title: str = "", lead: str = "") -> Iterator[None]:
    """Draw in the middle of a page without a sidebar's screens, below a title."""
    _, middle, _ = st.columns([1, 1.6, 1])
    with middle:
        st.space("medium")
        if title:
            st.title(title, anchor=False)
            st.markdown(lead)
        yield


def render(workspace: Workspace, project: str, language: str) -> None:
    """Draw a button per person and a form that adds one."""
    with page_middle(say("app.welcome.title", language), say("app.welcome.lead", language)):
        known = _people(workspace, project, language)
        _newcomer(workspace, project, language, expanded=not known)


def _people(workspace: Workspace, project: str, language: str) -> bool:
    """Draw a button per person; return whether there are any."""
    people = [each for each in list_people(workspace, project) if each.active]
    if not people:
        st.info(say("app.welcome.nobody", language))
    for person in people:
        st.button(
            f"{md_literal(person.name)} · {say(f'roles.role.{person.role}', language)}",
            key=f"person-{person.id}",
            icon=ICONS[Role(person.role)],
            width="stretch",
            on_click=context.choose_person,
            args=(person.id,),
        )
        if to_try := suggestion_key(project, person.name):
            what = say(to_try, language)
            st.caption(say("start.try", language, name=md_literal(person.name), what=what))
    return bool(people)


def _newcomer(workspace: Workspace, project: str, language: str, expanded: bool) -> None:
    """Draw the form that adds a person."""
    words = say("app.welcome.add", language)
    with st.expander(words, expanded=expanded), st.form("newcomer", border=False):
        name = st.text_input(say("app.welcome.name", language), max_chars=80)
        role = st.radio(
            say("app.welcome.role", language),
            ROLES,
            # The creator of a project starts with an administrator's task: importing data.
            index=ROLES.index(Role.ADMINISTRATOR if expanded else Role.ANNOTATOR),
            format_func=lambda each: say(f"roles.role.{each}", language),
            captions=[say(f"roles.help.{each}", language) for each in ROLES],
        )
        sent = st.form_submit_button(say("app.welcome.submit", language), type="primary")
    if sent:
        with guarded(language):
            person = add_person(workspace, project, name, role)
            context.choose_person(person.id)
            st.rerun()


def first_project(workspace: Workspace, language: str) -> None:
    """Draw the screen of a workspace without projects: a form that creates one."""
    with page_middle(say("data.project.title", language), say("data.no_project", language)):
        new_project(workspace, None, language)


def no_place(workspace: Workspace, account: AccountView, language: str) -> None:
    """Draw the screen of a signed-in account that belongs to no project."""
    sidebar.signed_in(workspace, account, None, language)
    with page_middle(say("people.no_place", language), say("people.no_place_help", language)):
        if account.steward:
            untended_projects(workspace, account, language)
            new_project(workspace, account, language)


def untended_projects(workspace: Workspace, account: AccountView, language: str) -> None:
    """Draw the projects without an administrator who can sign in, for a steward to take over."""
    found = untended(workspace, account.id)
    if not found:
        return
    st.subheader(say("people.untended", language), anchor=False)
    st.markdown(say("people.untended_help", language))
    words, icon = say("people.take_charge", language), ":material/key:"
    for project in found:
        name, place = st.columns([3, 1], vertical_alignment="center")
        name.text(f"{project.title} ({project.slug})")  # in Markdown it could be a link
        if place.button(words, key=f"untended-{project.id}", icon=icon):
            with guarded(language):
                made = take_charge(workspace, project.slug, account.id)
                context.choose_project(made.slug)
                st.rerun()


def new_project(workspace: Workspace, account: AccountView | None, language: str) -> None:
    """Draw the form that creates a project; in team mode for stewards only."""
    with st.form("data-project", border=False):
        slug = st.text_input(
            say("data.project.slug", language), max_chars=60, key="data-project-slug"
        )
        title = st.text_input(
            say("data.project.name", language), max_chars=200, key="data-project-title"
        )
        overlap = st.number_input(
            *(say("data.project.overlap", language), min(OVERLAPS), max(OVERLAPS), 2),
            help=say("data.project.overlap_help", language),
            key="data-project-overlap",
        )
        sent = st.form_submit_button(say("data.project.create", language))
    if sent:
        with guarded(language):
            made_of = slug.strip(), title, int(overlap)
            if account is None:
                made = create_project(workspace, *made_of)
            else:
                made = start_project(workspace, *made_of, account.id)
            context.choose_project(made.slug)
            st.rerun()
