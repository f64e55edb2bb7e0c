"""Data of the answer report: measures, states, options and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from evaluation.answers.trust import Trust
from evaluation.figure import Figure
from evaluation.judging.accuracy import Accuracy, HumanSample
from evaluation.judging.estimate import PositionBias
from evaluation.ranking.compare import USUAL, Inference
from evaluation.scores import Column, Values
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
