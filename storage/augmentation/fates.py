"""What became of each augmented question: of the newest cascade that it was in, and of curation."""

from __future__ import annotations

from enum import StrEnum

from sqlmodel import Session

from storage.cascade.results import admitted
from storage.cascade.state import QuestionState, State, states


class Fate(StrEnum):
    """How far an augmented question has come."""

    WRITTEN = "written"  # no cascade has ended on it
    REJECTED = "rejected"  # a layer of its newest cascade rejected it, and nobody restored it
    THROUGH = "through"  # it came through its newest cascade, or was restored
    KEPT = "kept"  # people kept it: it is a question of the project
    DROPPED = "dropped"  # people rejected it in curation


def fates(session: Session, project_id: int) -> dict[int, Fate]:
    """Return what became of each augmented question of a project, by its database id.

    What the cascade said is as `storage.cascade.state` derives it. What people rejected in
    curation is not told here.
    """
    kept = admitted(session, project_id)
    return {
        each.question.id: Fate.KEPT if each.question.id in kept else _fate(each)
        for each in states(session, project_id)
    }


def _fate(found: QuestionState) -> Fate:
    """Return how far a question has come that is none of the project's yet."""
    if found.came_through:
        return Fate.THROUGH
    return Fate.REJECTED if found.state is State.REJECTED else Fate.WRITTEN
