"""What the form of questions adds to declared forms (`tests/annotation/tasks/test_form.py`)."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.mcq.solvability import ABSTENTION, FORM, Fix, Stage, fix_of, stage_of
from tests.support.refusals import code_and_field as code

ALONE = {"alone_answerable": "no", "alone_choice": 4, "alone_sure": 3}
BOTH = {**ALONE, "revealed": True, "both_answerable": "yes", "both_choice": 1, "both_sure": 5}
COMPARED = {**BOTH, "compared": True, "stored_right": "yes", "verdict": "keep"}
FIX = {"query": "무엇인가?", "options": ["가", "나", "다", "라"], "answer": 2}


def test_each_step_opens_by_its_seal() -> None:
    for answers, stage, seal in ((ALONE, Stage.ALONE, "revealed"), (BOTH, Stage.BOTH, "compared")):
        assert stage_of(answers) is stage
        assert FORM.check(seal, True, answers) is True
        for field in answers.keys() - ALONE.keys() - {"revealed"} or ALONE:
            left = {name: value for name, value in answers.items() if name != field}
            assert code(FORM.check, seal, True, left) == ("mcq_unanswered", field)
    assert stage_of(COMPARED) is Stage.COMPARED
    assert stage_of(COMPARED, submitted=True) is Stage.DONE


def test_answerable_does_not_go_with_cannot_be_determined() -> None:
    said = ALONE | {"alone_answerable": "yes", "alone_choice": ABSTENTION}
    assert code(FORM.check, "revealed", True, said) == ("mcq_answerable_abstains", "alone_choice")
    said = BOTH | {"both_choice": ABSTENTION}
    assert code(FORM.check, "compared", True, said) == ("mcq_answerable_abstains", "both_choice")
    assert FORM.check("revealed", True, ALONE | {"alone_choice": 2}) is True, "a guess is none"


@pytest.mark.parametrize(
    "change",
    [
        {"alone_answerable": "yes", "alone_choice": 1},
        {"both_answerable": "no"},
        {"stored_right": "no"},
        {"stored_right": "unsure"},
    ],
)
def test_keeping_an_item_against_ones_own_answers_takes_words(change: dict[str, Any]) -> None:
    FORM.fit(COMPARED)
    said = COMPARED | change
    assert code(FORM.fit, said) == ("mcq_keep_reason", "reason")
    FORM.fit(said | {"reason": "B only repeats A."})


@pytest.mark.parametrize("verdict", ["fix", "drop"])
def test_fixing_and_dropping_take_a_cause_and_another_cause_takes_words(verdict: str) -> None:
    said = COMPARED | {"verdict": verdict, "fix": FIX}
    assert code(FORM.fit, said) == ("mcq_unanswered", "cause")
    FORM.fit(said | {"cause": "unclear"})
    FORM.fit_decided({"verdict": verdict, "fix": FIX, "cause": "unclear"})
    assert code(FORM.fit, said | {"cause": "other"}) == ("mcq_unanswered", "reason")
    FORM.fit(said | {"cause": "other", "reason": "asks for a phone number"})


def test_fixing_takes_the_fixed_item() -> None:
    said = COMPARED | {"verdict": "fix", "cause": "unclear"}
    assert code(FORM.fit, said) == ("mcq_unanswered", "fix")
    assert fix_of(said | {"fix": FIX}) == Fix("무엇인가?", ("가", "나", "다", "라"), 2)
    assert fix_of(said | {"fix": FIX, "verdict": "drop"}) is None
    wrong = FIX | {"options": ["가", "나", "다"]}
    assert code(FORM.check, "fix", wrong, COMPARED) == ("mcq_value", "options")
    alike = FIX | {"options": ["가", "나", "Da ", " da"]}
    assert code(FORM.check, "fix", alike, COMPARED) == ("mcq_options_alike", "options")
