"""Claims of an answer beside the gold claims, with the provisions that each claim cites."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from errors import UserError
from storage.attribution.claims import (
    SAID,
    Claim,
    LabelsView,
    attribution_cases,
    read_claims,
    standing_labels,
)
from storage.judging import CaseView, case_view, cases
from storage.law.passages import placed_passages_named
from storage.tables.answers import AnswerClaims, AttributionCase, ClaimLabels, JudgeCase

SHOWN, HIDDEN, AFTER = "shown", "hidden", "after"
_BRACKETS = "[](){}<>「」『』【】 \t\n"


@dataclass(frozen=True, slots=True)
class ClaimsBeside:
    """The claims of an answer and those of the official answer, each in order."""

    number: int
    answer: CaseView
    predicted: tuple[Claim, ...]
    gold: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """The provision that a cited id resolves to; `unit` and `text` are empty where none does.

    `unit` may be an ancestor of what is cited, where the item's law has no smaller unit.
    """

    written: str
    unit: str
    head: str
    text: str


def claims_beside(session: Session, project_id: int, attribution_case_id: int) -> ClaimsBeside:
    """Return one attribution case. Raises UserError if the project has no case of that id."""
    row = session.get(AttributionCase, attribution_case_id)
    if row is None or row.project_id != project_id:
        raise UserError("attribution_unknown", id=attribution_case_id)
    answer = case_view(session.get_one(JudgeCase, row.case_id))
    texts = (session.get_one(AnswerClaims, each) for each in (row.predicted_id, row.gold_id))
    return ClaimsBeside(attribution_case_id, answer, *(read_claims(each.claims) for each in texts))


def compared_cases(session: Session, project_id: int) -> list[ClaimsBeside]:
    """Return every attribution case with claims of both texts, oldest first.

    An answer may have several: one per splitter.
    """
    answers = {each.id: each for each in cases(session, project_id)}
    return [
        ClaimsBeside(each.id, answers[each.case_id], each.predicted.claims, each.gold.claims)
        for each in attribution_cases(session, project_id)
        if each.predicted.state == each.gold.state == SAID
    ]


def of_answers(
    compared: Iterable[ClaimsBeside], labelled: Collection[int] = ()
) -> dict[int, ClaimsBeside]:
    """Return one case per answer, by the answer's id: the newest `labelled`, else the newest.

    They come oldest first; `labelled` are the numbers of those that a judge has labelled.
    """
    found: dict[int, ClaimsBeside] = {}
    for each in compared:
        before = found.get(each.answer.id)
        if before is None or each.number in labelled or before.number not in labelled:
            found[each.answer.id] = each
    return dict(sorted(found.items()))


def newest_labels(session: Session, project_id: int) -> dict[tuple[int, str], LabelsView]:
    """Return the newest readable labels by attribution case and judge, in the order of cases."""
    standing = standing_labels(session, project_id)
    return {key: row for key, row in standing.items() if row.state == SAID}


def labels_row(session: Session, attribution_case_id: int, row_id: int) -> list[dict[str, Any]]:
    """Return the labels in row `row_id`; [] if it is unreadable or not of that attribution case."""
    row = session.get(ClaimLabels, row_id) if row_id else None
    if row is None or row.attribution_case_id != attribution_case_id or row.state != SAID:
        return []
    return list(row.labels)


def cited_provisions(
    session: Session, snapshot_id: int, answer: CaseView, written: Collection[str]
) -> dict[str, Cited]:
    """Return the provision that each cited id resolves to in a snapshot, by the id as written.

    Ids that the snapshot lacks are looked up among the provisions that came with the answer.
    """
    wanted = {each: _ancestors(each) for each in dict.fromkeys(written)}
    units = {name for names in wanted.values() for name in names}
    there = placed_passages_named(session, snapshot_id, units)
    beside = {
        name: each for each in answer.provisions for name in (each.get("unit"), each.get("label"))
    }
    return {each: _cited(each, names, there, beside) for each, names in wanted.items()}


def _cited(
    written: str,
    names: tuple[str, ...],
    there: Mapping[str, Any],
    passages: Mapping[str | None, Mapping[str, str]],
) -> Cited:
    """Return the first of `names` that is in `there`, or in `passages`; with unit "" if none is."""
    for name in names:
        if name in there:
            passage = there[name].passage
            return Cited(written, name, passage.title or name, passage.text)
        if name in passages:
            told = passages[name]
            head = told.get("label") or name
            return Cited(written, told.get("unit", ""), head, told.get("text", ""))
    return Cited(written, "", "", "")


def _ancestors(written: str) -> tuple[str, ...]:
    """Return the id without brackets, then each of its ancestors' ids."""
    name = written.strip(_BRACKETS)
    found = [name]
    while cut := max(name.rfind("_"), name.rfind("/")):
        if cut < 0:
            break
        name = name[:cut]
        found.append(name)
    return tuple(each for each in found if each)
