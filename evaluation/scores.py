"""Scores of answers as one table, and the one comparison of groups of answers by them.

A score is a number of one answer by one measure, or None where it could not be scored. Answers are
grouped by system, context or whatever else they have; a group's figure is its mean over the
questions that have a number. Groups are compared by a paired test on the questions that both have a
number for; p-values are corrected by Holm.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from evaluation.figure import Figure, known_mean, mean_figure, share_of
from evaluation.ranking.compare import USUAL, Comparison, Inference, best_of, compare_each
from evaluation.significance import TIE

BEST, EACH = "", "*"
"""Baselines: the group with the highest mean of each measure, or every group."""


@dataclass(frozen=True, slots=True)
class Score:
    """A number of one answer.

    `answer` is the id of the answer, `context` what the model was shown with the question, ""
    where unknown. `scored_by` names who or what gave the number: people, a judge, a tokeniser, an
    encoder, gold; `version` which one of it, "" where there is one.
    """

    answer: str
    question: str
    system: str
    context: str
    measure: str
    value: float | None
    scored_by: str = ""
    version: str = ""


Values = Mapping[str, Mapping[str, Mapping[str, float | None]]]
"""Measure → group → question → score."""


@dataclass(frozen=True, slots=True)
class Column:
    """A measure over all groups: figures, counts of answers without a number, and tests.

    `tests` maps baseline → group → comparison. `baseline` is None where nothing has a number.
    """

    measure: str
    figures: Mapping[str, Figure]
    missing: Mapping[str, int]
    tests: Mapping[str, Mapping[str, Comparison]]

    @property
    def baseline(self) -> str | None:
        """The group that the others are compared with; of several the first, None without any."""
        return next(iter(self.tests), None)

    @property
    def best(self) -> frozenset[str]:
        """The groups of the highest mean, none where all are equal."""
        means = {name: f.value for name, f in self.figures.items() if f.value is not None}
        highest = {name for name, value in means.items() if value > max(means.values()) - TIE}
        return frozenset(highest if len(highest) < len(means) else ())

    def comparison(self, group: str) -> Comparison | None:
        """Return the comparison of a group with `baseline`, None for the baseline itself."""
        return self.tests.get(self.baseline or "", {}).get(group)

    def pairs(self) -> Iterator[tuple[str, str, Comparison]]:
        """Yield group, baseline and their comparison, each two groups once."""
        seen = set()
        for against, others in self.tests.items():
            seen.add(against)
            yield from ((name, against, test) for name, test in others.items() if name not in seen)

    def beaten(self, group: str) -> int:
        """Return the number of groups that are significantly worse than this one."""
        return sum(of[group].verdict > 0 for name, of in self.tests.items() if name != group)


def sole_best(columns: Iterable[Column]) -> dict[str, list[Column]]:
    """Return the groups that alone are best by a measure, with these measures."""
    found: dict[str, list[Column]] = {}
    for column in columns:
        if len(column.best) == 1:
            found.setdefault(next(iter(column.best)), []).append(column)
    return found


def by_group(
    scores: Iterable[Score],
    by: str = "system",
    measures: Iterable[str] = (),
    groups: Collection[str] = (),
) -> Values:
    """Return scores by measure, group and question; several of one question as their mean.

    `by` names the field of a score that groups them. `measures` and `groups` come first, in their
    order, also those without a score.
    """
    found: dict[str, dict[str, dict[str, list[float | None]]]] = {
        measure: {group: {} for group in groups} for measure in measures
    }
    for each in scores:
        of_measure = found.setdefault(each.measure, {})
        of_group = of_measure.setdefault(str(getattr(each, by)), {})
        of_group.setdefault(each.question, []).append(each.value)
    return {
        measure: {
            group: {q: known_mean(some) for q, some in of.items()} for group, of in those.items()
        }
        for measure, those in found.items()
    }


def compared(
    values: Values,
    shares: Collection[str] = (),
    against: str = BEST,
    inference: Inference = USUAL,
    tested: Collection[str] | None = None,
) -> dict[str, Column]:
    """Return the figures and tests of groups by measure; measures in `shares` are shares of yes.

    `against` is a group, BEST or EACH. Of measures outside `tested` there are no tests.
    """
    baselines = {
        measure: _baselines(of, against) if tested is None or measure in tested else []
        for measure, of in values.items()
    }
    tests = compare_each(
        list(zip(values.values(), baselines.values(), strict=True)), 0, None, inference
    )
    return {
        measure: Column(
            measure,
            {
                group: share_of(measure, list(each.values()))
                if measure in shares
                else mean_figure(measure, list(each.values()), inference.resamples)
                for group, each in of.items()
            },
            {group: sum(v is None for v in each.values()) for group, each in of.items()},
            told,
        )
        for (measure, of), told in zip(values.items(), tests, strict=True)
    }


def _baselines(of: Mapping[str, Mapping[str, float | None]], against: str) -> list[str]:
    """Return the groups to compare others with: the best (none if unscored), each, or `against`."""
    if against == EACH:
        return list(of)
    best = best_of(of) if against == BEST else against
    return [] if best is None else [best]
