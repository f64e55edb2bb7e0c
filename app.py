"""The web entry: who you are, which project, which page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TypeVar

import streamlit as st

from errors import UserError, Where
from pages import context, sidebar, timing, welcome
from pages.context import Context
from pages.guard import guarded, show
from storage.workspace import Workspace, workspace_folder
from words import say

Found = TypeVar("Found")
PAGES = {
    "citation_mapping": ":material/fact_check:",
    "adjudication": ":material/gavel:",
    "assignment": ":material/assignment_ind:",
    "agreement": ":material/balance:",
    "gold": ":material/verified:",
    "leaderboard": ":material/leaderboard:",
    "corpus": ":material/menu_book:",
    "graph_report": ":material/hub:",
    "compare": ":material/difference:",
    "data": ":material/database:",
}
ICON = Path(__file__).parent / "pages" / "parts" / "icon.svg"
SIDEBAR_PIXELS = 232
FRAME_STYLE = """<style>
.stMainBlockContainer { padding-left: 2rem; padding-right: 2rem; }
@media (prefers-color-scheme: dark) {
  .stApp [data-testid^="stBaseButton-primary"]:enabled { color: #15181c; }
}
</style>"""  # the theme has no setting for these: white on the dark theme's light blue is too faint


@st.cache_resource
def open_workspace(folder: Path) -> Workspace:
    """Return the workspace of `folder`, opened once per process."""
    return Workspace(folder)


def main() -> None:
    """Draw one run of the app."""
    timing.start()
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
            default=name == "citation_mapping",
        )
    page = st.navigation(list(pages.values()), position="hidden")
    page.run()
    context.write_address()
    timing.finish(page.url_path or "citation_mapping")


def _draw(name: str, pages: dict[str, st.Page], language: str) -> None:
    sidebar.brand(language)
    found = None
    with guarded(language):
        found = _frame(list(pages.values()), language)
    sidebar.language_switch(language)
    if found is None:
        return
    if context.just_chosen() and name == "citation_mapping" and found.person.role == "adjudicator":
        # Citation mapping is not theirs to do.
        st.switch_page(pages["adjudication"], query_params=context.address())
    with guarded(language):
        # Only the page asked for: together they load numpy, pandas and the search engine.
        import_module(f"pages.{name}").render(found)


def _frame(pages: list[st.Page], language: str) -> Context | None:
    """Draw the sidebar, or the first screen beside it; return the context once it is known."""
    workspace = open_workspace(workspace_folder().resolve())
    if not workspace.exists:
        raise UserError("workspace_missing", Where(file=str(workspace.folder)))
    project = _known(lambda: context.project(workspace), language)
    person = _known(lambda: context.person(workspace, project), language) if project else None
    if person is not None:
        sidebar.links(pages)
    sidebar.project_picker(workspace, project, language)
    if project is None:
        return None
    if person is None:
        welcome.render(workspace, project, language)
        return None
    sidebar.person_picker(workspace, project, person, language)
    return Context(workspace, project, person, language)


def _known(look: Callable[[], Found], language: str) -> Found | None:
    """Return what `look` finds, or say what is wrong with the choice so that it is made anew."""
    try:
        return look()
    except UserError as error:
        show(error, language)
        return None


if __name__ == "__main__":
    main()
