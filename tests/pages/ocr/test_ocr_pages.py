"""OCR correction, verification and the report as each kind of person finds them."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.forms.form import answer
from annotation.history import reading
from annotation.people.members import PersonView, add_person, list_people
from annotation.work import queue_service
from annotation.work.commands import submit
from messages import say
from pages.law.viewer_data import unit_part
from pages.ocr.task_page import region_part, send_back_part
from pages.task.acts import ACTS as FORM_ACTS
from pages.task.acts import TaskSession, carry_out
from services.background.tasks import TaskKind, latest
from services.history.words import in_words
from services.law.graph.citation_graph import build, unit_page
from services.ocr import tesseract
from services.ocr.importing import import_pages
from services.ocr.publishing import publish_pages, unit_sources
from storage.db.workspace import Workspace
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages.screens import opened, person_of
from tests.pages.small_project import HOSTILE, SLUG, empty_project, page, shown
from tests.services.ocr.pages_project import SLUG as REPORT_SLUG
from tests.services.ocr.pages_project import PagesProject, pages_project, paragraph
from tests.support.drawn_pages import HEADING, drawn, png, scanned, scanned_pdf, written


class Office:
    """A project with two pages: one whose PDF holds its text, and one that is only an image."""

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        self.workspace = workspace
        self.ara, self.sora = empty_project(workspace)
        self.jun = add_person(workspace, SLUG, "Park Jun", "annotator")
        import_pages(workspace, SLUG, written(folder, "annex.pdf", drawn()))
        import_pages(workspace, SLUG, written(folder, "scan.pdf", scanned_pdf(scanned(drawn()))))
        queue = queue_service.queue(workspace, self.ara.id, Task.OCR_CORRECTION)
        self.items = {entry.external_id: entry.item_id for entry in queue}

    def correct(self, person: PersonView, name: str, text: str) -> None:
        block: dict[str, Any] = {
            "kind": "heading",
            "text": text,
            "box": None,
            "doubt": [],
            "from": 0,
        }
        answer(self.workspace, person.id, self.items[name], "blocks", [block])
        submit(self.workspace, person.id, self.items[name])

    def open(self, name: str, person: PersonView) -> AppTest:
        return opened(name, self.workspace, person)


@pytest.fixture
def office(workspace: Workspace, tmp_path: Path) -> Office:
    return Office(workspace, tmp_path)


def told(at: AppTest) -> dict[str, Any]:
    """Return what the viewer was told."""
    viewers = [each for each in at.get("bidi_component") if "ack" in each.proto.json]
    found: dict[str, Any] = json.loads(viewers[0].proto.json)
    return found


def test_a_page_comes_with_its_image_and_what_an_engine_read(office: Office):
    data = told(office.open("ocr_correction", office.ara))
    fixed = data["fixed"]
    assert fixed["externalId"] == "annex"
    kind, content = fixed["image"]["src"].split(";base64,")
    assert kind in ("data:image/png", "data:image/jpeg")
    assert base64.b64decode(content)
    assert fixed["image"]["width"] > 1000
    assert fixed["blocks"][0]["text"] == HEADING
    assert [block["from"] for block in fixed["blocks"]] == list(range(len(fixed["blocks"])))
    assert "table" in [block["kind"] for block in fixed["blocks"]]
    word, box = fixed["places"][0]
    assert word in HEADING
    assert len(box) == 4
    assert [base["name"] for base in fixed["bases"]] == ["draft"]
    assert data["words"]["option_table"] == "Table"

    office.correct(office.ara, "annex", f"제목\n{HOSTILE}")
    fixed = told(office.open("ocr_correction", office.ara))["fixed"]
    assert (fixed["externalId"], fixed["blocks"], fixed["places"]) == ("scan", [], [])
    assert fixed["image"]["src"].startswith("data:image/")
    assert fixed["source"] == "No draft: type the page", "nothing has read this page"
    data = told(office.open("ocr_verification", office.ara))
    assert data["fixed"] == {"finished": True}, "nobody verifies what they corrected"
    assert data["moving"]["total"] == 0
    (entry,) = (
        each
        for each in reading.read(office.workspace, SLUG, by=office.ara.id).entries
        if each.kind == "submission.submit"
    )
    (line,) = (each for each in in_words(lambda key: say(key, "en"), entry) if "blocks" in each)
    assert line == f"Answers: blocks = 제목 {HOSTILE}", "the history tells what was written"


def test_a_verification_begins_with_the_correction(office: Office):
    office.correct(office.ara, "annex", HOSTILE)
    fixed = told(office.open("ocr_verification", office.jun))["fixed"]
    assert fixed["externalId"] == "annex"
    assert [block["text"] for block in fixed["blocks"]] == [HOSTILE]
    draft, correction = fixed["bases"]
    assert (draft["name"], draft["blocks"][0]["text"]) == ("draft", HEADING)
    assert (correction["name"], correction["blocks"]) == ("correction", fixed["blocks"])
    assert fixed["compare"] is True
    at = page("ocr_verification", office.workspace, office.jun)
    at.query_params["item"] = str(office.items["scan"])
    assert told(at.run())["fixed"]["externalId"] == "annex"
    assert at.error, "an address of another screen"


def test_a_page_that_is_sent_back_is_its_correctors_again(office: Office):
    office.correct(office.ara, "annex", "제목")
    data = told(office.open("ocr_verification", office.jun))
    assert data["fixed"]["verifying"]
    assert (data["words"]["submit"], data["words"]["send_back"]) == ("Approve", "Send back")
    sitting = TaskSession(SLUG, office.jun.id, task=Task.OCR_VERIFICATION)
    act = {"seq": 1, "kind": "send_back", "item": data["moving"]["item"], "externalId": "annex"}
    acts = [{**act, "reason": "A line is missing.", "revision": data["moving"]["revision"]}]
    message = {"client": "c", "person": office.jun.id, "have": "", "acts": acts}
    carry_out(office.workspace, sitting, message, "en", {"send_back": send_back_part})
    assert (sitting.failed, sitting.item_id) == ([], None)
    assert sitting.notice is not None
    assert sitting.notice["what"] == "sent_back"
    told_again = told(office.open("ocr_correction", office.ara))
    assert told_again["fixed"]["externalId"] == "annex"
    assert told_again["moving"]["sentBack"] == ["Park Jun", "A line is missing.", True]
    assert told(office.open("ocr_verification", office.jun))["fixed"] == {"finished": True}


ACTS = {**FORM_ACTS, "region": region_part}


@pytest.fixture
def sitting(tmp_path: Path, clock: FakeClock) -> tuple[Workspace, TaskSession, int]:
    workspace = Workspace(tmp_path / "workspace", clock)
    ara, _ = empty_project(workspace)
    import_pages(workspace, SLUG, written(tmp_path, "scan.pdf", scanned_pdf(scanned(drawn()))))
    (entry,) = queue_service.queue(workspace, ara.id, Task.OCR_CORRECTION)
    return workspace, TaskSession(SLUG, ara.id, task=Task.OCR_CORRECTION), entry.item_id


def ask(where: tuple[Workspace, TaskSession, int], **act: Any) -> TaskSession:
    workspace, sitting, item = where
    acts = [{"seq": sitting.seq + 1, "kind": "region", "item": item, **act}]
    message = {"client": "c", "person": sitting.person_id, "have": "", "acts": acts}
    carry_out(workspace, sitting, message, "en", ACTS)
    return sitting


def test_a_part_is_read_and_told_once(sitting: tuple[Workspace, TaskSession, int]):
    told = ask(sitting, box=[300, 225, 1350, 320]).told["region"]
    assert "건축물" in "".join(block["text"] for block in told["blocks"])
    assert ask(sitting, box=[0, 0, 0, 0]).told == {}


def test_nothing_is_read_off_the_page_or_of_others(sitting: tuple[Workspace, TaskSession, int]):
    for box in ([0, 0, 1, 1], [-50, -50, -10, -10], [9000, 9000, 9100, 9100], []):
        (failed,) = ask(sitting, box=box).failed
        assert "defect" not in failed["message"]
    (failed,) = ask(sitting, item=999, box=[0, 0, 100, 100]).failed
    assert "999" in failed["message"]


@pytest.fixture
def here(tmp_path: Path, clock: FakeClock) -> PagesProject:
    return pages_project(Workspace(tmp_path / "ws", clock), tmp_path / "files")


def screen(here: PagesProject, person: int, language: str = "en") -> AppTest:
    who = next(each for each in list_people(here.ws, REPORT_SLUG) if each.id == person)
    return page("ocr_report", here.ws, who, language, project=REPORT_SLUG)


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


@pytest.mark.long  # `tests/commands/test_ocr.py` drafts by Tesseract, too
def test_pages_are_drafted_beside_everything_else(here: PagesProject):
    if tesseract.version() is None:
        pytest.skip("Tesseract with Korean is absent")
    here.bring_scan()
    at = screen(here, here.lead)
    at.session_state["ocr-tab"] = "bring"
    at.run()
    at.button(key="ocr-draft").click().run()
    task = latest(here.ws, REPORT_SLUG, TaskKind.DRAFT_PAGES, here.lead)
    assert task is not None
    while task.running:
        time.sleep(0.05)
    at.run()
    assert "1 of 1 page drafted" in " ".join(each.value for each in at.success)
    at.button(key="ocr-close").click().run()
    assert len(at.success) == 0


def test_verified_pages_go_into_the_corpus_which_says_and_shows_the_page(here: PagesProject):
    here.bring("guide.png", png(scanned(drawn(), 0)))
    here.correct(1, [paragraph("소방시설")])
    here.verify(1, [paragraph("소방시설")])
    at = screen(here, here.lead)
    at.session_state["ocr-tab"] = "bring"
    at.run()
    at.button(key="ocr-publish").click().run()
    told = " ".join(each.value for each in at.success).replace("\\", "")
    assert "1 unit from 1 page of 1 document is" in told
    made = publish_pages(here.ws, REPORT_SLUG)
    assert not made.new and made.snapshot_id is not None
    found = unit_page(here.ws, made.snapshot_id, "guide_p1")
    sources = unit_sources(here.ws, REPORT_SLUG, made.snapshot_id, "guide_p1", here.ann)
    facts = unit_part(found, "en", sources)["facts"]
    assert facts[-1] == "read from guide, corrected by Ann, verified by Ben"
    assert len(unit_part(found, "en")["facts"]) == len(facts) - 1
    build(here.ws, REPORT_SLUG)
    at = page("corpus", here.ws, person_of(here.ws, REPORT_SLUG, here.ann), project=REPORT_SLUG)
    at.query_params["unit"] = "guide_p1"
    at.run()
    assert not at.get("image")
    at.pills(key="corpus-page-1").select(1).run()
    assert len(at.get("image")) == 1
