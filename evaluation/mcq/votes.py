"""Replies to questions, gathered by model and setting so that figures can be paired by question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluation.replies.likelihood import likeliest
from evaluation.replies.outcomes import Outcome


class Setting(StrEnum):
    """What whoever solves a question is given."""

    ZERO = "zero"  # nothing: what the model knows by heart
    A = "a"  # the provision that leaves something to the other: it cannot be told
    B = "b"  # only the other
    BOTH = "ab"


class Of(StrEnum):
    """What a share is a share of: the denominator of a figure."""

    ALL = "all"  # every reply that came
    READABLE = "readable"  # those whose outcome could be read


@dataclass(frozen=True, slots=True)
class Key:
    """A question's right option and the one that says it cannot be told, counted from 0."""

    answer: int
    abstention: int


@dataclass(frozen=True, slots=True)
class ReplyVote:
    """What a reply came to; `option` counts from 0 and is None where none was chosen."""

    outcome: Outcome
    option: int | None = None

    @property
    def silent(self) -> bool:
        """Whether it did not answer, by abstaining or refusing. The unreadable is not known to."""
        return self.outcome.abstained or self.outcome is Outcome.REFUSED


def by_likelihood(logprobs: Sequence[float | None], abstention: int) -> ReplyVote:
    """Return what a reply comes to by the log-probabilities of a question's options alone.

    None stands for one that is not known; `abstention` counts from 0. Where the likeliest are
    equally likely, or none is known, nothing can be read.
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
    """What a model's reply to a question came to."""

    item: str
    setting: Setting
    model: str
    said: ReplyVote
    repeat: int = 0


Score = Callable[[Key, ReplyVote], float]
"""What a reply to a question counts, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of one model under one setting: for each question, its replies."""

    replies: Mapping[str, Sequence[ReplyVote]]

    @property
    def outcomes(self) -> Counter[Outcome]:
        """How many replies came to each outcome."""
        return Counter(said.outcome for reply in self.replies.values() for said in reply)

    def scores(self, keys: Mapping[str, Key], score: Score, of: Of) -> dict[str, float]:
        """Return each question's mean over its replies; questions without one are left out.

        Of all replies, one that could not be read scores as one that does nothing that is counted.
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
    """All replies: the questions' keys, the models in order, and a cell where one has replied."""

    keys: Mapping[str, Key]
    models: tuple[str, ...]
    cells: Mapping[tuple[str, Setting], Cell]

    def cell(self, model: str, setting: Setting) -> Cell:
        """Return what came of the model under the setting; empty where it was not asked."""
        return self.cells.get((model, setting), Cell({}))


def gathered(keys: Mapping[str, Key], votes: Iterable[Vote]) -> Ballots:
    """Return the replies by model and setting. Raises KeyError for a question without a key."""
    replies: dict[tuple[str, Setting], dict[str, list[ReplyVote]]] = {}
    for vote in votes:
        if vote.item not in keys:
            raise KeyError(vote.item)
        at = vote.model, vote.setting
        replies.setdefault(at, {}).setdefault(vote.item, []).append(vote.said)
    cells = {at: Cell(found) for at, found in replies.items()}
    return Ballots(keys, tuple(sorted({model for model, _ in cells})), cells)


def right(key: Key, said: ReplyVote) -> float:
    """Whether the stored answer was chosen."""
    return float(said.option == key.answer)


def wrong(key: Key, said: ReplyVote) -> float:
    """Whether it was answered with another option than the stored one."""
    return answered(key, said) - right(key, said)


def answered(_: Key, said: ReplyVote) -> float:
    """Whether it was answered, rightly or wrongly."""
    return float(said.outcome is Outcome.ANSWERED)


def abstained(_: Key, said: ReplyVote) -> float:
    """Whether it was said that it cannot be told, by the option for that or in words."""
    return float(said.outcome.abstained)


def silent(_: Key, said: ReplyVote) -> float:
    """Whether it was not answered, by abstaining or refusing."""
    return float(said.silent)


def expected(setting: Setting) -> Score:
    """Return what is to be done under a setting: abstain with A alone, else be right."""
    return abstained if setting is Setting.A else right


def comes_to(outcome: Outcome) -> Score:
    """Return whether a reply came to that outcome."""
    return lambda _, said: float(said.outcome is outcome)


@dataclass(frozen=True, slots=True)
class Step:
    """A reason, how many it took out, and how many were left then."""

    reason: str
    out: int
    left: int


def funnel(start: int, taken: Iterable[tuple[str, int]]) -> tuple[Step, ...]:
    """Return the steps in the order given. Raises ValueError where more go out than there are."""
    left, steps = start, []
    for reason, out in taken:
        if not 0 <= out <= left:
            raise ValueError(f"{out} cannot go out of {left} for {reason}")
        left -= out
        steps.append(Step(reason, out, left))
    return tuple(steps)
