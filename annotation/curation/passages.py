"""Questions that have passed the cascade, for curation."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session

from storage.cascade.results import questions_for_curation, states


@dataclass(frozen=True, slots=True)
class Passage:
    """A question's progress in its newest run of the cascade."""

    run_id: int
    through: bool


def passages(session: Session, project_id: int) -> dict[int, Passage]:
    """Return the progress of each question in a run of the cascade, by id.

    A question is through if every layer of the run passed it or was overruled, and the run's
    version of the layers gives questions to people.
    """
    through = set(questions_for_curation(session, project_id))
    return {
        each.question.id: Passage(each.run.id, each.question.id in through)
        for each in states(session, project_id)
        if each.run is not None
    }
