"""The Papers screen: the tables of a paper before and after it was run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell.guard import md_literal
from services.papers.recipes import recipe
from services.papers.running import run_paper
from storage.db.workspace import Workspace
from tests.pages import screens
from tests.pages.screens import person_of
from tests.pages.small_project import shown, worked_sample

SLUG, PAPER = "sample", "searchfiresafety"
REPORT = {
    "lengths": [
        {"unit": "characters", "n": 111, "mean": 314.75},
        {"unit": "tokens", "n": 111, "mean": 59.4},
    ]
}


@pytest.fixture
def sample(tmp_path: Path) -> Workspace:
    ws = Workspace(tmp_path / "ws")
    worked_sample(ws)
    return ws


def test_what_was_run_stands_beside_the_published_values(sample: Workspace) -> None:
    at = opened(sample)
    assert recipe(PAPER).title in at.selectbox(key="papers-name").options
    assert any("was not run" in table.value.to_string() for table in at.dataframe)
    run_paper(sample, SLUG, recipe(PAPER), lambda words: REPORT if words[0] == "graph" else {})
    at = opened(sample)
    (table,) = (each.value for each in at.dataframe if "4467" in each.value.to_string())
    assert "111" in table.to_string()
    (differs,) = recipe(PAPER).tables[0].differs
    assert md_literal(differs["en"]) in shown(at)


def opened(ws: Workspace) -> AppTest:
    names = {t.table.casefold().replace(" ", "_") for t in recipe(PAPER).tables}
    unfolded: dict[str, Any] = {f"paper-{PAPER}-{each}-more": True for each in ("tables", *names)}
    unfolded["papers-name"] = PAPER
    at = screens.opened("papers", ws, person_of(ws, SLUG, "Han Bora"), SLUG, **unfolded)
    assert not at.error
    return at
