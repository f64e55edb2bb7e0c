"""Votes on questions, gathered by model and setting so that figures can be paired by question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Setting(StrEnum):
    """What whoever solves a question is given."""

    ZERO = "zero"  # nothing: what the model knows by heart
    A = "a"  # the provision that leaves something to the other: it cannot be told
    B = "b"  # only the other
    BOTH = "ab"


@dataclass(frozen=True, slots=True)
class Key:
    """A question's right option and the one that says it cannot be told, counted from 0."""

    answer: int
    abstention: int

    def expected(self, setting: Setting) -> int:
        """Return the option to choose under a setting: with A alone, that it cannot be told."""
        return self.abstention if setting is Setting.A else self.answer


@dataclass(frozen=True, slots=True)
class Vote:
    """What a model chose; `option` is None where its answer chooses nothing plainly."""

    item: str
    setting: Setting
    model: str
    option: int | None
    repeat: int = 0


Score = Callable[[Key, int], float]
"""What choosing an option on a question counts, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one model chose under one setting: for each question, the options that were read.

    A question whose votes could not be read has an empty list: it is missing, never wrong.
    """

    options: Mapping[str, Sequence[int]]
    unread: int = 0

    @property
    def votes(self) -> int:
        """How many votes were read."""
        return sum(map(len, self.options.values()))

    def scores(self, keys: Mapping[str, Key], score: Score) -> dict[str, float]:
        """Return each question's mean over its repeats; questions without a vote are left out."""
        return {
            item: sum(score(keys[item], option) for option in chosen) / len(chosen)
            for item, chosen in sorted(self.options.items())
            if chosen
        }


@dataclass(frozen=True, slots=True)
class Ballots:
    """All votes: the questions' keys, the models in order, and a cell where one has voted."""

    keys: Mapping[str, Key]
    models: tuple[str, ...]
    cells: Mapping[tuple[str, Setting], Cell]

    def cell(self, model: str, setting: Setting) -> Cell:
        """Return what the model chose under the setting; empty where it was not asked."""
        return self.cells.get((model, setting), Cell({}))


def gathered(keys: Mapping[str, Key], votes: Iterable[Vote]) -> Ballots:
    """Return the votes by model and setting. Raises KeyError for a question without a key."""
    options: dict[tuple[str, Setting], dict[str, list[int]]] = {}
    unread: dict[tuple[str, Setting], int] = {}
    for vote in votes:
        at = vote.model, vote.setting
        chosen = options.setdefault(at, {}).setdefault(vote.item, [])
        if vote.item not in keys:
            raise KeyError(vote.item)
        if vote.option is None:
            unread[at] = unread.get(at, 0) + 1
        else:
            chosen.append(vote.option)
    cells = {at: Cell(found, unread.get(at, 0)) for at, found in options.items()}
    return Ballots(keys, tuple(sorted({model for model, _ in cells})), cells)
