"""What a run has to say of itself: its name, and how often a language model was of no use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from retrieval.core.describe import describe
from services.runs.methods.run_key import spec_of
from services.runs.scoring import require_scores
from storage.db.workspace import Workspace
from storage.runs.experiments import RecordView, records_of
from storage.runs.run_store import run_by_id

_PROBLEMS = ("refused", "invalid", "failed")


@dataclass(frozen=True, slots=True)
class Unanswered:
    """How often a run's method asked a model, and how often it got nothing to read.

    There the plain question was searched. `refused`, `invalid` and `failed` say why.
    """

    asked: int = 0
    refused: int = 0
    invalid: int = 0
    failed: int = 0

    @property
    def total(self) -> int:
        """How often it got nothing."""
        return self.refused + self.invalid + self.failed


def unanswered(cost: Mapping[str, Any]) -> Unanswered:
    """Return what the notes in a run's `cost` say, over all methods that it is made of."""
    sums = dict.fromkeys(("asked", *_PROBLEMS), 0)
    for name, count in cost.get("notes", {}).items():
        what = name.rpartition(".")[2]
        if what in sums:
            sums[what] += int(count)
    return Unanswered(**sums)


def run_unanswered(ws: Workspace, run_id: int) -> Unanswered:
    """Return the same for a stored run; nothing for one without a record."""
    with ws.reading() as session:
        record = records_of(session, [run_id]).get(run_id, RecordView())
    return unanswered(record.cost)


def other_name(ws: Workspace, run_id: int, asked: str, by: int | None = None) -> str:
    """Return what a run is called, where it was there already under another name than `asked`.

    Nothing where it bears that name, or none was asked for. Raises UserError for an unknown run and
    for `by` (None: the operator) who may not see scores.
    """
    require_scores(ws, run_id, by)
    with ws.reading() as session:
        run = run_by_id(session, run_id)
        record = records_of(session, [run_id]).get(run_id, RecordView())
    called = record.label or describe(spec_of(run.key))
    return called if asked and called != asked else ""
