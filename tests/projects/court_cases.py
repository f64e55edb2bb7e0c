"""Court cases, and a model's suggestions on them, as rows of a test project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session

from storage.db.rows import add_row
from storage.tables.cases import CaseImport, CourtCase, FactorSuggestion

USUAL: Mapping[str, Any] = {
    "charges": [], "provisions": [], "language": "ko", "sections": [], "source": {"line": 1},
}  # fmt: skip


def add_court_cases(
    session: Session, project_id: int, at: datetime, cases: Iterable[Mapping[str, Any]]
) -> list[CourtCase]:
    """Add court cases of these columns, all of one import."""
    record = CaseImport(project_id=project_id, name="cases", content_hash="", mapping={}, at=at)
    keys = {"project_id": project_id, "case_import_id": add_row(session, record), "at": at}
    rows = [CourtCase(**{**USUAL, "content_hash": e["external_id"], **e, **keys}) for e in cases]
    session.add_all(rows)
    session.flush()
    return rows


def suggestion(
    case: int, sub_factor: str, options: list[str], at: datetime, **more: Any
) -> FactorSuggestion:
    """Return what a model says of a sub-factor, by default without a quotation."""
    usual = {
        "quote": "", "state": "unquoted", "server": "http://localhost", "model": "little-model",
        "codebook_version": "1", "prompt_version": "1",
    }  # fmt: skip
    about = {"court_case_id": case, "sub_factor": sub_factor, "options": options, "at": at}
    return FactorSuggestion(**{**usual, **about, **more})
