"""Whatever a person does on a question, in any order, an opened step stays as it was answered."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from annotation.check.project import check
from annotation.forms import form as form_commands
from annotation.mcq.solvability import ASKED, SEALS, Stage, stage_of
from annotation.mcq.state import own_view
from annotation.work import commands
from annotation.work.queue_service import ItemView, open_item
from errors import UserError
from tests.conftest import FakeClock
from tests.projects.mcq_project import SLUG, build
from tests.support.examples import scaled

FIX = {"query": "q?", "options": ["a", "b", "c", "d"], "answer": 1}
VALUES: dict[str, tuple[Any, ...]] = {
    "alone_answerable": ("yes", "no"),
    "alone_choice": (0, 1, 4),
    "alone_sure": (1, 5),
    "revealed": (True, False),
    "both_answerable": ("yes", "no"),
    "both_choice": (0, 1, 4),
    "both_sure": (1, 5),
    "compared": (True,),
    "stored_right": ("yes", "no", "unsure"),
    "verdict": ("keep", "fix", "drop"),
    "cause": ("unclear", "other", "no_such_cause"),
    "reason": ("because", " "),
    "fix": (FIX, {}),
}
SAID = st.sampled_from([(field, each) for field, known in VALUES.items() for each in known])
ORDER = list(Stage)


class Question(RuleBasedStateMachine):
    """One person at one question; `frozen` is what was answered when a step was opened."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.house = build(Path(self.folder.name) / "workspace", FakeClock(), number=1)
        self.where = self.house.ws, self.house.ann, self.house.items[0]
        self.frozen: dict[str, Any] = {}
        self.furthest = 0

    def teardown(self) -> None:
        assert check(self.house.ws, SLUG) == []
        self.folder.cleanup()

    def look(self) -> ItemView:
        return open_item(*self.where)

    @rule(said=SAID)
    def answer(self, said: tuple[str, Any]) -> None:
        self.attempt(form_commands.answer, *said)

    @rule(field=st.sampled_from(list(VALUES)))
    def clear(self, field: str) -> None:
        self.attempt(form_commands.answer, field, None)

    @rule()
    def answer_what_is_asked(self) -> None:
        """Answer all of the step in hand as somebody sensible would, and open the next."""
        stage = stage_of(self.look().answers)
        sensible: dict[str, Any] = {"alone_choice": 4, "both_choice": 1}
        for field in ASKED[stage]:
            first = "no" if field == "alone_answerable" else VALUES[field][0]
            self.attempt(form_commands.answer, field, sensible.get(field, first))
        gate = {Stage.ALONE: "revealed", Stage.BOTH: "compared"}.get(stage)
        if gate:
            self.attempt(form_commands.answer, gate, True)

    @rule()
    def undo(self) -> None:
        self.attempt(commands.undo)

    @rule()
    def take_back(self) -> None:
        self.attempt(commands.take_back)

    @rule()
    def comment(self) -> None:
        self.attempt(commands.set_comment, "hm")

    @precondition(lambda self: self.furthest == 2)
    @rule()
    def submit(self) -> None:
        self.attempt(commands.submit)

    def attempt(self, act: Any, *said: Any) -> None:
        try:
            act(*self.where, *said)
        except UserError:
            return
        if said and said[0] in SEALS:
            self.frozen = dict(self.look().answers)

    @invariant()
    def what_was_answered_before_a_step_was_opened_stands(self) -> None:
        shown = self.look()
        assert self.frozen.items() <= shown.answers.items()
        at = ORDER.index(stage_of(shown.answers))
        assert at >= self.furthest
        self.furthest = at
        seen = own_view(self.house.ws, self.house.ann, shown)
        assert (seen.b is not None) == ("revealed" in self.frozen)
        assert (seen.stored is not None) == ("compared" in self.frozen)
        assert (seen.votes is not None) == (shown.status == "submitted")


TestQuestion = Question.TestCase
TestQuestion.settings = settings(
    max_examples=scaled(4),
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
