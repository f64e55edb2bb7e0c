"""State of each question, exactly one each, so that the counts add up."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from annotation.batches.slots import ItemSlots
from annotation.gold.derivation import GoldItem

QuestionState = Literal[
    "gold",
    "no_provision",
    "dispute",
    "flagged",
    "sent_back",
    "in_doubt",
    "recurated",
    "waiting",
    "not_begun",
    "no_candidates",
    "not_assigned",
    "closed",
    "apart",
]
FINAL: tuple[QuestionState, ...] = ("gold", "no_provision")
STATES: tuple[QuestionState, ...] = (
    *FINAL,
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
)
_FIRST: tuple[tuple[QuestionState, frozenset[str]], ...] = (
    ("sent_back", frozenset({"sent_back", "given_back"})),
    ("in_doubt", frozenset({"amended", "no_candidates"})),
    ("dispute", frozenset({"differ", "unsure", "recalled"})),
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
        """Number of questions with gold, or settled as having no provision."""
        return self.count(*FINAL)

    @property
    def pending(self) -> int:
        """Number of all others."""
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
    """Group the questions of a project by state, in order."""
    of_item = {each.item_id: each for each in slots}
    own = [item for item in items if item.inherited is None]
    found: dict[QuestionState, list[QuestionLine]] = {state: [] for state in STATES}
    for item in own:
        state = state_of(item, of_item.get(item.item_id), item.item_id in prepared)
        found[state].append(QuestionLine(item.item_id, item.external_id, item.question))
    states = {state: tuple(lines) for state, lines in found.items() if lines}
    return Questions(states, len(items) - len(own))
