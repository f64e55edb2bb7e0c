"""What the report on answers is made of: measures, states, how it is read, and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from evaluation.answers.trust import Trust
from evaluation.figure import Figure
from evaluation.judging.accuracy import Accuracy, HumanSample
from evaluation.judging.position import PositionBias
from evaluation.ranking.compare import USUAL, Comparison, Inference
from services.answers.scores import BertSetting
from services.answers.verdict_counts import VerdictCounts
from services.runs.strata import Stratum


class Measure(StrEnum):
    """What an answer is measured by; each is higher for better answers."""

    ROUGE1 = "rouge1"
    ROUGE2 = "rouge2"
    ROUGE_L = "rougeL"
    BERTSCORE = "bertscore"
    JUDGE = "judge"  # 1 where the judge finds it correct, 0 where incorrect
    WINS = "wins"  # against the official answer, in both orders; a tie is ½


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
    """What came of a question; all but the first are no answer."""

    ANSWERED = "answered"
    REFUSED = "refused"
    EMPTY = "empty"
    CUT_OFF = "cut_off"
    INVALID = "invalid"
    UNREAD = "unread"
    FAILED = "failed"
    NOT_ASKED = "not_asked"  # of a model that could be asked it
    LEFT_OUT = "left_out"  # it cannot be asked under the setting: without gold, not in the run
    ABSENT = "absent"  # from the file that the answers were brought in with


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How the report is read.

    `judge` None is the majority, or the only one; `pairwise` None the same judge where it compares
    answers, else the first by name that does. `baseline` None compares with the best system of
    each measure.
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
    """What the report can be read by; `scorable` answers are to a question with an official one."""

    systems: tuple[str, ...]
    judges: tuple[str, ...]
    pairwise: tuple[str, ...]
    strata: Mapping[str, Mapping[str, tuple[str, ...]]]
    scorable: int


@dataclass(frozen=True, slots=True)
class MeasureColumn:
    """A measure over all systems: what they are compared with, and those of the highest mean.

    `baseline` is None where nothing has a number; `best` is empty where all are alike.
    """

    measure: Measure
    baseline: str | None
    best: frozenset[str]


@dataclass(frozen=True, slots=True)
class Score:
    """A system by one measure; `missing` answers have no number. No comparison of the baseline."""

    figure: Figure
    missing: int
    comparison: Comparison | None


@dataclass(frozen=True, slots=True)
class SystemScores:
    """A system; `scores` are in the order of the columns.

    `states` says what came of every question of the report, `corrected` how often its answers are
    correct by judge and people together, `verdicts` what the judge said, `position` how the
    pairwise judge minds the order; None where no such judge said anything. `alone` is what people
    found, whoever judges. `parts` are precision and recall of overlap and closeness.
    """

    system: str
    scores: tuple[Score, ...]
    states: Mapping[AnswerState, int]
    corrected: Accuracy | None
    alone: HumanSample
    verdicts: VerdictCounts | None
    position: PositionBias | None
    parts: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """Everything, over the questions of `stratum` or all.

    `values` are the numbers behind the figures: measure → system → question. `people` says of
    each system's answers what people found, where they did, `texts` how questions begin.
    `unscored` counts the answers that BERTScore is still to be made of.
    """

    columns: tuple[MeasureColumn, ...]
    systems: tuple[SystemScores, ...]
    trust: tuple[Trust, ...]
    questions: int
    options: ReportOptions
    judge: str | None
    pairwise: str | None
    unscored: int
    values: Mapping[Measure, Mapping[str, Mapping[str, float | None]]] = field(repr=False)
    people: Mapping[str, Mapping[str, bool | None]] = field(repr=False)
    texts: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class QuestionAnswers:
    """A question with the official answer, and the answer of each system that gave one."""

    question: str
    text: str
    reference: str
    language: str
    answers: Mapping[str, str]
