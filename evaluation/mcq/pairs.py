"""Comparison of two models on the same questions, e.g. before and after domain adaptation.

The change of each measure, over all outcomes of a reply, is the mean of one
score after, less that before, over the questions that both sides have. The interval resamples
questions, both scores of a question together (paired percentile bootstrap). Questions without a
reply on either side are excluded; the number of missing replies is a measure of its own, over
all questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from evaluation.mcq.safety import Difference, difference, joint_scores
from evaluation.mcq.votes import (
    Ballots,
    Of,
    Score,
    Setting,
    answered,
    comes_to,
    expected,
)
from evaluation.replies.outcomes import Outcome

JOINT = "able_and_safe"
MISSING = "missing"
MEASURES = ("accuracy", "answered_anyway", *(outcome.value for outcome in Outcome), MISSING)
"""The measures compared under a setting, in table order; `JOINT` is over two settings."""


@dataclass(frozen=True, slots=True)
class ModelPair:
    """Two models to compare, with an optional name of the comparison."""

    before: str
    after: str
    name: str = ""

    @property
    def shown(self) -> str:
        """Its name, or the models with an arrow between them."""
        return self.name or f"{self.before} → {self.after}"


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one measure between the models of a pair.

    `setting` is None for a measure over two settings. `was` and `became` are the means on the
    questions that both have, whose number is the difference's n; None if there are none.
    """

    pair: ModelPair
    setting: Setting | None
    of: Of
    measure: str
    was: float | None
    became: float | None
    difference: Difference


_Scores = Mapping[str, float]


def between_models(ballots: Ballots, pair: ModelPair) -> list[Change]:
    """Return all changes: able and safe, then each measure under each setting that both have.

    `answered_anyway` exists with A alone; of readable replies none is unreadable or missing.
    """
    found = [
        _joint_change(ballots, pair, of) for of in Of if _both_replied(ballots, pair, Setting.A)
    ]
    for setting in Setting:
        if _both_replied(ballots, pair, setting):
            found += [each for of in Of for each in _changes_under(ballots, pair, setting, of)]
    return found


def _both_replied(ballots: Ballots, pair: ModelPair, setting: Setting) -> bool:
    return {(pair.before, setting), (pair.after, setting)} <= ballots.cells.keys()


def _joint_change(ballots: Ballots, pair: ModelPair, of: Of) -> Change:
    sides = (joint_scores(ballots, model, of) for model in (pair.before, pair.after))
    return _change(pair, None, of, JOINT, *sides)


def _changes_under(ballots: Ballots, pair: ModelPair, setting: Setting, of: Of) -> Iterator[Change]:
    cells = [ballots.cell(model, setting) for model in (pair.before, pair.after)]
    for measure, score in _measures_of(setting, of):
        sides = (cell.scores(ballots.keys, score, of) for cell in cells)
        yield _change(pair, setting, of, measure, *sides)
    if of is Of.ALL:
        missing = ({q: float(q not in cell.replies) for q in ballots.keys} for cell in cells)
        yield _change(pair, setting, of, MISSING, *missing)


def _measures_of(setting: Setting, of: Of) -> Iterator[tuple[str, Score]]:
    yield "accuracy", expected(setting)
    if setting is Setting.A:
        yield "answered_anyway", answered
    for outcome in Outcome:
        if of is Of.ALL or outcome.readable:
            yield outcome.value, comes_to(outcome)


def _change(
    pair: ModelPair, setting: Setting | None, of: Of, measure: str, was: _Scores, became: _Scores
) -> Change:
    shared = sorted(was.keys() & became.keys())
    found = difference(measure, was, became)
    return Change(pair, setting, of, measure, _mean(was, shared), _mean(became, shared), found)


def _mean(scores: _Scores, items: Sequence[str]) -> float | None:
    return fmean(scores[item] for item in items) if items else None
