"""The gold of each question as the rubric of difficulty reads it, and the level that it finds."""

from __future__ import annotations

from functools import lru_cache

from annotation.work.versioned_texts import AXES
from construction.augmentation.governing import group_slots
from construction.augmentation.rubric import (
    Marked,
    ReferenceSet,
    Rubric,
    difficulty,
    marked,
    reference_set,
)
from services.gold.gold_set import GoldSet
from storage.augmentation.provisions import provisions_named
from storage.db.workspace import ByDatabase, Workspace
from storage.law.corpus import id_in_use
from storage.law.parallel_groups import declaration_in
from storage.projects import find_project


def reference_sets(
    ws: Workspace, project_slug: str, gold: GoldSet
) -> dict[str, tuple[ReferenceSet, str]]:
    """Return question → (reference set, difficulty) of its gold, by the project's axes.

    Questions without gold in the law have none.
    """
    units = frozenset(unit for found in gold.qrels.values() for unit in found)
    with ws.reading() as session:
        project = find_project(session, project_slug)
        snapshot_id = gold.snapshot_id or id_in_use(session, project.id)
        if snapshot_id is None or not units:
            return {}
        _, axes = AXES.current(session, project.id)
        groups = group_slots(declaration_in(session, project.id), axes.groups)
    marks = _marks(ByDatabase.of(ws), snapshot_id, units, axes.rubric)
    found = {}
    for name, mine in gold.qrels.items():
        known = [marks[unit] for unit in sorted(mine) if unit in marks]
        if known:
            question = gold.questions.get(name)
            kind = dict(question.columns).get("type") if question else None
            seen = reference_set(known, axes.rubric, **axes.traits(str(kind)), groups=groups)
            found[name] = seen, difficulty(seen, axes.rubric)
    return found


@lru_cache(maxsize=8)  # the law of a snapshot never changes, and reading it takes a while
def _marks(
    source: ByDatabase, snapshot_id: int, units: frozenset[str], rubric: Rubric
) -> dict[str, Marked]:
    """Return provisions marked by the rubric, cached."""
    with source.ws.reading() as session:
        known = provisions_named(session, snapshot_id, units)
    return {unit: marked(provision, rubric) for unit, provision in known.items()}
