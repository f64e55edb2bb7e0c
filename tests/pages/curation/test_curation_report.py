"""The report on curation, and what a lead starts there."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import list_people
from corpus.model import Question
from messages import LANGUAGES, say
from pages.shell.guard import md_literal
from services.curation.items import question_lines
from storage.law.imports import keep_questions
from tests.conftest import FakeClock
from tests.pages.small_project import page, shown
from tests.projects.curation_project import SLUG, CurationHouse, build, submitted, written
from tests.services.curation.test_items import both


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> CurationHouse:
    return build(tmp_path / "workspace", clock)


def opened(house: CurationHouse, who: int, language: str = "en") -> AppTest:
    person = next(each for each in list_people(house.ws, SLUG) if each.id == who)
    at = page("curation_report", house.ws, person, language, SLUG).run()
    assert not at.exception
    return at


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lead_gives_questions_and_admits_those_kept(house: CurationHouse, language: str) -> None:
    both(house, 0, {}, {})
    both(
        house,
        1,
        {"verdict": "reject", "cause": "unclear"},
        {"verdict": "reject", "cause": "unclear"},
    )
    written(house.ws, "aug-0004")
    written(house.ws, "aug-0005", ())
    at = opened(house, house.lead, language)
    at.checkbox(key="curation-unchecked").check().run()
    at.button(key="curation-give").click().run()
    assert md_literal(say("curation_report.given", language, items=2, unchecked=1)) in shown(at)
    assert [each.value for each in at.metric] == ["2", "3", "0"]
    assert "50.0 %" in [each.value for each in at.markdown], "two decisions do not stand large"
    at.button(key="curation-admit").click().run()
    assert not at.exception
    assert md_literal(say("curation_report.admitted", language, count=1)) in shown(at)
    assert at.button(key="curation-admit").disabled
    assert at.metric[2].value == "1"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tables_are_drawn(house: CurationHouse, language: str) -> None:
    edit = {"question": "?!", "answer": "1"}
    said = {"verdict": "edit", "edit": edit, "cause": "unclear"}
    both(house, 0, said, said)
    at = opened(house, house.lead, language)
    assert len(at.dataframe) == 4
    assert "100.0 %" in str(at.dataframe[0].value)
    at.button_group(key="curation-report-tab").set_value("questions").run()
    assert not at.exception
    assert len(at.dataframe) == 1


def test_what_cannot_be_admitted_is_said(house: CurationHouse) -> None:
    both(house, 0, {}, {})
    keep_questions(house.ws, SLUG, [Question("aug-0001", "Which?", "This.", "en")], "q.jsonl")
    at = opened(house, house.lead)
    at.button(key="curation-admit").click().run()
    assert md_literal("aug-0001") in shown(at)
    assert at.metric, "the rest is drawn all the same"
    assert question_lines(house.ws, SLUG)[0].stage == "kept"


def test_who_annotates_is_told_whose_screen_it_is(house: CurationHouse) -> None:
    submitted(house, house.ben, house.items[0], "reject", cause="unclear")
    at = opened(house, house.ann)
    assert "aug-0001" not in shown(at)


def test_a_project_without_questions_is_told_so(tmp_path: Path, clock: FakeClock) -> None:
    house = build(tmp_path / "empty", clock, number=0)
    assert say("curation_report.none", "en") in shown(opened(house, house.lead))
