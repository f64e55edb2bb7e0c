"""Sequences of acts tell Ann nothing of what Ben said; leaks put in on purpose are found.

`two_worlds_machine` says what is compared; here are the tasks and the leaks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import rule, run_state_machine_as_test
from sqlalchemy import true

from annotation import commands, desk
from annotation.answers import commands as forms
from annotation.answers.desk import open_item as open_form
from annotation.discussing import open_discussion
from annotation.submissions import stands
from pages.parts import answers_acts, frame_acts, mapping_acts
from pages.parts.frame_data import frame_part
from storage.imports import keep_statutes
from storage.tasks import Task
from tests import mcq_house
from tests.annotation import house as mapping_house
from tests.conftest import FakeClock
from tests.reliability.two_worlds_machine import TwoWorlds

RUNS = settings(
    max_examples=25,
    stateful_step_count=18,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


class Mapping(TwoWorlds):
    """Citation mapping: an answer is one accepted article."""

    slug = mapping_house.SLUG
    task = Task.CITATION_MAPPING

    def build(self, folder: Path, clock: FakeClock) -> Any:
        return mapping_house.build(folder, clock)

    def sitting(self, person: int) -> Any:
        return mapping_acts.Sitting(self.slug, person)

    def screen(self, house: Any, item: int) -> Any:
        shown = desk.open_item(house.ws, house.ann, item)
        talk = open_discussion(house.ws, house.ann, item)
        return shown, frame_part(shown), talk

    def send(self, house: Any, sitting: Any, message: dict[str, Any]) -> None:
        mapping_acts.carry_out(house.ws, sitting, message, "en")

    def answer(self, house: Any, who: int, item: int, choice: int) -> None:
        shown = desk.open_item(house.ws, who, item)
        for each in shown.candidates:
            if each.decision is not None:
                commands.label(house.ws, who, item, each.unit_id, None)
        commands.label(house.ws, who, item, shown.candidates[choice].unit_id, "accept")
        commands.submit(house.ws, who, item, confidence=1 + choice)

    def changeable(self, house: Any, item: int) -> bool:
        shown = desk.open_item(house.ws, house.ann, item)
        return shown.outrun or open_discussion(house.ws, house.ann, item) is not None

    @rule()
    def the_law_is_amended(self) -> None:
        for house in self.houses:
            with house.ws.reading() as session:
                from sqlmodel import func, select

                from storage.tables import Snapshot

                if session.exec(select(func.count()).select_from(Snapshot)).one() > 1:
                    return
            keep_statutes(house.ws, self.slug, [mapping_house.statute(" Now.")], "second")
            mapping_house.propose(house, 2)


class Questions(TwoWorlds):
    """Multiple-choice questions, as a form: an answer is a verdict."""

    slug = mcq_house.SLUG
    task = Task.MCQ_SOLVABILITY
    VERDICTS = ("keep", "drop", "drop")
    CAUSES = (None, "unclear", "outdated")

    def build(self, folder: Path, clock: FakeClock) -> Any:
        return mcq_house.build(folder, clock)

    def sitting(self, person: int) -> Any:
        return answers_acts.Sitting(self.slug, person, task=self.task)

    def screen(self, house: Any, item: int) -> Any:
        shown = open_form(house.ws, house.ann, item)
        return shown, frame_part(shown), open_discussion(house.ws, house.ann, item)

    def send(self, house: Any, sitting: Any, message: dict[str, Any]) -> None:
        frame_acts.carry_out(house.ws, sitting, message, "en", answers_acts.FORM_ACTS)

    def answer(self, house: Any, who: int, item: int, choice: int) -> None:
        shown = open_form(house.ws, who, item)
        cause = self.CAUSES[choice]
        if not shown.answers:
            mcq_house.answer(house, who, item, mcq_house.steps()[:-2])
        said = {"stored_right": "yes", "verdict": self.VERDICTS[choice], "cause": cause}
        for field, value in said.items():
            forms.answer(house.ws, who, item, field, value)
        forms.submit(house.ws, who, item, confidence=1 + choice)

    def changeable(self, house: Any, item: int) -> bool:
        return open_discussion(house.ws, house.ann, item) is not None


@pytest.mark.parametrize("machine", [Mapping, Questions])
def test_no_sequence_of_acts_tells(machine: type[TwoWorlds]) -> None:
    run_state_machine_as_test(machine, settings=RUNS)


LEAKS = {
    "annotation.pen.refuse_locked": (Mapping, lambda *_: None),
    "annotation.pen.refuse_locked of a form": (Questions, lambda *_: None),
    "annotation.blind.reopened": (Mapping, lambda *_: frozenset()),
    "annotation.threads._submitted_by": (Mapping, lambda *_: true()),
    "annotation.threads.full_items": (Questions, lambda *_: _begun()),
    "annotation.gold.answered": (Mapping, lambda *_: None),
}


def _begun() -> Any:
    from sqlmodel import select

    from storage.tables import Annotation

    return select(Annotation.item_id).where(stands())


@pytest.mark.parametrize("leak", sorted(LEAKS))
def test_a_leak_would_be_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    machine, harm = LEAKS[leak]
    monkeypatch.setattr(leak.partition(" ")[0], harm)
    with pytest.raises(AssertionError, match="tells|could try again"):
        run_state_machine_as_test(machine, settings=RUNS)
