"""The Downstream screen: figures, what can be chosen, and the questions behind a figure."""

from __future__ import annotations

import pytest

from tests.pages import screens
from tests.pages.small_project import shown
from tests.projects.downstream_project import HARM, SLUG, downstream


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return downstream(tmp_path_factory.mktemp("downstream") / "ws")


def opened(project):
    tables = {f"downstream-{section}-more": True for section in ("accuracy", "strata", "tests")}
    return screens.opened("downstream", project.ws, project.lead, SLUG, **tables)


def rows_of(at, place):
    return at.dataframe[place].value


def test_contexts_of_both_models_stand_with_their_figures_and_what_is_shown_can_be_chosen(project):
    at = opened(project)
    table = rows_of(at, 0)
    assert len(table) == 8 and list(table.iloc[:, 1]).count("Gold") == 2
    small = table[table.iloc[:, 0].str.startswith("small")]
    assert list(small.iloc[:, 3]) == [11, 10, 8, 8, 7, 8]
    assert small.iloc[2, 8].startswith("0.500")  # the run's recall on the same questions
    at = at.selectbox(key="downstream-verdicts").set_value("gavel").run()
    assert "big · in words · by gavel" in list(rows_of(at, 0).iloc[:, 0])
    at = at.selectbox(key="downstream-column").set_value("difficulty").run()
    assert any("L2" in list(each.value.iloc[:, 0]) for each in at.dataframe)
    before = len(at.dataframe[-1].value)
    at = at.segmented_control(key="downstream-against").set_value("all").run()
    assert len(at.dataframe[-1].value) > before
    at = at.checkbox(key="downstream-common").check().run()
    at = at.segmented_control(key="downstream-of").set_value("readable").run()
    assert not at.error


def test_a_figure_opens_its_questions(project):
    at = opened(project)
    at.session_state["downstream-accuracy"] = {"selection": {"rows": [6], "columns": []}}
    at = at.run()
    (listed,) = (each.value for each in at.dataframe if "c01" in list(each.value.iloc[:, 0]))
    assert listed.iloc[0, 0] == "c01" and len(listed) == 11
    key = "downstream-questions-small one by one · top 10-everything"
    at.session_state[key] = {"selection": {"rows": [6], "columns": []}}
    at = at.run()
    (options,) = (each.value for each in at.dataframe if HARM in each.value.to_numpy())
    assert list(options.iloc[:, 0]) == [False, True, False, False]
    words = shown(at)
    assert words.count("answer used") == 1 and words.count("alone\\: ") == 2
