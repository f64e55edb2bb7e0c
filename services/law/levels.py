"""Setting of the levels of units that retrieval searches in a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from annotation.people.roles import Act, reading_as, writing_as
from corpus.model import Level
from errors import UserError, Where, require_known
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use
from storage.law.passages import Levels
from storage.runs.search_levels import (
    LevelsSaid,
    in_order,
    keep_levels,
    level_counts,
    levels_said,
)


@dataclass(frozen=True, slots=True)
class LevelsView:
    """The setting, with the number of units per level of the law in use.

    There are no counts before the first import.
    """

    said: LevelsSaid
    counts: Mapping[Level, int]

    @property
    def levels(self) -> Levels:
        """Levels that are searched."""
        return self.said.levels


def read_levels(ws: Workspace, project_slug: str, by: int | None = None) -> LevelsView:
    """Return the levels searched in the project, with the number of units per level.

    Raises UserError for an unknown project and for `by` (None: the operator) of another one.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        counts = _unit_counts(session, project.id)
        return LevelsView(levels_said(session, project.id), counts)


def set_levels(
    ws: Workspace, project_slug: str, levels: Sequence[str], by: int | None = None
) -> bool:
    """Set the levels that retrieval searches; return True if they changed.

    Existing runs keep what they searched. Raises UserError for no level or an unknown one, for
    levels of which the law in use has no unit, for an unknown project, and for `by` (None: the
    operator) who may not set them.
    """
    with writing_as(ws, project_slug, by, Act.SET_LEVELS) as (session, project, _):
        at = Where(field="levels")
        for level in levels:
            require_known("levels_unknown", Level, at, value=level)
        if not levels:
            raise UserError("levels_none", at, known=", ".join(Level))
        wanted = in_order(levels)
        there = [level for level, units in _unit_counts(session, project.id).items() if units]
        if there and not set(wanted) & set(there):
            raise UserError("levels_empty", at, levels=", ".join(wanted), there=", ".join(there))
        return keep_levels(session, project.id, wanted, by, ws.clock())


def _unit_counts(session: Session, project_id: int) -> Mapping[Level, int]:
    """Return the number of units per level of the law in use, empty without law."""
    used = id_in_use(session, project_id)
    return {} if used is None else level_counts(session, used)
