"""Difficulty level of written answers, by the rubric on the provisions they cite."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import Session

from construction.augmentation.axes import Axes
from construction.augmentation.governing import group_slots
from construction.augmentation.rubric import ReferenceSet, difficulty, reference_set
from storage.augmentation.provisions import cited_units, provisions_named
from storage.augmentation.questions import QuestionView
from storage.law.parallel_groups import declaration_in


def reference_sets(
    session: Session, project_id: int, axes: Axes, made: Iterable[QuestionView]
) -> dict[int, ReferenceSet]:
    """Return the rubric's view of the provisions that each question's answer cites.

    Provisions are of the law that it was written on. A type removed from the axes is neither
    conditional nor joins facets.
    """
    kinds = {each.key: each for each in axes.types}
    groups = group_slots(declaration_in(session, project_id), axes.groups)
    by_law: dict[int, list[QuestionView]] = {}
    for question in made:
        by_law.setdefault(question.snapshot_id, []).append(question)
    found = {}
    for snapshot_id, some in by_law.items():
        cited = cited_units(session, snapshot_id, some)
        units = {unit for each in cited.values() for unit in each}
        known = provisions_named(session, snapshot_id, units)
        for question in some:
            kind = kinds.get(str(question.axes.get("type")))
            found[question.id] = reference_set(
                [known[unit] for unit in cited[question.id] if unit in known],
                axes.rubric,
                conditional=kind is not None and kind.conditional,
                arity=1 if kind is None else kind.facets,
                groups=groups,
            )
    return found


def levels_found(
    session: Session, project_id: int, axes: Axes, made: Iterable[QuestionView]
) -> dict[int, str]:
    """Return the level of each question's answer by id, "" where it cites no provision."""
    return {
        number: difficulty(seen, axes.rubric) if seen.references else ""
        for number, seen in reference_sets(session, project_id, axes, made).items()
    }
