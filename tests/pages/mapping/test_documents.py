from __future__ import annotations

import pytest

from annotation.guidelines.documents import TASK, text_of
from annotation.work import commands, queue_service
from pages.mapping.citation_mapping import PAGE
from pages.task.page import documents_part
from storage.db.workspace import Workspace
from storage.tables.people import Document
from tests.pages.small_project import Small, small_project


@pytest.fixture
def small(workspace: Workspace) -> Small:
    return small_project(workspace)


def test_the_viewer_is_told_the_current_text_and_what_changed_since(small: Small):
    ws, person, item = small.workspace, small.ara.id, small.items["q1"]
    commands.set_comment(ws, person, item, "begun")
    first = documents_part(ws, person, PAGE, queue_service.open_item(ws, person, item), "en")[
        "guideline"
    ]
    assert first["changes"] == []
    assert first["meanings"]["accept"].startswith("The answer rests")
    with ws.writing() as session:
        where = {"project_id": 1, "kind": "guideline", "task": TASK, "number": 2}
        text = "# Citation mapping\n\n<script>alert(1)</script> **only**"
        row = Document.model_validate(
            where | {"language": "en", "text": text, "note": "shorter", "at": ws.clock()}
        )
        session.add(row)
    view = queue_service.open_item(ws, person, item)
    told = documents_part(ws, person, PAGE, view, "en")["guideline"]
    assert told["version"].startswith("2-")
    assert told["blocks"][1]["pieces"] == [["<script>alert(1)</script> ", False], ["only", True]]
    assert (told["note"], told["since"][:28]) == ("shorter", "What changed since version 1")
    came = "".join(piece for kind, piece in told["changes"] if kind == "inserted")
    assert "</script>" in came


def test_the_codebook_names_the_options(small: Small):
    ws, person = small.workspace, small.ara.id
    text = text_of(ws, person, "codebook", TASK, "ko").text.replace('"채택"', '"근거 있음"')
    with ws.writing() as session:
        where = {"project_id": 1, "kind": "codebook", "task": TASK, "number": 2}
        session.add(
            Document.model_validate(where | {"language": "mul", "text": text, "at": ws.clock()})
        )
    words = documents_part(ws, person, PAGE, None, "ko")["words"]
    assert (words["accept"], words["reject"]) == ("근거 있음", "제외")
