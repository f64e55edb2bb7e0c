"""The scripts and styles of the viewer of pages: complete, worded, small, and without HTML."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from annotation.work import queue_service
from pages.ocr.task_page import OCR, region_part, script
from pages.task.acts import ACTS as FORM_ACTS
from pages.task.acts import TaskSession, carry_out
from pages.task.viewer_data import ui_words
from services.ocr.importing import import_pages
from storage.db.workspace import Workspace
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages.small_project import SLUG, empty_project
from tests.pages.task.viewer_files import (
    HERE,
    RISKY,
    key_words,
    require_own_files,
    require_plain,
    untold,
)
from tests.support.drawn_pages import drawn, scanned, scanned_pdf, written

SCRIPTS = sorted((HERE / "ocr" / "frontend").glob("*.js"))
WORD = re.compile(r"""words\.([a-z_0-9]+)|words: "([a-z_]+)"|words\[`([a-z_]*)\$""")
NAMED = re.compile(r"""tool\("[a-z]+", "[^"]+", "([a-z_]+)"|tool\("([a-z_]+)", "[^"]+", \(""")
QUOTED = re.compile(r"""words\[[^\]`]*?"([a-z_]+)"(?: : "([a-z_]+)")?\]""")
ACTS = {**FORM_ACTS, "region": region_part}


def used_words() -> set[str]:
    text = "".join(file.read_text(encoding="utf-8") for file in SCRIPTS)
    found = [each for pattern in (WORD, NAMED, QUOTED) for each in pattern.findall(text)]
    return {word for groups in found for word in groups if word}


def test_every_file_is_part_of_the_viewer_and_turns_no_text_into_html():
    require_own_files(OCR)

    for file in SCRIPTS:
        require_plain(file)
    assert not re.search(rf"{RISKY}|new Function", script())


def test_the_catalogue_has_every_word_that_scripts_use_and_no_other():
    known = ui_words("ocr", "en", "ocr_verification")
    of_codebook = {"option_"}
    assert untold(used_words() - of_codebook, known) == []
    assert len(used_words() | key_words("ocr")) > 50

    own = set(ui_words("ocr", "en")) - set(ui_words("no_such_task", "en"))
    stems = tuple(word for word in used_words() if word[-1] == "_" and word != "key_")
    text = "".join(file.read_text(encoding="utf-8") for file in SCRIPTS)
    unused = [
        word
        for word in sorted(own - used_words() - key_words("ocr"))
        if not word.startswith(stems)
        and f'"{word.removeprefix("key_")}"' not in text
        and f'tool("{word.removesuffix("_hint")}"' not in text
    ]
    assert unused == []


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
