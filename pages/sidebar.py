"""The sidebar: where you can go, which project, who you are, in which language."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.navigation.page import Page

from annotation.people import PersonView, list_people
from pages import context
from pages.guard import plain
from storage.projects import list_projects
from storage.workspace import Workspace
from words import LANGUAGES, say


def brand(language: str) -> None:
    """Draw the product's name."""
    st.sidebar.markdown(f"### {say('app.name', language)}")
    st.sidebar.caption(say("app.tagline", language))


def links(pages: Sequence[Page]) -> None:
    """Draw the list of pages."""
    for page in pages:
        st.sidebar.page_link(page, query_params=context.address())


def project_picker(workspace: Workspace, chosen: str | None, language: str) -> None:
    """Draw the choice of project; only its title where there is no choice."""
    titles = {each.slug: each.title for each in list_projects(workspace)}
    if len(titles) < 2 and (chosen or not titles):
        st.sidebar.caption(plain("".join(titles.values())))
        return
    slugs = list(titles)
    st.sidebar.selectbox(
        say("app.project", language),
        slugs,
        index=slugs.index(chosen) if chosen else None,
        format_func=titles.__getitem__,
        key=f"project-picker-{chosen}",
        on_change=lambda: context.choose_project(st.session_state[f"project-picker-{chosen}"]),
    )


def person_picker(workspace: Workspace, project: str, chosen: PersonView, language: str) -> None:
    """Draw who is looking, with everybody else and "somebody new" to switch to."""
    names = {
        each.id: f"{each.name} · {say(f'app.role.{each.role}', language)}"
        for each in list_people(workspace, project)
    }
    ids: list[int | None] = [*names, None]
    st.sidebar.selectbox(
        say("app.person", language),
        ids,
        index=ids.index(chosen.id),
        format_func=lambda each: names.get(each, say("app.change_person", language)),
        key=f"person-picker-{chosen.id}",
        on_change=lambda: context.choose_person(st.session_state[f"person-picker-{chosen.id}"]),
    )


def language_switch(language: str) -> None:
    """Draw the language switch."""
    st.sidebar.segmented_control(
        say("app.language", language),
        list(LANGUAGES),
        default=language,
        format_func=LANGUAGES.__getitem__,
        key="language-switch",
        label_visibility="collapsed",
        on_change=lambda: context.choose_language(
            st.session_state["language-switch"] or context.language()
        ),
    )
