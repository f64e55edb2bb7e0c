"""Sequences of acts tell Ann nothing of what Ben said; leaks put in on purpose are found.

`two_worlds_machine` says what is compared; here are the tasks and the leaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import rule, run_state_machine_as_test
from sqlalchemy import false, true
from sqlmodel import select

from annotation.adjudication.discussion_views import open_discussion
from annotation.batches.commands import set_evidence
from annotation.forms import form as form_commands
from annotation.mapping import commands as mapping_commands
from annotation.tasks.own import own_subject
from annotation.work import commands, queue_service
from annotation.work.queue_service import open_item as open_form
from annotation.work.submissions import is_current
from pages.attribution import attribution_review
from pages.curation import curation
from pages.mapping import citation_mapping
from pages.task import acts as task_acts
from pages.task.viewer import frame_part
from services.law.overview import overview
from storage.law.imports import keep_statutes
from storage.tables.core import Annotation
from storage.tables.people import Comment
from storage.tasks import Task
from tests.annotation import house as mapping_house
from tests.conftest import FakeClock
from tests.projects import (
    attribution_review_project,
    curation_project,
    mcq_project,
    own_project,
)
from tests.reliability.two_worlds_machine import TwoWorlds
from tests.support.examples import scaled

RUNS = settings(
    max_examples=scaled(3),
    stateful_step_count=18,
    phases=(Phase.generate,),  # a counterexample is shown as it was found
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
FINDS = settings(RUNS, max_examples=40)  # ends with the first that is found


class Mapping(TwoWorlds):
    """Citation mapping: an answer is one accepted article, with words marked in it."""

    slug = mapping_house.SLUG
    task = Task.CITATION_MAPPING

    def build(self, folder: Path, clock: FakeClock) -> Any:
        house = mapping_house.build(folder, clock)
        set_evidence(house.ws, self.slug, True)
        return house

    def sitting(self, person: int) -> Any:
        return task_acts.TaskSession(self.slug, person)

    def screen(self, house: Any, item: int) -> Any:
        shown = queue_service.open_item(house.ws, house.ann, item)
        talk = open_discussion(house.ws, house.ann, item)
        return shown, frame_part(shown), talk

    def send(self, house: Any, sitting: Any, message: dict[str, Any]) -> None:
        task_acts.carry_out(house.ws, sitting, message, "en", citation_mapping.PAGE.handlers)

    def answer(self, house: Any, who: int, item: int, choice: int) -> None:
        shown = queue_service.open_item(house.ws, who, item)
        for each in shown.candidates:
            if each.decision is not None:
                mapping_commands.label(house.ws, who, item, each.unit_id, None)
        unit = shown.candidates[choice].unit_id
        mapping_commands.mark(house.ws, who, item, unit, [[4, 9 + choice]])
        commands.submit(house.ws, who, item, confidence=1 + choice)

    def changeable(self, house: Any, item: int) -> bool:
        shown = queue_service.open_item(house.ws, house.ann, item)
        return shown.outrun or open_discussion(house.ws, house.ann, item) is not None

    @rule()
    def the_law_is_amended(self) -> None:
        for house in self.houses:
            if len(overview(house.ws, self.slug).snapshots) > 1:
                return
            keep_statutes(house.ws, self.slug, [mapping_house.statute(" Now.")], "second")
            mapping_house.propose(house, 2)
        self.glance()


class Forms(TwoWorlds):
    """A task with a form, whose project a module of `tests.projects` makes."""

    project: Any
    handlers: ClassVar[Any] = task_acts.ACTS

    def build(self, folder: Path, clock: FakeClock) -> Any:
        return self.project.build(folder, clock)

    def sitting(self, person: int) -> Any:
        return task_acts.TaskSession(self.slug, person, task=self.task)

    def screen(self, house: Any, item: int) -> Any:
        shown = open_form(house.ws, house.ann, item)
        talk = open_discussion(house.ws, house.ann, item)
        return shown, frame_part(shown), talk, self.part(house, shown)

    def part(self, house: Any, shown: Any) -> Any:
        """Return what the task's own part of the screen is sent."""

    def send(self, house: Any, sitting: Any, message: dict[str, Any]) -> None:
        task_acts.carry_out(house.ws, sitting, message, "en", self.handlers)

    def answer(self, house: Any, who: int, item: int, choice: int) -> None:
        shown = open_form(house.ws, who, item)
        for field, value in self.said(house, who, shown, choice).items():
            form_commands.answer(house.ws, who, item, field, value)
        commands.submit(house.ws, who, item, confidence=1 + choice)

    def said(self, house: Any, who: int, shown: Any, choice: int) -> dict[str, Any]:
        """Return the answers of a choice, by field."""
        raise NotImplementedError

    def changeable(self, house: Any, item: int) -> bool:
        return open_discussion(house.ws, house.ann, item) is not None


class Questions(Forms):
    """Multiple-choice questions: an answer is a verdict."""

    project, slug, task = mcq_project, mcq_project.SLUG, Task.MCQ_SOLVABILITY
    CHOICES = (("keep", None), ("drop", "unclear"), ("drop", "outdated"))

    def said(self, house: Any, who: int, shown: Any, choice: int) -> dict[str, Any]:
        if not shown.answers:
            mcq_project.answer(house, who, shown.item_id, mcq_project.steps()[:-2])
        verdict, cause = self.CHOICES[choice]
        return {"stored_right": "yes", "verdict": verdict, "cause": cause}


class Curated(Forms):
    """Questions that a model wrote: an answer is a verdict."""

    project, slug, task = curation_project, curation_project.SLUG, Task.CURATION
    handlers = curation.PAGE.handlers
    CHOICES = (("keep", None), ("reject", "unclear"), ("reject", "no_context"))

    def part(self, house: Any, shown: Any) -> Any:
        return curation.fixed_part(house.ws, house.ann, shown, "en")

    def said(self, house: Any, who: int, shown: Any, choice: int) -> dict[str, Any]:
        if not shown.answers:
            curation_project.answer(house, who, shown.item_id, curation_project.steps()[:-1])
        return dict(zip(("verdict", "cause"), self.CHOICES[choice], strict=True))


class Reviewed(Forms):
    """Claims of answers: an answer is the label of the first claim."""

    project, slug = attribution_review_project, attribution_review_project.SLUG
    task, handlers = Task.ATTRIBUTION, attribution_review.PAGE.handlers
    CHOICES = (("match", 1), ("none", None), ("partial", 1))

    def part(self, house: Any, shown: Any) -> Any:
        return attribution_review.moving_part(house.ws, house.ann, shown, "en")

    def said(self, house: Any, who: int, shown: Any, choice: int) -> dict[str, Any]:
        label, gold = self.CHOICES[choice]
        return attribution_review_project.SAID | {"label_1": label, "gold_1": gold}


class Brought(Forms):
    """A task that the project brought: an answer is a relevance with its evidence."""

    project, slug, task = own_project, own_project.SLUG, own_project.TASK

    def part(self, house: Any, shown: Any) -> Any:
        return own_subject(house.ws, house.ann, shown)

    def said(self, house: Any, who: int, shown: Any, choice: int) -> dict[str, Any]:
        return {"relevance": 1 + choice, "evidence": [own_project.SPAN | {"end": 1 + choice}]}


@pytest.mark.parametrize("machine", [Mapping, Questions, Curated, Brought])
def test_no_sequence_of_acts_tells(machine: type[TwoWorlds]) -> None:
    run_state_machine_as_test(machine, settings=RUNS)


def test_no_sequence_of_acts_tells_of_claims() -> None:
    """Once: many answers make an item slow, and the machine of forms is tried above."""
    run_state_machine_as_test(Reviewed, settings=settings(RUNS, max_examples=1))


@pytest.mark.long
def test_the_search_finds_that_a_complete_item_can_be_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("annotation.work.commands.refuse_locked", lambda *_: None)
    with pytest.raises(AssertionError, match="could try again"):
        run_state_machine_as_test(Mapping, settings=FINDS)


def _begun() -> Any:
    return select(Annotation.item_id).where(is_current())


BOTH = (("ann_answers", 0, 0), ("ben_answers", 0, 0, True))
WRITTEN = (("ben_writes_or_takes_back", 0, True), ("ann_answers", 0, 0))
ASKED = (*BOTH, ("ben_asks_back", 0))
DECLINED = (*ASKED, ("the_adjudicator_does_something_else", 0, "decline"))
GIVEN = (*BOTH, ("the_adjudicator_gives_back", 0, True))
LEAKS = {
    "visibility.reopened": (lambda *_: frozenset(), Mapping, (*GIVEN, ("ann_looks", "headline"))),
    "visibility.outrun_submissions": (
        *(lambda *_: frozenset(), Mapping),
        (*BOTH, ("the_law_is_amended",)),
    ),
    "threads.full_items": (lambda *_: _begun(), Mapping, WRITTEN),
    "threads._leads": (true, Mapping, WRITTEN),
    "threads._of_others_requests": (lambda *_: false(), Mapping, ASKED),
    "threads._answers_request_of": (
        *(lambda *_: Comment.kind == "declined", Questions),
        DECLINED,
    ),
    "threads.reopened": (lambda *_: frozenset(), Mapping, (*WRITTEN, *GIVEN[1:])),
    "commands.refuse_locked": (
        lambda *_: None,
        Questions,
        (*BOTH, *WRITTEN[:1], ("ann_takes_back", 0)),
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("leak", sorted(LEAKS))
def test_a_leak_would_be_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the acts that lead to it, which without the leak tell nothing."""
    harm, machine, acts = LEAKS[leak]
    _act_out(machine(), acts)
    monkeypatch.setattr(f"annotation.work.{leak}", harm)
    with pytest.raises(AssertionError, match=r"tells|could try again"):
        _act_out(machine(), acts)


def _act_out(machine: TwoWorlds, acts: Sequence[Sequence[Any]]) -> None:
    try:
        for name, *said in acts:
            getattr(machine, name)(*said)
    finally:
        machine.teardown()
