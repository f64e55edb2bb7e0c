"""An answer beside the official one or another system's, word by word."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.judging.answer_diff import Compared, compare
from services.answers.report_views import QuestionAnswers
from services.answers.scores import stated


@dataclass(frozen=True, slots=True)
class Beside:
    """Two answers: how they differ, and the footers of references, which are no part of it.

    `footers` are in the order of `compared`: of the other side, then of the system's answer.
    """

    compared: Compared
    footers: tuple[str, str]


def beside(those: QuestionAnswers, system: str, other: str = "") -> Beside:
    """Return a system's answer beside that of `other`; beside the official one without a name."""
    # The official answer is no model's: what ends it is its own.
    left = those.answers[other] if other else those.reference
    right = those.answers[system]
    bare = (stated(left) if other else left, stated(right))
    return Beside(compare(*bare), (left[len(bare[0]) :], right[len(bare[1]) :]))
