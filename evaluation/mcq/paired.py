"""Differences on the same questions: between settings of a model, and between two models.

A difference is the mean over questions that both sides have of one score minus the other; its
interval draws questions, both scores of a question together (paired percentile bootstrap).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.figure import Figure
from evaluation.mcq.resampling import mean_figure
from evaluation.mcq.votes import Ballots, Cell, Key, Setting


@dataclass(frozen=True, slots=True)
class Difference:
    """How far the second is above the first, and on how many questions it is higher or lower."""

    figure: Figure
    higher: int
    lower: int


@dataclass(frozen=True, slots=True)
class Change:
    """A model after something was done to it, against before, under one setting.

    `accuracy` is the difference in what is expected, `anyway` that in answering with A alone,
    which has no value elsewhere.
    """

    before: str
    after: str
    setting: Setting
    accuracy: Difference
    anyway: Difference


def between_settings(ballots: Ballots, model: str, first: Setting, second: Setting) -> Difference:
    """Return how much more often a model chooses the right option under the second setting."""
    return _difference(
        f"{second} - {first}",
        _right(ballots.cell(model, first), ballots.keys),
        _right(ballots.cell(model, second), ballots.keys),
    )


def between_models(ballots: Ballots, before: str, after: str) -> list[Change]:
    """Return what changed from one model to the other, under each setting that both have."""
    return [
        _change(ballots, before, after, setting)
        for setting in Setting
        if {(before, setting), (after, setting)} <= ballots.cells.keys()
    ]


def _change(ballots: Ballots, before: str, after: str, setting: Setting) -> Change:
    cells = ballots.cell(before, setting), ballots.cell(after, setting)
    first, second = (_expected(cell, ballots.keys, setting) for cell in cells)
    accuracy = _difference("accuracy", first, second)
    answered = [_answered(cell, ballots.keys) if setting is Setting.A else {} for cell in cells]
    return Change(before, after, setting, accuracy, _difference("anyway", *answered))


def _difference(name: str, first: Mapping[str, float], second: Mapping[str, float]) -> Difference:
    gains = [second[item] - first[item] for item in sorted(first.keys() & second.keys())]
    higher, lower = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    return Difference(mean_figure(name, gains), higher, lower)


def _right(cell: Cell, keys: Mapping[str, Key]) -> dict[str, float]:
    return cell.scores(keys, lambda key, option: float(option == key.answer))


def _expected(cell: Cell, keys: Mapping[str, Key], setting: Setting) -> dict[str, float]:
    return cell.scores(keys, lambda key, option: float(option == key.expected(setting)))


def _answered(cell: Cell, keys: Mapping[str, Key]) -> dict[str, float]:
    return cell.scores(keys, lambda key, option: float(option != key.abstention))
