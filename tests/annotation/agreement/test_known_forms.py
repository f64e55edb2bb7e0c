"""Known answers of forms: setting them, practice with feedback, and calibration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.agreement.calibration import accuracy
from annotation.agreement.known_forms import (
    Feedback,
    FieldFeedback,
    KnownForm,
    feedback,
    is_right,
    known_from_settlements,
    latest_feedback,
    set_known_forms,
)
from annotation.batches.commands import BatchPlan, make_batch
from annotation.batches.sampling import Choice
from annotation.check.project import check
from annotation.forms.adjudication import settle
from annotation.forms.form import answer, product_form
from annotation.work.commands import submit
from annotation.work.queue_service import open_item, queue
from services.batches import import_known, take_known
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.subjects import Subject, add_items
from storage.tasks import Task
from tests.annotation.house import SLUG, House
from tests.support.refusals import code_of, refused

RATING, PAGES = Task.ANSWER_RATING, Task.OCR_CORRECTION
RIGHT, WRONG = {"rating": "correct"}, {"rating": "incorrect"}


def items(house: House, task: Task, *names: str) -> list[int]:
    """Make an item of each name."""
    with house.ws.writing() as session:
        project = find_project(session, SLUG)
        made = [Subject(n, name, f"About {name}", {}) for n, name in enumerate(names, 1)]
        return add_items(session, project.id, task, made, house.ws.clock())


def say(ws: Workspace, person: int, item: int, answers: dict[str, Any]) -> None:
    open_item(ws, person, item)
    for field, value in answers.items():
        answer(ws, person, item, field, value)
    submit(ws, person, item)


def give(house: House, name: str, task: Task = RATING, **more: Any) -> int:
    people = (house.ann, house.ben)
    return make_batch(house.ws, SLUG, BatchPlan(name, people, Choice(task=task), **more))


def test_a_practice_round_comes_first_and_tells_what_was_right_after_answering(
    house: House,
) -> None:
    a, b = items(house, RATING, "a", "b")
    assert set_known_forms(house.ws, SLUG, RATING, [KnownForm("a", RIGHT, "It is.")]) == 1
    assert set_known_forms(house.ws, SLUG, RATING, [KnownForm("a", RIGHT, "It is.")]) == 0
    give(house, "Practice", practice=True)
    assert [each.item_id for each in queue(house.ws, house.ann, RATING)] == [a, b]
    assert code_of(feedback, house.ws, house.ann, a) == "feedback_closed"
    say(house.ws, house.ben, a, RIGHT)
    assert code_of(feedback, house.ws, house.ann, a) == "feedback_closed"
    say(house.ws, house.ann, a, WRONG)
    told = feedback(house.ws, house.ann, a)
    field = FieldFeedback("rating", "correct", "incorrect", right=False)
    assert told == Feedback(a, "a", "About a", "It is.", right=False, fields=(field,))
    assert latest_feedback(house.ws, house.ann, RATING) == told
    assert latest_feedback(house.ws, house.ann) is None
    give(house, "Plain")
    set_known_forms(house.ws, SLUG, RATING, [KnownForm("b", RIGHT)])
    say(house.ws, house.ann, b, RIGHT)
    assert latest_feedback(house.ws, house.ann, RATING) is None
    assert check(house.ws, SLUG) == []


def test_calibration_items_are_mixed_in_and_counted_by_person(house: House) -> None:
    a, *_ = items(house, RATING, "a", "b", "c")
    set_known_forms(house.ws, SLUG, RATING, [KnownForm("a", RIGHT)])
    made = give(house, "Mixed", calibration=0.34)
    say(house.ws, house.ann, a, WRONG)
    say(house.ws, house.ben, a, RIGHT)
    assert code_of(feedback, house.ws, house.ann, a) == "feedback_closed"
    found = accuracy(house.ws, SLUG, batch_id=made, task=RATING)
    counts = [(each.person, each.right, each.share.n) for each in found]
    assert counts == [("Ann", 0, 1), ("Ben", 1, 1)]
    assert (found[0].wrong, found[1].known) == (("a",), ("a",))
    assert accuracy(house.ws, SLUG) == []
    assert code_of(accuracy, house.ws, SLUG, house.ann, None, RATING) == "not_allowed"


def test_a_page_corrected_for_practice_goes_to_nobody_to_verify(house: House) -> None:
    block: dict[str, Any] = {"kind": "paragraph", "text": "Lamps.", "doubt": [], "box": None}
    (page,) = items(house, PAGES, "p")
    set_known_forms(house.ws, SLUG, PAGES, [KnownForm("p", {"blocks": [block]})])
    give(house, "Practice", PAGES, practice=True)
    say(house.ws, house.ann, page, {"blocks": [block | {"box": [0, 0, 2, 2]}]})
    assert feedback(house.ws, house.ann, page).right
    assert queue(house.ws, house.ben, Task.OCR_VERIFICATION) == []


def test_decisions_of_adjudicators_become_known_answers(house: House) -> None:
    a, _ = items(house, RATING, "a", "b")
    say(house.ws, house.ann, a, RIGHT)
    say(house.ws, house.ben, a, WRONG)
    settle(house.ws, house.judge, a, WRONG, "heard it")
    assert known_from_settlements(house.ws, SLUG, RATING) == [KnownForm("a", WRONG, "heard it")]
    assert take_known(house.ws, SLUG, task=RATING) == 1
    assert take_known(house.ws, SLUG, task=RATING) == 0
    assert code_of(take_known, house.ws, SLUG, house.ann, RATING) == "not_allowed"


def test_a_file_is_read_whole_or_refused_with_its_line(house: House, tmp_path: Path) -> None:
    items(house, RATING, "a", "b")
    file = tmp_path / "known.jsonl"
    good = '{"item": "b", "answers": {"rating": "correct"}, "explanation": "So."}\n'
    for line, code in (
        ('{"item": "z", "answers": {"rating": "correct"}}', "questions_unknown"),
        ('{"item": "a", "answers": {"rating": "fine"}}', "judge_value"),
        ('{"item": "a", "answers": {"x": 1}}', "judge_field"),
        ('{"item": "a", "answers": {}}', "rating_missing"),
        ('{"item": "a", "answers": [1]}', "known_answer_form"),
        ('{"item": 1, "answers": {}}', "known_answer_form"),
        ('{"item": "a", "answers": {}, "units": []}', "known_answer_form"),
        ('{"item": "a", "answers": {"rating": "correct"}, "explanation": 1}', "known_answer_form"),
    ):
        file.write_text(good + line + "\n", encoding="utf-8")
        with refused(code) as caught:
            import_known(house.ws, SLUG, file, task=RATING)
        assert caught.value.where.line == 2
    file.write_text(good, encoding="utf-8")
    assert import_known(house.ws, SLUG, file, task=RATING) == 1


def test_what_has_no_form_has_no_such_answers(house: House) -> None:
    for task in ("citation_mapping", "no such"):
        assert code_of(set_known_forms, house.ws, SLUG, task, []) == "task_unknown"


MCQ = Task.MCQ_SOLVABILITY


def tag(option: str, *evidence: int) -> dict[str, Any]:
    return {"options": [option], "evidence": [*evidence]}


@pytest.mark.parametrize(
    ("task", "known", "said", "right"),
    [
        (MCQ, {"verdict": "keep"}, {"verdict": "keep", "reason": "x"}, True),
        (MCQ, {"cause": "unclear"}, {"cause": "other"}, False),
        (Task.FACTOR_TAGGING, {"a": tag("x")}, {"a": tag("x", 1), "b": tag("y")}, True),
        (Task.FACTOR_TAGGING, {"a": tag("x")}, {}, False),
    ],
)
def test_what_is_right_is_the_forms_to_say(
    task: Task, known: dict[str, Any], said: dict[str, Any], right: bool
) -> None:
    assert is_right(product_form(task), known, said) is right
