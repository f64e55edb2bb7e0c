from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.adjudication.tasks import undo
from annotation.curation.state import (
    DISPUTES,
    CurationState,
    Fate,
    curation_states,
)
from annotation.work import commands
from storage.projects import find_project
from tests.conftest import FakeClock
from tests.projects.curation_project import (
    GOLD,
    LAMP,
    MEETS,
    RAIL,
    SLUG,
    CurationHouse,
    answer,
    build,
    steps,
    submitted,
)
from tests.support.refusals import code_and_field, refused

EDIT = {"question": "난간은 얼마나 높아야 합니까?", "answer": "1.2미터 이상입니다."}
EDITED: dict[str, Any] = {"verdict": "edit", "edit": EDIT, "cause": "unclear"}


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> CurationHouse:
    return build(tmp_path / "workspace", clock)


def state(house: CurationHouse, at: int = 0) -> CurationState:
    with house.ws.reading() as session:
        found = curation_states(session, find_project(session, SLUG).id)
    return found[house.questions[at]]


def both(house: CurationHouse, mine: dict[str, Any], other: dict[str, Any]) -> CurationState:
    for who, said in ((house.ann, mine), (house.ben, other)):
        submitted(house, who, house.items[0], **said)
    return state(house)


def test_two_who_say_the_same_keep_it(house: CurationHouse) -> None:
    found = both(house, {}, {})
    assert (found.fate, found.gold, found.difficulty) == (Fate.KEPT, (RAIL,), "L2")
    assert found.criteria == MEETS
    assert not found.settled
    assert len(found.annotation_ids) == 2


def test_two_who_correct_it_alike_edit_it(house: CurationHouse) -> None:
    found = both(house, EDITED, {**EDITED, "cause": "given_away"})
    assert found.fate is Fate.EDITED
    assert found.edited is not None
    assert found.edited.question == EDIT["question"]
    assert found.causes == ("given_away", "unclear")


DIFFERENT = {
    "verdict": ({}, {"verdict": "reject", "cause": "unclear"}),
    "edit": (EDITED, {**EDITED, "edit": {**EDIT, "answer": "다른 답입니다."}}),
    "gold": ({}, {"gold": {RAIL: "yes", LAMP: "yes"}}),
    "difficulty": ({}, {"difficulty": "L3"}),
    "criteria": ({}, {"voice": "no", "reason": "so"}),
    "flagged": ({}, {"flag": "cut off"}),
}


@pytest.mark.parametrize("dispute", DIFFERENT)
def test_each_difference_needs_an_adjudicator(house: CurationHouse, dispute: str) -> None:
    found = both(house, *DIFFERENT[dispute])
    assert found.fate is Fate.DISPUTED
    assert dispute in found.disputes
    [entry] = DISPUTES.queue(house.ws, house.judge)
    assert entry.state == "open"
    assert dispute in entry.causes


def test_of_what_all_reject_nothing_else_has_to_agree(house: CurationHouse) -> None:
    rejected = {"verdict": "reject", "cause": "unclear"}
    found = both(house, rejected, {**rejected, "voice": "no", "difficulty": "L4"})
    assert (found.fate, found.gold) == (Fate.REJECTED, ())
    assert DISPUTES.queue(house.ws, house.judge) == []


def test_a_provision_that_the_law_does_not_have_is_refused(house: CurationHouse) -> None:
    act = house, house.ann, house.items[0]
    said = code_and_field(submitted, *act, gold={**GOLD, "부두법_99조": "yes"})
    assert said == ("curation_unit_unknown", "gold")


def test_every_listed_provision_is_judged(house: CurationHouse) -> None:
    answer(house, house.ann, house.items[0], steps(gold={RAIL: "yes"}))
    with refused("curation_gold_open") as caught:
        commands.submit(house.ws, house.ann, house.items[0])
    assert LAMP in str(caught.value.params)


def test_a_correction_that_changes_nothing_is_refused(house: CurationHouse) -> None:
    with house.ws.reading() as session:
        from storage.curation import question_by_id

        row = question_by_id(session, find_project(session, SLUG).id, house.questions[0])
        same = {"question": row.text, "answer": row.answer}
    with refused("curation_edit_same"):
        submitted(house, house.ann, house.items[0], **{**EDITED, "edit": same})


def test_an_adjudicator_decides_what_people_differ_in(house: CurationHouse) -> None:
    both(house, {}, {"gold": {RAIL: "yes", LAMP: "yes"}, "difficulty": "L3"})
    answers = {"verdict": "keep", "gold": {RAIL: "yes", LAMP: "yes"}, "difficulty": "L4"}
    DISPUTES.decide(house.ws, house.judge, house.items[0], answers, "The lamp matters.")
    found = state(house)
    assert (found.fate, found.gold, found.difficulty) == (Fate.KEPT, (RAIL, LAMP), "L4")
    assert found.criteria == MEETS, "what all say alike stands"
    assert found.settled
    undo(house.ws, house.judge, house.items[0])
    assert state(house).fate is Fate.DISPUTED


def test_a_decision_to_reject_takes_nothing_over(house: CurationHouse) -> None:
    both(house, {}, {"difficulty": "L3"})
    said = {"verdict": "reject", "cause": "unclear"}
    DISPUTES.decide(house.ws, house.judge, house.items[0], said, "Nobody asks this.")
    assert (state(house).fate, state(house).gold) == (Fate.REJECTED, ())


def test_a_decision_lacks_nothing_that_is_in_dispute(house: CurationHouse) -> None:
    both(house, {}, {"difficulty": "L3"})
    act = house.ws, house.judge, house.items[0], {"verdict": "keep"}
    said = code_and_field(DISPUTES.decide, *act, "so")
    assert said == ("curation_unanswered", "difficulty")
