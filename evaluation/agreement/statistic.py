"""A statistic of agreement as a value, and what measuring with it finds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from evaluation.agreement.ratings import Ratings, Scale
from evaluation.agreement.tally import Tally
from evaluation.figure import Figure
from evaluation.interval import RESAMPLES, Interval


class Reason(StrEnum):
    """Why there is no value. The words are ``statistics.reason.<value>``."""

    SCALE = "scale"  # the statistic is not for this scale
    RATERS = "raters"  # it is for exactly two raters
    UNEQUAL = "unequal"  # it needs the same number of ratings on every item
    NO_PAIRS = "no_pairs"  # no item has two ratings
    NO_VARIATION = "no_variation"  # one category throughout: nothing to tell agreement from
    NOT_USED = "not_used"  # nobody chose the category
    NO_PAGES = "no_pages"  # no page was transcribed by one person and checked by another
    NO_CALIBRATION = "no_calibration"  # the rater rated no item whose answer is known


@dataclass(frozen=True, slots=True)
class Finding:
    """What a statistic finds: its figure, or the reason why it has none.

    The figure's n counts the items that have at least two ratings. `undefined` counts the
    resamples in which the statistic has no value; its interval is over the others.
    """

    figure: Figure
    reason: Reason | None = None
    undefined: int = 0

    @property
    def statistic(self) -> str:
        """The key of the statistic."""
        return self.figure.name


class Statistic(ABC):
    """A statistic of agreement. Equal ones are equal, and `key` names each."""

    @property
    @abstractmethod
    def key(self) -> str:
        """The name, as in ``statistics.name.<key>``."""

    @property
    @abstractmethod
    def scales(self) -> frozenset[Scale]:
        """The scales that the statistic is for."""

    @property
    def two_raters(self) -> bool:
        """Whether it is for exactly two raters."""
        return False

    def unfit(self, ratings: Ratings) -> Reason | None:
        """Return why the statistic does not apply to `ratings`; None when it does."""
        if ratings.scale not in self.scales:
            return Reason.SCALE
        if self.two_raters and len(ratings.raters) != 2:
            return Reason.RATERS
        return None if ratings.pairable else Reason.NO_PAIRS

    @abstractmethod
    def tally(self, ratings: Ratings) -> Tally:
        """Return what the statistic needs of `ratings`, to which it applies."""

    def __repr__(self) -> str:
        return self.key


def measure(
    ratings: Ratings, statistic: Statistic, resamples: int = RESAMPLES, seed: int = 0
) -> Finding:
    """Return what `statistic` finds, with the percentile interval of an item bootstrap.

    Equal arguments give an equal finding. With `resamples` 0 there is no interval.
    """
    reason = statistic.unfit(ratings)
    if reason is not None:
        return Finding(Figure(statistic.key, None, ratings.pairable), reason)
    tally = statistic.tally(ratings)
    value = tally.value()
    if value is None:
        return Finding(Figure(statistic.key, None, ratings.pairable), Reason.NO_VARIATION)
    around = tally.interval(resamples, seed) if resamples else Interval(None, None)
    figure = Figure(statistic.key, value, ratings.pairable, around.low, around.high)
    return Finding(figure, undefined=around.undefined)


def measure_all(
    ratings: Ratings,
    statistics: Iterable[Statistic],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Finding]:
    """Return what each statistic finds, in the given order."""
    return [measure(ratings, statistic, resamples, seed) for statistic in statistics]
