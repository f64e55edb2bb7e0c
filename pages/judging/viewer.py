"""Viewers of answer rating and judge review, and their data.

Offsets stay on the server: texts are sent already cut into pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from annotation.guidelines.codebook_tree import Option
from annotation.judging.answer_views import BlindCase, JudgeVerdict, OpenCase, blind_case, open_case
from annotation.judging.forms import (
    CATEGORIES,
    CONSENSUS,
    ESTIMATE,
    FIELDS,
    RATING,
    RATING_FORM,
    RATIONALE,
    REVIEW_FORM,
    Estimate,
    Rating,
    estimate_of,
)
from annotation.work.queue_service import ItemView
from annotation.work.submissions import Submission
from evaluation.judging.answer_diff import Piece, compare
from messages import say
from pages.task.declared import WORDS, declared_viewer, form_data
from pages.task.viewer import ui_words
from services.judging.judge_prompt import prompts_of_verdicts
from storage.db.workspace import Workspace

_PREFERS = {"first": "preferred", "second": "passed_over"}  # of a pair whose first is this answer
_ACTIONS: Mapping[str, str] = {  # of the map of keys
    **{Rating.CORRECT: "accept", Rating.INCORRECT: "reject"},
    **{each: str(each) for each in Estimate},
}
_TONES = {Rating.CORRECT: ["check", "good"], Rating.INCORRECT: ["cross", "bad"]}
_ANSWERS, *_BESIDE = (f"judging/frontend/{name}" for name in ("answers", "matrix", "voices"))
_STYLES = ("judging/frontend/judging",)
_plain_form = partial(form_data, actions=_ACTIONS, plain=True)  # of one step

RATING_VIEWER = declared_viewer("rating", (_ANSWERS,), _STYLES)
REVIEW_VIEWER = declared_viewer("review", (_ANSWERS, *_BESIDE), _STYLES)


def rating_form(
    words: Mapping[str, str], ratings: Sequence[Option], language: str
) -> dict[str, Any]:
    """Return the form of rating as the viewer's data."""
    own = {"tones": _TONES, "meanings": True, "again": True, "clause": [[RATING, Rating.CORRECT]]}
    return _plain_form(RATING_FORM.spec, words, ratings, language, more={RATING: own})


def review_form(
    words: Mapping[str, str], categories: Sequence[Option], language: str
) -> dict[str, Any]:
    """Return the form of review as the viewer's data; digits mark its categories."""
    own: dict[str, dict[str, Any]] = {
        name: {"again": True, "clause": [words[f"clause_{name}"], words[name]]} for name in FIELDS
    }
    own[CONSENSUS]["tones"] = _TONES
    own[RATIONALE] |= {"rows": 3, "max": 5000}
    stems = {CONSENSUS: "said"}
    form = _plain_form(REVIEW_FORM.spec, words, categories, language, stems=stems, more=own)
    return {**form, "digits": CATEGORIES}


def rating_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return the data of a rating item, blind to system, judges and other raters."""
    return rating_panes(blind_case(ws, person_id, item.subject_id), language)


def rating_panes(case: BlindCase, language: str) -> dict[str, Any]:
    """Return the case as panes, as a rater sees it."""
    words = ui_words("rating", language, *WORDS)
    answers = _answers(words, *([[text, "shared"]] for text in (case.reference, case.answer)))
    return {
        "language": case.language,
        "panes": [_question(words, case), answers],
        "law": {**_law(words, case), "after": True},
    }


def review_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return the data of a review item: answers with shared text marked, verdicts, ratings."""
    case = open_case(ws, person_id, item)
    words = ui_words("review", language, *WORDS)
    compared = compare(case.reference, case.answer)
    reference, answer = compared.words
    shared = {"shared": compared.shared, "reference": reference, "answer": answer}
    answers = _answers(words, _pieces(compared.one), _pieces(compared.other))
    panes = [_question(words, case), ["legend", shared], answers]
    told = zip(case.verdicts, prompts_of_verdicts(ws, person_id, case), strict=True)
    voices = {
        "verdicts": [_verdict(said, prompt, language) for said, prompt in told],
        "raters": [_rater(each, language) for each in case.ratings],
        "rated": {"count": case.so_far, "wanted": case.wanted},
    }
    return {
        "language": case.language,
        "panes": [["matrix", {}], ["voices", voices]],
        "law": {**_law(words, case), "panes": panes},
        "implies": {CONSENSUS: _implied(case)},
    }


def _question(words: Mapping[str, str], case: BlindCase) -> list[Any]:
    """Return the pane of the question."""
    return ["texts", [{"name": "question", "title": words["question"], "text": case.question}]]


def _answers(
    words: Mapping[str, str],
    reference: list[list[str]],
    answer: list[list[str]],
) -> list[Any]:
    """Return the pane with the official answer and the answer to rate."""
    sides = [
        {"name": name, "title": words[name], "pieces": pieces}
        for name, pieces in (("reference", reference), ("answer", answer))
    ]
    return ["answers", sides]


def _law(words: Mapping[str, str], case: BlindCase) -> dict[str, Any]:
    """Return the pane of the provisions."""
    units = [
        {
            "unit": str(at),
            "head": each.get("label", ""),
            "pieces": [[each.get("text", ""), 0]],
            "missing": None if each.get("text", "").strip() else words["text_missing"],
        }
        for at, each in enumerate(case.provisions)
    ]
    none = None if units else words["no_provisions"]
    return {"title": words["provisions"], "units": units, "none": none}


def _pieces(pieces: Iterable[Piece]) -> list[list[str]]:
    """Return the pieces of a diff for the viewer."""
    return [[each.text, str(each.kind)] for each in pieces]


def _implied(case: OpenCase) -> dict[str, dict[str, str]]:
    """Return the estimate of the judges' verdict under each possible consensus, if any."""
    verdict = case.verdict
    if verdict is None:
        return {}
    return {
        str(each): {ESTIMATE: str(estimate_of(verdict, each is Rating.CORRECT))} for each in Rating
    }


def _verdict(verdict: JudgeVerdict, prompt_text: str, language: str) -> dict[str, str]:
    """Return a judge's verdict for the viewer."""
    found = verdict.verdict or verdict.state
    return {
        "judge": verdict.judge,
        "said": _PREFERS.get(found, found),
        "note": _pair(verdict, language) if verdict.kind == "pairwise" else "",
        "prompt": verdict.prompt,
        "asked": prompt_text,
        "raw": verdict.raw,
    }


def _pair(verdict: JudgeVerdict, language: str) -> str:
    """Return the answer that was compared, and the order in which the judge saw both."""
    other = verdict.other or say("review.reference", language)
    return say(f"review.{'second' if verdict.swapped else 'first'}", language, other=other)


def _rater(submission: Submission, language: str) -> dict[str, str]:
    """Return a person's rating for the viewer."""
    sure = submission.confidence
    return {
        "person": submission.person,
        "said": str(submission.answers.get(RATING, "")),
        "sure": say("cases.confidence", language, value=sure) if sure else "",
        "comment": submission.comment,
        "flag": submission.flag,
    }
