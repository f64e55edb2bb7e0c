"""Correcting a page and verifying it: who does which, and what is shown."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.adjudication.discussion_views import keep
from annotation.check.project import check
from annotation.forms.form import answer, take_up
from annotation.guidelines.documents import read_document
from annotation.guidelines.editing import new_version
from annotation.guidelines.migration import migrate_answers, preview
from annotation.ocr.forms import correction_shown, send_back
from annotation.work import commands, queue_service
from annotation.work.commands import submit
from annotation.work.queue_service import ItemView, open_item
from annotation.work.rules import AGAIN
from errors import UserError
from storage.projects import find_project
from storage.subjects import Subject, add_candidate_set, add_items
from storage.tasks import Task
from tests.annotation.house import SLUG, House
from tests.support.refusals import code_of, refused

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
    assert code_of(submit, house.ws, house.ann, item) == "ocr_not_confirmed"
    assert code_of(corrected, house, house.ann, item, " ") == "ocr_block_empty"
    assert to_verify(house, house.ben) == []
    answer(house.ws, house.ann, item, "blocks", [])  # a page with nothing on it
    submit(house.ws, house.ann, item)
    assert correction_shown(house.ws, house.ben, verification(house, house.ben).shown) == []


def test_a_corrected_page_goes_to_somebody_else(house: House, item: int):
    number = corrected(house, house.ann, item)
    assert to_verify(house, house.ann) == []
    view = verification(house, house.ben)
    assert (view.task, view.subject_id, view.external_id) == (VERIFICATION, PAGE, "annex-1")
    assert view.shown == {"draft": 3, "correction": number}
    shown = correction_shown(house.ws, house.ben, view.shown)
    assert [each["text"] for each in shown] == ["Lamps."]
    assert code_of(corrected, house, house.ann, view.item_id) == "item_not_yours"
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


def test_once_corrected_and_verified_it_is_not_taken_back_behind_the_verifiers_back(
    house: House, item: int
):
    corrected(house, house.ann, item)
    assert queue_service.queue(house.ws, house.ben, CORRECTION) == []
    done = verification(house, house.ben).item_id
    corrected(house, house.ben, done, "Lamps!")
    assert (to_verify(house, house.cho), to_verify(house, house.ben)) == ([], [done])
    assert code_of(commands.take_back, house.ws, house.ann, item) == "ocr_verified"
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
    assert code_of(submit, house.ws, house.ben, began.item_id) == "shown_anew"

    take_up(house.ws, house.ben, began.item_id)
    anew = open_item(house.ws, house.ben, began.item_id)
    assert anew.shown == {"draft": 3, "correction": number}
    assert (anew.answers, anew.comment, anew.outrun) == ({}, "see line 1", False)
    assert code_of(take_up, house.ws, house.ben, began.item_id) == "nothing_to_take_up"
    corrected(house, house.ben, began.item_id, "Lamps are lit.")
    assert check(house.ws, SLUG) == []


def test_a_draft_of_an_engine_that_another_follows_can_still_be_corrected(house: House, item: int):
    open_item(house.ws, house.ann, item)
    answer(house.ws, house.ann, item, "blocks", [block("Lamps.")])
    commands.skip(house.ws, house.ann, item)
    with house.ws.writing() as session:
        add_candidate_set(session, item, {"draft": 4}, house.ws.clock())
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
    text = read_document(house.ws, SLUG, "codebook", CORRECTION, "mul").text
    kinds = text.split("[[options]]")
    where = house.ws, SLUG, "codebook", CORRECTION
    new_version(*where, {"mul": "[[options]]".join(["", *kinds[2:]])}, "why", 1)
    (line,) = preview(*where, 1, 2, {}).lines
    assert (line.fate, [(w.code, w.option) for w in line.why]) == ("again", [("gone", "paragraph")])
    migrate_answers(*where, 1, 2, {}, "no paragraphs")
    assert open_item(house.ws, house.ann, item).answers["blocks"]
    assert check(house.ws, SLUG) == []


def doubtful(text: str, *doubt: list[int]) -> dict[str, Any]:
    return {**block(text), "doubt": list(doubt)}


def table(*doubt: list[int]) -> dict[str, Any]:
    """Return a table of one cell with these doubtful places."""
    where = {"row": 0, "column": 0, "row_span": 1, "column_span": 1}
    cell = {**where, "text": "Lamps are lit.", "doubt": list(doubt)}
    return {"kind": "table", "box": None, "rows": 1, "columns": 1, "cells": [cell]}


def test_doubtful_words_may_be_left_by_a_correction_and_not_by_an_approval(house: House, item: int):
    left = [doubtful("Lamps."), table([0, 5], [6, 9])]
    answer(house.ws, house.ann, item, "blocks", left)
    submit(house.ws, house.ann, item)
    seen = verification(house, house.ben).item_id
    answer(house.ws, house.ben, seen, "blocks", left)
    with refused("ocr_doubt_unseen") as caught:
        submit(house.ws, house.ben, seen)
    assert caught.value.what("en").startswith("2 doubtful words have not been looked at")
    assert "block 2" in caught.value.what("en")
    answer(house.ws, house.ben, seen, "blocks", [doubtful("Lamps."), table([6, 9])])
    with pytest.raises(UserError) as caught:
        submit(house.ws, house.ben, seen)
    assert caught.value.what("en").startswith("1 doubtful word has not been looked at")
    answer(house.ws, house.ben, seen, "blocks", [doubtful("Lamps."), table()])
    submit(house.ws, house.ben, seen)
    assert check(house.ws, SLUG) == []


def test_a_page_is_approved_once_each_block_was_looked_at(house: House, item: int):
    answer(house.ws, house.ann, item, "blocks", [block("Lamps."), block("Lights.")])
    submit(house.ws, house.ann, item)
    view = verification(house, house.ben)
    shown = correction_shown(house.ws, house.ben, view.shown)
    assert [each["unseen"] for each in shown] == [True, True]
    for left, what in ((shown, "2 blocks have not"), ([block("Lamps."), shown[1]], "1 block has")):
        answer(house.ws, house.ben, view.item_id, "blocks", left)
        with refused("ocr_block_unseen") as caught:
            submit(house.ws, house.ben, view.item_id)
        assert caught.value.what("en").startswith(what)
    answer(house.ws, house.ben, view.item_id, "blocks", [block("Lamps."), block("Lights.")])
    submit(house.ws, house.ben, view.item_id)
    assert check(house.ws, SLUG) == []


def test_a_page_that_is_sent_back_waits_for_its_corrector_and_then_for_a_verifier(
    house: House, item: int
):
    corrected(house, house.ann, item)
    seen = verification(house, house.ben).item_id
    answer(house.ws, house.ben, seen, "blocks", [block("Lamps!")])
    send_back(house.ws, house.ben, seen, "A line is missing.")
    assert to_verify(house, house.ben) == to_verify(house, house.cho) == []
    assert queue_service.next_item(house.ws, house.ben, after=seen) is None
    assert code_of(submit, house.ws, house.ben, seen) == "item_not_yours"
    (entry,) = queue_service.queue(house.ws, house.ann, CORRECTION)
    view = open_item(house.ws, house.ann, item)
    assert (entry.discuss, view.status) == (True, "submitted")
    assert view.sent_back == ("Ben", "A line is missing.", True)
    commands.take_back(house.ws, house.ann, item)
    assert to_verify(house, house.ben) == []
    number = corrected(house, house.ann, item, "Lamps.\nBoats.")
    assert open_item(house.ws, house.ann, item).sent_back is None
    anew = verification(house, house.cho)
    assert (anew.item_id, anew.shown["correction"]) == (seen, number)
    assert open_item(house.ws, house.ben, seen).outrun, "the draft of before is of what was before"
    submitted = corrected(house, house.cho, seen, "Lamps.\nBoats.")
    assert submitted > number
    assert check(house.ws, SLUG) == []


def test_a_correction_that_its_person_keeps_can_be_approved_or_sent_back_again(
    house: House, item: int
):
    corrected(house, house.ann, item)
    seen = verification(house, house.ben).item_id
    send_back(house.ws, house.ben, seen, "A line is missing.")
    keep(house.ws, house.ann, item)
    assert verification(house, house.ben).item_id == seen
    send_back(house.ws, house.ben, seen, "Look at the foot of the page.")
    assert open_item(house.ws, house.ann, item).sent_back == (
        "Ben",
        "Look at the foot of the page.",
        True,
    )
    keep(house.ws, house.ann, item)
    corrected(house, house.ben, seen)
    assert check(house.ws, SLUG) == []


def test_only_an_open_verification_of_what_stands_is_sent_back_with_a_reason(
    house: House, item: int
):
    assert code_of(send_back, house.ws, house.ann, item, "why") == "item_unknown", (
        "a correction is nobody's to send back"
    )
    corrected(house, house.ann, item)
    seen = verification(house, house.ben)
    answer(house.ws, house.ben, seen.item_id, "blocks", [block("Lamps!")])
    with refused("draft_changed"):
        send_back(house.ws, house.ben, seen.item_id, "why", seen.revision)
    for reason in ("", " \u200b"):
        assert code_of(send_back, house.ws, house.ben, seen.item_id, reason) == (
            "ocr_send_back_reason"
        )
    assert code_of(send_back, house.ws, house.ben, seen.item_id, "x" * 6_000) == "text_too_long"
    assert open_item(house.ws, house.ann, item).sent_back is None
    assert code_of(send_back, house.ws, house.ann, seen.item_id, "why") == "item_not_yours"
    commands.take_back(house.ws, house.ann, item)
    corrected(house, house.ann, item, "Lamps are lit.")
    assert code_of(send_back, house.ws, house.ben, seen.item_id, "why") == "shown_anew"
    take_up(house.ws, house.ben, seen.item_id)
    corrected(house, house.ben, seen.item_id, "Lamps are lit.")
    assert code_of(send_back, house.ws, house.ben, seen.item_id, "why") == "item_submitted"
