"""Parsing of answers to judge, verdicts and ratings from JSON Lines.

The fields are documented in docs/judging.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from corpus.files.rows import RowReader, is_storable, read_rows
from corpus.limits import (
    ANSWER,
    COMMENT,
    OFFICIAL_ANSWER,
    QUESTION,
    UNIT_HEADING,
    UNIT_TEXT,
    within,
)
from corpus.model import language_of
from errors import UserError, Where
from evaluation.judging.estimate import Winner
from evaluation.judging.judged import MAJORITY
from evaluation.replies.outcomes import read_grade, read_preference, refuses
from messages import LANGUAGES

NAME_CHARACTERS = 200
_CORRECT: Mapping[object, bool] = MappingProxyType(
    {"correct": True, "incorrect": False, "1": True, "0": False}
)
_REFERENCE = "reference"
_WITHOUT = ("refused", "failed")  # states without a reply to parse


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One system's answer to one question; empty fields are not stated."""

    where: Where
    external_id: str
    system: str
    question: str
    reference: str
    provisions: tuple[dict[str, str], ...]
    kind: str
    language: str
    answer: str


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """A judge's verdict; `verdict` and `state` are as in the table."""

    where: Where
    external_id: str
    system: str
    other: str | None
    judge: str
    kind: str
    swapped: bool
    verdict: str | None
    state: str
    raw: str


@dataclass(frozen=True, slots=True)
class RatingLine:
    """A person's rating of an answer."""

    where: Where
    external_id: str
    system: str
    person: str
    correct: bool
    comment: str


def read_cases(path: Path) -> list[CaseLine]:
    """Read the answers of a file. Raises UserError, with the place, for the first fault."""
    return [_case_line(row) for row in read_rows(path)]


def read_verdicts(path: Path) -> list[VerdictLine]:
    """Read the verdicts of a file. Raises UserError, with the place, for the first fault."""
    return [_verdict(row) for row in read_rows(path)]


def read_ratings(path: Path) -> list[RatingLine]:
    """Read the ratings of a file. Raises UserError, with the place, for the first fault."""
    return [_rating_line(row) for row in read_rows(path)]


def read_binary(raw: str) -> tuple[str | None, str]:
    """Parse verdict (None if unreadable) and state of a judge's reply about one answer."""
    grade = read_grade(raw)
    if grade is None:
        return None, _without_verdict(raw)
    return "correct" if grade else "incorrect", "said"


def read_pairwise(raw: str, swapped: bool) -> tuple[str | None, str]:
    """Parse verdict and state of a reply about answers A and B; if `swapped`, B is the first."""
    said = read_preference(raw)
    if said is None:
        return None, _without_verdict(raw)
    first = (said == "A") is not swapped
    return str(Winner.FIRST if first else Winner.SECOND), "said"


def _without_verdict(raw: str) -> str:
    """Return the state of a reply without a verdict, which counts in no figure."""
    return "refused" if refuses(raw) else "unread"


def _case_line(row: RowReader) -> CaseLine:
    question = row.text("question", limit=QUESTION)
    return CaseLine(
        where=row.at(),
        external_id=_id(row),
        system=_name(row, "system"),
        question=question,
        reference=row.text("reference", limit=OFFICIAL_ANSWER),
        provisions=_provisions(row),
        kind=row.line_text("kind"),
        language=_language(row, question),
        answer=row.required("answer", limit=ANSWER),
    )


def _verdict(row: RowReader) -> VerdictLine:
    """Parse a verdict of a judge."""
    judge = _name(row, "judge")
    if judge == MAJORITY:
        raise UserError("judging_name_taken", row.at("judge"), name=judge)
    other = None if row.text("other") == _REFERENCE else row.text("other") or None
    swapped = _flag(row, "swapped")
    kind, verdict, state = _kind_verdict_state(row, swapped)
    if kind == "binary" and (row.has("other") or swapped):
        raise UserError("judging_one_or_two", row.at("verdict"))
    return VerdictLine(
        where=row.at(),
        external_id=_id(row),
        system=_name(row, "system"),
        other=other,
        judge=judge,
        kind=kind,
        swapped=swapped,
        verdict=verdict,
        state=state,
        raw=row.text("raw", limit=ANSWER),
    )


def _kind_verdict_state(row: RowReader, swapped: bool) -> tuple[str, str | None, str]:
    """Return kind, verdict and state; without a verdict field they are parsed from the reply."""
    value = row.fields.get("verdict")
    if value is None:
        pairwise = row.has("other") or row.text("kind") == "pairwise"
        return "pairwise" if pairwise else "binary", *_verdict_from_reply(row, pairwise, swapped)
    if isinstance(value, str) and value.strip() in tuple(Winner):
        return "pairwise", value.strip(), "said"
    return "binary", "correct" if _correct(row, "verdict") else "incorrect", "said"


def _verdict_from_reply(row: RowReader, pairwise: bool, swapped: bool) -> tuple[str | None, str]:
    """Return verdict and state of a line without a verdict field."""
    if (state := row.text("state")) in _WITHOUT:
        return None, state
    raw = row.required("raw", limit=ANSWER)
    return read_pairwise(raw, swapped) if pairwise else read_binary(raw)


def _rating_line(row: RowReader) -> RatingLine:
    if not row.has("rating"):
        raise UserError("field_missing", row.at("rating"))
    return RatingLine(
        where=row.at(),
        external_id=_id(row),
        system=_name(row, "system"),
        person=_name(row, "person"),
        correct=_correct(row, "rating"),
        comment=row.text("comment", limit=COMMENT),
    )


def _correct(row: RowReader, field: str) -> bool:
    """Parse a rating: true or false, 1 or 0, or words for them."""
    value: Any = row.fields[field]
    if isinstance(value, int):  # also true and false
        value = str(int(value))
    found = _CORRECT.get(value.strip() if isinstance(value, str) else None)
    if found is None:
        raise UserError("judging_value", row.at(field), value=str(row.fields[field])[:40])
    return found


def _id(row: RowReader) -> str:
    """Parse the id of a question, which is required."""
    found = row.code("id", "question_id")
    if not found:
        raise UserError("field_missing", row.at("id"))
    return found


def _name(row: RowReader, field: str) -> str:
    """Parse a name on one line, of limited length."""
    found = " ".join(row.required(field).split())
    if len(found) > NAME_CHARACTERS:
        raise UserError("judging_name_long", row.at(field), limit=NAME_CHARACTERS)
    return found


def _flag(row: RowReader, field: str) -> bool:
    """Parse a yes-or-no field; absent is no."""
    value = row.fields.get(field)
    if value is not None and not isinstance(value, bool):
        raise UserError("judging_flag", row.at(field))
    return bool(value)


def _language(row: RowReader, question: str) -> str:
    """Parse the language, by default guessed from the question."""
    said = row.text("language")
    if not said:
        return language_of(question) if question else ""
    if said not in LANGUAGES:
        raise UserError("language_unknown", row.at("language"), known=", ".join(LANGUAGES))
    return said


def _provisions(row: RowReader) -> tuple[dict[str, str], ...]:
    """Return the provisions; a plain text is one without a label."""
    value = row.fields.get("provisions")
    if value is None:
        return ()
    if not isinstance(value, list):
        raise UserError("judging_provisions", row.at("provisions"))
    return tuple(_provision(each, row) for each in value)


def _provision(value: object, row: RowReader) -> dict[str, str]:
    """Parse a provision shown with an answer: text, or fields."""
    said = {"text": value} if isinstance(value, str) else value
    if not isinstance(said, dict):
        raise UserError("judging_provisions", row.at("provisions"))
    kept = {name: said.get(name) or "" for name in ("unit", "label", "text")}
    fits = all(isinstance(each, str) and is_storable(each) for each in kept.values())
    if not fits or not kept["text"]:
        raise UserError("judging_provisions", row.at("provisions"))
    within(kept["label"], UNIT_HEADING, row.at("provisions"))
    within(kept["text"], UNIT_TEXT, row.at("provisions"))
    return {name: text for name, text in kept.items() if text or name != "unit"}
