"""What pairwise judges say, derived from their rows and kept nowhere."""

from __future__ import annotations

from sqlmodel import Session

from evaluation.judging.position import Pair, Winner
from storage.judging.verdicts import cases, standing_verdicts


def pairs(session: Session, project_id: int) -> dict[tuple[str, str, str], list[Pair]]:
    """Return what pairwise judges say, by judge, system and what its answer is compared with.

    The last is "" for the official answer.
    """
    systems = {case.id: case.system for case in cases(session, project_id)}
    orders: dict[tuple[int, int | None, str], dict[bool, Winner | None]] = {}
    for row in standing_verdicts(session, project_id).values():
        if row.kind == "pairwise":
            said = None if row.verdict is None else Winner(row.verdict)
            orders.setdefault((row.case_id, row.other_case_id, row.judge), {})[row.swapped] = said
    found: dict[tuple[str, str, str], list[Pair]] = {}
    for (case_id, other_id, judge), both in orders.items():
        key = judge, systems[case_id], systems[other_id] if other_id is not None else ""
        found.setdefault(key, []).append(Pair(both.get(False), both.get(True)))
    return dict(sorted(found.items()))
