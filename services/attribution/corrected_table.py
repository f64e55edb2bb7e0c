"""Corrected claim scores in the reader's language: four estimates of a measure, in a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from evaluation.judging.accuracy import LEAST_OTHERS, LEAST_RATED, Withheld
from evaluation.judging.means import CorrectedMean
from evaluation.reports.report import Chart, Marked, Report, Section, Shape, Words
from services.attribution.corrected import CorrectedScores

_WAYS = ("judged", "people", "corrected", "tuned")
_PARTS = ("power", "differing", "waiting", "unscored")
_COUNTS = ("reviewed", "answers", "no_claim", "unlabelled", "no_gold")


def corrected_report(
    scores: Sequence[CorrectedScores], language: str, measure: str | None = None
) -> Report:
    """Return the estimates of each system by each judge, of one measure or of all."""
    words = Words("attribution_corrected", language, "head", "way")
    sections = (_estimates(scores, words, measure), _counts(scores, words))
    return Report("corrected", words("title"), sections, "" if scores else words("none"))


def _estimates(scores: Sequence[CorrectedScores], words: Words, measure: str | None) -> Section:
    """Return each system's mean: by the model, by people, and corrected."""
    rows = [
        {
            "system": each.system,
            "judge": each.judge,
            "measure": words.word(name, "measure."),
            **{way: _estimate(mean, way, words) for way in _WAYS},
            "n": mean.people.n,
            **{part: getattr(mean, part) for part in _PARTS},
        }
        for each in scores
        for name, mean in each.means.items()
        if measure in (None, name)
    ]
    labels = ("system", "judge", "measure")[: 2 if measure else 3]
    chart = Chart(Shape.FOREST, labels, _WAYS, legend=words("head.value"))
    notes = (words("counted"), *(note for each in scores for note in _warnings(each, words)))
    return words.section("scores", "title", rows, chart=chart, notes=notes)


def _counts(scores: Sequence[CorrectedScores], words: Words) -> Section:
    """Count each system's answers: labelled, reviewed, shown to people."""
    rows = [
        {
            "system": each.system,
            "judge": each.judge,
            **{name: getattr(each, name) for name in _COUNTS},
            **{f"seen_{name}": count for name, count in each.seen.items()},
        }
        for each in scores
    ]
    return words.section("answers", "answers_title", rows)


def _estimate(mean: CorrectedMean, way: str, words: Words) -> Marked:
    """Return a figure with the reason why it, or its interval, is missing."""
    figure = getattr(mean, way)
    return Marked(None if figure.value is None else figure, estimate_note(mean, way, words))


def estimate_note(mean: CorrectedMean, way: str, words: Words) -> str:
    """Return why a figure is withheld or has no interval, else "".

    Also "" for a figure that needs a model's scores where there are none.
    """
    people = mean.people
    if way == "people":
        if people.value is None:
            return words("withheld.unsettled") if mean.waiting else ""
        return words("small", **_needed(mean)) if 0 < people.n < LEAST_RATED else ""
    if way == "judged" or mean.judged.value is None:
        return ""
    if mean.withheld is Withheld.TOO_FEW and people.n >= LEAST_RATED:
        return words("withheld.few_others", needed=LEAST_OTHERS)
    if mean.withheld is not None:
        return words(f"withheld.{mean.withheld}", **_needed(mean))
    return words("few", count=mean.differing) if mean.few else ""


def _needed(mean: CorrectedMean) -> dict[str, Any]:
    """Return the parameters of the message that too few answers are rated."""
    return {"needed": LEAST_RATED, "count": mean.people.n}


def _warnings(scores: CorrectedScores, words: Words) -> Iterator[str]:
    """Yield warnings about a system's figures."""
    names = {"system": scores.system, "judge": scores.judge}
    if waiting := max(mean.waiting for mean in scores.means.values()):
        yield words("waiting", **names, count=waiting)
    if scores.anchored:
        yield words("anchored", **names, count=scores.seen["shown"])
