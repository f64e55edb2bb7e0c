from __future__ import annotations

import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import list_people
from messages import say
from pages.law.viewer_data import unit_part
from services.background.tasks import TaskKind, latest
from services.law.graph.citation_graph import unit_page
from services.ocr import tesseract
from services.ocr.publishing import publish_pages, unit_sources
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import page, shown
from tests.services.ocr.pages_project import SLUG, PagesProject, pages_project, paragraph
from tests.support.drawn_pages import drawn, png, scanned


@pytest.fixture
def here(tmp_path: Path, clock: FakeClock) -> PagesProject:
    return pages_project(Workspace(tmp_path / "ws", clock), tmp_path / "files")


def screen(here: PagesProject, person: int, language: str = "en") -> AppTest:
    who = next(each for each in list_people(here.ws, SLUG) if each.id == person)
    return page("ocr_report", here.ws, who, language, project=SLUG)


def test_the_report_shows_engines_beside_what_people_say(here: PagesProject):
    here.bring_annex()
    waiting = screen(here, here.lead).run()
    assert len(waiting.dataframe) == 0
    here.correct(1, [paragraph("소방시설")])
    here.verify(1, [paragraph("소방시설")])
    at = screen(here, here.lead)
    at.session_state["ocr-engines-more"] = True
    at.run()
    row = at.dataframe[0].value.iloc[0].tolist()
    assert row[:2] == ["embedded PyMuPDF 2", 1]
    assert "%" in row[2] and row[2].startswith("("), "one page does not stand out"
    assert [each.value for each in at.metric][3:] == ["1", "0"]
    told = say("ocr_report.verifiers_lead", changed=0, share="0.0 % [–]", n=1)
    assert told in shown(at).replace("\\", "")


def test_the_list_shows_every_page_and_the_image_of_one(here: PagesProject):
    here.bring_annex()
    here.bring("scan.png", png(scanned(drawn(), 0)))
    here.correct(1, [paragraph("소방시설")])
    at = screen(here, here.lead)
    at.session_state["ocr-tab"] = "pages"
    at.session_state["ocr-pages"] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    at.run()
    assert at.dataframe[0].value["Progress"].tolist().count("Corrected") == 1
    assert "1653 × 2339 pixels" in shown(at).replace("\\", "")


def test_pages_are_drafted_beside_everything_else(here: PagesProject):
    if tesseract.version() is None:
        pytest.skip("Tesseract with Korean is absent")
    here.bring_scan()
    at = screen(here, here.lead)
    at.session_state["ocr-tab"] = "bring"
    at.run()
    at.button(key="ocr-draft").click().run()
    task = latest(here.ws, SLUG, TaskKind.DRAFT_PAGES, here.lead)
    assert task is not None
    while task.running:
        time.sleep(0.05)
    at.run()
    assert "1 of 1 page drafted" in " ".join(each.value for each in at.success)
    at.button(key="ocr-close").click().run()
    assert len(at.success) == 0


def test_verified_pages_go_into_the_corpus(here: PagesProject):
    here.bring("guide.png", png(scanned(drawn(), 0)))
    here.correct(1, [paragraph("소방시설")])
    here.verify(1, [paragraph("소방시설")])
    at = screen(here, here.lead)
    at.session_state["ocr-tab"] = "bring"
    at.run()
    at.button(key="ocr-publish").click().run()
    told = " ".join(each.value for each in at.success).replace("\\", "")
    assert "1 unit from 1 page of 1 document is" in told
    assert not publish_pages(here.ws, SLUG).new


def test_the_corpus_says_which_page_a_unit_is_from(here: PagesProject):
    here.bring("guide.png", png(scanned(drawn(), 0)))
    here.correct(1, [paragraph("소방시설")])
    here.verify(1, [paragraph("소방시설")])
    number = publish_pages(here.ws, SLUG).snapshot_id
    assert number is not None
    found = unit_page(here.ws, number, "guide_p1")
    sources = unit_sources(here.ws, SLUG, number, "guide_p1", here.ann)
    facts = unit_part(found, "en", sources)["facts"]
    assert facts[-1] == "read from guide, corrected by Ann, verified by Ben"
    assert "Ben" in unit_part(found, "ko", sources)["facts"][-1]
    assert len(unit_part(found, "en")["facts"]) == len(facts) - 1
    who = next(each for each in list_people(here.ws, SLUG) if each.id == here.ann)
    at = page("corpus", here.ws, who, project=SLUG)
    at.query_params["unit"] = "guide_p1"
    at.run()
