"""The runs of a project that a leaderboard is made of; `services.runs.significance` has their
figures."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.people.authorization import allow
from annotation.people.roles import Act
from services.runs.rows import RunLine, scored_runs
from storage.db.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Board:
    """A project's runs, newest first.

    `gold` counts the questions settled for the snapshot in use, `pending` the others.
    """

    runs: tuple[RunLine, ...]
    gold: int
    pending: int


def leaderboard(ws: Workspace, project_slug: str, by: int | None = None) -> Board:
    """Return the project's runs.

    Raises UserError for an unknown project and for `by` (None: the operator) who may not see
    scores.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    found = scored_runs(ws, project_slug)
    lines = tuple(line for line, _ in found.runs)
    gold = found.golds.in_use
    return Board(lines, gold=len(gold.items), pending=gold.pending)
