from __future__ import annotations

from datetime import date, datetime
from typing import Any

from annotation.forms.form import take_up
from annotation.guidelines.editing import new_version
from annotation.guidelines.migration import migrate_answers
from annotation.work import commands
from corpus.model import Level, Statute, Tier, Unit
from services.law.importing import keep_law
from services.ocr.importing import ImportOptions
from services.ocr.publishing import publish_pages
from services.ocr.report import ocr_report
from services.ocr.report_tables import as_report
from storage.law.corpus import load_statutes, snapshot_in_use
from storage.ocr import pages_of_unit
from storage.projects import find_project
from storage.tasks import Task
from tests.services.ocr.pages_project import SLUG, PagesProject, paragraph
from tests.support.refusals import code_of

DECREE, ANNEX = "가온법-시행령", "가온법-시행령_별표1"
TABLE = {
    "kind": "table", "rows": 2, "columns": 2, "box": None,
    "cells": [
        {"row": 0, "column": 0, "row_span": 1, "column_span": 2, "text": "구분"},
        {"row": 1, "column": 0, "row_span": 1, "column_span": 1, "text": "소화설비"},
        {"row": 1, "column": 1, "row_span": 1, "column_span": 1, "text": "3,000㎡\n이상"},
    ],
}  # fmt: skip


def decree() -> Statute:
    """A decree that names its annex and lacks the annex's text."""
    article = Unit(
        f"{DECREE}_1조", DECREE, Level.ARTICLE, "제1조", "목적", "제1조(목적) 별표 1에 따른다.", 0
    )
    annex = Unit(ANNEX, DECREE, Level.ANNEX, "별표 1", "범위", "", 1, text_missing=True)
    units = (article, annex)
    return Statute(DECREE, "가온법 시행령", "대통령령", Tier.DECREE, "ko", units, date(2026, 1, 1))


def law(here: PagesProject) -> dict[str, Statute]:
    with here.ws.reading() as session:
        snapshot = snapshot_in_use(session, find_project(session, SLUG).id)
        assert snapshot is not None
        return {each.semantic_id: each for each in load_statutes(session, snapshot.id)}


def test_verified_pages_fill_the_annex_that_they_are_of(here: PagesProject) -> None:
    keep_law(here.ws, SLUG, [decree()], "law", None)
    here.bring_blank("annex.pdf", 2, ImportOptions(unit=ANNEX))
    waiting = publish_pages(here.ws, SLUG, by=here.lead)
    assert (waiting.new, waiting.units, waiting.waiting) == (False, 0, {"annex": 2})
    here.correct(1, [paragraph("첫 쪽")])
    here.verify(1, [paragraph("첫째 쪽"), TABLE])
    assert publish_pages(here.ws, SLUG).waiting == {"annex": 1}
    here.say(2, "둘째 쪽")
    done = publish_pages(here.ws, SLUG, by=here.lead)
    assert (done.new, done.documents, done.units, done.pages, done.waiting) == (True, 1, 1, 2, {})
    article, annex = law(here)[DECREE].units
    assert annex.text == "첫째 쪽\n구분 |\n소화설비 | 3,000㎡ 이상\n둘째 쪽"
    assert not annex.text_missing
    assert article == decree().units[0]
    here.bring_blank("more.png")  # of no unit
    with here.ws.reading() as session:
        found = pages_of_unit(session, done.snapshot_id or 0, ANNEX)
    assert [(e.external_id, e.order, e.corrector, e.verifier) for e in found] == [
        ("annex-p001", 1, "Ann", "Ben"),
        ("annex-p002", 2, "Ann", "Ben"),
    ]
    states = ocr_report(here.ws, SLUG, here.lead).states
    assert states["published"] == 2


def test_missing_pages_of_a_document_for_two_units_are_summed(here: PagesProject) -> None:
    keep_law(here.ws, SLUG, [decree()], "law", None)
    here.bring_blank("book.pdf", 2, ImportOptions(pages="1", unit=ANNEX))
    here.bring_blank("book.pdf", 2, ImportOptions(pages="2", unit=f"{DECREE}_1조"))
    assert publish_pages(here.ws, SLUG).waiting == {"book": 2}
    here.say(1, "첫 쪽")
    done = publish_pages(here.ws, SLUG)
    assert (done.documents, done.waiting) == (1, {"book": 1})


def test_doing_it_again_changes_nothing(here: PagesProject) -> None:
    keep_law(here.ws, SLUG, [decree()], "law", None)
    here.bring_blank("매뉴얼.pdf", 2)
    for page in (1, 2):
        here.say(page, f"{page}쪽 글")
    first = publish_pages(here.ws, SLUG)
    again = publish_pages(here.ws, SLUG)
    assert (again.snapshot_id, again.new) == (first.snapshot_id, False)
    manual = law(here)["매뉴얼"]
    assert (manual.title, manual.kind, manual.tier) == ("매뉴얼", "매뉴얼", Tier.MANUAL)
    assert [(unit.semantic_id, unit.label, unit.text) for unit in manual.units] == [
        ("매뉴얼_p1", "1쪽", "1쪽 글"),
        ("매뉴얼_p2", "2쪽", "2쪽 글"),
    ]
    assert DECREE in law(here)


def test_a_project_without_law_gets_its_first_from_pages(here: PagesProject) -> None:
    here.bring_blank("guide.png", 1, ImportOptions(language="en"))
    heading: dict[str, Any] = {"kind": "heading", "text": "Lamps", "box": None, "doubt": []}
    here.correct(1, [heading, paragraph("Lamps are lit.")])
    here.verify(1, [heading, paragraph("Lamps are lit.")])
    assert publish_pages(here.ws, SLUG).new
    (unit,) = law(here)["guide"].units
    assert (unit.label, unit.heading, unit.text) == ("Page 1", "Lamps", "Lamps\nLamps are lit.")


def test_a_document_corrected_again_comes_in_anew(here: PagesProject) -> None:
    keep_law(here.ws, SLUG, [decree()], "law", None)
    here.bring_blank("guide.png")
    here.say(1, "잘못")
    publish_pages(here.ws, SLUG)
    keep_law(here.ws, SLUG, [*law(here).values(), _other()], "more law", None)
    commands.take_back(here.ws, here.ben, here.item(1, Task.OCR_VERIFICATION))
    commands.take_back(here.ws, here.ann, here.item(1))
    here.correct(1, [paragraph("바로잡음")])
    assert publish_pages(here.ws, SLUG).waiting == {"guide": 1}  # Ben has not seen that
    take_up(here.ws, here.ben, here.item(1, Task.OCR_VERIFICATION))
    here.verify(1, [paragraph("바로잡음")])
    assert publish_pages(here.ws, SLUG).new
    assert law(here)["guide"].units[0].text == "바로잡음"
    assert "다른-법" in law(here)


def test_a_page_verified_anew_with_the_same_text_is_in_the_corpus_again(
    here: PagesProject,
) -> None:
    here.bring_blank("guide.png")
    here.say(1)
    first = publish_pages(here.ws, SLUG)
    before = _source(here, first.snapshot_id or 0)
    commands.take_back(here.ws, here.ben, here.item(1, Task.OCR_VERIFICATION))
    here.verify(1, [paragraph("글")])
    assert ocr_report(here.ws, SLUG).states["verified"] == 1
    again = publish_pages(here.ws, SLUG)
    assert (again.new, again.snapshot_id) == (False, first.snapshot_id)
    states = ocr_report(here.ws, SLUG).states
    assert (states["verified"], states["published"]) == (0, 1)
    assert _source(here, first.snapshot_id or 0) > before
    for task in (Task.OCR_CORRECTION, Task.OCR_VERIFICATION):  # taken over it stays published
        new_version(here.ws, SLUG, "guideline", task, {"en": "Read twice."}, "why", 1)
        migrate_answers(here.ws, SLUG, "guideline", task, 1, 2, {}, "clearer")
    states = ocr_report(here.ws, SLUG).states
    assert (states["corrected"], states["verified"], states["published"]) == (0, 0, 1)
    assert not publish_pages(here.ws, SLUG).new


def _source(here: PagesProject, snapshot_id: int) -> datetime:
    """Return when the guide's page was verified, as its unit says."""
    with here.ws.reading() as session:
        (found,) = pages_of_unit(session, snapshot_id, "guide_p1")
    return found.verified_at


def _other() -> Statute:
    unit = Unit("다른-법_1조", "다른-법", Level.ARTICLE, "제1조", "목적", "제1조(목적) 글", 0)
    return Statute("다른-법", "다른 법", "법률", Tier.ACT, "ko", (unit,))


def test_a_unit_that_is_gone_and_a_title_that_is_taken_are_named(here: PagesProject) -> None:
    keep_law(here.ws, SLUG, [decree()], "law", None)
    here.bring_blank("annex.png", 1, ImportOptions(unit=ANNEX))
    here.say(1)
    keep_law(here.ws, SLUG, [_other()], "other law", None)
    assert code_of(publish_pages, here.ws, SLUG) == "page_unit_unknown"
    keep_law(here.ws, SLUG, [decree(), _other()], "both", None)
    here.bring_blank("다른 법.png")
    here.say(2)
    assert code_of(publish_pages, here.ws, SLUG) == "page_title_taken"


def test_the_report_compares_engines_with_what_was_verified(here: PagesProject) -> None:
    here.bring_annex()
    here.bring_scan()
    empty = ocr_report(here.ws, SLUG)
    assert empty.states == {"new": 1, "drafted": 1, "corrected": 0, "verified": 0, "published": 0}
    assert empty.engines == ()
    assert empty.correcting.value is None
    here.correct(1, [paragraph("글")])
    here.verify(1, [paragraph("글 둘")])
    here.correct(2, [paragraph("글")])
    report = ocr_report(here.ws, SLUG, here.lead)
    assert report.states == {"new": 0, "drafted": 0, "corrected": 1, "verified": 1, "published": 0}
    (line,) = report.engines
    assert (line.name, line.pages) == ("embedded PyMuPDF 2", 1)
    rate = line.figure("cer").value
    assert rate is not None
    assert rate > 1  # the draft said far more than people left
    assert (report.changed.value, report.changed.n) == (1.0, 1)
    assert (report.correcting.n, report.verifying.n) == (2, 1)
    first, second = sorted(report.lines, key=lambda each: each.page.id)
    assert (first.corrector, first.verifier, first.engine) == ("Ann", "Ben", "embedded PyMuPDF 2")
    assert (second.verifier, second.errors) == ("", None)
    told = as_report(report, "en").as_json()
    assert told["pages"] == report.states
    assert told["engines"][0]["cer"]["value"] == rate
    assert told["cells"][0]["cell_accuracy"] == report.engines[0].figure("cell_accuracy").as_json()
    (pair,) = told["verifiers"]
    assert (pair["corrector"], pair["verifier"], pair["changed"]["value"]) == ("Ann", "Ben", 1.0)
    assert pair["rewritten"]["value"] == 2 / 3, "of three characters two were added"
    assert [(row["work"], row["pages"]) for row in told["times"]] == [
        ("correcting", 2),
        ("verifying", 1),
    ]
    assert told["confused"][0]["count"] == max(line.confused.values())
    (lead,) = (each.lead for each in as_report(report, "en").drawn if each.name == "confused")
    assert lead.startswith("embedded PyMuPDF 2 most often added “")
    assert as_report(empty, "en").drawn == ()
