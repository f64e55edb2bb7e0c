"""The law: a page that is corrected, verified and published, an amendment, and a parallel group."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from shutil import copytree
from typing import Any

from annotation.closure.decisions import decide
from annotation.gold.law_checks import add_check
from annotation.mapping.commands import recheck
from annotation.work.versioned_texts import PARALLEL_GROUPS
from scripts.sample_project.desk import WORK, Act, Desk, read_yaml, unit_name
from services.law.importing import import_statutes
from services.law.watch import law_watch
from services.ocr.publishing import publish_pages
from services.sample.loading import SAMPLE
from services.sample.people import SLUG
from storage.tasks import Task


def acts() -> Iterator[Act]:
    """Yield the work on the law."""
    yield Act("2026-11-04 10:30", _correct)
    yield Act("2026-11-04 11:40", _verify)
    yield Act("2026-11-04 12:00", _publish)
    yield Act("2026-11-05 11:30", _declare)
    amendment = read_yaml("amendment.yaml")
    yield Act(amendment["when"], partial(_amend, changes=amendment["changes"]))
    yield Act("2026-11-16 17:30", partial(_confirm, names=amendment["confirmed"]))
    yield Act("2026-11-19 12:00", _dismiss)
    for again in amendment["rechecked"]:
        yield Act(again["when"], partial(_recheck, again=again))


def _correct(desk: Desk) -> None:
    """Correct the draft of a page: its formula was read as text."""
    said = read_yaml("page.yaml")
    note = said["note"].replace(said["missed"], "", 1)
    item = desk.item(Task.OCR_CORRECTION, said["page"])
    desk.answer("Kim Ara", item, {"blocks": _blocks(note, said["formula"])})


def _verify(desk: Desk) -> None:
    """Verify the page, and put in what the corrector left out."""
    said = read_yaml("page.yaml")
    item = desk.item(Task.OCR_VERIFICATION, said["page"])
    desk.answer("Park Jun", item, {"blocks": _blocks(said["note"], said["formula"])})


def _blocks(note: str, formula: str) -> list[dict[str, Any]]:
    """Return the corrected blocks of the page."""
    page = read_yaml("page.yaml")["page"]
    draft = json.loads((SAMPLE / "pages" / f"{page}.json").read_text(encoding="utf-8"))
    *kept, last = deepcopy(draft["blocks"])
    left, top, right, bottom = last["box"]
    middle = (left + right) // 2
    return [
        *kept,
        last | {"text": note, "doubt": [], "box": [left, top, middle, bottom]},
        {"kind": "formula", "latex": formula, "box": [middle, top, right, bottom]},
    ]


def _publish(desk: Desk) -> None:
    """Publish the verified pages."""
    publish_pages(desk.ws, SLUG, by=desk.person("Han Bora"))


def _declare(desk: Desk) -> None:
    """Declare parallel groups of provisions."""
    text = (WORK / "parallel_groups.yaml").read_text(encoding="utf-8")
    PARALLEL_GROUPS.save(desk.ws, SLUG, text, "Records", 1, by=desk.person("Han Bora"))


def _amend(desk: Desk, changes: list[dict[str, str]]) -> None:
    """Bring in the law as it was amended."""
    law = desk.files / "amended"
    copytree(SAMPLE / "statutes", law)
    touched = {change["file"] for change in changes}
    for change in changes:
        file = law / change["file"]
        text = file.read_text(encoding="utf-8")
        if change["old"] not in text:
            raise ValueError(f"{change['file']} does not say: {change['old']}")
        file.write_text(text.replace(change["old"], change["new"]), encoding="utf-8")
    for file in law.rglob("*.md"):
        if file.relative_to(law).as_posix() not in touched:
            file.unlink()
    import_statutes(desk.ws, SLUG, law, add=True, by=desk.person("Han Bora"))


def _dismiss(desk: Desk) -> None:
    """Say that a provision that a rule proposes does not belong to the gold."""
    question, reason = "en-12", "It is asked about the records of inspections alone."
    unit = unit_name("r7", "en")
    by = desk.person("Han Bora")
    decide(desk.ws, SLUG, "dismissed", "question", question, [unit], reason, by=by)


def _recheck(desk: Desk, again: dict[str, Any]) -> None:
    """Decide a question anew on the amended law."""
    question = again["question"]
    item = desk.item(Task.CITATION_MAPPING, question)
    recheck(desk.ws, desk.person(again["person"]), item)
    desk.map_question(again["person"], question, again)


def _confirm(desk: Desk, names: list[str]) -> None:
    """Confirm questions that hold under the amended wording."""
    by = desk.person("Han Bora")
    for entry in law_watch(desk.ws, SLUG, by=by, task=Task.MCQ_SOLVABILITY).entries:
        if entry.external_id in names:
            add_check(desk.ws, SLUG, "confirm", entry.item_id, entry.unit_id, by=by)
