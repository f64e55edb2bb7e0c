"""What became of each augmented question: of the newest cascade that it was in, and of curation."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from sqlmodel import Session, col, select

from storage.tables.augmentation import AugmentedQuestion
from storage.tables.cascade import LayerResult, Restoration
from storage.tables.curation import Admission


class Fate(StrEnum):
    """How far an augmented question has come."""

    WRITTEN = "written"  # no cascade has ended on it
    REJECTED = "rejected"  # a layer of its newest cascade rejected it, and nobody restored it
    THROUGH = "through"  # it came through its newest cascade, or was restored
    KEPT = "kept"  # people kept it: it is a question of the project


def fates(session: Session, project_id: int) -> dict[int, Fate]:
    """Return what became of each augmented question of a project, by its database id."""
    of_project = AugmentedQuestion.project_id == project_id
    ids = session.exec(select(AugmentedQuestion.id).where(of_project)).all()
    results = _newest_results(session, project_id)
    last = _last_places(results)
    restored, kept = _restored(session, project_id), _admitted(session, project_id)
    found = {}
    for number in ids:
        said = results.get(number or 0, [])
        if number in kept:
            fate = Fate.KEPT
        elif any(each.outcome == "rejected" for each in said):
            there = {each.id for each in said}
            fate = Fate.THROUGH if restored.get(number or 0) in there else Fate.REJECTED
        elif said and _ended(said, last[said[0].cascade_run_id]):
            fate = Fate.THROUGH
        else:
            fate = Fate.WRITTEN
        found[number or 0] = fate
    return found


def _ended(results: Sequence[LayerResult], last: int) -> bool:
    """Tell whether every layer up to the last of the run passed it."""
    passed = all(each.outcome == "passed" for each in results)
    return passed and max(each.place for each in results) == last


def _newest_results(session: Session, project_id: int) -> dict[int, list[LayerResult]]:
    """Return what the layers of the newest run that each question was in said of it."""
    query = (
        select(LayerResult)
        .join(
            AugmentedQuestion, col(AugmentedQuestion.id) == col(LayerResult.augmented_question_id)
        )
        .where(AugmentedQuestion.project_id == project_id)
        .order_by(col(LayerResult.cascade_run_id), col(LayerResult.place), col(LayerResult.id))
    )
    found: dict[int, list[LayerResult]] = {}
    for row in session.exec(query):
        before = found.get(row.augmented_question_id, [])
        if before and before[0].cascade_run_id == row.cascade_run_id:
            before.append(row)
        else:
            found[row.augmented_question_id] = [row]
    return found


def _last_places(results: dict[int, list[LayerResult]]) -> dict[int, int]:
    """Return the last place that any question came to in each run."""
    found: dict[int, int] = {}
    for rows in results.values():
        run, place = rows[0].cascade_run_id, max(each.place for each in rows)
        found[run] = max(found.get(run, place), place)
    return found


def _restored(session: Session, project_id: int) -> dict[int, int]:
    """Return the layer result that each restored question was let through after."""
    query = (
        select(Restoration)
        .join(
            AugmentedQuestion, col(AugmentedQuestion.id) == col(Restoration.augmented_question_id)
        )
        .where(AugmentedQuestion.project_id == project_id)
        .order_by(col(Restoration.id))
    )
    newest = {row.augmented_question_id: row for row in session.exec(query)}
    return {number: row.layer_result_id for number, row in newest.items() if row.kind == "restore"}


def _admitted(session: Session, project_id: int) -> set[int]:
    query = select(Admission.augmented_question_id).join(
        AugmentedQuestion, col(AugmentedQuestion.id) == col(Admission.augmented_question_id)
    )
    return set(session.exec(query.where(AugmentedQuestion.project_id == project_id)))
