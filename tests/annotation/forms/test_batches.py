"""Giving out items of a task with a form."""

from __future__ import annotations

from annotation.batches.commands import BatchPlan, make_batch, move_out
from annotation.batches.sampling import Choice, preview
from annotation.batches.views import list_batches
from annotation.check.project import check
from annotation.forms.form import answer
from annotation.work import queue_service
from annotation.work.commands import submit
from storage.tasks import Task
from tests.annotation.forms.letters import letters
from tests.annotation.house import SLUG, House
from tests.support.refusals import code_of

RATING = Task.ANSWER_RATING


def queued(house: House, person: int) -> list[int]:
    return [each.item_id for each in queue_service.queue(house.ws, person, RATING)]


def test_a_batch_of_a_task_is_for_its_people_and_holds_its_items_alone(house: House) -> None:
    a, b, c = letters(house, "a", "b", "c")
    seen = preview(house.ws, SLUG, Choice(task=RATING))
    assert [each.external_id for each in seen.items] == ["a", "b", "c"]
    choice = Choice(external_ids=("a", "b"), task=RATING)
    number = make_batch(house.ws, SLUG, BatchPlan("Letters", (house.ann,), choice, overlap=1))
    assert (queued(house, house.ann), queued(house, house.ben)) == ([a, b], [c])
    assert [each.item_id for each in queue_service.queue(house.ws, house.ben)] == house.items
    answer(house.ws, house.ann, a, "vowel", True)
    submit(house.ws, house.ann, a)
    (batch,) = list_batches(house.ws, SLUG)
    assert (batch.task, batch.made, batch.wanted) == (RATING, 1, 2)
    assert move_out(house.ws, SLUG, number, ["b"]) == 1
    assert queued(house, house.ben) == [b, c]
    assert check(house.ws, SLUG) == []


def test_what_cannot_be_given_out_is_refused(house: House) -> None:
    letters(house, "a")
    for choice, code in (
        (Choice(task="judge_review"), "task_unknown"),
        (Choice(task="no such"), "task_unknown"),
        (Choice(external_ids=("q1",), task=RATING), "questions_unknown"),
        (Choice(gold=True, task=RATING), "batch_empty"),
    ):
        plan = BatchPlan("Letters", (house.ann,), choice, overlap=1)
        assert code_of(make_batch, house.ws, SLUG, plan) == code
