"""Replies to questions, grouped by model and setting so that figures can be paired by question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluation.replies.likelihood import likeliest
from evaluation.replies.outcomes import Outcome


class Setting(StrEnum):
    """The provisions shown with a question."""

    ZERO = "zero"  # nothing: parametric knowledge only
    A = "a"  # the provision that delegates to the other: the question is unanswerable
    B = "b"  # only the other
    BOTH = "ab"


class Of(StrEnum):
    """The denominator of a share."""

    ALL = "all"  # every reply that came
    READABLE = "readable"  # only readable replies


@dataclass(frozen=True, slots=True)
class Key:
    """A question's right option and its abstention option, counted from 0."""

    answer: int
    abstention: int


@dataclass(frozen=True, slots=True)
class ReplyVote:
    """The outcome of a reply; `option` counts from 0 and is None if none was chosen."""

    outcome: Outcome
    option: int | None = None

    @property
    def silent(self) -> bool:
        """Whether it abstained or refused. Unknown for unreadable replies, which do not count."""
        return self.outcome.abstained or self.outcome is Outcome.REFUSED


def by_likelihood(logprobs: Sequence[float | None], abstention: int) -> ReplyVote:
    """Read a reply from the log-probabilities of a question's options alone.

    None is an unknown one; `abstention` counts from 0. If the likeliest are
    equally likely, or none is known, the reply is unreadable.
    """
    labels = [str(place) for place in range(len(logprobs))]
    told = {str(place): value for place, value in enumerate(logprobs) if value is not None}
    found = likeliest(told, labels).label if labels else None
    if found is None:
        return ReplyVote(Outcome.UNREADABLE)
    option = int(found)
    leaves_open = option == abstention
    return ReplyVote(Outcome.ABSTAINED_OPTION if leaves_open else Outcome.ANSWERED, option)


@dataclass(frozen=True, slots=True)
class Vote:
    """A model's reply to a question."""

    item: str
    setting: Setting
    model: str
    said: ReplyVote
    repeat: int = 0


Score = Callable[[Key, ReplyVote], float]
"""Scores a reply to a question, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The replies of one model under one setting, by question."""

    replies: Mapping[str, Sequence[ReplyVote]]

    @property
    def outcomes(self) -> Counter[Outcome]:
        """The number of replies per outcome."""
        return Counter(said.outcome for reply in self.replies.values() for said in reply)

    def scores(self, keys: Mapping[str, Key], score: Score, of: Of) -> dict[str, float]:
        """Return each question's mean score over its replies; questions without one are left out.

        Of all replies, an unreadable one scores like one without the scored outcome.
        """
        counted = {
            item: [said for said in each if of is Of.ALL or said.outcome.readable]
            for item, each in sorted(self.replies.items())
        }
        return {
            item: sum(score(keys[item], said) for said in each) / len(each)
            for item, each in counted.items()
            if each
        }


@dataclass(frozen=True, slots=True)
class Ballots:
    """All replies: the questions' keys, the models in order, and a cell for each with replies."""

    keys: Mapping[str, Key]
    models: tuple[str, ...]
    cells: Mapping[tuple[str, Setting], Cell]

    def cell(self, model: str, setting: Setting) -> Cell:
        """Return the model's replies under the setting; empty if it was not asked."""
        return self.cells.get((model, setting), Cell({}))


def group_replies(keys: Mapping[str, Key], votes: Iterable[Vote]) -> Ballots:
    """Group replies by model, setting and question; KeyError for a question without a key."""
    replies: dict[tuple[str, Setting], dict[str, list[ReplyVote]]] = {}
    for vote in votes:
        if vote.item not in keys:
            raise KeyError(vote.item)
        at = vote.model, vote.setting
        replies.setdefault(at, {}).setdefault(vote.item, []).append(vote.said)
    cells = {at: Cell(found) for at, found in replies.items()}
    return Ballots(keys, tuple(sorted({model for model, _ in cells})), cells)


def right(key: Key, vote: ReplyVote) -> float:
    """Score 1 if the stored answer was chosen."""
    return float(vote.option == key.answer)


def wrong(key: Key, vote: ReplyVote) -> float:
    """Score 1 if another option than the stored one was chosen."""
    return answered(key, vote) - right(key, vote)


def answered(_: Key, vote: ReplyVote) -> float:
    """Score 1 if it was answered, rightly or wrongly."""
    return float(vote.outcome is Outcome.ANSWERED)


def abstained(_: Key, vote: ReplyVote) -> float:
    """Score 1 if the reply abstained, by the option or in words."""
    return float(vote.outcome.abstained)


def silent(_: Key, vote: ReplyVote) -> float:
    """Score 1 if the reply abstained or refused."""
    return float(vote.silent)


def expected(setting: Setting) -> Score:
    """Return the score of the expected reply: abstaining with A alone, else right."""
    return abstained if setting is Setting.A else right


def comes_to(outcome: Outcome) -> Score:
    """Return the score that is 1 for a reply with that outcome, else 0."""
    return lambda _, said: float(said.outcome is outcome)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a funnel: the reason, the number removed, and the number left."""

    reason: str
    out: int
    left: int


def funnel(start: int, taken: Iterable[tuple[str, int]]) -> tuple[Step, ...]:
    """Return how many of `start` are left after each (reason, number removed) of `taken`."""
    left, steps = start, []
    for reason, out in taken:
        if not 0 <= out <= left:
            raise ValueError(f"{out} cannot go out of {left} for {reason}")
        left -= out
        steps.append(Step(reason, out, left))
    return tuple(steps)
