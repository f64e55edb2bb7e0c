"""Viewers of answer rating and judge review, and their data.

Offsets stay on the server: texts are sent already cut into pieces.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotation.judging.answer_views import BlindCase, JudgeVerdict, OpenCase, blind_case, open_case
from annotation.judging.forms import RATING, Rating, estimate_of
from annotation.work.queue_service import ItemView
from annotation.work.submissions import Submission
from evaluation.judging.answer_diff import Piece, compare
from messages import say
from pages.shell.bundle import STATUTE_TEXT
from pages.task.viewer import FORM_SCRIPTS, Viewer
from services.judging.judge_prompt import prompts_of_verdicts
from storage.db.workspace import Workspace

_PREFERS = {"first": "preferred", "second": "passed_over"}  # of a pair whose first is this answer
JUDGED_SCRIPTS = (
    STATUTE_TEXT,
    "judging/frontend/judged/case",
    "judging/frontend/judged/provisions",
)
JUDGED_STYLES = ("judging/frontend/judged/judged",)

RATING_VIEWER = Viewer(
    name="rating",
    scripts=(
        *FORM_SCRIPTS,
        *JUDGED_SCRIPTS,
        "judging/frontend/rating/viewer",
        "judging/frontend/rating/mount",
    ),
    styles=(*JUDGED_STYLES, "judging/frontend/rating/rating"),
)
_SCRIPTS = ("matrix", "voices", "rationale", "decision", "viewer", "mount")

REVIEW_VIEWER = Viewer(
    name="review",
    scripts=(
        *FORM_SCRIPTS,
        *JUDGED_SCRIPTS,
        *(f"judging/frontend/review/{name}" for name in _SCRIPTS),
    ),
    styles=(*JUDGED_STYLES, "judging/frontend/review/review"),
)


def rating_part(ws: Workspace, person_id: int, item: ItemView, _language: str) -> dict[str, Any]:
    """Return the data of a rating item, blind to system, judges and other raters."""
    case = blind_case(ws, person_id, item.subject_id)
    plain = {name: [[getattr(case, name), "shared"]] for name in ("reference", "answer")}
    return {**_case(case), **plain}


def review_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return the data of a review item: answers with shared text marked, verdicts, ratings."""
    case = open_case(ws, person_id, item)
    compared = compare(case.reference, case.answer)
    reference, answer = compared.words
    return {
        **_case(case),
        "reference": _pieces(compared.one),
        "answer": _pieces(compared.other),
        "shared": {"shared": compared.shared, "reference": reference, "answer": answer},
        "verdicts": [
            _verdict(said, told, language)
            for said, told in zip(
                case.verdicts, prompts_of_verdicts(ws, person_id, case), strict=True
            )
        ],
        "raters": [_rater(each, language) for each in case.ratings],
        "rated": {"count": case.so_far, "wanted": case.wanted},
        "implied": _implied(case),
    }


def _case(case: BlindCase) -> dict[str, Any]:
    provisions = [
        {"label": each.get("label", ""), "text": each.get("text", "")} for each in case.provisions
    ]
    return {"question": case.question, "language": case.language, "provisions": provisions}


def _pieces(pieces: Iterable[Piece]) -> list[list[str]]:
    return [[each.text, str(each.kind)] for each in pieces]


def _implied(case: OpenCase) -> dict[str, str]:
    """Return the estimate of the judges' verdict under each possible consensus, if any."""
    verdict = case.verdict
    if verdict is None:
        return {}
    return {str(each): str(estimate_of(verdict, each is Rating.CORRECT)) for each in Rating}


def _verdict(verdict: JudgeVerdict, asked_for: str, language: str) -> dict[str, str]:
    found = verdict.verdict or verdict.state
    return {
        "judge": verdict.judge,
        "said": _PREFERS.get(found, found),
        "note": _pair(verdict, language) if verdict.kind == "pairwise" else "",
        "prompt": verdict.prompt,
        "asked": asked_for,
        "raw": verdict.raw,
    }


def _pair(verdict: JudgeVerdict, language: str) -> str:
    """Return what the answer was compared with, and the order in which the judge read them."""
    other = verdict.other or say("review.reference", language)
    return say(f"review.{'second' if verdict.swapped else 'first'}", language, other=other)


def _rater(submission: Submission, language: str) -> dict[str, str]:
    sure = submission.confidence
    return {
        "person": submission.person,
        "said": str(submission.answers.get(RATING, "")),
        "sure": say("cases.confidence", language, value=sure) if sure else "",
        "comment": submission.comment,
        "flag": submission.flag,
    }
