"""Sidebar: screen links, project, person, sign-out, language.

Keep the labels of chosen options in the screen's language.

A browser identifies an option by its label. Streamlit keeps the chosen option when labels change,
but does not tell the browser of a list or of radio buttons. It would go on showing the old label
and send it at the next click, when no option has that label: the choice would be lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import streamlit as st
from streamlit.navigation.page import Page
from streamlit.runtime.state.common import RegisterWidgetResult, WidgetMetadata
from streamlit.runtime.state.session_state import SessionState

from annotation.people.accounts import AccountView
from annotation.people.members import PersonView, list_people
from messages import LANGUAGES, say
from pages.shell import context, open_counts
from pages.shell.entry import auth_session
from pages.shell.guard import md_literal
from pages.shell.navigation import links_follow_fields
from pages.shell.widgets import picked
from storage.db.workspace import Workspace

Sections: TypeAlias = Mapping[str, Mapping[str, Sequence[str]]]
"""Screens by place and sidebar section."""


def brand(language: str) -> None:
    """Draw the product's name."""
    st.sidebar.markdown(f"### {say('app.name', language)}")
    st.sidebar.caption(say("app.tagline", language))


def links(pages: Mapping[str, Page], sections: Sections, whose: tuple[str, int], here: str) -> None:
    """Draw a link to each place, by section; one without places is left out.

    `whose` is the project and the person, `here` the current screen: its place leads to it, so
    that it is marked, every other place to its first screen.
    """
    open_counts.begin(whose)
    with st.sidebar:
        for section, places in sections.items():
            if not places:
                continue
            with st.container(gap=None, key=f"links-{section or 'first'}"):
                if section:
                    st.caption(say(f"app.sections.{section}", context.language()))
                else:
                    links_follow_fields()
                for place, names in places.items():
                    _link(pages, place, names, here)


def _link(pages: Mapping[str, Page], place: str, names: Sequence[str], here: str) -> None:
    """Draw the link to a place."""
    page = pages[here if here in names else names[0]]
    one = len(names) == 1
    title = pages[names[0]].title if one else say(f"app.places.{place}", context.language())
    open_counts.draw_link(names, page, title, pages[names[0]].icon)


def project_picker(titles: Mapping[str, str], chosen: str | None, language: str) -> None:
    """Draw the choice of project by slug, or just its title if there is only one."""
    if len(titles) < 2 and (chosen or not titles):
        st.sidebar.caption(md_literal("".join(titles.values())))
        return
    slugs, key = list(titles), f"project-picker-{chosen}"
    st.sidebar.selectbox(
        say("app.project", language),
        slugs,
        index=slugs.index(chosen) if chosen else None,
        format_func=titles.__getitem__,
        key=key,
        on_change=picked,
        args=(key, chosen, context.choose_project),
    )


def person_picker(workspace: Workspace, project: str, chosen: PersonView, language: str) -> None:
    """Draw the choice of the current person, with an option for a new one."""
    names = {
        each.id: f"{each.name} · {say(f'roles.role.{each.role}', language)}"
        for each in list_people(workspace, project)
        if each.active
    }
    ids: list[int | None] = [*names, None]
    key = f"person-picker-{chosen.id}-{language}"  # else the role would keep its earlier label
    st.sidebar.selectbox(
        say("app.person", language),
        ids,
        index=ids.index(chosen.id),
        format_func=lambda each: names.get(each, say("app.change_person", language)),
        key=key,
        on_change=picked,
        args=(key, chosen.id, context.choose_person),
    )


def signed_in(
    workspace: Workspace, account: AccountView, person: PersonView | None, language: str
) -> None:
    """Draw the signed-in person with role, and the sign-out button."""
    if person is not None:
        role = say(f"roles.role.{person.role}", language)
        st.sidebar.markdown(f"**{md_literal(person.name)}** · {role}")
    st.sidebar.caption(md_literal(say("people.signed_in_as", language, login=account.login)))
    st.sidebar.button(
        say("people.sign_out", language),
        key="sign-out",
        icon=":material/logout:",
        on_click=auth_session.leave,
        args=(workspace, account.id),
    )


def language_switch(language: str) -> None:
    """Draw the language switch; it follows a language that was chosen elsewhere."""
    key = "language-switch"
    st.session_state[key] = language  # always: on another screen the switch is drawn anew, empty
    st.sidebar.segmented_control(
        say("app.language", language),
        list(LANGUAGES),
        required=True,
        format_func=LANGUAGES.__getitem__,
        key=key,
        label_visibility="collapsed",
        on_change=picked,
        args=(key, language, context.choose_language),
    )


_register = SessionState.register_widget


def follow_language() -> None:
    """Patch Streamlit to resend the labels of chosen options when the browser's are outdated."""
    SessionState.register_widget = _register_with_change  # type: ignore[method-assign]


def _register_with_change(
    self: SessionState, metadata: WidgetMetadata[Any], user_key: str | None
) -> RegisterWidgetResult[Any]:
    """Register a widget; report a change that the browser sent with this run."""
    found: RegisterWidgetResult[Any] = _register(self, metadata, user_key)
    one, several = found.incoming_serialized_value, found.incoming_serialized_values
    held = one if several is None else several
    if held is None or not _has_options(metadata) or held == metadata.serializer(found.value):
        return found
    return replace(found, value_changed=True)


def _has_options(metadata: WidgetMetadata[Any]) -> bool:
    """Return True for a widget of options."""
    return hasattr(getattr(metadata.serializer, "__self__", None), "formatted_options")
