"""The next step in a project, chosen by a fixed order of priorities.

First what must exist before anybody can work; then threats to gold already produced, disputes
before doubts; then unassigned work and work that will be late; then uses of the gold. The order is
that of `ORDER`, documented in `docs/overview.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from shlex import quote
from typing import Any

from messages import say

ORDER = (
    "law",  # no law and nothing else to work on
    "questions",  # no questions and nothing else to work on
    "people",  # work and nobody who may do it
    "candidates",  # questions without candidates from the law in use
    "adjudicators",  # disputes to settle, of any task, and nobody who may
    "disputes",  # to settle, for who may
    "disputes_wait",  # the same, for everybody else
    "in_doubt",  # decisions that rest on amended law
    "assign",  # questions in no batch, where others are given out in batches
    "deadline",  # a batch past its deadline, or that will be
    "run",  # gold, and no run on it as it is now
    "wait",  # people are at work
    "remind",  # submissions to make, and nobody is
    "nothing",
)
_SCREENS: Mapping[str, tuple[str, str]] = {  # screen and command of each step
    "law": ("data", "import statutes FOLDER"),
    "questions": ("data", "import questions FILE"),
    "people": ("people", "person add NAME"),
    "candidates": ("data", "candidates"),
    "adjudicators": ("people", "person add NAME --role adjudicator"),
    "disputes": ("adjudication", "adjudicate list --task all --by ADJUDICATOR"),
    "disputes_wait": ("agreement", "adjudicate list --task all --by ADJUDICATOR"),
    "in_doubt": ("compare", "amended list"),
    "assign": ("assignment", "assign make NAME --person PERSON"),
    "deadline": ("assignment", "assign list"),
    "run": ("leaderboard", "retrieve"),
    "wait": ("agreement", "agreement"),
    "remind": ("assignment", "assign list"),
    "nothing": ("gold", "export gold FOLDER"),
}


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next step: its key of `ORDER`, a count, and the batch or people concerned.

    `asked` are URL parameters of its screen.
    """

    key: str
    count: int = 0
    batch: str = ""
    people: tuple[str, ...] = ()
    asked: Mapping[str, str] = field(default_factory=dict)

    @property
    def screen(self) -> str:
        """Screen on which it is done."""
        return _SCREENS[self.key][0]

    @property
    def command(self) -> str:
        """Command that does it, or lists what there is to do."""
        words = _SCREENS[self.key][1]
        if self.people:
            words = words.replace("ADJUDICATOR", quote(self.people[0]))
        return f"touchstone.py {words}"

    def say(self, language: str = "en") -> str:
        """Describe it in one line."""
        words = {"count": f"{self.count:,}", "batch": self.batch}
        words["people"] = ", ".join(self.people)
        return say(f"overview.next.{self.key}", language, **words)

    def as_dict(self) -> dict[str, Any]:
        """Return the step for ``--json`` output."""
        told: dict[str, Any] = {"step": self.key, "count": self.count}
        told |= {"batch": self.batch or None, "people": list(self.people)}
        return told | {"says": self.say(), "screen": self.screen, "command": self.command}


def first_of(steps: Mapping[str, NextStep]) -> NextStep:
    """Return the applicable step with the highest priority."""
    return next((steps[key] for key in ORDER if key in steps), NextStep("nothing"))
