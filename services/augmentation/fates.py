"""Outcome of each augmented question over cascade, curation and admission."""

from __future__ import annotations

from enum import StrEnum

from sqlmodel import Session

from annotation.curation.state import Fate as Curated
from annotation.curation.state import curation_states
from storage.cascade.state import QuestionState, State, states
from storage.curation.questions import admissions


class Fate(StrEnum):
    """How far an augmented question has come."""

    WRITTEN = "written"  # not yet through a cascade
    REJECTED = "rejected"  # rejected by a layer of its latest cascade, not restored
    THROUGH = "through"  # passed its latest cascade, or was restored
    ADMITTED = "admitted"  # kept or edited by people, and admitted to the project
    DROPPED = "dropped"  # rejected by people in curation


def fates(session: Session, project_id: int) -> dict[int, Fate]:
    """Return the outcome of each augmented question of a project, by database id.

    People's decisions override a cascade's: an admitted or dropped question stays so, whatever a
    later cascade says.
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
            found[number] = Fate.DROPPED if number in dropped else _cascade_fate(each)
    return found


LOST = (Fate.REJECTED, Fate.DROPPED)
"""Outcomes of questions that need a replacement."""


def _cascade_fate(found: QuestionState) -> Fate:
    if found.came_through:
        return Fate.THROUGH
    return Fate.REJECTED if found.state is State.REJECTED else Fate.WRITTEN
