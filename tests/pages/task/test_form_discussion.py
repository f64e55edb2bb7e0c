"""Sending questions and court cases back from the adjudication screen, and how that shows there."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.adjudication.discussion_views import keep
from annotation.adjudication.tasks import disputes_of, refer, to_send
from annotation.forms.form import answer
from annotation.work import commands
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages.browser import field_of
from tests.pages.screens import opened
from tests.projects import mcq_project
from tests.projects.mcq_project import HOSTILE, SLUG, McqHouse


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> McqHouse:
    made = mcq_project.build(tmp_path / "ws", clock, number=1)
    mcq_project.submitted(made, made.ann, made.items[0])
    mcq_project.submitted(made, made.ben, made.items[0], "drop", cause="unclear", reason=HOSTILE)
    return made


def screen(house: McqHouse, shown: str = "") -> AppTest:
    at = opened("adjudication", house.ws, house.judge, SLUG)
    if shown:
        at.segmented_control(key="adjudication-filter").set_value(shown).run()
    return at


def state(house: McqHouse) -> str:
    (found,) = disputes_of(Task.MCQ_SOLVABILITY).queue(house.ws, house.judge)
    return found.state


def send(house: McqHouse) -> int:
    item = house.items[0]
    refer(house.ws, house.judge, item, HOSTILE, list(to_send(house.ws, house.judge, item)))
    return item


def test_a_case_is_sent_back_with_its_reason_and_recalled(house: McqHouse) -> None:
    at = screen(house)
    field_of(at.button, "case-back").click().run()
    assert [each for each in at.markdown if "Enter a reason" in each.value], "a reason is needed"
    assert state(house) == "open"
    at.text_area(key=f"case-{house.judge}-{house.items[0]}-reason").set_value("Look again.").run()
    field_of(at.button, "case-back").click().run()
    assert not at.error
    assert state(house) == "sent_back"
    at = screen(house, "sent_back")
    assert "Ann, Ben" in at.info[0].value
    assert field_of(at.button, "case-back").disabled
    at.button(key="case-recall").click().run()
    assert state(house) == "open"


def test_both_rounds_are_shown_as_text(house: McqHouse) -> None:
    item = send(house)
    keep(house.ws, house.ann, item)
    keep(house.ws, house.ben, item)
    at = screen(house)
    assert [each.value for each in at.text].count(HOSTILE) >= 3, "the reason, before and after"
    assert [each.value for each in at.markdown].count("**Ann**") >= 1
    assert not field_of(at.button, "case-back").disabled, "they differ still"


def test_what_they_agreed_on_stands_open_beside_what_they_differed_in(house: McqHouse) -> None:
    item = send(house)
    commands.take_back(house.ws, house.ben, item)
    answer(house.ws, house.ben, item, "verdict", "keep")
    commands.submit(house.ws, house.ben, item)
    keep(house.ws, house.ann, item)
    at = screen(house, "agreed")
    alike = next(each for each in at.expander if each.label.startswith("Same answer on every side"))
    assert alike.proto.expanded
    assert "This item: keep" in [each.value for each in alike.markdown]
    said = [each.value for each in at.markdown]
    assert "This item: :orange-background[**drop**]" in said, "before, they differed in it"
    assert said.count("Stored answer right? right") == 3, "but never in this: both, and each before"
