"""Differences on the same questions: between settings of a model, and between two models.

A difference is the mean over questions that both sides have of one score minus the other; its
interval draws questions, both scores of a question together (paired percentile bootstrap).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.figure import Figure
from evaluation.interval import mean_figure
from evaluation.mcq.votes import Ballots, Of, Setting, answered, expected, right


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
    which has no value elsewhere; both as shares `of` all or readable replies.
    """

    before: str
    after: str
    setting: Setting
    of: Of
    accuracy: Difference
    anyway: Difference


def between_settings(
    ballots: Ballots, model: str, first: Setting, second: Setting, of: Of
) -> Difference:
    """Return how much more often a model chooses the right option under the second setting."""
    cells = ballots.cell(model, first), ballots.cell(model, second)
    scores = (cell.scores(ballots.keys, right, of) for cell in cells)
    return _difference(f"{second} - {first}", *scores)


def between_models(ballots: Ballots, before: str, after: str) -> list[Change]:
    """Return what changed from one model to the other, under each setting that both have."""
    return [
        _change(ballots, before, after, setting, of)
        for setting in Setting
        if {(before, setting), (after, setting)} <= ballots.cells.keys()
        for of in Of
    ]


def _change(ballots: Ballots, before: str, after: str, setting: Setting, of: Of) -> Change:
    cells = ballots.cell(before, setting), ballots.cell(after, setting)
    scored = [cell.scores(ballots.keys, expected(setting), of) for cell in cells]
    accuracy = _difference("accuracy", *scored)
    if setting is Setting.A:
        scored = [cell.scores(ballots.keys, answered, of) for cell in cells]
    else:
        scored = [{}, {}]
    return Change(before, after, setting, of, accuracy, _difference("answered_anyway", *scored))


def _difference(name: str, first: Mapping[str, float], second: Mapping[str, float]) -> Difference:
    gains = [second[item] - first[item] for item in sorted(first.keys() & second.keys())]
    higher, lower = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    return Difference(mean_figure(name, gains), higher, lower)
