"""An answer compared word by word with the official one or another system's."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.judging.answer_diff import Compared, compare
from services.answers.report_views import QuestionAnswers
from services.answers.scores import without_references


@dataclass(frozen=True, slots=True)
class Beside:
    """Comparison of two answers, with their footers of references, which are not compared.

    `footers` are in the order of `compared`: of the other side, then of the system's answer.
    """

    compared: Compared
    footers: tuple[str, str]


def compare_answers(those: QuestionAnswers, system: str, other: str = "") -> Beside:
    """Compare a system's answer with that of `other`, by default the official one."""
    # Footers are stripped from models' answers only.
    left = those.answers[other] if other else those.reference
    right = those.answers[system]
    bare = (without_references(left) if other else left, without_references(right))
    return Beside(compare(*bare), (left[len(bare[0]) :], right[len(bare[1]) :]))
