"""Page context: the current user, project and language.

The choice lives in the session and is mirrored into the address (``?project=&person=&lang=``), so
that a reload, a bookmark or a link keeps it. In team mode the person is never taken from the
address: it is the signed-in account's person in the project.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from annotation.people.accounts import AccountView, places
from annotation.people.members import PersonView, list_people
from annotation.people.roles import Act, Role, may, may_adjudicate
from errors import UserError, require_known
from messages import LANGUAGES, say
from services.sample.people import shown_title
from storage.db.workspace import Workspace
from storage.projects import list_projects
from storage.tasks import OWN, display_name

_PARAMETERS = {"project": "chosen_project", "person": "chosen_person", "lang": "chosen_language"}
_WRITTEN = "address_written"  # the choices last written to the browser's address
DEFAULT_LANGUAGE = "en"


def screen_of(task: str) -> str:
    """Return the screen of a task; those that projects bring share one."""
    return "own_task" if task.startswith(OWN) else task


def query_of(task: str) -> dict[str, str]:
    """Return the address parameters of a task's screen; none for a built-in task."""
    return {"task": task} if task.startswith(OWN) else {}


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a page needs: workspace, project slug, person, language and account.

    `account` is None if the app runs without sign-in.
    """

    workspace: Workspace
    project: str
    person: PersonView
    language: str
    account: AccountView | None = None

    @property
    def here(self) -> tuple[Workspace, str]:
        """Workspace and project slug, the first arguments of most service calls."""
        return self.workspace, self.project

    @property
    def by(self) -> int:
        """Id of the current person, passed as the requester of service calls."""
        return self.person.id

    def link(self, screen: str, **query: object) -> str:
        """Return the address of a screen with the same project, person and language.

        `query` are further query parameters.
        """
        here = {"project": self.project, "person": self.by, "lang": self.language}
        return f"{screen}?{urlencode(here | query)}"

    def may(self, act: Act) -> bool:
        """Return whether the person's role permits `act`.

        Administrators may adjudicate only while there is no adjudicator. For drawing only: services
        check permissions themselves.
        """
        if act is Act.ADJUDICATE and self.person.role == Role.ADMINISTRATOR:
            return may_adjudicate(self.workspace, self.by)
        return may(self.person.role, act)

    def task_name(self, task: str, below: str = "app.pages") -> str:
        """Return the name of a task in the person's language; of the project's own, its title."""
        if not task.startswith(OWN):
            return display_name(task, self.language, below)
        from annotation.tasks.own import titles_of  # only projects with such tasks need it

        return display_name(task, self.language, below, titles_of(*self.here, self.by))

    def say(self, key: str, /, **params: object) -> str:
        """Return the catalogue's text for `key` in the person's language."""
        return say(key, self.language, **params)


def read_address() -> None:
    """Load the choices from the address on the first run of a session only."""
    st.session_state["just_come"] = not st.session_state.get("address_read")
    if st.session_state.get("address_read"):
        return
    st.session_state["address_read"] = True
    for parameter, name in _PARAMETERS.items():
        if parameter in st.query_params:
            st.session_state[name] = st.query_params[parameter]
    st.session_state[_WRITTEN] = {
        each: st.query_params[each] for each in _PARAMETERS if each in st.query_params
    }


def address() -> dict[str, str]:
    """Return the current choices as query parameters.

    A link that carries them is one step of the browser's history. Without them it would be two, and
    Back would seem to do nothing.
    """
    chosen = {name: st.session_state.get(key) for name, key in _PARAMETERS.items()}
    return {name: str(value) for name, value in chosen.items() if value is not None}


def write_address() -> None:
    """Write the choices to the address.

    All are written when any changed: after a link to the open screen, Streamlit reports the link's
    query parameters while the browser's address stays as it was.
    """
    chosen = address()
    anew = st.session_state.get(_WRITTEN) != chosen
    st.session_state[_WRITTEN] = chosen
    for parameter in _PARAMETERS:
        value = chosen.get(parameter)
        if value is not None and (anew or st.query_params.get(parameter) != value):
            st.query_params[parameter] = value
        elif value is None and parameter in st.query_params:
            del st.query_params[parameter]


def language() -> str:
    """Return the chosen language, the default if the catalogue lacks it."""
    chosen = st.session_state.get("chosen_language", DEFAULT_LANGUAGE)
    return chosen if chosen in LANGUAGES else DEFAULT_LANGUAGE


def choose_language(code: str) -> None:
    """Set the language of the screen."""
    st.session_state["chosen_language"] = code


def projects(workspace: Workspace, account: AccountView | None) -> dict[str, str]:
    """Return the title of each project by slug.

    With an account, only the projects that it belongs to.
    """
    if account is None:
        found = {each.slug: each.title for each in list_projects(workspace)}
    else:
        found = {place.slug: place.title for place in places(workspace, account.id)}
    return {slug: shown_title(title, language()) for slug, title in found.items()}


def project(workspace: Workspace, account: AccountView | None = None) -> str:
    """Return the slug of the chosen project, by default the first.

    Raises UserError if there is no project, or none of the chosen name.
    """
    slugs = list(projects(workspace, account))
    if not slugs:
        raise UserError("no_project")
    chosen = st.session_state.get("chosen_project", slugs[0])
    require_known("no_such_project", slugs, project=chosen)
    return str(chosen)


def choose_project(slug: str) -> None:
    """Set the project and clear the person, who belongs to one project."""
    st.session_state["chosen_project"] = slug
    st.session_state.pop("chosen_person", None)


def person(
    workspace: Workspace, slug: str, account: AccountView | None = None
) -> PersonView | None:
    """Return the current person, None if none is chosen; UserError for one inactive or unknown.

    With an account, it is the account's person in the project, whatever was chosen. Raises
    UserError if the address names an unknown or deactivated person.
    """
    if account is not None:
        st.session_state.pop("chosen_person", None)  # an address from single-user mode
        here = (place.person for place in places(workspace, account.id) if place.slug == slug)
        return next(here, None)
    chosen = st.session_state.get("chosen_person")
    if chosen is None:
        return None
    for each in list_people(workspace, slug):
        if str(each.id) == chosen and each.active:
            return each
    raise UserError("no_such_person", person=chosen)


def choose_person(identity: int | None) -> None:
    """Set the current person; None clears the choice."""
    st.session_state["just_chosen"] = identity is not None
    if identity is None:
        st.session_state.pop("chosen_person", None)
    else:
        st.session_state["chosen_person"] = str(identity)


def just_come() -> bool:
    """Return whether this is the first run of the session."""
    return bool(st.session_state.get("just_come"))


def just_chosen() -> bool:
    """Return, once, whether a person was chosen just before this run."""
    return bool(st.session_state.pop("just_chosen", False))
