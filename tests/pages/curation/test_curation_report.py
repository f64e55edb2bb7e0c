"""The report on curation, and what a lead starts there."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import list_people
from messages import say
from pages.shell.guard import md_literal
from tests.conftest import FakeClock
from tests.pages.screens import table
from tests.pages.small_project import page, shown
from tests.projects.curation_project import SLUG, CurationHouse, build, written
from tests.services.curation.test_items import both


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> CurationHouse:
    return build(tmp_path / "workspace", clock)


def opened(house: CurationHouse, who: int) -> AppTest:
    person = next(each for each in list_people(house.ws, SLUG) if each.id == who)
    at = page("curation_report", house.ws, person, project=SLUG)
    for section in ("funnel", "cells", "causes"):
        at.session_state[f"curation-{section}-more"] = True
    at.run()
    return at


def test_a_lead_gives_questions_reads_figures_and_admits_those_kept(house: CurationHouse) -> None:
    rejected = {"verdict": "reject", "cause": "unclear"}
    both(house, 0, {}, {})
    both(house, 1, rejected, rejected)
    written(house.ws, "aug-0004")
    written(house.ws, "aug-0005", ())
    at = opened(house, house.lead)
    at.checkbox(key="curation-unchecked").check().run()
    at.button(key="curation-give").click().run()
    assert md_literal(say("curation_report.given", items=2, unchecked=1)) in shown(at)
    assert any("50.0 %" in each.value.replace("\\", "") for each in at.markdown)
    assert table(at, "State")["Count"].tolist() == [5, 5, 2, 1, 0]
    assert table(at, "Cause")["Cause"].tolist() == ["Badly worded"]
    assert "(50.0 %" in table(at, "Written for", "Accepted")["Accepted"][0], "of two only"
    at.button(key="curation-admit").click().run()
    assert md_literal(say("curation_report.admitted", count=1)) in shown(at)
    assert at.button(key="curation-admit").disabled
    assert table(at, "State")["Count"].tolist()[-1] == 1
    at.button_group(key="curation-report-tab").set_value("questions").run()
    assert len(at.dataframe) == 1
