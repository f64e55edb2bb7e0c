"""Every table: importing this module loads the whole schema."""

from __future__ import annotations

from functools import cache

from sqlalchemy import Select, func, select
from sqlmodel import Session, SQLModel

from storage.tables import (  # noqa: F401  (their classes are known then)  # noqa: F401  (their classes are known then)
    answers,
    augmentation,
    cases,
    core,
    exchange,
    law,
    mcq,
    models,
    ocr,
    people,
    runs,
    tasks,
)

TABLES = SQLModel.metadata
# What says nothing of a project's data: who has opened what, failed sign-ins, calls of models.
_BESIDE = ("lease", "sign_in_failure", "llm_call")


def newest_rows(session: Session) -> str:
    """Return a key that changes whenever a row is added to any table of project data."""
    return "-".join(str(number or 0) for number in session.execute(_newest_rows()).one())


@cache  # building the statement takes a hundred times as long as running it
def _newest_rows() -> Select[tuple[int, ...]]:
    """Return the query of every table's highest id."""
    tables = [each for each in TABLES.sorted_tables if each.name not in _BESIDE]
    return select(*(select(func.max(each.c.id)).scalar_subquery() for each in tables))
