"""The amendment watch of tagged cases, judged answers and pages: what each rests on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlmodel import SQLModel

from annotation.forms.form import answer
from annotation.work import commands
from annotation.work.commands import submit
from services.law.activation import to_check
from services.law.watch import add_check, law_watch, wordings
from storage.law.imports import keep_statutes
from storage.projects import find_project
from storage.subjects import Subject, add_items
from storage.tables.answers import JudgeCase
from storage.tables.cases import CaseImport, CourtCase
from storage.tables.ocr import Page, PageImage
from storage.tasks import Task
from tests.annotation.adjudication.test_disputes import submit as map_question
from tests.annotation.gold.test_rechecks import amend
from tests.annotation.house import SLUG, House, statute
from tests.support.refusals import refused

WORDS = {"one": "As 「Lake Act」 Article 1 says, boats need a lamp.", "none": "Boats need lamps."}


def add(house: House, task: Task, *rows: SQLModel) -> list[int]:
    """Keep rows of a task's own table, each with an item of the task; return the items' ids."""
    with house.ws.writing() as session:
        session.add_all(rows)
        session.flush()
        subjects = [
            Subject(row.id, f"{task}-{at}", "A title", {})  # type: ignore[attr-defined]
            for at, row in enumerate(rows)
        ]
        project = find_project(session, SLUG)
        return add_items(session, project.id, task, subjects, house.ws.clock())


def court_case(house: House, name: str, text: str, *provisions: str) -> CourtCase:
    return CourtCase(
        project_id=1, case_import_id=1, external_id=name, charges=[], provisions=list(provisions),
        language="en", sections=[], source={}, content_hash=name, at=house.ws.clock(), text=text,
    )  # fmt: skip


def cases(house: House) -> list[int]:
    """Make three court cases: one cites in its text, one by its provisions, one nowhere."""
    with house.ws.writing() as session:
        session.add(
            CaseImport(project_id=1, name="f", content_hash="h", mapping={}, at=house.ws.clock())
        )
    rows = (
        court_case(house, "text", f"FACTS\n{WORDS['one']}"),
        court_case(house, "listed", WORDS["none"], "「Lake Act」 Article 3"),
        court_case(house, "none", WORDS["none"]),
    )
    return add(house, Task.FACTOR_TAGGING, *rows)


def judged(house: House, **of: Any) -> JudgeCase:
    about: dict[str, Any] = {
        "project_id": 1, "external_id": "q1", "system": "small", "question": "Which lamp?",
        "reference": "One.", "language": "en", "answer": "None.", "at": house.ws.clock(),
    }  # fmt: skip
    return JudgeCase(**about | of)


def page(house: House, name: str, unit: str = "") -> Page:
    with house.ws.writing() as session:
        image = PageImage(
            project_id=1, sha256=name, media_type="image/png", width=1, height=1, turned=0.0,
            content=b"x", at=house.ws.clock(),
        )  # fmt: skip
        session.add(image)
        session.flush()
        number = image.id or 0
    return Page(
        project_id=1, external_id=name, document=name, number=1, language="en", unit=unit,
        image_id=number, file="f", file_sha256="s", at=house.ws.clock(),
    )  # fmt: skip


def seen(house: House, task: str, by: int | None = None) -> list[tuple[int, str, str, str]]:
    """Return (item, article, what became of it, how the item rests on it) of each entry."""
    return [
        (
            each.item_id,
            each.unit.removeprefix("lake-act_article-"),
            str(each.became or each.reason),
            "+".join(each.via),
        )
        for each in law_watch(house.ws, SLUG, task=task, by=by).entries
    ]


def numbers(house: House, task: str) -> tuple[int, int, int, int]:
    """Return items, waiting, unchanged and unknown, over the tasks of that name."""
    found = law_watch(house.ws, SLUG, task=task).counts
    return (
        sum(each.items for each in found),
        sum(each.waiting for each in found),
        sum(each.unchanged for each in found),
        sum(each.unknown for each in found),
    )


def blocks(*texts: str) -> list[dict[str, Any]]:
    return [{"kind": "paragraph", "text": text, "box": None, "doubt": []} for text in texts]


def test_tagged_cases_rest_on_what_they_cite(house: House) -> None:
    first, second, _ = cases(house)
    assert numbers(house, "tagging") == (3, 0, 2, 1)
    amend(house)
    assert seen(house, "tagging") == [
        (first, "1", "changed", "cited"),
        (second, "3", "removed", "cited"),
    ]
    assert numbers(house, "tagging") == (3, 2, 0, 1), "what cites nothing is not unchanged"


def test_judged_answers_rest_on_their_provisions_their_gold_and_what_they_cite(
    house: House,
) -> None:
    for person in (house.ann, house.ben):
        map_question(house, person, house.items[0], (2,))
    lamp = [{"label": "Article 3", "text": "…", "unit": "lake-act_article-3"}]
    items = add(
        house,
        Task.ANSWER_RATING,
        judged(house, question_id=1, answer=WORDS["one"]),
        judged(house, system="large", provisions=lamp),
        judged(house, system="mute"),
    )
    amend(house)
    assert seen(house, "rating") == [
        (items[0], "1", "changed", "cited"),
        (items[0], "2", "renumbered", "gold"),
        (items[1], "3", "removed", "source"),
    ]
    assert numbers(house, "rating") == (3, 2, 0, 1)


def test_who_annotates_is_told_nothing_of_gold(house: House) -> None:
    for person in (house.ann, house.ben):
        map_question(house, person, house.items[0], (2,))
    [item] = add(house, Task.ANSWER_RATING, judged(house, question_id=1, answer=WORDS["one"]))
    answer(house.ws, house.cho, item, "rating", "correct")
    assert seen(house, "rating", house.cho) == []
    submit(house.ws, house.cho, item)
    amend(house)
    assert seen(house, "rating", house.cho) == [(item, "1", "changed", "cited")]
    assert seen(house, "rating", house.ann) == []
    assert to_check(house.ws, SLUG, house.cho).counts.items == {"answer_rating": 1}


def test_what_was_decided_on_the_newer_law_rests_on_it(house: House) -> None:
    [item] = add(house, Task.ANSWER_RATING, judged(house, answer=WORDS["one"]))
    for person in (house.ann, house.ben):
        answer(house.ws, person, item, "rating", "correct")
    submit(house.ws, house.ann, item)
    amend(house)
    assert len(seen(house, "rating")) == 1
    submit(house.ws, house.ben, item)
    assert len(seen(house, "rating")) == 1, "one of the two was decided on the older law"
    [entry] = law_watch(house.ws, SLUG, task="rating").entries
    add_check(house.ws, SLUG, "send_back", item, entry.unit_id, "amended", by=house.judge)
    commands.take_back(house.ws, house.ann, item)
    submit(house.ws, house.ann, item)
    commands.take_back(house.ws, house.ben, item)
    submit(house.ws, house.ben, item)
    assert seen(house, "rating") == []
    assert numbers(house, "rating") == (1, 0, 1, 0)


def test_pages_rest_on_the_unit_they_fill_and_on_what_their_text_cites(house: House) -> None:
    fills, cites, blank = add(
        house,
        Task.OCR_CORRECTION,
        page(house, "fills", "lake-act_article-3"),
        page(house, "cites"),
        page(house, "blank"),
    )
    for item, text in ((cites, WORDS["one"]), (blank, WORDS["none"])):
        answer(house.ws, house.ann, item, "blocks", blocks(text))
        submit(house.ws, house.ann, item)
    amend(house)
    found = seen(house, "ocr")
    assert (fills, "3", "removed", "source") in found
    assert (cites, "1", "changed", "cited") in found
    assert {item for item, *_ in found} == {fills, cites}
    assert numbers(house, "ocr") == (5, 2, 0, 3), "two corrected pages are to be verified, too"


def test_a_citation_that_fits_several_provisions_now_is_in_the_queue(house: House) -> None:
    said = "As Article 1 of the Lake Act says."
    [item] = add(house, Task.ANSWER_RATING, judged(house, answer=said))
    twin = replace(
        statute(),
        semantic_id="lake-act-2",
        units=tuple(
            replace(
                unit,
                semantic_id=unit.semantic_id.replace("act_", "act-2_"),
                statute_id="lake-act-2",
            )
            for unit in statute().units
        ),
    )
    keep_statutes(house.ws, SLUG, [statute(), twin], "second")
    [entry] = law_watch(house.ws, SLUG, task="rating").entries
    assert (entry.item_id, entry.reason, entry.became) == (item, "ambiguous", None)
    found = wordings(house.ws, SLUG, entry)
    assert found.old is not None
    names = sorted(each.semantic_id for each in found.new)
    assert names == ["lake-act-2_article-1", "lake-act_article-1"]


def test_mapping_is_in_the_same_queue_and_cannot_be_confirmed(house: House) -> None:
    for person in (house.ann, house.ben):
        map_question(house, person, house.items[0], (1,))
    cases(house)
    amend(house)
    found = law_watch(house.ws, SLUG)
    assert [each.task for each in found.entries] == [
        "citation_mapping", "factor_tagging", "factor_tagging",
    ]  # fmt: skip
    [mapping, *_] = found.counts
    assert (mapping.items, mapping.waiting, mapping.unknown) == (3, 1, 2)
    words = wordings(house.ws, SLUG, found.entries[0])
    assert words.old is not None
    assert words.old.text != words.new[0].text
    with refused("law_check_of_mapping"):
        add_check(house.ws, SLUG, "confirm", house.items[0], found.entries[0].unit_id)
