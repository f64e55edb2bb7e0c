"""Models' suggestions on the factors of court cases, and when taggers see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, func, select

from normalization.grouping import grouped
from storage.db.columns import select_view
from storage.tables.cases import CaseSetting, CourtCase, FactorSuggestion

AFTER = "after"  # the default
Place = tuple[int, str, str, str]  # court case, sub-factor, server, model


@dataclass(frozen=True, slots=True)
class SuggestionView:
    """A suggestion as reports read it; the fields are columns of `FactorSuggestion`."""

    id: int
    court_case_id: int
    sub_factor: str
    options: Sequence[str]
    quote: str
    start: int | None
    state: str
    server: str
    model: str
    llm_call_id: int | None


def setting_of(session: Session, project_id: int) -> str:
    """Return when taggers see suggestions: ``shown``, ``hidden`` or, if nobody said, ``after``."""
    query = select(CaseSetting.suggestions).where(CaseSetting.project_id == project_id)
    return session.exec(query.order_by(col(CaseSetting.id).desc()).limit(1)).first() or AFTER


def newest_ids(session: Session, project_id: int) -> dict[int, int]:
    """Return the id of the newest suggestion by id of court case, for cases that have any."""
    query = (
        select(FactorSuggestion.court_case_id, func.max(col(FactorSuggestion.id)))
        .join(CourtCase)
        .where(CourtCase.project_id == project_id)
        .group_by(col(FactorSuggestion.court_case_id))
    )
    return {case_id: newest or 0 for case_id, newest in session.exec(query)}


def suggested(
    session: Session, court_case_id: int, until: int
) -> dict[str, list[FactorSuggestion]]:
    """Return each model's newest suggestion with an id up to `until`, by sub-factor of a case."""
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
    return grouped((row.sub_factor, row) for row in rows)


def suggestions(session: Session, project_id: int) -> dict[Place, SuggestionView]:
    """Return the latest suggestion by court case, sub-factor, server and model, cases ascending."""
    query: Any = (
        select_view(FactorSuggestion, SuggestionView)
        .join(CourtCase)
        .where(col(CourtCase.project_id) == project_id)
        .order_by(col(FactorSuggestion.court_case_id), col(FactorSuggestion.id))
    )
    rows = (SuggestionView(*row) for row in session.execute(query))
    return {place_of(each): each for each in rows}


def place_of(each: SuggestionView | FactorSuggestion) -> Place:
    """Return the key of a suggestion: court case, sub-factor, server and model."""
    return each.court_case_id, each.sub_factor, each.server, each.model
