"""The web entry: who you are, which project, which page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

import streamlit as st

from annotation.people.accounts import AccountView
from annotation.people.roles import Role, may
from annotation.start.modules import Module, modules
from annotation.start.waiting import OWN_SCREEN, idle_tasks
from errors import UserError, Where
from messages import say
from pages.shell import context, open_counts, palette, uploads
from pages.shell.context import Context
from pages.shell.entry import auth_session, sidebar, sign_in, timing, welcome
from pages.shell.entry.screens import SCREENS, screen
from pages.shell.entry.sidebar import follow_language
from pages.shell.entry.timing import take_short_turns
from pages.shell.guard import guarded, show
from pages.shell.navigation import draw_tabs, known_screens, screen_link, screen_wanted
from retrieval.core.own import FOLDER, set_method_folder
from serving.settings import team_mode
from serving.uploads import is_served_bare
from storage.db.location import workspace_folder
from storage.db.workspace import Workspace

Found = TypeVar("Found")
START, OVERVIEW, HOME = "start", "overview", ""
PLACES: dict[str, dict[str, list[str]]] = {}  # by section of the sidebar: the screens of each
for _name, _screen in SCREENS.items():
    PLACES.setdefault(_screen.section, {}).setdefault(_screen.place, []).append(_name)
PAGES = {name: f":material/{each.icon}:" for name, each in SCREENS.items()}
LANDS_ON_OVERVIEW = (Role.RESEARCHER, Role.ADMINISTRATOR)  # everybody else lands on their work
ONLY_FOR = {name: each.act for name, each in SCREENS.items() if each.act}  # who sees the link
WORK_PLACES: Mapping[str, Mapping[str, tuple[str, ...]]] = {  # of who comes for their work
    "": {"start": (START, "agreement", "keys")},
    "review": {
        "tasks": ("citation_mapping", "mcq_solvability", "curation", "research", "own_task"),
        "ocr": ("ocr_correction", "ocr_verification"),
        "answers": ("answer_rating", "judge_review", "attribution_review"),
        "cases": ("factor_tagging",),
    },
    "law": {"reference": ("corpus", "guidelines")},
}
LAYOUTS = {Role.ANNOTATOR: WORK_PLACES, Role.LAWYER: WORK_PLACES}  # others have all `PLACES`
OF_MODULE = {  # places that are there only while a module is on
    **{str(each): each for each in Module},
    **{"adjudication": Module.AGREEMENT, "leaderboard": Module.GOLD},
}
ICON = Path(__file__).parent / "pages" / "shell" / "icon.svg"
SIDEBAR_PIXELS = 232
FRAME_STYLE = """<style>
.stMainBlockContainer { padding-left: 2rem; padding-right: 2rem; }
.stApp :is(p, li, h1, h2, h3) { word-break: keep-all; overflow-wrap: break-word; }
.stApp [data-testid="stCaptionContainer"] { opacity: 0.75; }
.stApp [data-testid="stCaptionContainer"]:has(a) { opacity: 0.9; }
.stApp :is(.stMultiSelect, .stSelectbox) button[aria-label^="Clear"] {
  min-width: 24px; min-height: 24px;
}
.stApp :is([data-testid="stMetricLabel"], .stCheckbox) .stMarkdownEllipsis,
.stApp :is([data-testid="stMetricLabel"], .stCheckbox) .stMarkdownEllipsis p {
  white-space: normal; overflow: visible;
}
@media (prefers-color-scheme: dark) {
  .stApp [data-testid^="stBaseButton-primary"]:enabled { color: #15181c; }
  .stApp .stMultiSelect span[title] { color: #15181c; }
}
[data-testid="stSidebar"] .stSelectbox input {
  padding-inline-end: 0; font-size: 0.85rem; text-overflow: ellipsis;
}
[data-testid="stSidebar"] .stSelectbox [role="group"] > button { padding-inline: 0.25rem; }
[class*="st-key-links-"] .stElementContainer:has(> .stPageLink) { margin: 0; }
[class*="st-key-links-"] [data-testid="stPageLink-NavLink"] {
  height: 26px; margin: 0; padding-block: 0;
}
[class*="st-key-links-"] [data-testid="stPageLink-NavLink"] p { line-height: 1.5; }
</style>"""  # the theme has no setting for these: small targets, cut names, faint white on blue


@st.cache_resource
def open_workspace(folder: Path) -> Workspace:
    """Return the workspace of `folder`, opened once per process.

    Streamlit's secrets are read then, too: it puts them into the environment, where keys of models
    are looked for. Methods that the operator keeps in the folder are known from then on.
    """
    st.secrets.load_if_toml_exists()
    set_method_folder(folder / FOLDER)
    return Workspace(folder)


def main() -> None:
    """Draw one run of the app."""
    timing.start()
    take_short_turns()
    follow_language()
    context.read_address()
    language = context.language()
    st.set_page_config(
        page_title=say("app.name", language),
        page_icon=str(ICON),
        layout="wide",
        initial_sidebar_state=SIDEBAR_PIXELS,
    )
    st.html(FRAME_STYLE)
    pages: dict[str, st.Page] = {}
    for name, icon in PAGES.items():
        pages[name] = st.Page(
            partial(_draw, name, pages, language),
            title=say(f"app.pages.{name}", language),
            icon=icon,
            url_path=name,
        )
    # The address without a name: who lands on their work finds it there, others are sent on.
    pages[HOME] = st.Page(
        partial(_draw, HOME, pages, language),
        title=pages[START].title,
        icon=PAGES[START],
        default=True,
    )
    page = st.navigation([*pages.values()], position="hidden")
    uploads.free_when_left(page.url_path)
    uploads.tell_refused(language)
    page.run()
    context.write_address()
    timing.finish(page.url_path or START)


def _draw(name: str, pages: dict[str, st.Page], language: str) -> None:
    """Draw the frame and the chosen page, or switch to the page that is meant instead."""
    sidebar.brand(language)
    found = None
    with guarded(language):
        found = _frame(name or START, pages, language)
    sidebar.language_switch(language)
    if found is None:
        return
    if wanted := screen_wanted():
        st.switch_page(pages[wanted[0]], query_params=context.address() | wanted[1])
    known_screens(pages)
    if elsewhere := _elsewhere(name, found.person.role):
        st.switch_page(pages[elsewhere], query_params=dict(st.query_params) | context.address())
    if found.workspace.read_only:
        st.warning(found.say("app.read_only"), icon=":material/lock:")
    name = name or START
    draw_tabs(pages, _tabs(found, name))
    with guarded(language):
        # Only the page asked for: together they load numpy, pandas and the search engine.
        screen(name).render(found)
        if not _sees(found.person.role, name):
            screen_link(found, START, found.say("app.back"), icon=":material/arrow_back:")
        open_counts.tell_all(found)


def _elsewhere(name: str, role: str) -> str | None:
    """Return the name of the page to draw instead, None if this one is meant.

    An address that names an item alone is from when citation mapping was the first page. Who has
    just said to be somebody else is not left at a page that is not theirs.
    """
    chosen = context.just_chosen()
    landing = OVERVIEW if role in LANDS_ON_OVERVIEW else START
    old = name in (START, HOME) and "item" in st.query_params and (chosen or context.just_come())
    if old and _sees(role, "citation_mapping"):
        return "citation_mapping"
    if name == HOME:
        return OVERVIEW if landing == OVERVIEW else None
    return landing if chosen and not _sees(role, name) else None


def _frame(name: str, pages: dict[str, st.Page], language: str) -> Context | None:
    """Draw the sidebar, or a first screen; return the context, None while it is not known."""
    workspace = open_workspace(workspace_folder().resolve())
    if is_served_bare():
        raise UserError("served_bare")
    if not workspace.exists:
        raise UserError("workspace_missing", Where(file=str(workspace.folder)))
    account = None
    if team_mode():
        account = auth_session.account(workspace)
        if account is None or sign_in.asked_for():
            sign_in.render(workspace, account, language)
            return None
        auth_session.hand_over_ticket()
    return _at_work(workspace, account, name, pages, language)


def _at_work(
    workspace: Workspace,
    account: AccountView | None,
    name: str,
    pages: dict[str, st.Page],
    language: str,
) -> Context | None:
    """Draw a signed-in person's sidebar; return the context, None without project or person."""
    titles = context.projects(workspace, account)
    if not titles:
        if account is None:
            welcome.first_project(workspace, language)
        else:
            welcome.no_place(workspace, account, language)
        return None
    project = _chosen_or_error(lambda: context.project(workspace, account), language)
    person = (
        _chosen_or_error(lambda: context.person(workspace, project, account), language)
        if project
        else None
    )
    if project is not None and person is not None:
        idle, on = idle_tasks(workspace, project), modules(workspace, project).on
        if person.role not in LANDS_ON_OVERVIEW:
            pages[START] = pages[HOME]  # who lands on their work has it without a name, too
        sections = _places(person.role, idle, on)
        every = _places(person.role, idle, set(Module))  # the palette finds modules that are off
        palette.draw(Context(workspace, project, person, language, account), every)
        sidebar.links(pages, sections, (project, person.id), name)
    sidebar.project_picker(titles, project, language)
    if account is not None:
        sidebar.signed_in(workspace, account, person, language)
    if project is None:
        return None
    if person is None:
        welcome.render(workspace, project, language)
        return None
    if account is None:
        sidebar.person_picker(workspace, project, person, language)
    return Context(workspace, project, person, language, account)


def _places(
    role: str, idle: Collection[str], on: Collection[Module]
) -> dict[str, dict[str, list[str]]]:
    """Return the screens of each place that the role has in the sidebar, by section.

    A module that is off has no place, nor has a task without items; of a module that is on, who
    lists all has every screen. Who comes in by their work has that first.
    """
    found: dict[str, dict[str, list[str]]] = {section: {} for section in PLACES}
    for section, places in _layout(role).items():
        for place, screens in places.items():
            mine = [name for name in screens if _sees(role, name)]
            open_ = [name for name in mine if name not in idle]
            if place in OF_MODULE and OF_MODULE[place] not in on:
                continue
            if place in OF_MODULE and role not in LAYOUTS:
                open_ = open_ or mine
            if open_:
                found[section][place] = open_
    if role not in LANDS_ON_OVERVIEW:
        found[""] = dict(reversed(found[""].items()))
    return found


def _layout(role: str) -> Mapping[str, Mapping[str, Iterable[str]]]:
    """Return the places of a role, each with its screens, by section."""
    return LAYOUTS.get(Role(role), PLACES)


def _tabs(context: Context, name: str) -> list[str]:
    """Return the screens that are tabs beside this one, without those of idle tasks for workers."""
    role = context.person.role
    idle = idle_tasks(*context.here)
    idle = idle if role in LAYOUTS else idle & {OWN_SCREEN}
    places = (screens for found in _layout(role).values() for screens in found.values())
    beside = next((screens for screens in places if name in screens), (name,))
    return [each for each in beside if each == name or (_sees(role, each) and each not in idle)]


def _sees(role: str, name: str) -> bool:
    """Return whether the role has a link to the page."""
    return name not in ONLY_FOR or may(role, ONLY_FOR[name])


def _chosen_or_error(look: Callable[[], Found], language: str) -> Found | None:
    """Return the result of `look`; on its UserError, show that and return None."""
    try:
        return look()
    except UserError as error:
        show(error, language)
        return None


if __name__ == "__main__":
    main()
