"""The sidebar: where you can go, which project, who you are, in which language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.navigation.page import Page

from annotation.people.accounts import AccountView
from annotation.people.members import PersonView, list_people
from messages import LANGUAGES, say
from pages.shell import context
from pages.shell.entry import auth_session
from pages.shell.guard import plain
from storage.db.workspace import Workspace


def brand(language: str) -> None:
    """Draw the product's name."""
    st.sidebar.markdown(f"### {say('app.name', language)}")
    st.sidebar.caption(say("app.tagline", language))


def links(sections: Mapping[str, Sequence[Page]], language: str) -> None:
    """Draw the lists of pages, each under the name of its section; an empty one is left out."""
    address = context.address()
    for name, pages in sections.items():
        with st.sidebar.container(gap=None, key=f"links-{name}"):
            if pages:
                st.caption(say(f"app.sections.{name}", language))
            for page in pages:
                st.page_link(page, query_params=address)


def project_picker(titles: Mapping[str, str], chosen: str | None, language: str) -> None:
    """Draw the choice of project by slug; only its title where there is no choice."""
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
        each.id: f"{each.name} · {say(f'roles.role.{each.role}', language)}"
        for each in list_people(workspace, project)
        if each.active
    }
    ids: list[int | None] = [*names, None]
    key = f"person-picker-{chosen.id}-{language}"  # else the role would keep its earlier words
    st.sidebar.selectbox(
        say("app.person", language),
        ids,
        index=ids.index(chosen.id),
        format_func=lambda each: names.get(each, say("app.change_person", language)),
        key=key,
        on_change=lambda: context.choose_person(st.session_state[key]),
    )


def signed_in(
    workspace: Workspace, account: AccountView, person: PersonView | None, language: str
) -> None:
    """Draw who has signed in and as what, with the way out."""
    if person is not None:
        role = say(f"roles.role.{person.role}", language)
        st.sidebar.markdown(f"**{plain(person.name)}** · {role}")
    st.sidebar.caption(plain(say("people.signed_in_as", language, login=account.login)))
    st.sidebar.button(
        say("people.sign_out", language),
        key="sign-out",
        icon=":material/logout:",
        on_click=auth_session.leave,
        args=(workspace, account.id),
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
