"""What models suggest of the factors of court cases, and when that is shown to who tags."""

from __future__ import annotations

from sqlmodel import Session, col, func, select

from storage.case_tables import CaseSetting, CourtCase, FactorSuggestion

AFTER = "after"  # where nobody has said otherwise


def setting_of(session: Session, project_id: int) -> str:
    """Return when suggestions are shown in the project: ``shown``, ``hidden`` or ``after``."""
    query = select(CaseSetting.suggestions).where(CaseSetting.project_id == project_id)
    return session.exec(query.order_by(col(CaseSetting.id).desc()).limit(1)).first() or AFTER


def newest_ids(session: Session, project_id: int) -> dict[int, int]:
    """Return the id of the newest suggestion of each court case that has any."""
    query = (
        select(FactorSuggestion.court_case_id, func.max(col(FactorSuggestion.id)))
        .join(CourtCase, col(CourtCase.id) == FactorSuggestion.court_case_id)
        .where(CourtCase.project_id == project_id)
        .group_by(col(FactorSuggestion.court_case_id))
    )
    return {case_id: newest or 0 for case_id, newest in session.exec(query)}


def suggested(
    session: Session, court_case_id: int, until: int
) -> dict[str, list[FactorSuggestion]]:
    """Return what each model suggests of each sub-factor of a case, in order of its name.

    Of a model's suggestions on a sub-factor the newest counts, of those up to the id `until`.
    """
    query = (
        select(func.max(col(FactorSuggestion.id)))
        .where(FactorSuggestion.court_case_id == court_case_id, col(FactorSuggestion.id) <= until)
        .group_by(
            col(FactorSuggestion.sub_factor),
            col(FactorSuggestion.server),
            col(FactorSuggestion.model),
        )
    )
    rows = session.exec(
        select(FactorSuggestion)
        .where(col(FactorSuggestion.id).in_(query))
        .order_by(col(FactorSuggestion.model), col(FactorSuggestion.id))
    )
    found: dict[str, list[FactorSuggestion]] = {}
    for row in rows:
        found.setdefault(row.sub_factor, []).append(row)
    return found
