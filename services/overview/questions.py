"""State of each question, exactly one each, so that the counts add up.

The next step in a project, chosen by a fixed order of priorities.

First what must exist before anybody can work; then threats to gold already produced, disputes
before doubts; then unassigned work and work that will be late; then uses of the gold. The order is
that of `ORDER`, documented in `docs/overview.md`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from shlex import quote
from typing import Any, Literal, get_args

from annotation.batches.views import ItemSlots
from annotation.gold.derivation import GoldItem
from messages import say

QuestionState = Literal[
    "gold",
    "no_provision",
    "dispute",  # people disagree, are unsure, or answered only partly when a discussion ended
    "flagged",  # only flagged: an adjudicator must look as well
    "sent_back",
    "in_doubt",  # final before the law was amended, or undecided without its candidates
    "recurated",
    "waiting",  # begun, and more submissions are wanted
    "not_begun",  # people may begin
    "no_candidates",  # not begun, without candidates from the law in use
    "not_assigned",  # not begun, and in no batch
    "closed",  # not complete, and in a batch that is closed
    "apart",  # for calibration or practice: makes no gold
]
STATES: tuple[QuestionState, ...] = get_args(QuestionState)
FINAL: tuple[QuestionState, ...] = ("gold", "no_provision")
_FIRST: tuple[tuple[QuestionState, frozenset[str]], ...] = (
    ("sent_back", frozenset({"sent_back", "given_back"})),
    ("in_doubt", frozenset({"amended", "no_candidates"})),
    ("dispute", frozenset({"differ", "unsure", "source", "recalled"})),
    ("flagged", frozenset({"flagged"})),
    ("recurated", frozenset({"recurated"})),
)


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """A question behind a count."""

    item_id: int
    external_id: str
    question: str


@dataclass(frozen=True, slots=True)
class Questions:
    """The questions people decide on, by state; each has exactly one.

    `states` holds the nonempty ones, in the order of `STATES`. `inheriting` questions were derived
    from options of others and counted apart.
    """

    states: Mapping[QuestionState, tuple[QuestionLine, ...]]
    inheriting: int = 0

    def count(self, *states: QuestionState) -> int:
        """Return the number of questions in any of the states."""
        return sum(len(self.states.get(state, ())) for state in states)

    @property
    def total(self) -> int:
        """Number of all questions, the sum over states."""
        return self.count(*STATES)

    @property
    def final(self) -> int:
        """Number of questions with gold, or decided to have no provision."""
        return self.count(*FINAL)

    @property
    def pending(self) -> int:
        """Number of questions that are not final."""
        return self.total - self.final

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json`` output: every state with its count and its questions."""
        lines = {state: self.states.get(state, ()) for state in STATES}
        return {
            "total": self.total,
            "final": self.final,
            "pending": self.pending,
            "inheriting": self.inheriting,
            "states": {
                state: {"count": len(found), "questions": [e.external_id for e in found]}
                for state, found in lines.items()
            },
        }


def state_of(item: GoldItem, slots: ItemSlots | None, prepared: bool) -> QuestionState:
    """Return the state of a question, the most urgent where several apply.

    `slots` are its item's, `prepared`: it has candidates from the law in use.
    """
    if item.settled:
        return "no_provision" if item.no_provision else "gold"
    why = set(item.pending)
    for state, reasons in _FIRST:
        if why & reasons:
            return state
    if slots is None:
        return "waiting" if "waiting" in why else "not_begun"
    if slots.apart:
        return "apart"
    if slots.closed:
        return "closed"
    if "waiting" in why:
        return "waiting"
    if not prepared:
        return "no_candidates"
    return "not_begun" if slots.batch_id is not None else "not_assigned"


def by_state(
    items: Sequence[GoldItem], slots: Sequence[ItemSlots], prepared: Collection[int]
) -> Questions:
    """Group the questions of a project by state; those that inherit gold are only counted."""
    of_item = {each.item_id: each for each in slots}
    own = [item for item in items if item.inherited is None]
    found: dict[QuestionState, list[QuestionLine]] = {state: [] for state in STATES}
    for item in own:
        state = state_of(item, of_item.get(item.item_id), item.item_id in prepared)
        found[state].append(QuestionLine(item.item_id, item.external_id, item.question))
    states = {state: tuple(lines) for state, lines in found.items() if lines}
    return Questions(states, len(items) - len(own))


_DISPUTES = "adjudicate list --task all --by ADJUDICATOR"
_STEPS: Mapping[str, tuple[str, str]] = {  # screen and command of each step, the most urgent first
    # no law, or no questions, and nothing else to work on
    "law": ("data", "import statutes FOLDER"),
    "questions": ("data", "import questions FILE"),
    "people": ("people", "person add NAME"),  # work and nobody who may do it
    "annotators": ("people", "person add NAME"),  # of a new project: fewer than an item takes
    "candidates": ("data", "candidates"),  # questions without candidates from the law in use
    # disputes of any task, and nobody who may settle them; for who may; for everybody else
    "adjudicators": ("people", "person add NAME --role adjudicator"),
    "disputes": ("adjudication", _DISPUTES),
    "disputes_wait": ("agreement", _DISPUTES),
    "in_doubt": ("compare", "amended list"),  # decisions that rest on amended law
    # of a new project that has everything else; questions in no batch, where others are in some
    "first_batch": ("assignment", "assign make NAME --person PERSON"),
    "assign": ("assignment", "assign make NAME --person PERSON"),
    "deadline": ("assignment", "assign list"),  # a batch past its deadline, or that will be
    "run": ("leaderboard", "retrieve"),  # gold, and no run on it as it is now
    "wait": ("agreement", "agreement"),  # people are at work
    "remind": ("assignment", "assign list"),  # submissions to make, and nobody is at work
    "nothing": ("gold", "export gold FOLDER"),
}
ORDER = tuple(_STEPS)


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
        return _STEPS[self.key][0]

    @property
    def command(self) -> str:
        """Command that does it, or lists what there is to do."""
        words = _STEPS[self.key][1]
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
    """Return the applicable step with the highest priority, ``nothing`` if there is none."""
    return next((steps[key] for key in ORDER if key in steps), NextStep("nothing"))
