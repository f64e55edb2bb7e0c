"""Reading of units by the workspace's model, ahead of the methods that need it.

Replies are cached as they arrive, so stopped work resumes, and methods that read the same units
with the same model and prompts ask nothing more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.people.roles import Act, reading_as
from corpus.progress import Progress
from errors import UserError, Where
from retrieval.readings.model import Kind, ReadingCost, State
from retrieval.readings.model_reader import ModelReader
from services.models.llm_adapter import ProjectAsker
from services.runs.methods.preparation import searched_corpus
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot
from storage.runs.search_levels import levels_searched


@dataclass(frozen=True, slots=True)
class ReadUnits:
    """Numbers of units by result of reading; `cost` includes cached calls."""

    kind: Kind
    units: int
    states: Mapping[State, int]
    cost: ReadingCost

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json`` output."""
        states = {state.value: self.states.get(state, 0) for state in State}
        return {"kind": self.kind, "units": self.units, **states, "cost": self.cost.as_json()}


def read_units(
    ws: Workspace,
    project_slug: str,
    kind: Kind,
    by: int | None = None,
    *,
    statute: str = "",
    most: int | None = None,
    progress: Progress | None = None,
) -> ReadUnits:
    """Have the model read the units that retrieval searches, or those of one statute.

    `statute` is its semantic id; at most `most` units are read, in order of id. `progress` gets
    (units read, units to read). Raises UserError for `by` who may not have models run, for an
    unknown project or statute, and as `ModelReader` does.
    """
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        snapshot = required_snapshot(session, project).id
        levels = levels_searched(session, project.id)
    documents = searched_corpus(ws, snapshot, levels).documents
    chosen = [each for each in documents if statute in ("", each.statute)][:most]
    if not chosen:
        raise UserError("readings_statute_unknown", Where(field="statute"), statute=statute)
    reader = ModelReader(ProjectAsker(ws, project_slug))
    readings = reader(kind, chosen, progress)
    states = Counter(each.state for each in readings)
    return ReadUnits(kind, len(readings), dict(states), reader.cost)
