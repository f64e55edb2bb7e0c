"""Answers for judges and their verdicts: reading and adding.

Names and order of answers that do not reveal the system.

Both are derived from the visible question and answer alone: recomputing them for suspected systems
reveals nothing. Identical answers to one question are numbered in order of import.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import sqlalchemy
from sqlmodel import Session, col, select

from normalization.hashing import text_hash
from storage.db.columns import select_view, view_of
from storage.tables.answers import JudgeCase, Verdict

FROM_FILE = " @ file"
"""The suffix of an imported judge's name that our own judge has too."""

Asked = tuple[int, int | None, str, str, bool]
"""The key of a verdict: case, other case, judge, kind, and whether swapped."""


@dataclass(frozen=True, slots=True)
class CaseView:
    """An answer to be judged; the fields are those of `JudgeCase`."""

    id: int
    external_id: str
    system: str
    question: str
    reference: str
    provisions: tuple[Mapping[str, str], ...]
    kind: str
    language: str
    answer: str


@dataclass(frozen=True, slots=True)
class VerdictView:
    """A verdict; the fields are those of `Verdict`."""

    id: int
    case_id: int
    other_case_id: int | None
    judge: str
    kind: str
    swapped: bool
    verdict: str | None
    state: str
    raw: str
    prompt: str
    llm_call_id: int | None
    imported: bool
    at: datetime


def cases(session: Session, project_id: int) -> list[CaseView]:
    """Return the answers of a project that are to be judged, in order of import."""
    query = select_view(JudgeCase, CaseView).where(col(JudgeCase.project_id) == project_id)
    found = (CaseView(*row) for row in session.execute(query.order_by(col(JudgeCase.id))))
    return [replace(each, provisions=tuple(each.provisions)) for each in found]


def case_view(row: JudgeCase) -> CaseView:
    """Return the row as a value that needs no session."""
    return view_of(CaseView, row, provisions=tuple(row.provisions))


def verdict_key(verdict: Verdict | VerdictView) -> Asked:
    """Return a verdict's key: answer, other answer, judge, kind, and whether they were swapped."""
    about = verdict.case_id, verdict.other_case_id, verdict.judge
    return *about, verdict.kind, verdict.swapped


def standing_verdicts(
    session: Session, project_id: int, imported: bool | None = None
) -> dict[Asked, VerdictView]:
    """Return the current verdicts by key, in the order of the cases: the newest of each.

    A later failed verdict does not replace a valid one. With `imported` they are only those of
    files, or only ours. If an imported judge has the name of one of ours, the two are kept apart:
    FROM_FILE is appended to the imported one's name.
    """
    query = (
        select_view(Verdict, VerdictView)
        .join(JudgeCase, col(JudgeCase.id) == col(Verdict.case_id))
        .where(col(JudgeCase.project_id) == project_id)
        .order_by(col(Verdict.case_id), col(Verdict.id))
    )
    if imported is not None:
        query = query.where(col(Verdict.imported) == imported)
    ours = frozenset() if imported else own_judges(session, project_id)
    found: dict[Asked, VerdictView] = {}
    for row in session.execute(query):
        each = VerdictView(*row)
        each = replace(each, judge=called(each, ours))
        about = verdict_key(each)
        before = found.get(about)
        if before is None or each.verdict is not None or before.verdict is None:
            found[about] = each
    return found


def own_judges(session: Session, project_id: int) -> frozenset[str]:
    """Return the names of the judges with a verdict that was made here, not imported."""
    query = sqlalchemy.select(col(Verdict.judge)).distinct()
    query = query.join(JudgeCase, col(JudgeCase.id) == col(Verdict.case_id))
    mine = col(JudgeCase.project_id) == project_id, col(Verdict.imported).is_(False)
    return frozenset(session.execute(query.where(*mine)).scalars())


def called(verdict: Verdict | VerdictView, ours: frozenset[str]) -> str:
    """Return the name of a verdict's judge, marked if it is imported and one of `ours` ran here."""
    apart = verdict.imported and verdict.judge in ours
    return f"{verdict.judge}{FROM_FILE}" if apart else verdict.judge


_SHOWN = 4  # hexadecimal digits of the digest in a name


def blind_digests(session: Session, project_id: int) -> dict[int, str]:
    """Return a unique digest of every answer of a project, by answer id."""
    query = (
        select(JudgeCase.id, JudgeCase.external_id, JudgeCase.answer)
        .where(JudgeCase.project_id == project_id)
        .order_by(col(JudgeCase.id))
    )
    alike: Counter[tuple[str, str]] = Counter()
    found = {}
    for number, question, answer in session.exec(query):
        said = f"{question}\n{alike[question, answer]}\n{answer}"
        alike[question, answer] += 1
        found[number or 0] = text_hash(said)
    return found


def blind_name(external_id: str, digest: str) -> str:
    """Return an answer's anonymous name: the question's external id and the digest's beginning."""
    return f"{external_id}·{digest[:_SHOWN]}"
