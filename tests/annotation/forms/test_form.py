"""Answering a form: drafts, undo, submission, and what keeps others' answers apart."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.adjudication.decisions import current_decisions
from annotation.check.project import check
from annotation.forms import form as form_commands
from annotation.forms.adjudication import settle
from annotation.forms.submissions import submissions_so_far
from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from annotation.work.commands import Basis, ChangedElsewhereError, DecidedMeanwhileError
from annotation.work.queue_service import open_item
from annotation.work.submissions import complete
from storage.projects import find_project
from storage.tasks import Task
from tests.annotation.forms.letters import Letters, letters
from tests.annotation.house import SLUG, House
from tests.support.refusals import code_of

RATING = Task.ANSWER_RATING


def submit(house: House, person: int, item: int, vowel: bool) -> None:
    form_commands.answer(house.ws, person, item, "vowel", vowel)
    commands.submit(house.ws, person, item)


def standing(house: House) -> dict[int, list[dict[str, Any]]]:
    with house.ws.reading() as session:
        project = find_project(session, SLUG)
        found = complete(session, project.id, RATING)
        return {item: [dict(each.answers) for each in every] for item, every in found.items()}


def test_a_submission_keeps_the_answers_and_what_was_shown(house: House) -> None:
    (a,) = letters(house, "a")
    view = open_item(house.ws, house.ann, a)
    assert (view.external_id, view.title, view.shown) == ("a", "Letter a", {"face": 1})
    form_commands.answer(house.ws, house.ann, a, "vowel", True)
    form_commands.answer(house.ws, house.ann, a, "why", "  it sounds  ")
    commands.submit(house.ws, house.ann, a, 4, open_item(house.ws, house.ann, a).revision)
    view = open_item(house.ws, house.ann, a)
    assert view.answers == {"vowel": True, "why": "it sounds"}
    assert (view.status, view.confidence, view.done) == ("submitted", 4, 1)
    assert check(house.ws, SLUG) == []


def test_others_answers_are_read_when_all_are_in(house: House) -> None:
    (a,) = letters(house, "a")
    submit(house, house.ann, a, True)
    assert standing(house) == {}
    with house.ws.reading() as session:
        assert submissions_so_far(session, find_project(session, SLUG).id, RATING) == {a: 1}
    submit(house, house.ben, a, False)
    assert standing(house) == {a: [{"vowel": True}, {"vowel": False}]}


def test_undo_takes_back_answer_by_answer_and_then_nothing(house: House) -> None:
    (a,) = letters(house, "a")
    form_commands.answer(house.ws, house.ann, a, "vowel", True)
    form_commands.answer(house.ws, house.ann, a, "vowel", False)
    form_commands.answer(house.ws, house.ann, a, "vowel", False)  # says nothing new
    seen = []
    for _ in range(2):
        commands.undo(house.ws, house.ann, a)
        seen.append(dict(open_item(house.ws, house.ann, a).answers))
    assert seen == [{"vowel": True}, {}]
    assert code_of(commands.undo, house.ws, house.ann, a) == "nothing_to_undo"


def test_an_answer_is_emptied_and_a_withdrawn_submission_leaves_the_draft(house: House) -> None:
    (a,) = letters(house, "a")
    form_commands.answer(house.ws, house.ann, a, "vowel", True)
    form_commands.answer(house.ws, house.ann, a, "why", "because")
    form_commands.answer(house.ws, house.ann, a, "why", None)
    commands.submit(house.ws, house.ann, a)
    late = house.ws, house.ann, a, "vowel", False
    assert code_of(form_commands.answer, *late) == "item_submitted"
    commands.take_back(house.ws, house.ann, a)
    assert open_item(house.ws, house.ann, a).answers == {"vowel": True}
    assert check(house.ws, SLUG) == []


def test_nothing_unfit_and_nothing_unseen_is_submitted(house: House) -> None:
    (a,) = letters(house, "a")
    shown = open_item(house.ws, house.ann, a).revision
    assert code_of(commands.submit, house.ws, house.ann, a) == "nothing_decided"
    form_commands.answer(house.ws, house.ann, a, "vowel", True)
    assert code_of(commands.submit, house.ws, house.ann, a, revision=shown) == "draft_changed"


def test_an_answer_made_from_another_answer_never_takes_the_place_of_a_third(house: House) -> None:
    (a,) = letters(house, "a")
    vowel = house.ws, house.ann, a, "vowel"
    form_commands.answer(*vowel, True, Basis(None))
    assert code_of(form_commands.answer, *vowel, False, Basis(None)) == "changed_elsewhere"
    form_commands.answer(*vowel, True, Basis(None))  # it says so already
    form_commands.answer(*vowel, False, Basis(True))
    assert open_item(house.ws, house.ann, a).answers == {"vowel": False}


def test_each_task_has_its_own_queue_and_its_own_acts(house: House) -> None:
    a, b = letters(house, "a", "b")
    mapping = [each.item_id for each in queue_service.queue(house.ws, house.ann)]
    assert mapping == house.items
    queued = queue_service.queue(house.ws, house.ann, RATING)
    assert [each.question for each in queued] == ["Letter a", "Letter b"]
    assert queue_service.next_item(house.ws, house.ann, after=a) == b
    for refused in (
        lambda: mapping_commands.label(house.ws, house.ann, a, house.units[1], "accept"),
        lambda: mapping_commands.set_no_provision(house.ws, house.ann, a, True),
        lambda: mapping_commands.recheck(house.ws, house.ann, a),
        lambda: open_item(house.ws, house.ann, a, Task.CITATION_MAPPING),
        lambda: form_commands.answer(house.ws, house.ann, house.items[0], "vowel", True),
        lambda: open_item(house.ws, house.ann, house.items[0], RATING),
    ):
        assert code_of(refused) == "item_unknown"


def test_what_the_form_keeps_from_somebody_is_not_there(house: House, form: Letters) -> None:
    a, b = letters(house, "a", "b")
    form.kept_from = frozenset({a})
    assert [each.item_id for each in queue_service.queue(house.ws, house.ann, RATING)] == [b]
    assert queue_service.next_item(house.ws, house.ann, task=RATING) == b
    for refused in (
        lambda: open_item(house.ws, house.ann, a),
        lambda: form_commands.answer(house.ws, house.ann, a, "vowel", True),
    ):
        assert code_of(refused) == "item_not_yours"


def test_an_adjudicator_settles_what_is_complete(house: House) -> None:
    (a,) = letters(house, "a")
    judge = house.judge
    assert code_of(settle, house.ws, judge, a, {"vowel": True}, "heard it") == "not_complete"
    submit(house, house.ann, a, True)
    submit(house, house.ben, a, False)
    for answers, why in (({}, "x"), ({"vowel": 3}, "x"), ({"vowel": True}, " ")):
        assert code_of(settle, house.ws, judge, a, answers, why)
    assert code_of(settle, house.ws, judge, a, {"vowel": True}, "x", [99]) == "case_changed"
    settle(house.ws, judge, a, {"vowel": False}, "first")
    settle(house.ws, judge, a, {"vowel": True}, "heard it")
    with house.ws.reading() as session:
        found = current_decisions(session, find_project(session, SLUG).id, RATING)
    assert (found[a].answers, found[a].reason) == ({"vowel": True}, "heard it")
    assert len(found[a].annotation_ids) == 2
    assert code_of(commands.take_back, house.ws, house.ann, a) == "item_settled"
    assert check(house.ws, SLUG) == []


def test_what_showed_something_for_good_is_not_undone_and_nothing_before_it(
    house: House, form: Letters, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(form, "seals", frozenset({"vowel"}), raising=False)
    (a,) = letters(house, "a")
    commands.set_comment(house.ws, house.ann, a, "hm")
    form_commands.answer(house.ws, house.ann, a, "vowel", True)
    form_commands.answer(house.ws, house.ann, a, "why", "heard")
    commands.undo(house.ws, house.ann, a)
    view = open_item(house.ws, house.ann, a)
    assert (view.answers, view.can_undo) == ({"vowel": True}, False)
    assert code_of(commands.undo, house.ws, house.ann, a) == "nothing_to_undo"
    commands.submit(house.ws, house.ann, a)
    commands.take_back(house.ws, house.ann, a)
    view = open_item(house.ws, house.ann, a)
    assert (view.answers, view.comment, view.can_undo) == ({"vowel": True}, "hm", False)
    assert check(house.ws, SLUG) == []


def test_what_the_form_keeps_of_an_answer_is_what_it_was_made_from(
    house: House, form: Letters, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A screen names an answer as it was typed; the form may keep less of it."""
    (a,) = letters(house, "a")
    check_in = form.check_in
    monkeypatch.setattr(
        form,
        "check_in",
        lambda session, item, field, value, answers: check_in(
            session, item, field, value.strip() if field == "why" else value, answers
        ),
    )
    form_commands.answer(house.ws, house.ann, a, "vowel", True)
    form_commands.answer(house.ws, house.ann, a, "why", " heard ", Basis(None))
    form_commands.answer(house.ws, house.ann, a, "why", "heard it", Basis(" heard "))
    with pytest.raises(ChangedElsewhereError) as refused:
        form_commands.answer(house.ws, house.ann, a, "why", None, Basis("heard"))
    assert refused.value.now == "heard it"
    assert open_item(house.ws, house.ann, a).answers["why"] == "heard it"


def test_a_settlement_never_takes_the_place_of_one_that_was_not_seen(house: House) -> None:
    (a,) = letters(house, "a")
    submit(house, house.ann, a, True)
    submit(house, house.ben, a, False)
    here = house.ws, house.judge, a
    first = settle(*here, {"vowel": True}, "heard it", before=None)
    with pytest.raises(DecidedMeanwhileError) as refused:
        settle(*here, {"vowel": False}, "did not", before=None)
    assert refused.value.now == first
    assert settle(*here, {"vowel": False}, "did not", before=first) > first
