"""OCR correction and verification as each kind of person finds them."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.forms.form import answer
from annotation.history import reading
from annotation.people.members import PersonView, add_person
from annotation.work import queue_service
from annotation.work.commands import submit
from messages import say
from pages.ocr.task_page import send_back_part
from pages.task.acts import TaskSession, carry_out
from services.history.words import in_words
from services.ocr.importing import import_pages
from storage.db.workspace import Workspace
from storage.tasks import Task
from tests.pages.screens import opened
from tests.pages.small_project import HOSTILE, SLUG, empty_project, page
from tests.support.drawn_pages import HEADING, drawn, scanned, scanned_pdf, written


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
