"""Scores of answers in words: overlap, similarity, verdicts and wins, each derived here alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from annotation.judging.state import CaseState, Compared
from evaluation.answers.bertscore import BertScore
from evaluation.answers.overlap import Rouge
from evaluation.judging.estimate import Pair, worth
from evaluation.scores import Score
from services.answers.report_views import Measure


@dataclass(frozen=True, slots=True)
class TextScores:
    """Answers with what was said of them; an answer that has no number is a row without one.

    `pairs` are the pairwise verdicts, by judge, systems and question; `contexts` those of systems,
    unknown for imported ones.
    """

    answers: Sequence[CaseState]
    pairs: Mapping[Compared, Mapping[str, Pair]]
    contexts: Mapping[str, str] = field(default_factory=dict)

    def of(
        self, measure: str, scored_by: str, value: Callable[[CaseState], float | None]
    ) -> Iterator[Score]:
        """Yield each answer's score by a measure."""
        for each in self.answers:
            case, number = each.case, value(each)
            about = str(each.id), case.external_id, case.system, self.contexts.get(case.system, "")
            yield Score(*about, measure, None if number is None else float(number), scored_by)

    def overlap(
        self, measure: str, tokeniser: str, rouge: Mapping[int, Rouge | None]
    ) -> Iterator[Score]:
        """Yield F1 of ROUGE."""
        f1 = {at: getattr(found, measure).f1 for at, found in rouge.items() if found is not None}
        return self.of(measure, tokeniser, lambda each: f1.get(each.id))

    def similarity(self, setting: str, close: Mapping[int, BertScore | None]) -> Iterator[Score]:
        """Yield F1 of BERTScore by an encoder's setting."""
        f1 = {at: found.f1 for at, found in close.items() if found is not None}
        return self.of(Measure.BERTSCORE, setting, lambda each: f1.get(each.id))

    def verdicts(self, measure: str, judge: str) -> Iterator[Score]:
        """Yield 1 where a judge, or the majority, finds the answer correct, else 0."""
        return self.of(measure, judge, lambda each: each.verdict(judge))

    def wins(self, judge: str) -> Iterator[Score]:
        """Yield the worth of each answer beside the official one, by a pairwise judge."""

        def worth_beside_official(each: CaseState) -> float | None:
            """Return the worth of an answer compared with the official one, else None."""
            said = self.pairs.get((judge, each.case.system, ""), {})
            pair = said.get(each.case.external_id)
            return None if pair is None else worth(pair)

        return self.of(Measure.WINS, judge, worth_beside_official)
