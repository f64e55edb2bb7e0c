"""The level of difficulty that a written answer makes: by the rubric, of what it cites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from sqlmodel import Session

from construction.attribution.cited import Law, cited_in_text
from construction.augmentation.axes import Axes
from construction.augmentation.governing import group_slots
from construction.augmentation.rubric import ReferenceSet, difficulty, reference_set
from corpus.model import split_id
from storage.augmentation.provisions import provisions_named
from storage.augmentation.questions import QuestionView
from storage.law.catalogues import catalogue_in
from storage.law.parallel_groups import declaration_in

Units = tuple[str, ...]


class _Answered(Protocol):
    @property
    def id(self) -> int: ...
    @property
    def answer(self) -> str: ...
    @property
    def gold(self) -> Sequence[Mapping[str, Any]]: ...


def cited_units(
    session: Session, snapshot_id: int, answered: Sequence[_Answered]
) -> dict[int, Units]:
    """Return the provisions of a law that each answer cites, ascending, by the question's id.

    A bare article is of the statute that the governing provisions are of, where that is one.
    """
    law = Law.of(catalogue_in(session, snapshot_id))
    units = {each.id: [str(gold["unit"]) for gold in each.gold] for each in answered}
    wanted = {unit for some in units.values() for unit in some}
    known = provisions_named(session, snapshot_id, wanted)
    found = {}
    for each in answered:
        mine = units[each.id]
        alone = len({split_id(unit)[0] for unit in mine}) == 1 and mine[0] in known
        about = known[mine[0]].head if alone else ""
        found[each.id] = cited_in_text(each.answer, law, about).units
    return found


def reference_sets(
    session: Session, project_id: int, axes: Axes, made: Iterable[QuestionView]
) -> dict[int, ReferenceSet]:
    """Return what the rubric sees of the provisions that each question's answer cites.

    They are those of the law that it was written on. A type that the axes no longer have is neither
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
    """Return the level of each question's answer by its id, "" where it cites no provision."""
    return {
        number: difficulty(seen, axes.rubric) if seen.references else ""
        for number, seen in reference_sets(session, project_id, axes, made).items()
    }
