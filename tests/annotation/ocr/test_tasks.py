"""Correcting a page and verifying it: who does which, and what is shown."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.check.project import check
from annotation.forms.form import answer, take_up
from annotation.guidelines.documents import read
from annotation.guidelines.editing import new_version
from annotation.guidelines.migration import migrate_answers, preview
from annotation.ocr.forms import correction_shown
from annotation.work import commands, queue_service
from annotation.work.commands import submit
from annotation.work.queue_service import ItemView, open_item
from annotation.work.taking_over import AGAIN
from errors import UserError
from storage.projects import find_project
from storage.subjects import Subject, add_items, show_anew
from storage.tasks import Task
from tests.annotation.house import SLUG, House

CORRECTION, VERIFICATION = Task.OCR_CORRECTION, Task.OCR_VERIFICATION
PAGE = 7  # the id of a page


def block(text: str) -> dict[str, Any]:
    return {"kind": "paragraph", "text": text, "box": None, "doubt": []}


@pytest.fixture
def item(house: House) -> int:
    with house.ws.writing() as session:
        project = find_project(session, SLUG)
        subject = Subject(PAGE, "annex-1", "Annex 1", {"draft": 3})
        (made,) = add_items(session, project.id, CORRECTION, [subject], house.ws.clock())
    return made


def corrected(house: House, person: int, item: int, text: str = "Lamps.") -> int:
    answer(house.ws, person, item, "blocks", [block(text)])
    return submit(house.ws, person, item)


def to_verify(house: House, person: int) -> list[int]:
    return [each.item_id for each in queue_service.queue(house.ws, person, VERIFICATION)]


def verification(house: House, person: int) -> ItemView:
    (only,) = to_verify(house, person)
    return open_item(house.ws, person, only)


def test_nothing_is_submitted_that_was_not_said(house: House, item: int):
    with pytest.raises(UserError) as caught:
        submit(house.ws, house.ann, item)
    assert caught.value.code == "ocr_not_confirmed"
    with pytest.raises(UserError) as caught:
        corrected(house, house.ann, item, " ")
    assert caught.value.code == "ocr_block_empty"
    assert to_verify(house, house.ben) == []


def test_a_page_with_nothing_on_it_is_submitted_empty(house: House, item: int):
    answer(house.ws, house.ann, item, "blocks", [])
    submit(house.ws, house.ann, item)
    assert correction_shown(house.ws, house.ben, verification(house, house.ben).shown).blocks == ()


def test_there_is_one_field(house: House, item: int):
    with pytest.raises(UserError) as caught:
        answer(house.ws, house.ann, item, "text", "Lamps.")
    assert caught.value.code == "ocr_field_unknown"


def test_a_corrected_page_goes_to_somebody_else(house: House, item: int):
    number = corrected(house, house.ann, item)
    assert to_verify(house, house.ann) == []
    view = verification(house, house.ben)
    assert (view.task, view.subject_id, view.external_id) == (VERIFICATION, PAGE, "annex-1")
    assert view.shown == {"draft": 3, "correction": number}
    shown = correction_shown(house.ws, house.ben, view.shown)
    assert [each["text"] for each in shown.blocks] == ["Lamps."]
    with pytest.raises(UserError) as caught:
        corrected(house, house.ann, view.item_id)
    assert caught.value.code == "item_not_yours"
    corrected(house, house.ben, view.item_id, "Lamps!")
    assert check(house.ws, SLUG) == []


def test_a_correction_that_is_taken_back_is_not_verified(house: House, item: int):
    corrected(house, house.ann, item)
    opened = verification(house, house.ben).item_id
    commands.take_back(house.ws, house.ann, item)
    assert to_verify(house, house.ben) == []
    with pytest.raises(UserError):
        answer(house.ws, house.ben, opened, "blocks", [])
    second = corrected(house, house.ann, item, "Lamps are lit.")
    view = verification(house, house.ben)
    assert (view.item_id, view.shown["correction"]) == (opened, second)


def test_whoever_ever_corrected_a_page_does_not_verify_it(house: House, item: int):
    corrected(house, house.ann, item)
    commands.take_back(house.ws, house.ann, item)
    commands.skip(house.ws, house.ann, item)
    corrected(house, house.ben, item)
    assert to_verify(house, house.ann) == to_verify(house, house.ben) == []
    assert verification(house, house.cho).external_id == "annex-1"


def test_one_correction_and_one_verification_are_enough(house: House, item: int):
    corrected(house, house.ann, item)
    assert item not in [
        each.item_id for each in queue_service.queue(house.ws, house.ben, CORRECTION)
    ]
    done = verification(house, house.ben).item_id
    corrected(house, house.ben, done)
    assert to_verify(house, house.cho) == []
    assert to_verify(house, house.ben) == [done]


def test_a_correction_is_read_in_its_project_alone(house: House, item: int):
    with pytest.raises(UserError) as caught:
        correction_shown(house.ws, house.ben, {"correction": 999})
    assert caught.value.code == "ocr_correction_unknown"


def test_what_is_verified_is_not_taken_back_behind_the_verifiers_back(house: House, item: int):
    corrected(house, house.ann, item)
    done = verification(house, house.ben).item_id
    corrected(house, house.ben, done, "Lamps!")
    with pytest.raises(UserError) as caught:
        commands.take_back(house.ws, house.ann, item)
    assert caught.value.code == "ocr_verified"
    commands.take_back(house.ws, house.ben, done)
    commands.take_back(house.ws, house.ann, item)
    assert open_item(house.ws, house.ann, item).status == "draft"


def test_a_verification_of_a_correction_that_was_replaced_is_not_submitted(house: House, item: int):
    corrected(house, house.ann, item)
    began = verification(house, house.ben)
    answer(house.ws, house.ben, began.item_id, "blocks", [block("Lamps!")])
    commands.set_comment(house.ws, house.ben, began.item_id, "see line 1")
    commands.take_back(house.ws, house.ann, item)
    number = corrected(house, house.ann, item, "Lamps are lit.")
    assert open_item(house.ws, house.ben, began.item_id).outrun
    with pytest.raises(UserError) as caught:
        submit(house.ws, house.ben, began.item_id)
    assert caught.value.code == "shown_anew"

    take_up(house.ws, house.ben, began.item_id)
    anew = open_item(house.ws, house.ben, began.item_id)
    assert anew.shown == {"draft": 3, "correction": number}
    assert (anew.answers, anew.comment, anew.outrun) == ({}, "see line 1", False)
    with pytest.raises(UserError) as caught:
        take_up(house.ws, house.ben, began.item_id)
    assert caught.value.code == "nothing_to_take_up"
    corrected(house, house.ben, began.item_id, "Lamps are lit.")
    assert check(house.ws, SLUG) == []


def test_a_draft_of_an_engine_that_another_follows_can_still_be_corrected(house: House, item: int):
    open_item(house.ws, house.ann, item)
    answer(house.ws, house.ann, item, "blocks", [block("Lamps.")])
    commands.skip(house.ws, house.ann, item)
    with house.ws.writing() as session:
        show_anew(session, item, {"draft": 4}, house.ws.clock())
    assert open_item(house.ws, house.ann, item).outrun
    take_up(house.ws, house.ann, item)
    view = open_item(house.ws, house.ann, item)
    assert (view.shown, view.status, view.answers) == ({"draft": 4}, "draft", {})


def guideline(house: House, task: Task, number: int = 1) -> None:
    new_version(house.ws, SLUG, "guideline", task, {"en": f"Read {number}."}, "why", number)


def test_what_was_verified_is_not_given_back_before_its_verification(house: House, item: int):
    corrected(house, house.ann, item)
    done = verification(house, house.ben).item_id
    corrected(house, house.ben, done, "Lamps!")
    for task in (CORRECTION, VERIFICATION):
        guideline(house, task)
    where = house.ws, SLUG, "guideline"
    outcome = preview(*where, CORRECTION, 1, 2, {"blocks": AGAIN})
    assert {fate: count for fate, count in outcome.counts.items() if count} == {"held": 1}
    migrate_answers(*where, CORRECTION, 1, 2, {}, "clearer")
    migrate_answers(*where, VERIFICATION, 1, 2, {"blocks": AGAIN}, "clearer")
    view = open_item(house.ws, house.ben, done)
    assert (view.status, view.again) == ("draft", ("guideline", 2, "clearer"))
    assert view.answers["blocks"][0]["text"] == "Lamps!"  # to be looked through
    submit(house.ws, house.ben, done)
    assert check(house.ws, SLUG) == []


def test_a_kind_of_block_that_is_gone_comes_back(house: House, item: int):
    corrected(house, house.ann, item)
    text = read(house.ws, SLUG, "codebook", CORRECTION, "mul").text
    kinds = text.split("[[options]]")
    where = house.ws, SLUG, "codebook", CORRECTION
    new_version(*where, {"mul": "[[options]]".join(["", *kinds[2:]])}, "why", 1)
    (line,) = preview(*where, 1, 2, {}).lines
    assert (line.fate, [(w.code, w.option) for w in line.why]) == ("again", [("gone", "paragraph")])
    migrate_answers(*where, 1, 2, {}, "no paragraphs")
    assert open_item(house.ws, house.ann, item).answers["blocks"]
    assert check(house.ws, SLUG) == []
