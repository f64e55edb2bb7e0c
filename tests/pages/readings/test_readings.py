"""Readings on the Corpus page: beside the provision, and counted over the law."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import PersonView, add_person
from messages import say
from pages.shell.guard import md_literal
from retrieval.readings.model import Kind
from services.readings import read_units
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.llm.serving import serving
from tests.pages.small_project import page, shown
from tests.projects.project_cache import kept
from tests.projects.readings_law import ACT, SLUG, project


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", clock)
    kept("readings", workspace, lambda: project(workspace))
    return workspace


@pytest.fixture
def person(ws: Workspace) -> PersonView:
    return add_person(ws, SLUG, "Kim Ara", "annotator")


def opened(ws: Workspace, person: PersonView, unit: str) -> AppTest:
    at = page("corpus", ws, person, project=SLUG)
    at.query_params["unit"] = unit
    at.run()
    return at


def choose(at: AppTest, label: str, option: str) -> AppTest:
    [group] = [each for each in at.button_group if each.label == say(label)]
    group.set_value(option).run()
    return at


def ask(ws: Workspace) -> None:
    with serving(ws) as server:
        server.says = lambda asked: (
            "nothing" if "배를 매어" in asked or "형식이" in asked else '{"questions": ["누가?"]}'
        )
        read_units(ws, SLUG, Kind.ATOMS)


def test_what_was_read_stands_below_the_provision(ws: Workspace, person: PersonView) -> None:
    ask(ws)
    at = opened(ws, person, f"{ACT}_2조")
    choose(at, "readings.below", "readings")
    assert md_literal(say("readings.stand_in")) in shown(at)
    assert say("readings.no_model") in shown(at)
    entities, relations = (each.value for each in at.dataframe)
    assert "나루법 제2조" in entities.iloc[:, 0].tolist()
    assert len(relations) == 4
    choose(at, "readings.kind_label", "atoms")
    assert [len(each.value) for each in at.dataframe] == [4, 1]
    assert at.dataframe[1].value.iloc[0, 0] == "누가?"
    assert say("readings.no_model") not in shown(at)


def test_why_there_is_nothing_is_said(ws: Workspace, person: PersonView) -> None:
    ask(ws)
    at = choose(opened(ws, person, f"{ACT}_3조"), "readings.below", "readings")
    choose(at, "readings.kind_label", "atoms")
    [warning] = at.warning
    assert "was not in the form" in warning.value
    at = choose(opened(ws, person, f"{ACT}_4조"), "readings.below", "readings")
    assert "nothing to read" in at.info[0].value


def test_counts_and_what_could_not_be_read(ws: Workspace, person: PersonView) -> None:
    at = choose(opened(ws, person, f"{ACT}_2조"), "law_map.show", "readings")
    assert "No model has read" in at.info[0].value
    assert not at.dataframe
    ask(ws)
    at.button(key="readings-count-again").click().run()
    counts, unread = (each.value for each in at.dataframe)
    assert counts["Units asked"].tolist() == [5]
    assert counts["Unreadable"].tolist() == [1]
    assert counts["Found"].tolist() == ["4 questions"]
    assert counts["Calls"].tolist() == [6]
    assert unread["Provision"].tolist() == ["나루법 제3조"]
    assert unread["Reason"].tolist() == ["not in the form asked for"]
    at.toggle(key="readings-count-stand-in").set_value(True).run()
    assert at.dataframe[0].value["Kind"].tolist()[:4] == [
        say(f"readings.kind.{kind}", "en") for kind in Kind
    ]
