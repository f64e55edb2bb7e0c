"""The Papers screen: the tables of a paper before and after it was run."""

from __future__ import annotations

import pytest

from annotation.people.members import list_people
from pages.shell.guard import md_literal
from services.papers.recipes import recipe
from services.papers.running import run_paper
from services.sample.loading import load_worked_sample
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from tests.pages.small_project import page, shown

SLUG, PAPER = "sample", "searchfiresafety"
REPORT = {
    "lengths": [
        {"unit": "characters", "n": 111, "mean": 314.75},
        {"unit": "tokens", "n": 111, "mean": 59.4},
    ]
}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    ws = Workspace(tmp_path_factory.mktemp("papers") / "ws")
    migrate(ws)
    assert load_worked_sample(ws)
    return ws


@pytest.mark.parametrize(
    ("language", "never"), [("en", "was not run"), ("ko", "실행하지 않았습니다")]
)
def test_before_it_was_run_every_cell_says_so(sample: Workspace, language: str, never: str) -> None:
    at = opened(sample, language)
    assert recipe(PAPER).title in at.selectbox(key="papers-name").options
    assert any(never in table.value.to_string() for table in at.dataframe)


def test_what_was_run_stands_beside_the_published_values(sample: Workspace) -> None:
    run_paper(sample, SLUG, recipe(PAPER), lambda words: REPORT if words[0] == "graph" else {})
    at = opened(sample, "en")
    (table,) = (each.value for each in at.dataframe if "4467" in each.value.to_string())
    assert "111" in table.to_string()
    (differs,) = recipe(PAPER).tables[0].differs
    assert md_literal(differs["en"]) in shown(at)


def opened(ws: Workspace, language: str):
    (lead,) = (each for each in list_people(ws, SLUG) if each.name == "Han Bora")
    at = page("papers", ws, lead, language, project=SLUG)
    at.session_state["papers-name"] = PAPER
    for section in (
        "tables",
        *(t.table.casefold().replace(" ", "_") for t in recipe(PAPER).tables),
    ):
        at.session_state[f"paper-{PAPER}-{section}-more"] = True
    at = at.run()
    assert not at.error
    return at
