"""Opens a screen, and finds things on it by what they are called."""

from __future__ import annotations

import json
import time
from typing import Any

from streamlit.testing.v1 import AppTest

from annotation.people.members import PersonView, list_people
from storage.db.workspace import Workspace
from tests.pages.small_project import SLUG, Small, page


def opened(
    name: str,
    where: Small | Workspace,
    person: PersonView | int,
    project: str = SLUG,
    language: str = "en",
    **state: Any,
) -> AppTest:
    """Draw a screen as the person sees it, with this session state.

    In a key without `-`, `_` stands for it.
    """
    workspace = where.workspace if isinstance(where, Small) else where
    if isinstance(person, int):
        person = person_of(workspace, project, person)
    at = page(name, workspace, person, language, project)
    for key, value in state.items():
        at.session_state[key if "-" in key else key.replace("_", "-")] = value
    at.run()
    return at


def told(
    name: str,
    where: Small | Workspace,
    person: PersonView | int,
    item: object = None,
    project: str = SLUG,
    language: str = "en",
    **named: str,
) -> dict[str, Any]:
    """Return what the viewer of a task is told, of the item that the address names."""
    workspace = where.workspace if isinstance(where, Small) else where
    if isinstance(person, int):
        person = person_of(workspace, project, person)
    at = page(name, workspace, person, language, project)
    if item is not None:
        at.query_params["item"] = str(item)
    for key, value in named.items():
        at.query_params[key] = value
    return viewer(at.run())


def viewer(at: AppTest) -> dict[str, Any]:
    """Return what the one viewer of the screen is told."""
    (shown,) = at.get("bidi_component")
    found: dict[str, Any] = json.loads(shown.proto.json)
    return found


def person_of(workspace: Workspace, project: str, number: int | str) -> PersonView:
    """Return the person of the project with this number or name."""
    return next(e for e in list_people(workspace, project) if number in (e.id, e.name))


def table(at: AppTest, *columns: str) -> Any:
    """Return the first table that has all these columns."""
    found = [e.value for e in at.dataframe if set(columns) <= set(e.value.columns)]
    assert found, f"no table has {columns} of {[list(e.value.columns) for e in at.dataframe]}"
    return found[0]


def when_over(at: AppTest, work: str) -> AppTest:
    """Draw the screen until the work beside it has ended, and can be closed."""
    for _ in range(100):
        if any(each.key == f"{work}-close" for each in at.button):
            return at
        time.sleep(0.05)
        at.run()
    raise AssertionError("the work did not end")


def rows(at: AppTest, column: str) -> list[list[str]]:
    """Return the cells of the first table that has this column, row by row."""
    return [[str(cell) for cell in row] for row in table(at, column).to_numpy().tolist()]


def metrics(at: AppTest) -> list[str]:
    """Return the figures that stand large."""
    return [each.value for each in at.metric]


def buttons(at: AppTest) -> set[str | None]:
    """Return the keys of the buttons."""
    return {each.key for each in at.button}


def press(at: AppTest, label: str) -> AppTest:
    """Press the button with these words on it."""
    at = next(each for each in at.button if each.label == label).click().run()
    return at


def select(at: AppTest, table_key: str, row: int) -> AppTest:
    """Select a row of a table."""
    at.session_state[table_key] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    at.run()
    return at
