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
    DROPPED = "dropped"  # people rejected it in curation


def fates(session: Session, project_id: int) -> dict[int, Fate]:
    """Return what became of each augmented question of a project, by its database id.

    A layer that somebody overruled for a question stays overruled for it in later runs too. What
    people rejected in curation is not told here.
    """
    of_project = AugmentedQuestion.project_id == project_id
    ids = session.exec(select(AugmentedQuestion.id).where(of_project)).all()
    results = _newest_results(session, project_id)
    last = _last_places(results)
    overruled, kept = _overruled(session, project_id), _admitted(session, project_id)
    found = {}
    for number in sorted(each or 0 for each in ids):
        said = results.get(number, [])
        if number in kept:
            found[number] = Fate.KEPT
        elif said:
            end = last[said[0].cascade_run_id]
            found[number] = _fate(said, overruled.get(number, set()), end)
        else:
            found[number] = Fate.WRITTEN
    return found


def _fate(results: Sequence[LayerResult], overruled: set[str], last: int) -> Fate:
    """Return what became of a question of which these were said in one run, up to `last`."""
    against = [each for each in results if each.outcome != "passed" and each.layer not in overruled]
    if any(each.outcome == "rejected" for each in against):
        return Fate.REJECTED
    ended = max(each.place for each in results) == last
    return Fate.THROUGH if ended and not against else Fate.WRITTEN


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


def _overruled(session: Session, project_id: int) -> dict[int, set[str]]:
    """Return the layers that somebody overruled for each question; the newest row of each holds."""
    query = (
        select(Restoration, LayerResult.layer)
        .join(LayerResult, col(LayerResult.id) == col(Restoration.layer_result_id))
        .join(
            AugmentedQuestion, col(AugmentedQuestion.id) == col(Restoration.augmented_question_id)
        )
        .where(AugmentedQuestion.project_id == project_id)
        .order_by(col(Restoration.id))
    )
    newest = {(row.augmented_question_id, layer): row.kind for row, layer in session.exec(query)}
    found: dict[int, set[str]] = {}
    for (question, layer), kind in newest.items():
        if kind == "restore":
            found.setdefault(question, set()).add(layer)
    return found


def _admitted(session: Session, project_id: int) -> set[int]:
    query = select(Admission.augmented_question_id).join(
        AugmentedQuestion, col(AugmentedQuestion.id) == col(Admission.augmented_question_id)
    )
    return set(session.exec(query.where(AugmentedQuestion.project_id == project_id)))
