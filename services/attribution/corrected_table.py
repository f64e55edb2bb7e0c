"""Table of corrected claim scores, for screens, files and the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from evaluation.figure import Figure
from evaluation.judging.accuracy import LEAST_OTHERS, LEAST_RATED, Withheld
from evaluation.judging.means import CorrectedMean
from evaluation.tables import Table
from messages import say
from services.attribution.corrected import CorrectedScores

WAYS = ("judged", "people", "corrected", "tuned")
COUNTS = ("reviewed", "answers", "no_claim", "unlabelled", "no_gold")
_HEAD = ("system", "judge", "measure", "way", "value", "low", "high", "n", "note")


def corrected_table(scores: Sequence[CorrectedScores], language: str) -> Table:
    """Return a row per system, judge, measure and estimate; shares are 0 to 1."""
    rows = tuple(
        (
            each.system,
            each.judge,
            say(f"attribution_corrected.measure.{measure}", language),
            say(f"attribution_corrected.way.{way}", language),
            figure.value,
            figure.low,
            figure.high,
            figure.n,
            note_on(mean, way, language),
        )
        for each in scores
        for measure, mean in each.means.items()
        for way, figure in figures_of(mean)
    )
    head = tuple(say(f"attribution_corrected.head.{name}", language) for name in _HEAD)
    notes = tuple(note for each in scores for note in notes_of(each, language))
    return Table(head, rows, say("attribution_corrected.title", language), notes)


def figures_of(mean: CorrectedMean) -> list[tuple[str, Figure]]:
    """Return the four estimates of a measure, by name."""
    return [(way, getattr(mean, way)) for way in WAYS]


def note_on(mean: CorrectedMean, way: str, language: str) -> str:
    """Return why a figure is withheld or has no interval, else "".

    Also "" for a figure that needs a model's scores where there are none.
    """
    figure: Figure = getattr(mean, way)
    if way in ("corrected", "tuned"):
        if mean.judged.value is None:
            return ""
        if mean.withheld is not None:
            return _withheld_text(mean, language)
        return _say("few", language, count=mean.differing) if mean.few else ""
    if way == "people" and figure.value is None and mean.waiting:
        return _say("withheld.unsettled", language)
    if way == "people" and 0 < figure.n < LEAST_RATED:
        return _say("small", language, needed=LEAST_RATED, count=figure.n)
    return ""


def _withheld_text(mean: CorrectedMean, language: str) -> str:
    reviewed = mean.people.n
    if mean.withheld is Withheld.TOO_FEW and reviewed >= LEAST_RATED:
        return _say("withheld.few_others", language, needed=LEAST_OTHERS)
    values = {"needed": LEAST_RATED, "count": reviewed}
    return _say(f"withheld.{mean.withheld}", language, **values)


def _say(name: str, language: str, **values: object) -> str:
    return say(f"attribution_corrected.{name}", language, **values)


def notes_of(scores: CorrectedScores, language: str) -> Iterator[str]:
    """Yield notes on the counts behind a system's figures, and warnings."""
    names = {"system": scores.system, "judge": scores.judge}
    yield _say("counts", language, **names, **{name: getattr(scores, name) for name in COUNTS})
    yield from warnings_of(scores, language)


def warnings_of(scores: CorrectedScores, language: str) -> Iterator[str]:
    """Yield warnings about a system's figures."""
    names = {"system": scores.system, "judge": scores.judge}
    waiting = max(mean.waiting for mean in scores.means.values())
    if waiting:
        yield _say("waiting", language, **names, count=waiting)
    if scores.anchored:
        yield _say("anchored", language, **names, count=scores.seen["shown"])


def as_json(scores: Sequence[CorrectedScores]) -> list[dict[str, Any]]:
    """Return the figures as JSON values; withheld ones with the reason."""
    return [
        {
            "system": each.system,
            "judge": each.judge,
            "answers": each.answers,
            "no_claim": each.no_claim,
            "no_gold": each.no_gold,
            "unlabelled": each.unlabelled,
            "reviewed": each.reviewed,
            "seen": dict(each.seen),
            "anchored": each.anchored,
            "measures": {name: _measure(mean) for name, mean in each.means.items()},
        }
        for each in scores
    ]


def _measure(mean: CorrectedMean) -> dict[str, Any]:
    return {
        **{
            way: {"value": figure.value, "low": figure.low, "high": figure.high, "n": figure.n}
            for way, figure in figures_of(mean)
        },
        "withheld": mean.withheld,
        "power": mean.power,
        "differing": mean.differing,
        "waiting": mean.waiting,
        "unscored": mean.unscored,
    }
