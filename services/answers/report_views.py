"""Data of the answer report: measures, states, options and results.

Scores of answers in words: overlap, similarity, verdicts and wins, each derived here alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from annotation.judging.state import CaseState, Compared
from evaluation.answers.bertscore import BertScore
from evaluation.answers.overlap import Rouge
from evaluation.answers.trust import Trust
from evaluation.figure import Figure
from evaluation.judging.accuracy import Accuracy, HumanSample
from evaluation.judging.estimate import Pair, PositionBias, worth
from evaluation.ranking.compare import USUAL, Inference
from evaluation.scores import Column, Score, Values
from services.answers.scores import BertSetting, VerdictCounts
from services.runs.strata import Stratum


class Measure(StrEnum):
    """Measure of an answer; higher is better."""

    ROUGE1 = "rouge1"
    ROUGE2 = "rouge2"
    ROUGE_L = "rougeL"
    BERTSCORE = "bertscore"
    JUDGE = "judge"  # 1 if the judge finds it correct, else 0
    WINS = "wins"  # against the official answer, in both orders; a tie counts ½


SHARES = (Measure.JUDGE, Measure.WINS)
"""Measures whose figure is a share: shown in percent, with the interval of one."""

USUAL_MEASURES = (
    Measure.ROUGE1,
    Measure.ROUGE_L,
    Measure.BERTSCORE,
    Measure.JUDGE,
    Measure.WINS,
)


class AnswerState(StrEnum):
    """State of a question for a system; only ANSWERED has an answer."""

    ANSWERED = "answered"
    REFUSED = "refused"
    EMPTY = "empty"
    CUT_OFF = "cut_off"
    INVALID = "invalid"
    UNREAD = "unread"
    FAILED = "failed"
    NOT_ASKED = "not_asked"  # the model could be asked
    LEFT_OUT = "left_out"  # cannot be asked under the setting: without gold, not in the run
    ABSENT = "absent"  # missing in the imported file


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Options of the report.

    `judge` None is the majority, or the only one; `pairwise` None is the same judge where it
    compares answers, else the first by name that does. `baseline` None compares with the best
    system of each measure.
    """

    measures: tuple[Measure, ...] = USUAL_MEASURES
    tokeniser: str = "morphemes"
    bert: BertSetting | None = None
    judge: str | None = None
    pairwise: str | None = None
    baseline: str | None = None
    stratum: Stratum | None = None
    inference: Inference = USUAL


@dataclass(frozen=True, slots=True)
class ReportChoices:
    """Available options of the report; `scorable` answers have an official one."""

    systems: tuple[str, ...]
    judges: tuple[str, ...]
    pairwise: tuple[str, ...]
    strata: Mapping[str, Mapping[str, tuple[str, ...]]]
    scorable: int


@dataclass(frozen=True, slots=True)
class SystemScores:
    """A system's results beside its scores.

    `states` counts the report's questions by state, `corrected` is the accuracy by judge and people
    together, `verdicts` the judge's verdicts, `position` the pairwise judge's position bias; None
    without such a judge. `alone` is the accuracy by people only. `parts` are precision and recall
    of overlap and similarity.
    """

    system: str
    states: Mapping[AnswerState, int]
    corrected: Accuracy | None
    alone: HumanSample
    verdicts: VerdictCounts | None
    position: PositionBias | None
    parts: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """The whole report, over the questions of `stratum` or all.

    `values` are the numbers behind the figures: measure → system → question. `people` are people's
    verdicts on each system's answers, `texts` the beginnings of questions. `unscored` counts
    answers without a BERTScore yet.
    """

    columns: tuple[Column, ...]
    systems: tuple[SystemScores, ...]
    trust: tuple[Trust, ...]
    questions: int
    options: ReportOptions
    judge: str | None
    pairwise: str | None
    unscored: int
    values: Values = field(repr=False)
    people: Mapping[str, Mapping[str, bool | None]] = field(repr=False)
    texts: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class QuestionAnswers:
    """A question with the official answer, and each system's answer."""

    question: str
    text: str
    reference: str
    language: str
    answers: Mapping[str, str]


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
        """Yield each answer's score on a measure, as `value` gives it; None is kept."""
        for each in self.answers:
            case, number = each.case, value(each)
            about = str(each.id), case.external_id, case.system, self.contexts.get(case.system, "")
            yield Score(*about, measure, None if number is None else float(number), scored_by)

    def overlap(
        self, measure: str, tokeniser: str, rouge: Mapping[int, Rouge | None]
    ) -> Iterator[Score]:
        """Yield each answer's ROUGE F1 under one measure and tokeniser; `rouge` is by case id."""
        f1 = {at: getattr(found, measure).f1 for at, found in rouge.items() if found is not None}
        return self.of(measure, tokeniser, lambda each: f1.get(each.id))

    def similarity(self, setting: str, scores: Mapping[int, BertScore | None]) -> Iterator[Score]:
        """Yield each answer's BERTScore F1, by an encoder's setting; `scores` is by case id."""
        f1 = {at: found.f1 for at, found in scores.items() if found is not None}
        return self.of(Measure.BERTSCORE, setting, lambda each: f1.get(each.id))

    def verdicts(self, measure: str, judge: str) -> Iterator[Score]:
        """Yield 1 where a judge, or the majority, finds an answer correct, 0 if not, else None."""
        return self.of(measure, judge, lambda each: each.verdict(judge))

    def wins(self, judge: str) -> Iterator[Score]:
        """Yield each answer's worth beside the official one by a pairwise judge; a tie is ½."""

        def worth_of(each: CaseState) -> float | None:
            """Return the worth of an answer, None where the judge has not compared it."""
            pair = self.pair(judge, each)
            return None if pair is None else worth(pair)

        return self.of(Measure.WINS, judge, worth_of)

    def pair(self, judge: str, each: CaseState) -> Pair | None:
        """Return how a judge compared an answer with the official one, None if it has not."""
        return self.pairs.get((judge, each.case.system, ""), {}).get(each.case.external_id)
