"""Reading and adding answers that judges judge, and their verdicts."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import Session, col, select

from storage.judge_tables import JudgeCase, Verdict

Asked = tuple[int, int | None, str, str, bool]
"""What a verdict is about: the case, the other one, the judge, the kind, and whether swapped."""


def cases(session: Session, project_id: int) -> list[JudgeCase]:
    """Return the answers of a project, in the order in which they came."""
    query = select(JudgeCase).where(JudgeCase.project_id == project_id)
    return list(session.exec(query.order_by(col(JudgeCase.id))))


def asked(verdict: Verdict) -> Asked:
    """Return what the verdict is about."""
    return verdict.case_id, verdict.other_case_id, verdict.judge, verdict.kind, verdict.swapped


def standing_verdicts(session: Session, project_id: int) -> dict[Asked, Verdict]:
    """Return what judges say now: of each asking the newest verdict, in the order of the cases.

    A later one that says nothing does not take the place of one that said something.
    """
    query = (
        select(Verdict)
        .join(JudgeCase, col(JudgeCase.id) == Verdict.case_id)
        .where(JudgeCase.project_id == project_id)
        .order_by(col(Verdict.case_id), col(Verdict.id))
    )
    found: dict[Asked, Verdict] = {}
    for row in session.exec(query):
        before = found.get(asked(row))
        if before is None or row.verdict is not None or before.verdict is None:
            found[asked(row)] = row
    return found


def add_verdicts(session: Session, verdicts: Iterable[Verdict]) -> int:
    """Add the verdicts; return how many."""
    rows = list(verdicts)
    session.add_all(rows)
    session.flush()
    return len(rows)
