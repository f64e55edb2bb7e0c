"""Reading and adding answers that judges judge, and their verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from storage.judge_tables import JudgeCase, Verdict

Asked = tuple[int, int | None, str, str, bool]
"""What a verdict is about: the case, the other one, the judge, the kind, and whether swapped."""


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
    """Return the answers of a project, in the order in which they came."""
    query = select(JudgeCase).where(JudgeCase.project_id == project_id)
    return [case_view(row) for row in session.exec(query.order_by(col(JudgeCase.id)))]


def case_view(row: JudgeCase) -> CaseView:
    """Return the row without its session."""
    return CaseView(
        id=row.id or 0,
        external_id=row.external_id,
        system=row.system,
        question=row.question,
        reference=row.reference,
        provisions=tuple(row.provisions),
        kind=row.kind,
        language=row.language,
        answer=row.answer,
    )


def asked(verdict: Verdict | VerdictView) -> Asked:
    """Return what the verdict is about."""
    about = verdict.case_id, verdict.other_case_id, verdict.judge
    return *about, verdict.kind, verdict.swapped


def standing_verdicts(session: Session, project_id: int) -> dict[Asked, VerdictView]:
    """Return what judges say now: of each asking the newest verdict, in the order of the cases.

    A later one that says nothing does not take the place of one that said something.
    """
    query = (
        select(Verdict)
        .join(JudgeCase, col(JudgeCase.id) == Verdict.case_id)
        .where(JudgeCase.project_id == project_id)
        .order_by(col(Verdict.case_id), col(Verdict.id))
    )
    found: dict[Asked, VerdictView] = {}
    for row in session.exec(query):
        before = found.get(asked(row))
        if before is None or row.verdict is not None or before.verdict is None:
            found[asked(row)] = _view(row)
    return found


def add_verdicts(session: Session, verdicts: Iterable[Verdict]) -> int:
    """Add the verdicts; return how many."""
    rows = list(verdicts)
    session.add_all(rows)
    session.flush()
    return len(rows)


def _view(row: Verdict) -> VerdictView:
    return VerdictView(
        id=row.id or 0,
        case_id=row.case_id,
        other_case_id=row.other_case_id,
        judge=row.judge,
        kind=row.kind,
        swapped=row.swapped,
        verdict=row.verdict,
        state=row.state,
        raw=row.raw,
        prompt=row.prompt,
        llm_call_id=row.llm_call_id,
        imported=row.imported,
        at=row.at,
    )
