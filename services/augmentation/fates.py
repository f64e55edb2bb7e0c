"""What became of each augmented question, of every room that has a say in it."""

from __future__ import annotations

from sqlmodel import Session

from storage.augmentation.fates import Fate
from storage.augmentation.fates import fates as of_tables

__all__ = ["Fate", "fates"]


def fates(session: Session, project_id: int) -> dict[int, Fate]:
    """Return what became of each augmented question of a project, by its database id."""
    return of_tables(session, project_id)
