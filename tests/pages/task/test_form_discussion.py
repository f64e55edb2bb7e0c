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
from tests.projects import mcq_project, tagged_project
from tests.projects.mcq_project import HOSTILE, McqHouse
from tests.projects.tagged_project import TagHouse

House = McqHouse | TagHouse


def question(folder: Path, clock: FakeClock) -> McqHouse:
    made = mcq_project.build(folder, clock, number=1)
    mcq_project.submitted(made, made.ann, made.items[0])
    mcq_project.submitted(made, made.ben, made.items[0], "drop", cause="unclear", reason=HOSTILE)
    return made


def court_case(folder: Path, clock: FakeClock) -> TagHouse:
    made = tagged_project.build(folder, clock, number=1)
    tagged_project.tag(made, made.ann, 0, {"weapon": [("knife", "with a knife")]}, comment=HOSTILE)
    tagged_project.tag(made, made.ben, 0, weapon="gun")
    return made


@pytest.fixture(params=["mcq", "tagging"])
def told(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> tuple[House, Task]:
    if request.param == "mcq":
        return question(tmp_path / "ws", clock), Task.MCQ_SOLVABILITY
    return court_case(tmp_path / "ws", clock), Task.FACTOR_TAGGING


def screen(house: House, shown: str = "") -> AppTest:
    slug = mcq_project.SLUG if isinstance(house, McqHouse) else tagged_project.SLUG
    at = opened("adjudication", house.ws, house.judge, slug)
    if shown:
        at.segmented_control(key="adjudication-filter").set_value(shown).run()
    return at


def state(house: House, task: Task) -> str:
    (found,) = disputes_of(task).queue(house.ws, house.judge)
    return found.state


def send(house: House) -> int:
    item = house.items[0]
    refer(house.ws, house.judge, item, HOSTILE, list(to_send(house.ws, house.judge, item)))
    return item


def test_a_case_is_sent_back_with_its_reason_and_recalled(told: tuple[House, Task]) -> None:
    house, task = told
    at = screen(house)
    field_of(at.button, "case-back").click().run()
    assert [each for each in at.markdown if "Enter a reason" in each.value], "a reason is needed"
    assert state(house, task) == "open"
    at.text_area(key=f"case-{house.judge}-{house.items[0]}-reason").set_value("Look again.").run()
    field_of(at.button, "case-back").click().run()
    assert not at.error
    assert state(house, task) == "sent_back"
    at = screen(house, "sent_back")
    assert "Ann, Ben" in at.info[0].value
    assert field_of(at.button, "case-back").disabled
    at.button(key="case-recall").click().run()
    assert state(house, task) == "open"
    answers = {"verdict": "keep"} if task == Task.MCQ_SOLVABILITY else {"weapon": ["gun"]}
    disputes_of(task).decide(house.ws, house.judge, house.items[0], answers, "So it is.")
    at = screen(house, "decided")
    assert not [each for each in at.button if each.key and each.key.startswith("case-back")]


def test_while_an_answer_is_changed_nothing_can_be_decided(told: tuple[House, Task]) -> None:
    house, _ = told
    commands.take_back(house.ws, house.ann, send(house))
    at = screen(house, "sent_back")
    assert field_of(at.button, "case-decide").disabled


def test_both_rounds_are_shown_as_text(told: tuple[House, Task]) -> None:
    house, _ = told
    item = send(house)
    keep(house.ws, house.ann, item)
    keep(house.ws, house.ben, item)
    at = screen(house)
    assert [each.value for each in at.text].count(HOSTILE) >= 3, "the reason, before and after"
    assert [each.value for each in at.markdown].count("**Ann**") >= 1
    assert not field_of(at.button, "case-back").disabled, "they differ still"


def test_what_they_agreed_on_stands_open_beside_what_they_differed_in(
    tmp_path: Path, clock: FakeClock
) -> None:
    house = question(tmp_path / "ws", clock)
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
