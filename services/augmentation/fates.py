"""What became of each augmented question, of every room that has a say in it."""

from __future__ import annotations

from enum import StrEnum

from sqlmodel import Session

from annotation.curation.state import Fate as Curated
from annotation.curation.state import curation_states
from storage.cascade.state import QuestionState, State, states
from storage.curation.questions import admissions


class Fate(StrEnum):
    """How far an augmented question has come."""

    WRITTEN = "written"  # no cascade has ended on it
    REJECTED = "rejected"  # a layer of its newest cascade rejected it, and nobody restored it
    THROUGH = "through"  # it came through its newest cascade, or was restored
    ADMITTED = "admitted"  # people kept or edited it, and it is a question of the project
    DROPPED = "dropped"  # people rejected it in curation


def fates(session: Session, project_id: int) -> dict[int, Fate]:
    """Return what became of each augmented question of a project, by its database id.

    What people said counts before what a cascade said: a question that is in the project is
    admitted, one that they rejected is dropped, whatever a later run says of it.
    """
    inside = admissions(session, project_id)
    curated = curation_states(session, project_id)
    dropped = {each for each, state in curated.items() if state.fate is Curated.REJECTED}
    found = {}
    for each in states(session, project_id):
        number = each.question.id
        if number in inside:
            found[number] = Fate.ADMITTED
        else:
            found[number] = Fate.DROPPED if number in dropped else _of_cascade(each)
    return found


LOST = (Fate.REJECTED, Fate.DROPPED)
"""The fates of questions in whose place another one is wanted."""


def _of_cascade(found: QuestionState) -> Fate:
    if found.came_through:
        return Fate.THROUGH
    return Fate.REJECTED if found.state is State.REJECTED else Fate.WRITTEN
